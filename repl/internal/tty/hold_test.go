package tty_test

import (
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// echoes tells whether the terminal shows what is typed.
func (s *screen) echoes() bool { return s.mode().Lflag&unix.ECHO != 0 }

// written returns what was written to the terminal since a mark came, up to the next one.
func (s *screen) written(from, to string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, after, _ := strings.Cut(string(s.raw), from)
	between, _, _ := strings.Cut(after, to)
	return between
}

func TestHold(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "capture"})
	s.want("lab> ")
	s.send("hold\r")
	s.want("10 %")
	if s.echoes() {
		t.Error("what is typed is shown")
	}
	s.send("first line\rplit\x7f\x7fot a") // with a correction
	s.kill(syscall.SIGUSR1)
	s.want("told meanwhile")
	s.want("20 %")
	s.kill(syscall.SIGUSR1)
	s.want(`got "first line"`)
	s.wantCursor("lab> plot a", "")
	if text := s.written("holding", "let go"); strings.Contains(text, "first") ||
		strings.Contains(text, "plot") {
		t.Errorf("while the command ran, %q was written", text)
	}
	s.send(" tour\r")
	s.want(`got "plot a tour"`)

	s.send("hold\r") // a ^D is a key like others, and not the end of what was typed before it
	s.until("a hold", func(text string) bool { return strings.Count(text, "holding") == 2 })
	s.want("10 %")
	s.send("best\x1b[D\x1b[D\x1b[D\x04")
	s.kill(syscall.SIGUSR1)
	s.want("20 %")
	s.kill(syscall.SIGUSR1)
	s.wantCursor("lab> b", "st")
	s.send(ctrlC)

	s.send("hold\rsleep\r") // the next command finds the terminal in its usual mode
	s.until("a second hold", func(text string) bool { return strings.Count(text, "holding") == 3 })
	s.want("10 %")
	s.kill(syscall.SIGUSR1)
	s.want("20 %") // two signals at once may come as one
	s.kill(syscall.SIGUSR1)
	s.want("sleeping")
	if got := s.mode(); got != s.before {
		t.Errorf("after the hold the mode is %+v, want %+v", got, s.before)
	}
	s.send(ctrlC)
	s.want("woken by ^C")
}

func TestHoldAndSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(s *screen)
		code int
	}{
		{"^Z", func(s *screen) { // nobody could continue it, so the system does not stop it
			s.send(ctrlZ)
			s.kill(syscall.SIGUSR1)
			s.want("20 %")
			s.kill(syscall.SIGUSR1)
			s.want("let go")
			s.send("exit\r")
		}, 7},
		{"^\\", func(s *screen) { s.send("\x1c") }, 2},
		{"^C", func(s *screen) { s.send(ctrlC); s.want("let go"); s.send("exit\r") }, 7},
		{"Close", func(s *screen) { s.kill(syscall.SIGUSR2) }, 7},
		{"SIGCONT", func(s *screen) { // after a stop by others, when the shell has set its own mode
			m := s.before
			if err := unix.IoctlSetTermios(int(s.tty.Fd()), ioctlSetTermios, &m); err != nil {
				s.t.Fatal(err)
			}
			s.kill(syscall.SIGCONT)
			s.until("the hold again", func(string) bool { return !s.echoes() })
			s.kill(syscall.SIGUSR2)
		}, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, setup{rows: 60, cols: 100})
			s.want("lab> ")
			s.send("hold\r")
			s.want("10 %")
			c.do(s)
			if code := s.exit(); code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			if got := s.mode(); got != s.before {
				t.Errorf("the mode is %+v, want %+v", got, s.before)
			}
		})
	}
}

// A ^D that is typed while a command runs leaves after it.
func TestHoldAndEOF(t *testing.T) {
	t.Parallel()
	s := start(t, setup{rows: 60, cols: 100})
	s.want("lab> ")
	s.send("hold\r")
	s.want("10 %")
	s.send("\x04")
	s.kill(syscall.SIGUSR1)
	s.want("20 %")
	s.kill(syscall.SIGUSR1)
	s.want("let go")
	if code := s.exit(); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
}

// With Options.Hold what is typed between two lines waits for the next one, whatever it is, and
// ^C drops it; Release ends that.
func TestHoldBetweenLines(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "held", rows: 60, cols: 100})
	waiting := func(n int) {
		s.until("a command that waits", func(text string) bool {
			return strings.Count(text, "waiting") == n
		})
	}
	s.want("lab> ")
	s.send("wait\r")
	waiting(1)
	if s.echoes() {
		t.Error("what is typed is shown")
	}
	s.send("dropped" + ctrlC)
	s.want("not yet")
	s.want("dropped, not carried out: dropped")
	s.send("kept\r")
	s.kill(syscall.SIGUSR1)
	s.want(`got "kept"`)

	s.send("release\r")
	waiting(2)
	if got := s.mode(); got != s.before {
		t.Errorf("the mode is %+v, want %+v", got, s.before)
	}
	s.kill(syscall.SIGUSR1)
	s.until("told twice", func(text string) bool { return strings.Count(text, "told") == 2 })

	s.send("wait\r")
	waiting(3)
	s.send("\x04")
	s.kill(syscall.SIGUSR1)
	if code := s.exit(); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
	if got := s.mode(); got != s.before {
		t.Errorf("after the end the mode is %+v, want %+v", got, s.before)
	}
}

// ^C drops what was pasted ahead, whole lines that were read already and lines that were not, and
// says so.
func TestHoldDropsPasted(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "held", rows: 60, cols: 100})
	s.want("lab> ")
	s.send("\x1b[200~wait\rclose f\r\x1b[201~")
	s.want("waiting")
	s.send("best a\rclose g")
	s.send(ctrlC)
	s.want("dropped, not carried out, 3 lines: close f; best a; close g")
	s.send("kept\r")
	s.kill(syscall.SIGUSR1)
	s.want(`got "kept"`)
	if text := s.written("lab> ", "never"); strings.Contains(text, `got "close`) ||
		strings.Contains(text, `got "best`) {
		t.Errorf("what was dropped was carried out: %q", text)
	}
}

// A hold goes on when a shell continues the command.
func TestHoldStopped(t *testing.T) {
	t.Parallel()
	s := start(t, setup{
		shell: `"$0"; stty sane </dev/tty; echo stopped; fg; echo back`, rows: 60,
		cols: 100,
	})
	s.want("lab> ")
	s.send("hold\r")
	s.want("10 %")
	s.send(ctrlZ)
	s.want("stopped")
	s.until("the hold again", func(string) bool { return !s.echoes() })
	s.send(ctrlC)
	s.want("let go")
	s.send("exit\r")
	s.want("back")
}
