package prompt

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// patience is how long the screen may take to show what is expected: it only ends tests
// that fail.
const patience = 5 * time.Minute

// screen is the prompt on a terminal of its own.
type screen struct {
	t   *testing.T
	f   *os.File
	vt  vt10x.Terminal
	mu  sync.Mutex
	cmd *exec.Cmd
	end chan struct{}
}

func onScreen(t *testing.T, dir string, cols, rows int, env ...string) *screen {
	t.Helper()
	return onScreenWith(t, dir, cols, rows, nil, env...)
}

// onScreenWith is onScreen with arguments.
func onScreenWith(t *testing.T, dir string, cols, rows int, args []string, env ...string) *screen {
	t.Helper()
	s := &screen{t: t, cmd: exec.Command(os.Args[0], args...), end: make(chan struct{})}
	s.cmd.Dir = dir
	s.cmd.Env = append(os.Environ(), envRepl+"=1", "METALAB_STATE="+dir, "XDG_RUNTIME_DIR="+
		shortDir(t),
		"TERM=xterm-256color", "COLORTERM=truecolor", "TMUX=", "LC_ALL=C.UTF-8")
	s.cmd.Env = append(s.cmd.Env, env...)
	f, err := pty.StartWithSize(s.cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	s.f = f
	s.vt = vt10x.New(vt10x.WithSize(cols, rows), vt10x.WithWriter(f))
	go func() {
		defer close(s.end)
		b := make([]byte, 1<<14)
		held := 0 // bytes of a letter that has not come whole
		for {
			n, err := f.Read(b[held:])
			n += held
			held = 0
			for i := 1; i < utf8.UTFMax && i <= n; i++ {
				if utf8.RuneStart(b[n-i]) {
					if !utf8.FullRune(b[n-i : n]) {
						held = i
					}
					break
				}
			}
			s.mu.Lock()
			s.vt.Write(b[:n-held])
			s.mu.Unlock()
			copy(b, b[n-held:n])
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		_ = s.cmd.Wait()
		f.Close()
	})
	return s
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.vt.String()
}

// want waits until the screen shows all of the texts.
func (s *screen) want(texts ...string) {
	s.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		screen, missing := s.text(), ""
		for _, w := range texts {
			if !strings.Contains(screen, w) {
				missing = w
			}
		}
		if missing == "" {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the screen lacks %q:\n%s", missing, screen)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// wantRow waits until a row of the screen has all of the texts.
func (s *screen) wantRow(texts ...string) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		screen := s.text()
		for row := range strings.Lines(screen) {
			if !slices.ContainsFunc(texts, func(w string) bool { return !strings.Contains(row, w) }) {
				return
			}
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("no row of the screen has %q:\n%s", texts, screen)
		}
	}
}

// prompted waits until the screen ends with the prompt and nothing behind it.
func (s *screen) prompted() {
	s.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		text := s.text()
		if strings.HasSuffix(strings.TrimSpace(text), "lab>") {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the screen does not end with a prompt:\n%s", text)
		}
	}
}

// keys types.
func (s *screen) keys(k string) {
	s.t.Helper()
	if _, err := s.f.WriteString(k); err != nil {
		s.t.Fatal(err)
	}
}

// line types a line and waits until the prompt has taken it.
func (s *screen) line(l string) {
	s.t.Helper()
	s.keys(l)
	s.want(l)
	s.keys("\r")
}

// ended waits for the end of the prompt.
func (s *screen) ended(complaint string) {
	s.t.Helper()
	select {
	case <-s.end:
	case <-time.After(patience):
		s.t.Fatalf("%s:\n%s", complaint, s.text())
	}
}

// TestSession watches, tunes, pauses, forks and compares a run at full speed on a screen
// of 100 columns and 30 rows.
func TestSession(t *testing.T) {
	s := onScreen(t, shortDir(t), 100, 30)
	s.want("metalab: a laboratory", "lab>")
	s.line("open acs rand-200-5 as a local_search=none")
	s.want("a: acs/seq, rand-200-5 (200)")
	s.line("go a")
	s.want("a: running", "it/s")
	s.line("watch a")
	s.want("watching; watch off ends it", "────────")
	s.line("set a q0=0.5")
	s.want("q0 0.98 → 0.5 from iteration")
	s.line("fork a as b q0=0.9")
	s.want("forked from a")
	s.keys("paus\t") // completed
	s.want("lab> pause")
	s.keys(" a\r")
	s.want("a: paused, iteration")
	s.line("step b 20")
	s.want("b: iteration")
	s.line("watch off")
	s.line("compare a b")
	s.want("repeat a 10")
	s.line("step b 100000000")
	s.wantRow("b acs", "it/s") // how far the step is
	s.keys("\x03")
	s.want("interrupted: the run stands after its last whole iteration")
	s.line("best b")
	s.want("found in iteration")
	s.line("n := 6; n * 7")
	s.want("42")
	s.keys("\x04")
	s.ended("^D does not leave")
}

