package grow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/internal/share"
	"metalab/solvers/record"
)

// whole is the package of the whole program; empty: this is the whole one.
var whole string

// Into makes this program the core of another one, which hosts grow into. It is called first in
// main.
func Into(pkg string) {
	whole = pkg
	host.HandleGrowth(compiler{})
}

// Lacking reports whether this program is a core.
func Lacking() bool { return whole != "" }

// Become executes the whole program in this process, with the same arguments, where it was compiled
// for this core and its sources have not changed since; else it returns.
func Become() {
	if whole == "" {
		return
	}
	c, err := mine()
	if err != nil || !c.fresh() {
		return
	}
	now := time.Now()
	_ = os.Chtimes(c.dir, now, now) // the latest stay
	_ = syscall.Exec(c.program(), os.Args, os.Environ())
}

// compiler compiles the whole program of this core.
type compiler struct{}

// Compile implements host.Whole.
func (compiler) Compile(
	ctx context.Context, say func(done, total int64),
) (path string, err error) {
	return Compile(ctx, false, say)
}

// Compile returns the path of the whole program, which it compiles unless it is there and its
// sources have not changed; with the lowest priority where ahead is set. say receives the number of
// packages compiled so far.
func Compile(ctx context.Context, ahead bool, say func(done, total int64)) (string, error) {
	if whole == "" {
		return "", errors.New("this is the whole program")
	}
	c, err := mine()
	if err != nil {
		return "", err
	}
	if c.fresh() {
		return c.program(), nil
	}
	if c.root, err = share.Source(); err != nil {
		return "", fmt.Errorf("it is compiled with %w; go build -o repl ./repl/all makes a program that "+
			"has all", err)
	}
	c.ahead = ahead
	return c.compile(ctx, say)
}

// compile compiles the program, or waits for another session that does.
func (c *cached) compile(ctx context.Context, say func(done, total int64)) (string, error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return "", fmt.Errorf("it is compiled, and kept in a folder of caches: %w (XDG_CACHE_HOME names "+
			"another)", err)
	}
	free, err := c.lock(ctx, say)
	if err != nil {
		return "", err
	}
	defer free()
	if c.fresh() { // another session compiled it meanwhile
		return c.program(), nil
	}
	_ = os.Remove(c.wanted()) // by a session of before
	err = c.makeAhead(ctx, say)
	if c.ahead && errors.Is(err, errWanted) {
		c.ahead = false
		err = c.make(ctx, say)
	}
	if err != nil {
		return "", err
	}
	c.prune()
	return c.program(), nil
}

// errWanted is why a program is no longer compiled with the lowest priority.
var errWanted = errors.New("a verb needs it now")

// makeAhead is make, until another session, or a verb of this one, waits for the program: then the
// error is errWanted. What was compiled is in Go's cache.
func (c *cached) makeAhead(ctx context.Context, say func(done, total int64)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	var watch sync.WaitGroup
	if c.ahead {
		watch.Go(func() {
			for ctx.Err() == nil {
				if _, err := os.Stat(c.wanted()); err == nil {
					cancel(errWanted)
					if c.onWanted != nil {
						c.onWanted()
					}
					return
				}
				select {
				case <-ctx.Done():
				case <-time.After(often):
				}
			}
		})
	}
	err := c.make(ctx, say)
	if err != nil && errors.Is(context.Cause(ctx), errWanted) {
		err = errWanted
	}
	cancel(nil)
	watch.Wait()
	return err
}

// A cached is the whole program of one build of the core, in the folder of caches.
type cached struct {
	id    string // the build ID of the core
	dir   string
	root  string // of the sources
	whole string // the package of the program
	info  *debug.BuildInfo
	exe   string // the core
	ahead bool

	onWanted func() // is called when somebody waits; for tests
}

// mine returns the cache entry of this program.
func mine() (*cached, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, errors.New("this program does not say how it was built")
	}
	id, err := buildID(exe)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("there is no folder of caches: %w", err)
	}
	return &cached{
		id: id, whole: whole, info: info, exe: exe,
		dir: filepath.Join(cache, "metalab", "programs", short(id)),
	}, nil
}

// program returns the path of the compiled program.
func (c *cached) program() string { return filepath.Join(c.dir, "metalab") }

// put moves a compiled program to its place, and lists its sources.
func (c *cached) put(made string, of *sources) error {
	// The list claims that the program was compiled from these sources, so it is written last.
	if err := os.Remove(c.list()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(made, c.program()); err != nil {
		return err
	}
	return record.Atomic(c.list(), of.write)
}
