package grow

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// make compiles the program, under the lock.
func (c *cached) make(ctx context.Context, say func(done, total int64)) error {
	say(0, 1)
	if err := c.same(ctx); err != nil {
		return err
	}
	of, stale, err := c.look(ctx)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(c.dir, "make")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	defer os.Remove(c.far())
	done, total := int64(0), int64(len(stale)+1)
	tell := func() {
		say(done, total)
		// For other sessions, which go without it where it cannot be written.
		_ = os.WriteFile(c.far(), fmt.Appendf(nil, "%d %d\n", done, total), 0o600)
	}
	tell()
	made := filepath.Join(dir, "metalab")
	args := append([]string{"build", "-v", "-buildvcs=false", "-o", made}, c.flags()...)
	_, err = c.golang(ctx, nil, func(line string) bool {
		if stale[line] && done < total-1 {
			done++
			tell()
		}
		return stale[line]
	}, append(args, c.whole)...)
	if err != nil {
		return fmt.Errorf("it does not compile: %w", err)
	}
	if file := of.changed(); file != "" {
		return fmt.Errorf("%s was changed while it was compiled: type the line again", file)
	}
	return c.put(made, of)
}

// same returns an error unless the sources are those of this program: it is made again, which Go's
// cache knows, and must come out with the same build ID.
func (c *cached) same(ctx context.Context) error {
	other := fmt.Errorf("the sources in %s are other than those that this program was made of: end "+
		"the session and start it anew (recover goes on with the runs)", c.root)
	if ran(c.exe) {
		// go run links without what debuggers read, and caches the program.
		args := append([]string{"run", "-exec", "go tool buildid"}, c.flags()...)
		out, err := c.golang(ctx, nil, nil, append(args, c.info.Path)...)
		if err != nil {
			return fmt.Errorf("the sources do not compile: %w", err)
		}
		if strings.TrimSpace(string(out)) != c.id {
			return other
		}
		return nil
	}
	dir, err := os.MkdirTemp(c.dir, "again")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	made := filepath.Join(dir, filepath.Base(c.exe))
	vcs := "-buildvcs=false"
	for _, s := range c.info.Settings {
		if strings.HasPrefix(s.Key, "vcs") {
			vcs = "-buildvcs=true"
		}
	}
	args := append([]string{"build", vcs, "-o", made}, c.flags()...)
	if _, err := c.golang(ctx, nil, nil, append(args, c.info.Path)...); err != nil {
		return fmt.Errorf("the sources do not compile: %w", err)
	}
	if id, err := buildID(made); err != nil || id != c.id {
		return other
	}
	return nil
}

// ran reports whether go run made a program, by the place where go run puts programs.
func ran(exe string) bool {
	dir := filepath.Dir(exe)
	return strings.HasSuffix(dir, "-d") && len(filepath.Base(dir)) == 64+len("-d") ||
		filepath.Base(dir) == "exe" && strings.Contains(dir, "go-build")
}

// flags returns the flags with which this program was compiled, for the go command.
func (c *cached) flags() []string {
	var out []string
	for _, s := range c.info.Settings {
		switch s.Key {
		case "-tags", "-ldflags", "-gcflags", "-asmflags", "-race", "-msan", "-asan", "-trimpath":
			out = append(out, s.Key+"="+s.Value)
		}
	}
	return out
}

// environ returns the environment for the go command, with the settings with which this program was
// compiled.
func (c *cached) environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "METALAB_")
	})
	for _, s := range c.info.Settings {
		if strings.HasPrefix(s.Key, "CGO_") || strings.HasPrefix(s.Key, "GO") {
			env = append(env, s.Key+"="+s.Value) // the last of a name counts
		}
	}
	return env
}

// A listed is what go list prints about a package.
type listed struct {
	ImportPath, Dir string
	Standard, Stale bool
	Module          *struct{ Main bool }

	GoFiles, CgoFiles, CFiles, HFiles, SFiles, EmbedFiles []string
}

// look returns the sources of the program, and which packages are to be compiled. Modules that are
// not here are fetched for it.
func (c *cached) look(ctx context.Context) (of *sources, stale map[string]bool, err error) {
	args := append([]string{
		"list", "-deps",
		"-json=ImportPath,Dir,Standard,Stale,Module,GoFiles,CgoFiles,CFiles,HFiles,SFiles,EmbedFiles",
	}, c.flags()...)
	args = append(args, c.whole)
	out, err := c.golang(ctx, []string{"GOPROXY=off"}, nil, args...)
	if err != nil && ctx.Err() == nil {
		if out, err = c.golang(ctx, nil, nil, args...); err != nil {
			err = fmt.Errorf("modules that it needs are not here, and fetching them failed: %w; with a "+
				"network, go mod download in %s fetches them", err, c.root)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	stale = map[string]bool{}
	files := []string{filepath.Join(c.root, "go.mod"), filepath.Join(c.root, "go.sum")}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list: %w", err)
		}
		if p.Stale {
			stale[p.ImportPath] = true
		}
		if p.Standard || p.Module == nil || !p.Module.Main {
			continue
		}
		for _, names := range [][]string{
			p.GoFiles, p.CgoFiles, p.CFiles, p.HFiles, p.SFiles, p.EmbedFiles,
		} {
			for _, n := range names {
				files = append(files, filepath.Join(p.Dir, n))
			}
		}
	}
	of, err = stamped(files)
	return of, stale, err
}

// patience is how long the go command may take to end when it is told to.
const patience = 2 * time.Second

// golang calls the go command in the folder of the sources. line takes the lines that it prints to
// its standard error and says whether they are about its progress; the others are in the error. It
// may be nil.
func (c *cached) golang(
	ctx context.Context, env []string, line func(string) bool, args ...string,
) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = c.root, append(c.environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = patience
	var out bytes.Buffer
	cmd.Stdout = &out
	pipe, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("it is compiled, and there is no Go here: install it from go.dev/dl")
	}
	if err != nil {
		return nil, err
	}
	if c.ahead { // compilers that it starts have its priority
		_ = unix.Setpriority(unix.PRIO_PGRP, cmd.Process.Pid, 19)
	}
	var said []string
	for sc := bufio.NewScanner(pipe); sc.Scan(); {
		if text := strings.TrimSpace(sc.Text()); text != "" && (line == nil || !line(text)) {
			said = append(said, text)
		}
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		said = slices.DeleteFunc(said, func(s string) bool { return strings.HasPrefix(s, "#") })
		said = said[:min(len(said), 3)]
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, strings.Join(said, "; "))
	}
	return out.Bytes(), nil
}
