package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/build"
	"metalab/kernel/internal/jupyter/execute"
	"metalab/kernel/internal/jupyter/install"
	"metalab/kernel/internal/jupyter/process"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// actAs, in the environment of this test program, makes it another program for a test.
const actAs = "METALAB_TEST_ACT"

func TestMain(m *testing.M) {
	if os.Getenv(actAs) == "jupyter" {
		actAsJupyter()
	}
	code := m.Run()
	if installed.dir != "" {
		os.RemoveAll(installed.dir)
	}
	os.Exit(code)
}

// installed is the kernel that the tests of this package share.
var installed struct {
	sync.Once
	dir   string
	place jupyter.Place
	spec  jupyter.Spec
	said  bytes.Buffer // by the install
	err   error
}

// A home is where the kernels of a test run: a kernelspec, and folders of the test's own for
// sockets, states and temporary files, of which tests that run side by side share none.
type home struct {
	jupyter.Spec
	dir string
}

// sockets, states and temporary are the folders of a home.
func (h home) sockets() string   { return filepath.Join(h.dir, "r") }
func (h home) states() string    { return filepath.Join(h.dir, "s") }
func (h home) temporary() string { return filepath.Join(h.dir, "t") }

// env are the variables by which a program finds them.
func (h home) env() map[string]string {
	return map[string]string{
		"XDG_RUNTIME_DIR": h.sockets(), "METALAB_STATE": h.states(), "TMPDIR": h.temporary(),
	}
}

