package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "kernels/build:", err)
		os.Exit(1)
	}
}

// run is the command, given its arguments and where to write.
func run(ctx context.Context, args []string, w io.Writer) error {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	root := flags.String("root", "", "the repository; by default the one around the working folder")
	only := flags.String("only", "", "families to compile, with commas; by default all")
	nvcc := flags.String("nvcc", "nvcc", "the compiler")
	force := flags.Bool("force", false, "compile also what is up to date")
	lines := flags.String("lines", "", "a folder for images with source lines, FAMILY_NAME.fatbin; the committed ones stay")
	justCheck := flags.Bool("check", false, "compile nothing; fail if an image is missing or stale")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *root == "" {
		r, err := repository()
		if err != nil {
			return err
		}
		*root = r
	}
	if *justCheck {
		faults, err := check(*root)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return fmt.Errorf("%s\ncompile them where nvcc is: go run ./kernels/build", strings.Join(faults, "\n"))
		}
		fmt.Fprintln(w, "every image fits its source")
		return nil
	}
	list, err := sources(*root)
	if err != nil {
		return err
	}
	b := builder{root: *root, nvcc: *nvcc, force: *force, w: w}
	families := map[string]bool{}
	for _, f := range strings.FieldsFunc(*only, func(r rune) bool { return r == ',' || r == ' ' }) {
		families[f] = true
	}
	for _, src := range list {
		if len(families) > 0 && !families[path.Base(path.Dir(src))] {
			continue
		}
		if *lines != "" {
			err = b.withLines(ctx, src, *lines)
		} else {
			err = b.compile(ctx, src)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// repository finds the folder with go.mod and kernels, from the working folder up.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		_, mod := os.Stat(filepath.Join(dir, "go.mod"))
		_, kernels := os.Stat(filepath.Join(dir, "kernels"))
		if mod == nil && kernels == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("run it inside metalab's folder, or name that with -root")
		}
		dir = up
	}
}

type builder struct {
	root, nvcc, version string
	force               bool
	w                   io.Writer
}

// compile makes the image of one source, unless it is up to date, and notes it in the
// manifest. The image appears whole or not at all.
func (b *builder) compile(ctx context.Context, src string) error {
	img := imageOf(src)
	dir, name := path.Dir(img), path.Base(img)
	m, err := readManifest(b.root, dir)
	if err != nil {
		return err
	}
	files, err := closure(b.root, src)
	if err != nil {
		return err
	}
	now, err := sum(b.root, src)
	if err != nil {
		return err
	}
	target := filepath.Join(b.root, filepath.FromSlash(img))
	if have, err := shaOf(target); err == nil && !b.force && m[name].Sources == now && m[name].Image == have {
		fmt.Fprintf(b.w, "%s is up to date\n", img)
		return nil
	}
	if err := b.findCompiler(ctx); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	start := time.Now()
	if err := b.runCompiler(ctx, src, target+".new"); err != nil {
		_ = os.Remove(target + ".new")
		return err
	}
	if err := b.clean(target + ".new"); err != nil {
		_ = os.Remove(target + ".new")
		return fmt.Errorf("compile %s: %w", src, err)
	}
	if err := os.Rename(target+".new", target); err != nil {
		return err
	}
	image, err := shaOf(target)
	if err != nil {
		return err
	}
	m[name] = entry{Source: src, Files: files, Sources: now, Image: image, Options: strings.Join(options, " "), Nvcc: b.version}
	if err := m.write(b.root, dir); err != nil {
		return err
	}
	fmt.Fprintf(b.w, "%s in %.1f s\n", img, time.Since(start).Seconds())
	return nil
}

// runCompiler compiles src to target, with more options if any.
func (b *builder) runCompiler(ctx context.Context, src, target string, more ...string) error {
	args := append(append(append([]string{}, options...), more...), "-I", "kernels", "-o", target, filepath.FromSlash(src))
	cmd := exec.CommandContext(ctx, b.nvcc, args...)
	cmd.Dir = b.root
	out, err := cmd.CombinedOutput()
	if len(out) > 0 {
		fmt.Fprintf(b.w, "%s", out)
	}
	if err != nil {
		return fmt.Errorf("compile %s: %w", src, err)
	}
	return nil
}

// clean refuses an image that names the folder it was compiled in: it would be another on
// the next machine.
func (b *builder) clean(image string) error {
	root, err := filepath.Abs(b.root)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(image)
	if err != nil {
		return err
	}
	if bytes.Contains(text, []byte(root+string(filepath.Separator))) {
		return fmt.Errorf("the image names the folder %s; leave options that keep source lines to -lines", root)
	}
	return nil
}

// withLines makes an image with source lines in dir.
func (b *builder) withLines(ctx context.Context, src, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := path.Base(path.Dir(src)) + "_" + path.Base(imageOf(src))
	return b.runCompiler(ctx, src, filepath.Join(dir, name), "-lineinfo")
}

// findCompiler asks nvcc for its version, once.
func (b *builder) findCompiler(ctx context.Context) error {
	if b.version != "" {
		return nil
	}
	out, err := exec.CommandContext(ctx, b.nvcc, "--version").Output()
	if err != nil {
		return fmt.Errorf("no CUDA compiler (%s: %w): install the CUDA toolkit 12 or 13, put its bin folder on the PATH, or name nvcc with -nvcc", b.nvcc, err)
	}
	b.version = "unknown"
	for _, line := range strings.Split(string(out), "\n") {
		if _, v, ok := strings.Cut(line, "release "); ok {
			b.version = strings.TrimSpace(v)
		}
	}
	return nil
}
