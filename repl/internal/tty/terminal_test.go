package tty_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestInterrupt(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("half a line" + ctrlC)
	s.want("lab> half a line^C")
	s.want("dropped")
	s.wantCursor("lab> ", "")

	s.send("sleep\r")
	s.want("sleeping")
	if got := s.mode(); got != s.before {
		t.Errorf("during a command the mode is %+v, want %+v", got, s.before)
	}
	s.send(ctrlC) // a signal now
	s.want("woken by ^C")
	s.wantCursor("lab> ", "")

	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil { // from elsewhere
		t.Fatal(err)
	}
	s.until("a second line dropped",
		func(text string) bool { return strings.Count(text, "dropped") == 2 })
	s.send("still here\r")
	s.want(`got "still here"`)
}

func TestEndOfInput(t *testing.T) {
	t.Parallel()
	s := start(t, setup{cols: 80, rows: 120})
	s.want("lab> ")
	s.send("ab\x1b[D" + ctrlD) // deletes in a line
	s.wantCursor("lab> a", "")
	s.send("\r")
	s.want(`got "a"`)
	s.wantCursor("lab> ", "") // before it is read as keys, the terminal takes ^D for an end of its own
	for i := range 32 {       // ^D gives up an input without end, whenever it is typed
		s.send("if {\r")
		time.Sleep(time.Duration(i) * time.Millisecond)
		s.send(ctrlD)
		s.until(fmt.Sprint(i+1, " inputs dropped"),
			func(text string) bool { return strings.Count(text, "dropped") == i+1 })
		s.wantCursor("lab> ", "")
	}
	s.send(ctrlD)
	if code := s.exit(); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
	s.want("bye")
	if got := s.mode(); got != s.before {
		t.Errorf("the mode is %+v, want %+v", got, s.before)
	}
}

// half types half a line, and then sends a signal.
func half(s *screen, sig syscall.Signal) {
	s.send("half")
	s.wantCursor("lab> half", "")
	s.kill(sig)
}

func TestRestored(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		end  func(s *screen)
		want string
		code int
	}{
		{"return", func(s *screen) { s.send("exit\r") }, "", 7},
		{"panic in main", func(s *screen) { s.send("panic\r") }, "main fell over", 2},
		{
			"panic in a goroutine",
			func(s *screen) { s.send("gopanic\r"); half(s, syscall.SIGUSR1) },
			"goroutine fell over", 2,
		},
		{"panic in a callback", func(s *screen) { s.send("boom") }, "completer fell over", 2},
		{
			"SIGTERM",
			func(s *screen) { half(s, syscall.SIGTERM) },
			"signal: tty: terminated", 143,
		},
		{"SIGHUP", func(s *screen) { s.kill(syscall.SIGHUP) }, "signal: tty: hangup", 129},
		{"SIGQUIT", func(s *screen) { s.kill(syscall.SIGQUIT) }, "SIGQUIT", 2},
		{
			"Close from elsewhere",
			func(s *screen) { s.send("close\r"); half(s, syscall.SIGUSR1) },
			"error: tty: closed", 1,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, setup{rows: 60, cols: 100})
			s.want("lab> ")
			s.until("a raw terminal", func(string) bool { return s.mode() != s.before })
			c.end(s)
			if code := s.exit(); code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			if got := s.mode(); got != s.before {
				t.Errorf("the mode is %+v, want %+v", got, s.before)
			}
			s.until(c.want+" and bracketed paste off", func(string) bool {
				s.mu.Lock()
				raw := string(s.raw)
				s.mu.Unlock()
				return strings.Contains(raw, c.want) &&
					strings.LastIndex(raw, "\x1b[?2004h") < strings.LastIndex(raw, "\x1b[?2004l")
			})
		})
	}
}

func (s *screen) kill(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

func TestContextEnds(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("later\r")
	s.send("kept ")
	s.want("ended: context deadline exceeded")
	s.wantCursor("lab> kept ", "")
	s.send("on\r")
	s.want(`got "kept on"`)
}

func TestResize(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status", cols: 90, rows: 24})
	s.want("acs running")
	line := strings.Repeat("0123456789", 7) // two rows of 60 columns, one of 90 and 100
	s.send(line)
	s.wantCursor("lab> "+line, "")
	s.resize(60, 24)
	s.wantCursor(line[55:], "")
	s.resize(100, 24)
	s.wantCursor("lab> "+line, "")
	s.send("end\r")
	s.want(fmt.Sprintf("got %q", line+"end"))
	s.send("size\r")
	s.want("100 24")
	for i := range 30 { // as a window that is dragged; ends in a size of its own
		s.resize(70+i%7, 20)
	}
	s.send("still here\r")
	s.want(`got "still here"`)
}

func TestSmallScreen(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status", cols: 40, rows: 6})
	s.want("acs running")
	s.send("p")
	s.want("pause")
	s.wantCursor("lab> p", "")
	s.send("\x08" + strings.Repeat("abcdefghi ", 30)) // higher than the screen
	s.until("the end of the line",
		func(string) bool { return strings.HasSuffix(s.picture(), "abcdefghi") })
	s.send(ctrlU + "1\r")
	s.want(`got "1"`)
	s.wantNot("too small")
}

func TestSuspendWithoutAShell(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("half" + ctrlZ) // nobody could continue it, so the system does not stop it
	s.send(" line\r")
	s.want(`got "half line"`)
}

func TestHangup(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.tty.Close()
	s.f.Close()
	code := s.exit()
	// A hangup that comes after the end of the input takes its usual course.
	died, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus)
	late := ok && died.Signaled() && died.Signal() == syscall.SIGHUP
	if code != 0 && code != 129 && !late { // end of input or the signal, whichever was first
		t.Errorf("exit status %d, want 0 or 129", code)
	}
}

func TestNoTerminal(t *testing.T) {
	t.Parallel()
	s := start(t, setup{}) // for its environment only
	cmd := *s.cmd
	c := cloneWithoutTerminal(&cmd)
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "open: tty: no terminal") {
		t.Errorf("%v: %s", err, out)
	}
}
