package grow

import (
	"context"
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// module is a small metalab: a core and the whole of it.
var module = map[string]string{
	"go.mod":               "module metalab\n\ngo 1.26\n",
	"go.sum":               "",
	"repl/main.go":         "package main\n\nfunc main() { println(\"core\") }\n",
	"repl/all/main.go":     "package main\n\nfunc main() { println(\"whole\" + more) }\n",
	"repl/all/tagged.go":   "//go:build extra\n\npackage main\n\nconst more = \" and extra\"\n",
	"repl/all/untagged.go": "//go:build !extra\n\npackage main\n\nconst more = \"\"\n",
}

// lay writes files below a folder.
func lay(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// golang calls the go command in a folder and returns what it prints.
func golang(t *testing.T, root string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	b, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %v: %v: %s", args, err, b)
	}
	return strings.TrimSpace(string(b))
}

// coreOf is the cache of a core that was compiled at exe.
func coreOf(t *testing.T, root, exe string) *cached {
	t.Helper()
	info, err := buildinfo.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	id, err := buildID(exe)
	if err != nil {
		t.Fatal(err)
	}
	return &cached{
		id: id, info: info, exe: exe, root: root, whole: "metalab/repl/all",
		dir: filepath.Join(t.TempDir(), short(id)),
	}
}

func silent(int64, int64) {}

// says is what a program prints.
func says(t *testing.T, program string) string {
	t.Helper()
	b, err := exec.Command(program).CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

// The whole program has the tags of its core, is there until a source of it changes, and is refused
// where the sources are other than the core's.
func TestCompile(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string][]string{
		"plain": nil, "tags": {"-tags=extra"}, "ldflags": {"-ldflags=-s -w"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			lay(t, root, module)
			exe := filepath.Join(t.TempDir(), "repl")
			golang(t, root, append(append([]string{"build", "-o", exe}, flags...), "./repl")...)
			c := coreOf(t, root, exe)
			if c.fresh() {
				t.Fatal("it is there before it was compiled")
			}
			var last, of int64
			program, err := c.compile(t.Context(), func(done, total int64) { last, of = done, total })
			if err != nil {
				t.Fatal(err)
			}
			if of < 2 || last > of {
				t.Errorf("%d of %d packages were told", last, of)
			}
			want := "whole"
			if name == "tags" {
				want = "whole and extra"
			}
			if got := says(t, program); got != want || !c.fresh() {
				t.Errorf("it says %q and is fresh: %v, want %q", got, c.fresh(), want)
			}
			lay(t, root, map[string]string{"repl/all/other.go": "package main\n\nvar X int\n"})
			if c.fresh() {
				t.Error("a new file of it is not seen")
			}
			lay(t, root, map[string]string{
				"repl/all/main.go": "package main\n\nfunc main() { println(\"new\" + more) }\n",
			})
			if _, err = c.compile(t.Context(), silent); err != nil {
				t.Fatal(err)
			}
			if got := says(t, program); !strings.HasPrefix(got, "new") || !c.fresh() {
				t.Errorf("after a change it says %q", got)
			}
			lay(t, root, map[string]string{
				"repl/main.go": "package main\n\nfunc main() { println(\"other\") }\n",
			})
			lay(t, root, map[string]string{"go.sum": "\n"})
			if _, err = c.compile(t.Context(), silent); err == nil ||
				!strings.Contains(err.Error(), "other than those that this program was made of") {
				t.Errorf("with another core: %v", err)
			}
			left, err := filepath.Glob(filepath.Join(c.dir, "*"))
			if err != nil || len(left) != 3 { // lock, program and list
				t.Errorf("left in the folder: %v, %v", left, err)
			}
		})
	}
}

// A core that go run made is known, and made again, as that.
func TestCompileOfGoRun(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	lay(t, root, module)
	// The first is where go run links it, and gone; the second is kept.
	for range 2 {
		if exe := golang(t, root, "run", "-exec", "echo", "./repl"); !ran(exe) {
			t.Fatalf("%s is not known as a program of go run", exe)
		}
	}
	exe := golang(t, root, "run", "-exec", "echo", "./repl")
	c := coreOf(t, root, exe)
	program, err := c.compile(t.Context(), silent)
	if err != nil {
		t.Fatal(err)
	}
	if got := says(t, program); got != "whole" {
		t.Errorf("it says %q", got)
	}
	lay(t, root, map[string]string{
		"go.sum":       "\n",
		"repl/main.go": "package main\n\nfunc main() { println(\"other\") }\n",
	})
	if _, err := c.compile(t.Context(), silent); err == nil ||
		!strings.Contains(err.Error(), "other than those") {
		t.Errorf("with another core: %v", err)
	}
}

