package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"metalab/kernel/host"
	_ "metalab/kernel/maker" // what records say of the program
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// envChild holds the options of a host, in the process that becomes it.
const envChild = "METALAB_HOST"

// A Process is a host that this process started.
type Process struct {
	Client *wire.Client
	PID    int

	lifeline *os.File
	ended    chan struct{}
	once     sync.Once
}

// Start starts a host: it executes this program again, in which [Main] becomes the host, waits
// until the host can be reached, and connects to it as who.
//
// The host ends when p.Close is called or this process ends in whatever way, unless it was
// detached. The host writes a log in the folder of state. If the session already has a host, the
// error wraps [ErrTaken]; attach to that host with wire.Dial.
func Start(ctx context.Context, o host.Options, who string) (_ *Process, err error) {
	if err := o.Fill(); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("host: start: %w", err)
	}
	config, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("host: start: %w", err)
	}
	lifeRead, lifeline, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("host: start: %w", err)
	}
	defer lifeRead.Close()
	readyRead, readyWrite, err := os.Pipe()
	if err != nil {
		lifeline.Close()
		return nil, fmt.Errorf("host: start: %w", err)
	}
	defer readyRead.Close()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), envChild+"="+string(config),
		"METALAB_DATA="+absoluteList(os.Getenv("METALAB_DATA")))
	cmd.Dir = "/" // not to hold a folder that the user may want to remove
	cmd.ExtraFiles = []*os.File{lifeRead, readyWrite}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	readyWrite.Close()
	if err != nil {
		lifeline.Close()
		return nil, fmt.Errorf("host: start: %w", err)
	}
	p := &Process{PID: cmd.Process.Pid, lifeline: lifeline, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // its log says how it ended
		close(p.ended)
	}()
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	stop := context.AfterFunc(ctx, func() { _ = readyRead.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	line, err := bufio.NewReader(readyRead).ReadString('\n')
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case line == "taken\n":
		return nil, fmt.Errorf("host: session %s: %w", o.Session, ErrTaken)
	case line != "ready\n":
		if line == "" {
			line = "it ended at once; see " + logPath(o)
		}
		return nil, fmt.Errorf("host: start: %s", strings.TrimSpace(line))
	}
	if p.Client, err = wire.Dial(ctx, o.Socket, who); err != nil {
		return nil, err
	}
	return p, nil
}

// absoluteList makes the folders of a list absolute, because the host has another working
// directory.
func absoluteList(list string) string {
	dirs := filepath.SplitList(list)
	for i, d := range dirs {
		if a, err := filepath.Abs(d); err == nil && d != "" {
			dirs[i] = a
		}
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// Close closes the client and the pipe by which the host knows that its starter is alive, and waits
// until the host has ended. If the host was detached, Close returns at once.
func (p *Process) Close() {
	p.once.Do(func() {
		detached := false
		if p.Client != nil {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			if h, err := p.Client.Ping(ctx); err == nil {
				detached = h.Detached
			}
			cancel()
			p.Client.Close()
		}
		p.lifeline.Close()
		if !detached {
			select {
			case <-p.ended:
			case <-time.After(10 * time.Second): // it is writing autosaves to a slow disk
			}
		}
	})
}

// Ended is closed when the process of the host has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

func logPath(o host.Options) string { return filepath.Join(o.StateDir, "log", o.Session+".log") }

// Main serves and then exits the process if [Start] started it as a host; otherwise it returns at
// once. A program that uses Start must call Main first in its main.
func Main() {
	config := os.Getenv(envChild)
	if config == "" {
		return
	}
	os.Unsetenv(envChild) // children of the host are not hosts
	os.Exit(child(config))
}

func child(config string) int {
	life, ready := os.NewFile(3, "lifeline"), os.NewFile(4, "ready")
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	go record.Made() // looks at files, which takes some hundredths of a second
	var o host.Options
	err := json.Unmarshal([]byte(config), &o)
	if err == nil {
		err = o.Fill()
	}
	if err == nil {
		var log *os.File
		if log, err = openLog(logPath(o)); err == nil {
			defer log.Close()
			o.Log = log
			redirect(log)
		}
	}
	if err != nil {
		fmt.Fprintln(ready, host.FirstLine(err.Error()))
		return 1
	}
	o.Lifeline, o.Again = life, true
	o.Ready = func() {
		_, _ = io.WriteString(ready, "ready\n")
		ready.Close()
	}
	// These signals end the host with autosaves. ^C does not reach it, because the front end is in
	// another session of the system; SIGHUP comes when a terminal closes.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT)
	err = serve(ctx, o, config)
	switch {
	case errors.Is(err, ErrTaken):
		_, _ = io.WriteString(ready, "taken\n")
		return 1
	case err != nil:
		fmt.Fprintln(o.Log, err)
		fmt.Fprintln(ready, host.FirstLine(err.Error()))
		return 1
	}
	return 0
}

// maxLog is the size in bytes above which a new log is begun.
const maxLog = 1 << 20

func openLog(path string) (*os.File, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, host.StateError(filepath.Dir(dir), err)
	}
	if st, err := os.Stat(path); err == nil && st.Size() > maxLog {
		_ = os.Rename(path, path+".old") // only to save room: it may fail
	}
	old, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.log*"))
	for _, p := range old {
		if st, err := os.Stat(p); err == nil && time.Since(st.ModTime()) > host.StaleAfter {
			_ = os.Remove(p) // of a session that ended long ago
		}
	}
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// redirect sends what the runtime prints at a crash to the log. Standard output and error
// are the null device in a child of Start.
func redirect(log *os.File) {
	os.Stdout, os.Stderr = log, log
	_ = debugSetCrashOutput(log)
}
