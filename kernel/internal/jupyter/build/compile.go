package build

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A compilation is a call of go build.
type compilation struct {
	dir   string   // in which Go is called
	env   []string // nil: this program's
	flags []string
	pkg   string
}

// A Shower shows people how far compilations are: on a terminal as a bar, elsewhere as a line for
// each quarter.
type Shower struct {
	w        io.Writer
	terminal bool
	name     string // of what is compiled
	began    time.Time
	over     chan struct{} // closed at its end
	ticking  sync.WaitGroup

	mu          sync.Mutex
	done, total int
	doing       string
}

// NewShower shows on w.
func NewShower(w io.Writer) *Shower {
	s := &Shower{w: w}
	if f, ok := w.(*os.File); ok {
		st, err := f.Stat()
		s.terminal = err == nil && st.Mode()&os.ModeCharDevice != 0
	}
	return s
}

// build compiles into the file to what is called name, and shows which of the packages that are
// not in the cache of builds is compiled. The error holds the last line that Go printed.
func (s *Shower) build(ctx context.Context, name string, c compilation, to string) error {
	s.begin(name)
	defer s.end()
	pkgs, err := c.uncached(ctx, s.downloads)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.total, s.doing = len(pkgs), ""
	s.mu.Unlock()
	if !s.terminal && len(pkgs) > 1 { // one is linked again only
		fmt.Fprintf(s.w, "%-12s compiles %d packages\n", name, len(pkgs))
	}
	_, err = c.run(ctx, append([]string{"build", "-v", "-o", to}, c.flags...), func(line string) bool {
		if !pkgs[line] {
			return s.downloads(line)
		}
		delete(pkgs, line)
		s.compiles(line)
		return true
	})
	return err
}

// uncached are the packages that are to be compiled.
func (c compilation) uncached(
	ctx context.Context, heard func(line string) bool,
) (map[string]bool, error) {
	out, err := c.run(ctx, append([]string{
		"list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}",
	}, c.flags...), heard)
	pkgs := map[string]bool{}
	for _, p := range strings.Fields(out) {
		pkgs[p] = true
	}
	return pkgs, err
}

// run calls Go with the package at the end. heard takes the lines of its standard error that are
// about its progress, and reports whether one is; the last of the others is in the error.
func (c compilation) run(
	ctx context.Context, args []string, heard func(line string) bool,
) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append(args, c.pkg)...)
	cmd.Dir, cmd.Env = c.dir, c.env
	var out bytes.Buffer
	cmd.Stdout = &out
	pipe, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "", err
	}
	last := ""
	lines := bufio.NewReader(pipe)
	for {
		line, rerr := lines.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" && !heard(line) {
			last = line
		}
		if rerr != nil {
			break
		}
	}
	if err = cmd.Wait(); err != nil && last != "" {
		err = fmt.Errorf("%w: %s", err, last)
	}
	return out.String(), err
}

// begin begins to show a compilation.
func (s *Shower) begin(name string) {
	s.mu.Lock()
	s.name, s.began, s.done, s.total, s.doing = name, time.Now(), 0, 0, "looks what is there"
	s.mu.Unlock()
	s.draw()
	s.over = make(chan struct{})
	if !s.terminal {
		return
	}
	s.ticking.Go(func() { // a package, or the linker, may take long
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				s.draw()
			case <-s.over:
				return
			}
		}
	})
}

// downloads takes the line about a module that Go downloads.
func (s *Shower) downloads(line string) bool {
	module, ok := strings.CutPrefix(line, "go: downloading ")
	if ok {
		s.mu.Lock()
		s.doing = "downloads " + module
		s.mu.Unlock()
		s.draw()
	}
	return ok
}

// compiles takes the name of a package that Go has begun to compile.
func (s *Shower) compiles(pkg string) {
	s.mu.Lock()
	s.done++
	s.doing = pkg
	quarter := 4*s.done/s.total > 4*(s.done-1)/s.total && s.done < s.total && s.total >= 8
	line := fmt.Sprintf("%-12s %d of %d packages, after %.0f s\n", s.name, s.done, s.total,
		time.Since(s.began).Seconds())
	s.mu.Unlock()
	if quarter && !s.terminal {
		_, _ = io.WriteString(s.w, line)
	}
	s.draw()
}

// draw draws the bar anew, within 79 columns.
func (s *Shower) draw() {
	if !s.terminal {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	const width = 20
	line := fmt.Sprintf("%-12s ", s.name)
	if s.total > 0 {
		full := width * s.done / s.total
		line += fmt.Sprintf("[%s%s] %d of %d, ", strings.Repeat("#", full),
			strings.Repeat(".", width-full), s.done, s.total)
	}
	line += fmt.Sprintf("%.0f s  %s", time.Since(s.began).Seconds(), s.doing)
	fmt.Fprintf(s.w, "\r%s\x1b[K", line[:min(len(line), 79)])
}

// end removes the bar; the message about the build takes its place.
func (s *Shower) end() {
	close(s.over)
	s.ticking.Wait()
	if s.terminal {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
}
