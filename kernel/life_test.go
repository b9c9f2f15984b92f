package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/execute"
	"metalab/kernel/internal/jupyter/process"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

const openAndGo = `%%
a := lab.Open("a", "acs", lab.Load("rand-100-1"), lab.Seed(7), lab.With("ants", 4))
a.Step(30)
a.Go()
`

// The host, the folder, the socket and gopls end with the kernel, however that ends, and the
// run that was going on is saved.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		end  func(s *book)
	}{
		{"shutdown", func(s *book) { s.Stop() }},
		{"kernel killed", func(s *book) { _ = s.Cmd.Process.Kill() }},
		{"kernel and its cell killed", func(s *book) {
			go func() {
				res, err := s.Do(s.Context(), "%%\ntime.Sleep(time.Hour)")
				s.Log(res, err)
			}()
			s.until("the cell", func() bool {
				n := 0
				for _, args := range process.List() {
					if len(args) > 0 && strings.HasPrefix(args[0], s.dir) {
						n++
					}
				}
				return n > 0
			})
			_ = s.Cmd.Process.Kill()
		}},
		{"terminated", func(s *book) { _ = s.Cmd.Process.Signal(syscall.SIGTERM) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			s.run(openAndGo)
			c.end(s)
			s.gone()
			if len(s.saved()) == 0 {
				t.Error("the run was not saved")
			}
		})
	}
}

// A restart is an end and a beginning: the second kernel is as good as the first, and can
// recover the run.
func TestRestart(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run(openAndGo)
	s.Stop()
	s.gone()
	r := s.start(t)
	defer r.Stop()
	s.Runner = r
	s.look()
	if got := s.run("%%\nfmt.Println(lab.Runs())"); !strings.Contains(got, "no runs") {
		t.Errorf("after a restart: %s", got)
	}
	if got := s.run("%%\nfmt.Println(lab.Do(\"recover\"))"); !strings.Contains(got, "rand-100-1") {
		t.Errorf("recover: %s", got)
	}
	res, err := s.Do(t.Context(), "%%\nlab.Get(\"a\")")
	if err != nil || !strings.Contains(res.Failed, "saved: a, iteration ") ||
		!strings.Contains(res.Failed, `: lab.Recover("a")`) {
		t.Errorf("a run from before the restart: %q, %v", res.Failed, err)
	}
	// As the cells that opened it say. The run of the new name is closed: it made no iteration.
	if got := s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-100-1\"))"); !strings.Contains(got,
		`saved before: a, iteration `) {
		t.Errorf("open after a restart: %s", got)
	}
	if got := s.run("%%\nfmt.Println(lab.Recover(\"a\").Show().Iteration >= 30, " +
		"lab.Get(\"a\").Journal())"); !strings.Contains(got, "true ") ||
		!strings.Contains(got, "stopped: paused (the end of the host)") {
		t.Errorf("the recovered run: %s", got)
	}
}

// actAsJupyter starts the kernel whose kernel.json is named, says so, and waits to be killed.
func actAsJupyter() {
	spec, err := jupyter.ReadSpec(os.Getenv("METALAB_TEST_SPEC"))
	if err == nil {
		var r *execute.Runner
		if r, err = execute.Start(context.Background(), spec,
			filepath.Join(os.TempDir(), "test.ipynb")); err == nil {
			if _, err = r.Do(context.Background(), openAndGo); err == nil {
				fmt.Println("ready")
				time.Sleep(time.Hour)
			}
		}
	}
	fmt.Println(err)
	os.Exit(1)
}

// When Jupyter is killed it can end nothing; the host does.
func TestJupyterKilled(t *testing.T) {
	t.Parallel()
	h := kernel(t)
	cmd := h.command(os.Args[0])
	cmd.Env = append(cmd.Env, actAs+"=jupyter", "METALAB_TEST_SPEC="+installed.place.SpecFile())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if line != "ready\n" {
		_ = cmd.Process.Kill()
		t.Fatalf("the kernel's starter says %q", line)
	}
	s := &book{T: t, home: h}
	s.look()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait() // it was killed
	s.gone()
	if len(s.saved()) == 0 {
		t.Error("the run was not saved")
	}
}

