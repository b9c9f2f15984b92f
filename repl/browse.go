package main

import (
	"os"
	"os/exec"
	"runtime"

	"metalab/kernel/reply"
)

// browse opens the dashboard in a browser, where there is one and somebody to look at it. The
// browser is given a file that leads on, for what programs are started with can be read by
// all users of a machine. That it cannot be opened is no failure: the address is printed.
func (f *front) browse(r reply.Reply) {
	d, ok := r.(*reply.DashboardReply)
	if !ok || f.width == nil || f.json || d.File == "" {
		return
	}
	if open := opener(os.Getenv, runtime.GOOS); open != "" {
		cmd := exec.Command(open, d.File)
		if cmd.Start() == nil {
			go func() { _ = cmd.Wait() }()
		}
	}
}

// opener is the program that opens files for the user; empty where there is no screen, or
// where it is another machine's.
func opener(env func(string) string, system string) string {
	switch {
	case env("SSH_CONNECTION") != "":
		return ""
	case system == "darwin":
		return "open"
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
		return "xdg-open"
	}
	return ""
}
