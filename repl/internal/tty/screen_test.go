package tty_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
	"golang.org/x/sys/unix"
)

// patience is how long a screen may take to show what is expected. It only ends
// tests that fail.
const patience = 5 * time.Minute

// A screen is a program on a terminal of its own, with its bytes drawn by an
// emulator.
type screen struct {
	t   testing.TB
	cmd *exec.Cmd
	f   *os.File
	tty *os.File // the program's side, kept open so that its mode can be read
	vt  vt10x.Terminal

	before unix.Termios // the mode before the program started
	stop   func()       // ends the program

	mu  sync.Mutex
	raw []byte // all that was written to the terminal
}

type setup struct {
	mode       string
	history    string
	cols, rows int
	env        []string
	shell      string // a command line that runs the program, as $0, with the shell's job control
}

// start runs child with a mode of its own.
func start(t testing.TB, s setup) *screen {
	t.Helper()
	if s.cols == 0 {
		s.cols, s.rows = 80, 24
	}
	cmd := exec.Command(os.Args[0])
	if s.shell != "" {
		cmd = exec.Command("sh", "-mc", s.shell, os.Args[0])
	}
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=xterm-256color",
		childEnv + "=" + s.mode, "METALAB_TTY_HISTORY=" + s.history, "GORACE=" + os.Getenv("GORACE"),
	}, s.env...)
	f, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	f = pollable(t, f)
	before, err := unix.IoctlGetTermios(int(tty.Fd()), ioctlGetTermios)
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: uint16(s.rows), Cols: uint16(s.cols)}); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true} // /dev/tty is the pty
	sc := &screen{
		t: t, before: *before, cmd: cmd, f: f, tty: tty,
		vt: vt10x.New(vt10x.WithSize(s.cols, s.rows)),
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		b := make([]byte, 4096)
		for {
			n, err := f.Read(b)
			sc.mu.Lock()
			sc.raw = append(sc.raw, b[:n]...)
			sc.mu.Unlock()
			sc.vt.Write(b[:n])
			if err != nil {
				return
			}
		}
	}()
	sc.stop = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		tty.Close()
		f.Close()
		<-read
	})
	t.Cleanup(sc.stop)
	return sc
}

// pollable returns f such that Close ends a Read of it.
func pollable(t testing.TB, f *os.File) *os.File {
	t.Helper()
	defer f.Close()
	fd, err := unix.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), f.Name())
}

func (s *screen) send(x string) {
	s.t.Helper()
	if _, err := s.f.WriteString(x); err != nil {
		s.t.Fatal(err)
	}
}

// rows returns the rows of the screen without trailing blanks.
func (s *screen) rows() []string {
	rows := strings.Split(s.vt.String(), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " \x00")
	}
	return rows
}

// text returns the screen, blanks and all.
func (s *screen) text() string { return strings.ReplaceAll(s.vt.String(), "\x00", " ") }

// picture returns the screen for a message.
func (s *screen) picture() string { return strings.TrimRight(strings.Join(s.rows(), "\n"), "\n") }

// until waits for a condition of the screen.
func (s *screen) until(what string, ok func(text string) bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok(s.text()) {
			return
		}
	}
	s.t.Fatalf("the screen does not show %s:\n%s", what, s.picture())
}

func (s *screen) want(sub string) {
	s.t.Helper()
	s.until(sub, func(text string) bool { return strings.Contains(text, sub) })
}

func (s *screen) wantNot(sub string) {
	s.t.Helper()
	s.until("anything but "+sub, func(text string) bool { return !strings.Contains(text, sub) })
}

// cursorAfter tells whether the cursor stands behind before, at the end of its
// row.
func (s *screen) cursorAfter(before string) bool { return s.cursorIn(before, "") }

func (s *screen) cursorIn(before, rest string) bool {
	s.vt.Lock()
	c := s.vt.Cursor()
	s.vt.Unlock()
	rows := strings.Split(s.vt.String(), "\n")
	if c.Y >= len(rows) {
		return false
	}
	row := []rune(rows[c.Y])
	if c.X > len(row) {
		return false
	}
	return string(row[:c.X]) == before && strings.TrimRight(string(row[c.X:]), " \x00") == rest
}

// wantCursor waits until the cursor is in the row that is line up to it, with
// rest behind it.
func (s *screen) wantCursor(before, rest string) {
	s.t.Helper()
	s.until("«"+before+"|"+rest+"» at the cursor",
		func(string) bool { return s.cursorIn(before, rest) })
}

// resize changes the window.
func (s *screen) resize(cols, rows int) {
	s.t.Helper()
	s.vt.Resize(cols, rows)
	if err := pty.Setsize(s.tty, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)}); err != nil {
		s.t.Fatal(err)
	}
}

// mode returns the mode of the terminal.
func (s *screen) mode() unix.Termios {
	s.t.Helper()
	m, err := unix.IoctlGetTermios(int(s.tty.Fd()), ioctlGetTermios)
	if err != nil {
		s.t.Fatal(err)
	}
	return *m
}

// exit waits for the end of the program and returns its exit status.
func (s *screen) exit() int {
	s.t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case <-done:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		s.t.Fatalf("the program does not end:\n%s", s.picture())
		return 0
	}
}

// cloneWithoutTerminal returns the same program, to be run without any
// controlling terminal.
func cloneWithoutTerminal(c *exec.Cmd) *exec.Cmd {
	n := exec.Command(c.Path)
	n.Env = c.Env
	n.SysProcAttr = &unix.SysProcAttr{Setsid: true}
	return n
}