// TestTypedAhead shows that what is typed while a verb runs is the next line, and stands
// neither among its output nor in the line that tells how far it is.
func TestTypedAhead(t *testing.T) {
	s := onScreen(t, shortDir(t), 100, 30)
	s.want("lab>")
	s.line("open acs rand-200-5 as a local_search=none")
	s.want("a: acs/seq")
	s.line("go a; step a 3s")
	s.want("it/s") // above the line, or in its place while the step runs
	s.keys("pause a\rbest a so")
	s.want("a: iteration", "a: paused")
	s.want("lab> best a so") // to be completed
	rows := strings.Split(s.text(), "\n")
	for _, r := range rows {
		if i := strings.Index(r, "pause a"); i > 0 && r[:i] != "lab> " {
			t.Errorf("the row %q has what was typed", r)
		}
	}
	s.keys("lution\r")
	s.want("found in iteration")
	if n := strings.Count(s.text(), "pause a"); n != 1 {
		t.Errorf("pause a is on the screen %d times:\n%s", n, s.text())
	}
	s.line(`import "fmt"; var w string; fmt.Println("wh" + "ich?"); fmt.Scanln(&w); w`)
	s.want("which?")
	s.keys("seven c") // Go that asks is answered in sight
	s.want("seven c")
	s.keys("\b\b\r")
	s.want(`"seven"`)
}

// TestSlips shows that lines which mean nothing change nothing, and are told so; and that the
// end of a go with a limit is told above the line.
func TestSlips(t *testing.T) {
	s := onScreen(t, shortDir(t), 80, 24)
	s.want("lab>")
	s.line("# only a comment")
	s.line("sudo rm -rf /")
	s.want("sudo is a program of the shell, which is not run here")
	s.line("open as rand-20-1 as a; step a 1")
	s.want("a: iteration 1,")
	s.line("watch zz")
	s.want(`open run either (there are: a)`)
	s.line("set zz q0=0.5")
	s.want(`set: "zz" is no open run (there are: a)`)
	s.line("go a until iteration=77")
	s.want("a: iteration 77,", "stopped: at iteration 77")
	if text := s.text(); strings.Contains(text, "watching") || strings.Contains(text, "...>") ||
		strings.Count(text, "error:") != 3 {
		t.Errorf("not three errors, or a panel, or a continuation:\n%s", text)
	}
}

// TestLeaveAsks shows that ^D asks before it throws a live run away.
func TestLeaveAsks(t *testing.T) {
	s := onScreen(t, shortDir(t), 100, 30)
	s.want("lab>")
	s.line("open acs rand-200-5 as a local_search=none")
	s.want("a: acs/seq")
	s.line("go a")
	s.want("it/s")
	s.keys("\x04")
	s.want("a is still running")
	s.line("runs") // something else: stay
	s.want("acs/seq")
	s.keys("\x04")
	s.want("Press ^D again")
	s.keys("\x04")
	s.ended("the second ^D does not leave")
}

