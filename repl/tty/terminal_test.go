package tty_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	ctrlC, ctrlD, ctrlG, ctrlR, ctrlU, ctrlZ = "\x03", "\x04", "\x07", "\x12", "\x15", "\x1a"
	up, down, right, left                    = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
	backTab                                  = "\x1b[Z"
)

func TestTypedFast(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("hello world\rsecond\rthird\r") // one write, as ssh and tmux do
	s.want(`got "hello world"`)
	s.want(`got "second"`)
	s.want(`got "third"`)
	s.wantCursor("lab> ", "")
	if n := strings.Count(s.text(), "lab> third"); n != 1 {
		t.Errorf("the third line is echoed %d times:\n%s", n, s.text())
	}
}

func TestTypedByteByByte(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("lab> ")
	line := "set a q0=0.98 local_period=4"
	for i := range len(line) {
		s.send(line[i : i+1])
		time.Sleep(3 * time.Millisecond) // faster than the library's sleeps
	}
	s.wantCursor("lab> "+line, "")
	s.send("\r")
	s.want(fmt.Sprintf("got %q", line))
}

func TestPassing(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "capture"})
	s.want("lab> ")
	s.send("passing\r")
	s.want("open end")
	s.want("told meanwhile")
	s.send("next\r")
	s.want(`got "next"`)
	if text := s.text(); strings.Contains(text, "%") || strings.Contains(text, "far") || strings.Contains(text, "beside") {
		t.Errorf("a passing line stays:\n%s", text)
	}
}

func TestEditing(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("12 45 78")
	s.send("\x1b[D\x1b[D\x1b[D3") // an arrow three times
	s.wantCursor("lab> 12 453", " 78")
	s.send("\x01x\x1b[1;5C\x1b[3~") // Home, x, Ctrl-Right, Delete
	s.wantCursor("lab> x12", "453 78")
	s.send("\x05\x17\x7f") // End, cut a word, Backspace
	s.wantCursor("lab> x12453", "")
	s.send("\x19\r") // paste what was cut
	s.want(`got "x1245378"`)
	s.send("é日") // vt10x gives a wide character one cell; the bytes matter here
	s.send("\r")
	s.want(`got "é日"`)
	s.send("\x1b[17~\x1b[200;7;9Q\x1b]11;rgb:00/00\x07\x1b_Gi=1;OK\x1b\\ok\r") // unknown keys, replies of a terminal
	s.want(`got "ok"`)
}

func TestPaste(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("before ")
	s.wantCursor("lab> before ", "")
	s.send("\x1b[200~one\r\n\ttwo\nfor {\n  x\n}\nlast\x1b[201~")
	s.want(`got "before one"`)
	s.want(`got "    two"`)
	s.want(`got "for {\n  x\n}"`)
	s.wantCursor("lab> last", "")
	s.send(" edited\r")
	s.want(`got "last edited"`)
}

func TestPasteOfManyLines(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	s.send("\x1b[200~" + b.String() + "\x1b[201~")
	s.want(`got "line 1999"`)
	s.wantCursor("lab> ", "")
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range 2000 {
		if !strings.Contains(string(s.raw), fmt.Sprintf("got \"line %d\"", i)) {
			t.Fatalf("line %d is lost", i)
		}
	}
}

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
	s.until("a second line dropped", func(text string) bool { return strings.Count(text, "dropped") == 2 })
	s.send("still here\r")
	s.want(`got "still here"`)
}