// When the host is killed in the middle of a step, the cell says so in one line, with what to
// do; the guard cleans up when the kernel ends.
func TestHostKilled(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run(openAndGo)
	s.until("the autosave", func() bool { return len(s.saved()) > 0 })
	was, err := wire.Dial(t.Context(), s.hello.Socket, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer was.Close()
	if err := was.Do(t.Context(), "pause", wire.RunRequest{Run: "a"}, nil); err != nil {
		t.Fatal(err)
	}
	var at reply.ShowReply
	if err := was.Do(t.Context(), "show", wire.RunRequest{Run: "a"}, &at); err != nil {
		t.Fatal(err)
	}
	go func() {
		s.stands(t.Context(), at.Iteration+1)
		_ = syscall.Kill(s.hello.PID, syscall.SIGKILL)
	}()
	for _, code := range []string{"lab.Get(\"a\").Step(1_000_000_000)", "lab.Get(\"a\").Step(1)"} {
		res, err := s.Do(t.Context(), "%%\n"+code)
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Failed; !strings.Contains(got, "session") ||
			!strings.Contains(got, "restart the kernel") || strings.Contains(got, "\n") ||
			strings.Contains(got, "goroutine") {
			t.Errorf("%s without a host: %q", code, got)
		}
	}
	s.Stop()
	s.gone()
}

// When the guard was killed too, the next kernel cleans up.
func TestHostAndGuardKilled(t *testing.T) {
	t.Parallel()
	s := start(t)
	guard := 0
	for pid, args := range process.List() {
		if len(args) == 3 && args[1] == "guard" && strings.Contains(args[2], s.hello.Session) {
			guard = pid
		}
	}
	if guard == 0 {
		t.Fatal("there is no guard")
	}
	for _, pid := range []int{guard, s.hello.PID} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	s.Stop()
	if len(s.dirs()) != 1 {
		t.Fatalf("folders: %v, want the dead host's", s.dirs())
	}
	old := s.dir
	r := s.start(t)
	defer r.Stop()
	if _, err := os.Stat(old); err == nil {
		t.Error("the dead host's folder is still there")
	}
	s.Runner = r
	s.look()
	s.run("%%\nlab.Runs()")
}

// When a cell is killed in the middle of a step, its step is withdrawn at an iteration's end;
// the run is as good as before in the next cell.
func TestCellKilled(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.run("%%\nlab.Open(\"a\", \"acs\", lab.Load(\"rand-100-1\"), lab.Seed(7), " +
		"lab.With(\"ants\", 4)).Step(5)")
	killed := make(chan int, 1)
	go func() {
		s.stands(t.Context(), 6) // the cell steps
		n := 0
		for pid, args := range process.List() {
			if len(args) > 0 && strings.HasPrefix(args[0], s.dir+"/") &&
				syscall.Kill(pid, syscall.SIGKILL) == nil {
				n++
			}
		}
		killed <- n
	}()
	res, err := s.Do(t.Context(), "%%\nlab.Get(\"a\").Step(1_000_000_000)")
	if n := <-killed; err != nil || n != 1 || !strings.Contains(res.Failed, "killed") {
		t.Errorf("%d cells were killed: %q, %v", n, res.Failed, err)
	}
	s.until("the end of the step", func() bool {
		return strings.Contains(s.run("%%\nfmt.Println(lab.Get(\"a\").Show().State)"), "paused")
	})
	got := s.run("%%\na := lab.Get(\"a\")\na.Step(3)\na.Save(filepath.Join(os.TempDir(), " +
		"\"a.run\"))\nfmt.Println(lab.Replay(filepath.Join(os.TempDir(), \"a.run\")).Identical)")
	if !strings.Contains(got, "true") {
		t.Errorf("the run after it: %s", got)
	}
}

// The socket and the folder are the user's alone.
func TestPrivate(t *testing.T) {
	t.Parallel()
	s := start(t)
	for path, want := range map[string]os.FileMode{
		s.hello.Socket:               0o600,
		filepath.Dir(s.hello.Socket): 0o700, s.dir: 0o700,
	} {
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if st.Mode().Perm() != want {
			t.Errorf("%s has mode %04o, want %04o", path, st.Mode().Perm(), want)
		}
	}
	if s.hello.Socket != filepath.Join(s.sockets(), "metalab", s.hello.Session+".sock") ||
		!strings.HasPrefix(s.hello.Session, "test-") {
		t.Errorf("session %s at %s", s.hello.Session, s.hello.Socket)
	}
}