// TestDetached shows that a detached host lives on without questions, and can be joined.
func TestDetached(t *testing.T) {
	dir, run := shortDir(t), "XDG_RUNTIME_DIR="+shortDir(t)
	s := onScreen(t, dir, 80, 24, run)
	s.want("lab>")
	s.line("open acs rand-200-5 as a local_search=none; go a")
	s.want("it/s")
	s.line("detach")
	s.want("lives on by itself")
	s.keys("\x04")
	s.ended("^D after detach does not leave")
	out, errs, code := repl(t, dir, "", []string{run}, "-attach") // as "-attach list"
	session, _, _ := strings.Cut(out, " ")
	if code != 0 || session == "" {
		t.Fatalf("exit status %d: %q %s", code, out, errs)
	}
	out, errs, code = repl(t, dir, "", []string{run}, "-attach", session, "-c",
		"pause a; shutdown discard")
	if code != 0 || !strings.Contains(out, "a: paused") {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
}

// TestOwnerLeaves shows that who started a session is told who else is in it before it is
// ended, that the other goes on, and that the next prompt says what was left, and how to go on.
func TestOwnerLeaves(t *testing.T) {
	dir, run := shortDir(t), "XDG_RUNTIME_DIR="+shortDir(t)
	one := onScreen(t, dir, 100, 30, run)
	one.want("lab>")
	one.line("open as rand-20-1 as mine; step mine 20")
	one.want("mine: iteration 20")
	// by its begin
	out, _, code := repl(t, dir, "", []string{run, "METALAB_STATE=" + dir}, "-attach", "pro", "-c",
		"step mine 5")
	if code != 0 || !strings.Contains(out, "mine: iteration 25") {
		t.Errorf("exit status %d of a script in the session: %s", code, out)
	}
	joined := onScreenWith(t, dir, 100, 30,
		[]string{"-attach", "prompt-" + strconv.Itoa(one.cmd.Process.Pid)}, run)
	joined.want("joined session prompt-", "mine", "as/scan", "rand-20-1", "25")
	one.line("quit")
	one.want("prompt-"+strconv.Itoa(joined.cmd.Process.Pid)+" is attached to this session",
		"Press ^D again", "detach")
	one.line("runs")
	one.want("as/scan") // stayed
	one.keys("\x04")
	one.want("Press ^D again")
	one.keys("\x04")
	one.want("autosaved: mine (iteration 25); to go on: repl, then recover prompt-")
	one.ended("the second ^D does not leave")
	joined.want("its runs are autosaved", "this prompt goes on with a session of its own")
	joined.keys("recover prompt-\t") // of which there is one
	joined.want("/mine")
	joined.keys("\x15")
	joined.line("recover mine; step mine 3")
	joined.want("mine: iteration 28")
	joined.line("quit")
	joined.want("autosaved: mine (iteration 28)")
	joined.ended("quit does not leave")

	next := onScreen(t, dir, 100, 30, run)
	next.want("autosaved: mine, iteration 28, ", "recover mine goes on, recover lists")
}

// TestHostKilled shows that the prompt goes on when its host is gone: with another one.
func TestHostKilled(t *testing.T) {
	s := onScreen(t, shortDir(t), 100, 30)
	s.want("lab>")
	s.line("open acs rand-200-5 as a local_search=none; go a")
	s.want("it/s")
	s.line("about")
	s.want("memory")
	m := regexp.MustCompile(`process +(\d+)`).FindStringSubmatch(s.text())
	if m == nil {
		t.Fatalf("about tells no process:\n%s", s.text())
	}
	pid, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.want("another host was started; recover lists")
	s.line("open as rand-20-1 as b; step b 2; lab.Runs()")
	s.want(" b as rand-20-1  it 2") // the status line: the prompt is back
	s.keys("\x04")                  // nothing is live any more
	s.ended("^D does not leave")
}

// TestRepeat interrupts a repeat: a bar says how far it is, and what is finished is kept.
func TestRepeat(t *testing.T) {
	s := onScreen(t, shortDir(t), 100, 30)
	s.want("lab>")
	s.line("open acs rand-200-5 as a local_search=none")
	s.want("a: acs/seq")
	s.line("repeat a 9000 n=300")
	s.want(" %  about ", " left  repeat a, 300 iterations each; seed ")
	s.keys("\x03")
	s.want("interrupted: ", "kept, 300 iterations each: repeat goes on with the others")
	s.line("repeat a 8000 background")
	s.want("in the background: runs shows how far", "pause a ends it", "  repeat ", "/8000, about ")
	s.line("pause a")
	s.want("of 8000 seeds are made and kept")
	s.line("repeat a 1") // of those that are kept: seeds end in any order
	s.want("seed  best ")
	s.line("repeat a 1")
	s.want("to make them anew: repeat a 1 fresh")
	s.line("repeat a 0")
	s.want("error: repeat: seeds is 0, want 1 to 10000")
	s.keys("\x04")
	s.ended("^D does not leave")
}

// A terminal without a cursor has a prompt, and a typo does not end it.
func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	s := onScreen(t, shortDir(t), 100, 60, "TERM=dumb")
	s.want("metalab: a laboratory")
	s.prompted()
	s.keys("opne acs\r")
	s.want("error: ", "open")
	s.prompted()
	s.keys("open acs E1k.0 as a\r")
	s.want("a: acs")
	s.prompted() // what is typed before it is echoed before it
	s.keys("step a 1000000\r")
	s.want("lab> step a 1000000")
	s.keys("x := []int{\r")
	s.keys("\x03")
	s.want("interrupted")
	s.prompted() // what was typed ahead is dropped
	s.keys("func twice(n int) int {\r")
	s.want("...> ")
	s.keys("return 2 * n }\r")
	s.keys("twice(21000021)\r")
	s.want("42000042")
	s.prompted()
	s.keys("pause a\r") // on a slow machine the interrupted step still makes the run ready
	s.want("a: paused")
	s.prompted()
	s.keys("quit\r")
	s.ended("quit does not end the prompt")
	if text := s.text(); strings.Contains(text, "\x1b") || !strings.Contains(text, "autosaved: a") {
		t.Errorf("the screen ends as\n%s", text)
	}
}