func TestEndOfInput(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("ab\x1b[D" + ctrlD) // deletes in a line
	s.wantCursor("lab> a", "")
	s.send("\r")
	s.want(`got "a"`)
	s.send("if {\r" + ctrlD) // gives up an input without end
	s.want("dropped")
	s.send(ctrlD)
	if code := s.exit(); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
	s.want("bye")
	if got := s.mode(); got != s.before {
		t.Errorf("the mode is %+v, want %+v", got, s.before)
	}
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
		{"panic in a goroutine", func(s *screen) { s.send("gopanic\rhalf") }, "goroutine fell over", 2},
		{"panic in a callback", func(s *screen) { s.send("boom") }, "completer fell over", 2},
		{"SIGTERM", func(s *screen) { s.send("half"); s.wantCursor("lab> half", ""); s.kill(syscall.SIGTERM) }, "signal: tty: terminated", 143},
		{"SIGHUP", func(s *screen) { s.kill(syscall.SIGHUP) }, "signal: tty: hangup", 129},
		{"SIGQUIT", func(s *screen) { s.kill(syscall.SIGQUIT) }, "SIGQUIT", 2},
		{"Close from elsewhere", func(s *screen) { s.send("close\rhalf") }, "error: tty: closed", 1},
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
				return strings.Contains(raw, c.want) && strings.LastIndex(raw, "\x1b[?2004h") < strings.LastIndex(raw, "\x1b[?2004l")
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

func TestMultiLine(t *testing.T) {
	t.Parallel()
	s := start(t, setup{history: filepath.Join(t.TempDir(), "h")})
	s.want("lab> ")
	s.send("for {\r")
	s.wantCursor("...> ", "")
	s.send("  {}\r}\r")
	s.want(`got "for {\n  {}\n}"`)
	s.send(up) // the whole input in one line
	s.wantCursor("lab> for {↵  {}↵}", "")
	s.send("\x7f\x7f\x7f+}}\r")
	s.want(`got "for {\n  {+}}"`)
	s.send("{\r")
	s.wantCursor("...> ", "") // never mind
	s.send(ctrlC)
	s.send("a\x1b\rb\r") // Alt-Enter
	s.want(`got "a\nb"`)
}

func TestOutputAbove(t *testing.T) {
	t.Parallel()
	s := start(t, setup{rows: 40, cols: 80})
	s.want("lab> ")
	s.send("bg 20\r")
	s.want("bg line 0")
	s.send("typed meanwhile")
	s.want("bg done")
	s.wantCursor("lab> typed meanwhile", "")
	rows := s.rows()
	for i := range 20 {
		if !contains(rows, fmt.Sprintf("bg line %d", i)) {
			t.Errorf("no line %d:\n%s", i, s.picture())
		}
	}
	if n := strings.Count(s.text(), "typed"); n != 1 {
		t.Errorf("the line is on the screen %d times:\n%s", n, s.text())
	}
	s.send("\r")
	s.want(`got "typed meanwhile"`)
}

// More output than a terminal can take slows its writer down, not the user.
func TestFloodAbove(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("lab> ")
	s.send("flood\r")
	s.want("flood line")
	line := "typed meanwhile"
	for i := range len(line) {
		s.send(line[i : i+1])
	}
	s.want("flood done")
	s.wantCursor("lab> "+line, "")
	s.mu.Lock()
	n := strings.Count(string(s.raw), "flood line ")
	s.mu.Unlock()
	if n != 50000 {
		t.Errorf("%d lines, want 50000", n)
	}
	s.send("\r")
	s.want(`got "typed meanwhile"`)
}

func contains(rows []string, row string) bool {
	for _, r := range rows {
		if r == row {
			return true
		}
	}
	return false
}

func TestCapturedOutput(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "capture status", rows: 40, cols: 80})
	s.want("lab> ")
	s.send("stray\r123")
	s.want("stray 4")
	s.want("error 4")
	s.want("logged 4")
	s.wantCursor("lab> 123", "")
	s.send("\r")
	s.want(`got "123"`)
	s.send("part\r") // the prompt must not overwrite what has no newline
	s.want("no newline")
	s.wantCursor("lab> ", "")
	s.send(ctrlD)
	s.exit()
	s.want("bye")
}

func TestStatusLine(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("acs running it ")
	s.send("step a 100")
	s.wantCursor("lab> step a 100", "")
	for i := range 3 { // it goes on while the line stays
		now := s.status()
		s.until("a newer status", func(string) bool { return s.status() != now && s.status() != "" })
		s.wantCursor("lab> step a 100"[:15-i], "step a 100"[10-i:])
		s.send(left)
		s.wantCursor("lab> step a 100"[:14-i], "step a 100"[9-i:])
	}
	if n := strings.Count(s.text(), "acs running"); n != 1 {
		t.Errorf("%d status lines, want 1:\n%s", n, s.text())
	}
	s.send("\r")
	s.want(`got "step a 100"`)
	s.until("the prompt below one status line", func(text string) bool {
		rows := s.rows()
		return strings.Count(text, "acs running") == 1 && contains(rows, "lab>") && contains(rows, "lab> step a 100")
	})
}

