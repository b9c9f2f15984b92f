"""usage: magic.py PAGE: executes the cells of a page in ipykernel, which finds metalab installed.

Beside them an error raises and does not end the session, Interrupt ends a step, and with the
kernel of Python nothing of metalab's is left."""

import os
import re
import sys
import threading
import time

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager


class Here(KernelSpecManager):
    """Knows the kernel of this Python alone: that of Debian is /usr/bin/python3."""

    def get_kernel_spec(self, kernel_name):
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, language="python", display_name=kernel_name)


km = KernelManager(kernel_name="python3", kernel_spec_manager=Here())
km.start_kernel()
kc = km.blocking_client()
kc.start_channels()
kc.wait_for_ready(timeout=600)


def do(code, fails=""):
    """Execute a cell and return what it shows: text, media types, what it raises."""
    shown = []

    def hook(message):
        content = message["content"]
        if message["msg_type"] == "stream":
            shown.append(content["text"])
        elif message["msg_type"] == "error":
            shown.append("raised %s: %s" % (content["ename"], content["evalue"]))
            shown.extend(content["traceback"])
        elif "data" in content:
            shown.extend("%s: %s" % (kind, data) for kind, data in content["data"].items())

    status = kc.execute_interactive(code, output_hook=hook, timeout=600)["content"]["status"]
    text = "\n".join(s[:99] if s.startswith("image/") else s for s in shown)
    if (status == "error") != bool(fails) or fails not in text:
        sys.exit("the cell\n%s\nends with %s, want %r:\n%s" % (code, status, fails, text[-6000:]))
    return text


try:
    with open(sys.argv[1]) as page:
        cells = re.findall(r"^```ipython\n(.*?)^```$", page.read(), re.M | re.S)
    said = "\n".join(do(cell) for cell in cells)
    for want in ("image/png", "text/html", "identical", "'acs'"):
        if want not in said:
            sys.exit("the page's cells show no %s:\n%s" % (want, said[:5000]))
    failed = do("%metalab step nobody 1", fails="raised Error: ")
    if "line 1" not in failed or "/metalab.py" in failed:
        sys.exit("an error is told so: " + failed)
    do("%%metalab\nruns\nstep nobody 1", fails="raised Error: line 3: ")
    do("%%metalab go\nunknown()", fails="raised Error: line 2: ")
    do("%%metalab mistaken\nx", fails="takes lines of the prompt")
    pid = int(do("import metalab\nprint(metalab._kernel.process.pid)"))
    done = threading.Event()

    def interrupt():  # until the cell ends, as it may not have begun
        while not done.wait(1):
            km.interrupt_kernel()

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        do("%metalab step a 100000000", fails="raised Error: ")
    finally:
        done.set()
        thread.join()
    if "iteration" not in do("%metalab show a"):
        sys.exit("the run is gone after an Interrupt")
finally:
    kc.stop_channels()
    km.shutdown_kernel()
for _ in range(600):
    if not os.path.exists("/proc/%d" % pid):
        break
    time.sleep(0.1)
else:
    sys.exit("metalab's process %d outlives the notebook's Python" % pid)
print("%d cells of %s are executed by the magic of Python" % (len(cells), sys.argv[1]))
