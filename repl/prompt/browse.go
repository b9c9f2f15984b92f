package prompt

import (
	"os"
	"os/exec"
	"runtime"

	"metalab/kernel/reply"
)

// browse opens the dashboard in a browser, if there is one and a screen. The browser gets a file
// that redirects to the dashboard, because all users of a machine can read the arguments of
// programs. A failure is no error: the prompt prints the address.
func (f *shell) browse(r reply.Reply) {
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

// opener is the program that opens files for the user; empty if there is no screen, or only that of
// another machine.
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