func (s *screen) status() string {
	for _, r := range s.rows() {
		if strings.HasPrefix(r, "acs running") {
			return r
		}
	}
	return ""
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
	s.until("the end of the line", func(string) bool { return strings.HasSuffix(s.picture(), "abcdefghi") })
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

func TestHistoryAcrossRestarts(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state", "history")
	s := start(t, setup{history: file})
	s.want("lab> ")
	s.send("one\rtwo\rtwo\r   \rf {\r \\n }\r")
	s.want(`got "f {\n \\n }"`)
	s.kill(syscall.SIGKILL) // nothing waits for the end
	s.exit()

	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", st.Mode())
	}
	s = start(t, setup{history: file})
	s.want("lab> ")
	s.send("typed" + up)
	s.wantCursor(`lab> f {↵ \n }`, "")
	s.send(up)
	s.wantCursor("lab> two", "")
	s.send(up)
	s.wantCursor("lab> one", "")
	s.send(up)
	s.send(down + down + down)
	s.wantCursor("lab> typed", "")
	s.send(ctrlU + "history\r")
	s.want(`["one" "two" "f {\n \\n }" "history"]`)
}

func TestSearch(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("lab> ")
	s.send("open acs pr1002\rstep a 100\rstep a 200\rset a q0=0.98\r")
	s.want(`got "set a q0=0.98"`)
	s.send("mine")
	s.wantCursor("lab> mine", "")
	s.send(ctrlR + "\x7f\x7f\x7f\x7f")
	s.wantCursor("history: ", "")
	s.send("step")
	s.wantCursor("history: step", "")
	s.want(" step a 200")
	s.send(ctrlR + "\r") // the older one; Enter takes it into the line
	s.wantCursor("lab> step a 100", "")
	s.send("0\r")
	s.want(`got "step a 1000"`)
	s.wantCursor("lab> ", "") // in the mode of a command ^R is the terminal's

	s.send("mine" + ctrlR)
	s.wantCursor("history: mine", "")
	s.send(ctrlG)
	s.wantCursor("lab> mine", "")
	s.send(ctrlR + "zzz")
	s.wantCursor("history: minezzz", "")
	s.send("\x1b") // Escape alone
	s.wantCursor("lab> mine", "")
	s.send(ctrlR + ctrlC)
	s.want("dropped")
	s.wantCursor("lab> ", "")
	s.send(ctrlR + "ACS op\r\r") // words in any order, any case; the second Enter runs it
	s.until("open twice", func(text string) bool { return strings.Count(text, `got "open acs pr1002"`) == 2 })
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("lab> ")
	s.send("0.98 3e5 -1 .5")
	s.wantCursor("lab> 0.98 3e5 -1 .5", "")
	s.send(ctrlU + "p")
	s.want("lists the parameters") // while typing
	s.wantCursor("lab> p", "")
	s.send("a\t\t") // as far as they agree is what is typed: the first, the second
	s.wantCursor("lab> pause ", "")
	s.send("\t") // what was typed
	s.wantCursor("lab> pa", "")
	s.send(backTab)
	s.wantCursor("lab> pause ", "")
	s.send("\r") // not swallowed
	s.want(`got "pause "`)
	s.wantNot("lists the parameters")

	s.send("pl\t")
	s.wantCursor("lab> plot ", "")
	s.wantNot("draws a figure")
	s.send("a tour\r")
	s.want(`got "plot a tour"`)

	s.send("pa") // the list is open; Enter enters what is typed
	s.want("lists the parameters")
	s.send("\r")
	s.want(`got "pa"`)

	s.send("\t") // on an empty line all of them
	s.want("makes iterations")
	s.send(down)
	s.wantCursor("lab> params ", "")
	s.send("\x1b")
	s.wantCursor("lab> ", "")
	s.wantNot("makes iterations")
}