// Of sessions that want the program one compiles it; the others wait and get its progress.
func TestOneCompiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	lay(t, root, module)
	exe := filepath.Join(t.TempDir(), "repl")
	golang(t, root, "build", "-o", exe, "./repl")
	c := coreOf(t, root, exe)
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	free, ok := c.try()
	if !ok {
		t.Fatal("the lock is taken")
	}
	if err := os.WriteFile(c.far(), []byte("3 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	waits := make(chan struct{})
	var once, all sync.WaitGroup
	once.Add(2)
	for range 2 {
		told := sync.OnceFunc(once.Done)
		all.Go(func() {
			_, err := c.compile(t.Context(), func(done, total int64) {
				if done == 3 && total == 7 {
					told()
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	go func() { once.Wait(); close(waits) }()
	<-waits
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.compile(ctx, silent); ctx.Err() == nil || err == nil {
		t.Errorf("who no longer waits got %v", err)
	}
	free()
	all.Wait()
	if got := says(t, c.program()); got != "whole" {
		t.Errorf("it says %q", got)
	}
}

// Who waits for a program that is compiled with the lowest priority has it compiled as fast as it
// can be.
func TestWanted(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	lay(t, root, module)
	exe := filepath.Join(t.TempDir(), "repl")
	golang(t, root, "build", "-o", exe, "./repl")
	early := coreOf(t, root, exe)
	early.ahead = true
	late := *early
	late.ahead = false
	begun, asked := make(chan struct{}), make(chan struct{})
	early.onWanted = func() { close(asked) }
	begin := sync.OnceFunc(func() { close(begun) })
	var all sync.WaitGroup
	all.Go(func() {
		_, err := early.compile(t.Context(), func(int64, int64) {
			begin()
			<-asked
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-begun
	all.Go(func() {
		if _, err := late.compile(t.Context(), silent); err != nil {
			t.Error(err)
		}
	})
	all.Wait()
	if got := says(t, late.program()); got != "whole" {
		t.Errorf("it says %q", got)
	}
	if early.ahead {
		t.Error("it was compiled with the lowest priority to the end")
	}
}

// The programs of the latest cores stay, and one that is being compiled.
func TestPrune(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	old := time.Now().Add(-time.Hour)
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		lay(t, top, map[string]string{name + "/metalab": "", name + "/lock": ""})
		at := old.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(filepath.Join(top, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	busy := &cached{dir: filepath.Join(top, "b")}
	free, ok := busy.try()
	if !ok {
		t.Fatal("the lock is taken")
	}
	defer free()
	(&cached{dir: filepath.Join(top, "c")}).prune()
	left, err := filepath.Glob(filepath.Join(top, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	if got := strings.Join(left, " "); got != "b c d e" {
		t.Errorf("left are %s, want b c d e", got)
	}
}

// A build ID is what the go command says it is.
func TestBuildID(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	got, err := buildID(exe)
	if want := golang(t, ".", "tool", "buildid", exe); err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	if id, err := buildID(text); err == nil {
		t.Errorf("a text has the build ID %q", id)
	}
	// As it is in programs of systems without ELF.
	lay(t, filepath.Dir(text), map[string]string{"text": "xx\xff Go build ID: \"a/b\"\n \xffyy"})
	if id, err := buildID(text); err != nil || id != "a/b" {
		t.Errorf("%q, %v, want a/b", id, err)
	}
}

// What cannot be compiled says why, and what to do.
func TestWhyNot(t *testing.T) {
	root := t.TempDir()
	lay(t, root, module)
	lay(t, root, map[string]string{
		"go.mod":         "module metalab\n\ngo 1.26\n\nrequire example.org/none v1.0.0\n",
		"repl/all/x.go":  "package main\n\nimport _ \"example.org/none\"\n",
		"repl/broken.go": "package main\n\nvar Unused int\n",
	})
	exe := filepath.Join(t.TempDir(), "repl")
	golang(t, root, "build", "-mod=mod", "-o", exe, "./repl")
	c := coreOf(t, root, exe)
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	if _, err := c.compile(t.Context(), silent); err == nil ||
		!strings.Contains(err.Error(), "go mod download in "+root) {
		t.Errorf("without a module: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := c.compile(t.Context(), silent); err == nil ||
		!strings.Contains(err.Error(), "there is no Go here") {
		t.Errorf("without Go: %v", err)
	}
}
