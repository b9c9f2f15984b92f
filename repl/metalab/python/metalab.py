"""metalab in notebooks of Python, for places without a choice of kernels.

    %load_ext metalab
    %metalab open acs E1k.0 as a; step a 100
    %%metalab
    step a 100
    plot a tour

A cell holds lines of the prompt; "%%metalab go" above it makes it Go. Text, tables and pictures
come into the notebook, an error raises metalab.Error, and Interrupt ends a step after its last whole
iteration. One session serves the notebook, and ends with its Python.
"""

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from importlib import metadata

_kernel = None  # of this notebook


class Error(RuntimeError):
    """What metalab says of a cell that failed."""

    def _render_traceback_(self, *_):  # IPython asks for it: no line of this file helps
        return [str(self)]


def program():
    """Return the path of the program that was installed with this module."""
    try:
        for path in metadata.files("metalab") or ():
            if path.name == "metalab" and os.access(path.locate(), os.X_OK):
                return str(path.locate())
    except metadata.PackageNotFoundError:
        pass
    found = shutil.which("metalab")
    if found is None:
        raise Error("there is no program metalab: install its wheel with pip")
    return found


def cell(line, lines):
    """Return a cell for metalab's kernel of what stands behind a magic, and below it."""
    if lines is None:
        return "%lab " + line
    if line.strip() == "go":
        return "\n" + lines  # so that errors count lines as the notebook does
    if line.strip():
        raise Error("%%%%metalab takes lines of the prompt, %%%%metalab go takes Go: not %r" % line)
    typed = (text.strip() for text in lines.splitlines())
    return "\n" + "\n".join("%lab " + t if t and t[0] != "#" else "" for t in typed)


class Kernel:
    """A process of metalab's own kernel, which is asked by Jupyter's messages."""

    def __init__(self):
        import zmq
        from jupyter_client.session import Session

        self.dir = tempfile.mkdtemp(prefix="metalab-")  # with mode 0700
        names = ("shell", "iopub", "stdin", "control", "hb")
        free = [socket.create_server(("127.0.0.1", 0)) for _ in names]
        info = {name + "_port": s.getsockname()[1] for name, s in zip(names, free)}
        key = uuid.uuid4().hex
        info.update(ip="127.0.0.1", transport="tcp", key=key, signature_scheme="hmac-sha256")
        path = os.path.join(self.dir, "metalab.json")
        with open(path, "w") as f:
            json.dump(info, f)
        for s in free:
            s.close()
        self.said = open(os.path.join(self.dir, "said"), "w+b")
        env = dict(os.environ, JPY_PARENT_PID=str(os.getpid()))  # it ends with this process
        self.process = subprocess.Popen(
            [program(), "kernel", path], stdin=subprocess.DEVNULL, stdout=self.said,
            stderr=self.said, start_new_session=True, env=env)  # Interrupt is not for it
        self.owner = os.getpid()
        self.session = Session(key=key.encode())
        self.context = zmq.Context()
        for name, kind in (("shell", zmq.DEALER), ("control", zmq.DEALER), ("iopub", zmq.SUB)):
            to = self.context.socket(kind)
            to.linger = 0
            if name == "iopub":
                to.subscribe(b"")
            to.connect("tcp://127.0.0.1:%d" % info[name + "_port"])
            setattr(self, name, to)
        try:
            while not self.iopub.poll(100):  # nothing is heard before the subscription is there
                self.session.send(self.shell, "kernel_info_request", {})
                self.alive()
        except BaseException:
            self.stop()
            raise

    def alive(self):
        if self.process.poll() is not None:
            self.said.seek(0)
            said = self.said.read().decode(errors="replace").strip()
            raise Error("metalab has ended: " + (said or "status %d" % self.process.returncode))

    def execute(self, code):
        """Carry out a cell, and show what it shows."""
        content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False,
                   "user_expressions": {}, "stop_on_error": True}
        asked = self.session.send(self.shell, "execute_request", content)["header"]["msg_id"]
        failed = None
        while True:
            try:
                if not self.iopub.poll(1000):
                    self.alive()
                    if self.shell.poll(0) and self.answered(asked):
                        break  # its last message was lost, by an Interrupt at this place
                    continue
                message = self.session.recv(self.iopub)[1]
                kind, content = message["msg_type"], message["content"]
                if message["parent_header"].get("msg_id") != asked and kind in ("status", "error"):
                    continue
                if kind == "error":
                    failed = Error(content["evalue"])
                elif kind == "status" and content["execution_state"] == "idle":
                    break
                show(kind, content)
            except KeyboardInterrupt:
                self.session.send(self.control, "interrupt_request", {})
        if failed:
            raise failed

    def answered(self, asked):
        return self.session.recv(self.shell)[1]["parent_header"].get("msg_id") == asked

    def stop(self):
        if self.owner != os.getpid():  # a fork of the notebook's Python
            return
        if self.process.poll() is None:
            self.session.send(self.control, "shutdown_request", {"restart": False})
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.context.destroy(linger=0)
        self.said.close()
        shutil.rmtree(self.dir, ignore_errors=True)


def show(kind, content):
    """Show an output of metalab's kernel as one of this notebook's cell."""
    from IPython.display import clear_output, display

    if kind == "stream":
        print(content["text"], end="", file=getattr(sys, content["name"]), flush=True)
    elif kind == "clear_output":
        clear_output(content["wait"])
    elif kind in ("display_data", "update_display_data", "execute_result"):
        display(content["data"], metadata=content["metadata"], raw=True,
                display_id=content.get("transient", {}).get("display_id"),
                update=kind == "update_display_data")


def magic(line, lines=None):
    """Carry out a line of metalab's prompt, or the lines below."""
    global _kernel
    code = cell(line, lines)
    if _kernel is not None and _kernel.process.poll() is not None:
        stop()
        raise Error("metalab's session has ended; the next cell begins another one")
    if _kernel is None:
        _kernel = Kernel()
    _kernel.execute(code)


def stop():
    """End the session; its runs are kept as autosaves, where they were stepped."""
    global _kernel
    if _kernel is not None:
        _kernel.stop()
        _kernel = None


atexit.register(stop)


def load_ipython_extension(shell):
    shell.register_magic_function(magic, "line_cell", "metalab")


def unload_ipython_extension(_):
    stop()