// command is a program that runs there.
func (h home) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = os.Environ()
	for k, v := range h.env() {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

// start starts a kernel there, with more variables, as of a notebook in the temporary folder.
func (h home) start(t *testing.T, extra ...string) *execute.Runner {
	t.Helper()
	for k, v := range h.env() {
		extra = append(extra, k+"="+v)
	}
	r, err := execute.Start(t.Context(), h.Spec, filepath.Join(h.temporary(), "test.ipynb"), extra...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// kernel returns a home with a real kernel. It skips where GoNB and goimports cannot be built.
func kernel(t *testing.T) home {
	t.Helper()
	if testing.Short() {
		t.Skip("starts real kernels")
	}
	installed.Do(func() {
		if installed.dir, installed.err = os.MkdirTemp("", "mlk"); installed.err != nil {
			return
		}
		installed.place = jupyter.Under(installed.dir)
		root, err := build.ModuleRoot(context.Background())
		if err == nil {
			_, gopls := exec.LookPath("gopls") // to build it takes minutes
			err = install.Into(context.Background(), &installed.said, installed.place, root,
				gopls == nil)
		}
		if err == nil {
			installed.spec, err = jupyter.ReadSpec(installed.place.SpecFile())
		}
		installed.err = err
	})
	if err := installed.err; err != nil {
		if strings.Contains(err.Error(), "building GoNB") ||
			strings.Contains(err.Error(), "building goimports") {
			t.Skip("no kernel can be put together here:", err)
		}
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "mlk") // short, for the sake of sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	h := home{installed.spec, dir}
	for _, d := range h.env() {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// setenv makes a home that of this process too; then no other test runs beside.
func (h home) setenv(t *testing.T) {
	t.Helper()
	for k, v := range h.env() {
		t.Setenv(k, v)
	}
}

// prompt makes lines at a prompt that is attached to the session; the program is built once for all
// tests of the package, without what debuggers want, which is half of the time.
func (s *book) prompt(lines string) string {
	s.Helper()
	program, err := builtPrompt()
	if err != nil {
		s.Fatal(err)
	}
	out, err := s.command(program, "-attach", s.hello.Session, "-c", lines).CombinedOutput()
	if err != nil {
		s.Fatalf("%s: %v: %s", lines, err, out)
	}
	return string(out)
}

var builtPrompt = sync.OnceValues(func() (string, error) {
	program := filepath.Join(installed.dir, "repl")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", program,
		"metalab/repl/all").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("building the prompt: %w: %s", err, out)
	}
	return program, err
})

// A book is a kernel that a test started, with what belongs to it.
type book struct {
	*testing.T
	*execute.Runner
	home
	hello reply.Hello
	dir   string // of the session's temporary files
}

func start(t *testing.T) *book {
	t.Helper()
	return startIn(t, kernel(t))
}

func startIn(t *testing.T, h home, extra ...string) *book {
	t.Helper()
	s := &book{T: t, Runner: h.start(t, extra...), home: h}
	t.Cleanup(s.Stop)
	s.watch()
	s.look()
	return s
}

// watch ends a kernel that a test has waited for too long, and tells what its processes did then:
// a cell has no limit of its own, and the test program's names no cause.
func (s *book) watch() {
	r, told := s.Runner, make(chan struct{})
	late := time.AfterFunc(10*time.Minute, func() {
		defer close(told)
		for pid, args := range process.List() {
			line := strings.Join(args, " ")
			if pid == r.Cmd.Process.Pid || s.dir != "" && strings.Contains(line, s.dir) ||
				s.hello.Session != "" && strings.Contains(line, s.hello.Session) {
				s.Log("there is:", line)
				_ = syscall.Kill(pid, syscall.SIGQUIT) // Go prints its stacks
			}
		}
		time.Sleep(5 * time.Second)
		s.Errorf("after 10 minutes the test still waits; its kernel printed:\n%s", r.Printed())
		_ = r.Cmd.Process.Kill()
	})
	s.Cleanup(func() {
		if !late.Stop() {
			<-told
		}
	})
}

// look finds the one session that is there.
func (s *book) look() {
	s.Helper()
	var all []reply.Hello
	s.until("the session to answer", func() bool {
		all = s.sessions()
		return len(all) > 0
	})
	dirs := s.dirs()
	if len(all) != 1 || len(dirs) != 1 {
		s.Fatalf("%d sessions and %d folders, want one: %v %v", len(all), len(dirs), all, dirs)
	}
	s.hello, s.dir = all[0], dirs[0]
}

// sessions are those that answer.
func (s *book) sessions() (all []reply.Hello) {
	socks, _ := filepath.Glob(filepath.Join(s.sockets(), "metalab", "*.sock"))
	for _, path := range socks {
		if c, err := wire.Dial(s.Context(), path, "test"); err == nil {
			all = append(all, c.Hello())
			c.Close()
		}
	}
	return all
}

// stands waits until run a stands at an iteration or further on; it may run in any goroutine, and
// ends with the test.
func (s *book) stands(ctx context.Context, iteration int64) {
	for ; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		c, err := wire.Dial(ctx, s.hello.Socket, "test")
		if err != nil {
			continue
		}
		var r reply.ShowReply
		err = c.Do(ctx, "show", wire.RunRequest{Run: "a"}, &r)
		c.Close()
		if err == nil && r.Iteration >= iteration {
			return
		}
	}
}

func (s *book) dirs() []string {
	dirs, _ := filepath.Glob(filepath.Join(s.temporary(), "metalab-nb-*"))
	return dirs
}

// run executes a cell that must succeed and returns its text.
func (s *book) run(code string) string {
	s.Helper()
	res, err := s.Do(s.Context(), code)
	if err != nil {
		s.Fatal(err)
	}
	if res.Failed != "" {
		s.Fatalf("%s\n%s: %s%s", code, res.Failed, text(res.Outputs), res.Outputs.Stderr())
	}
	return text(res.Outputs)
}

// text is everything textual of outputs.
func text(os execute.Outputs) string {
	out := ""
	for _, o := range os {
		switch o.Kind {
		case "stream":
			out += o.Text
		case "display_data":
			out += fmt.Sprint(o.Data["text/plain"]) + "\n"
		}
	}
	return out
}

// until waits for something that must come to be; the limit only ends tests that fail.
func (s *book) until(what string, ok func() bool) {
	s.Helper()
	for end := time.Now().Add(5 * time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.Fatal("waited in vain for", what)
		}
	}
}

// gone waits until nothing is left of the session: no process, no socket, no folder.
func (s *book) gone() {
	s.Helper()
	var left []string
	defer func() {
		if s.Failed() {
			s.Log("left:", left)
		}
	}()
	s.until("the end of everything", func() bool {
		left = left[:0]
		for pid, args := range process.List() {
			line := strings.Join(args, " ")
			if pid != os.Getpid() &&
				(strings.Contains(line, s.dir) || strings.Contains(line, s.hello.Session)) {
				left = append(left, line)
			}
		}
		if _, err := os.Stat(s.dir); err == nil {
			left = append(left, s.dir)
		}
		socks, _ := filepath.Glob(filepath.Join(s.sockets(), "metalab", "*"))
		left = append(left, socks...)
		return len(left) == 0
	})
}

// saved returns the autosaves that a later host of the same state finds.
func (s *book) saved() []string {
	s.Helper()
	out, err := exec.Command("find", s.states(), "-type", "f", "-not", "-name",
		"*.log").Output()
	if err != nil {
		s.Fatal(err)
	}
	return strings.Fields(string(out))
}
