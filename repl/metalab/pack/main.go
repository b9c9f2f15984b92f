// Command pack makes a release of metalab: for each system one program with all that it needs
// beside itself, as a wheel for pip, pipx and uv, as a package of Debian, and as an archive.
//
//	go run ./repl/metalab/pack -o dist                       # what this machine can build
//	go run ./repl/metalab/pack -o dist -targets linux-amd64
//
// The same sources and the same Go and C compilers give the same bytes, in whatever folder: the
// programs name no folder, files are sorted, and their times are that of the commit. SHA256SUMS
// lists the files. CUDA needs gcc; Debian's package needs dpkg-deb, and is omitted without it.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"metalab/solvers/record"
)

func main() {
	out := flag.String("o", "dist", "the `folder` that is written to")
	names := flag.String("targets", "", "some of "+strings.Join(targetNames(), ",")+"; empty: all")
	fast := flag.Bool("fast", false, "the program that lies there already is packed, not built anew")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := pack(ctx, *out, *names, *fast); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// A release is what is packed.
type release struct {
	root    string // of the sources
	out     string
	version string // as pip and Debian write it
	when    time.Time
	maker   record.Maker // what programs say that they were built from
	fast    bool
	files   []file // that all targets have
}

// A file is one of a release; its path begins at the folder in which bin and share lie.
type file struct {
	path string
	mode os.FileMode
	data []byte
}

func pack(ctx context.Context, out, names string, fast bool) error {
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	r := &release{fast: fast}
	if r.out, err = filepath.Abs(out); err != nil {
		return err
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	if err := r.common(ctx); err != nil {
		return err
	}
	for _, t := range chosen {
		if err := r.target(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return r.sums()
}

// look finds the sources, their commit and its time.
func (r *release) look(ctx context.Context) error {
	root, err := output(ctx, "", nil, "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	r.root = root
	r.version = strings.TrimPrefix(record.Release, "v")
	commit, err := output(ctx, root, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return fmt.Errorf("a release is of a commit: %w", err)
	}
	hash, at, _ := strings.Cut(commit, " ")
	unix, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return fmt.Errorf("the commit's time is %q", at)
	}
	r.when = time.Unix(unix, 0).UTC()
	tags, err := output(ctx, root, nil, "git", "tag", "--points-at", "HEAD")
	if err != nil {
		return err
	}
	r.maker = record.Maker{Commit: hash, Release: record.Release}
	if !slices.Contains(strings.Fields(tags), record.Release) {
		r.maker.Release = ""
		r.version += "+g" + hash[:12]
	}
	changed, err := output(ctx, root, nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		r.maker.Release, r.maker.Changed = "", true
		r.version = strings.TrimPrefix(record.Release, "v") + "+g" + hash[:12] + ".changed"
		fmt.Println("the sources differ from the commit, and the version says so:", r.version)
	}
	return nil
}

// sums writes SHA256SUMS of all that lies in the folder of the version.
func (r *release) sums() error {
	made, err := filepath.Glob(filepath.Join(r.out, "metalab-"+r.version+"-*"))
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, path := range made { // by name
		name := filepath.Base(path)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), name)
		fmt.Printf("%10d  %s\n", len(data), name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(b.String()), 0o644)
}

// output is what a program prints, less the space around it.
func output(ctx context.Context, dir string, env []string, program string, args ...string) (
	string, error,
) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	if env != nil {
		cmd.Env = append(os.Environ(), env...)
	}
	b, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w: %s", program, args[0], err, strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(b)), err
}
