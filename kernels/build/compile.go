package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A builder compiles single sources; its methods may be called by several goroutines.
type builder struct {
	root, nvcc string
	force      bool
	threads    int // of nvcc, for the architectures of one source
	compress   bool

	mu      sync.Mutex // guards what follows, and the manifests' files
	version string
}

// compile builds the image of one source, unless it is up to date, and records it in the manifest,
// whose other entries stay. The image appears whole or not at all. Messages go to w.
func (b *builder) compile(ctx context.Context, src string, w io.Writer) error {
	img := imageOf(src)
	dir, name := path.Dir(img), path.Base(img)
	b.mu.Lock()
	m, err := readManifest(b.root, dir)
	b.mu.Unlock()
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
	target := filepath.Join(b.root, filepath.FromSlash(img+packed))
	if have, err := readImage(target); err == nil && !b.force && m[name].Sources == now &&
		m[name].Image == shaOf(have) {
		fmt.Fprintf(w, "%s is up to date\n", img+packed)
		return nil
	}
	version, err := b.findCompiler(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	start := time.Now()
	fresh := target + ".new" // first as it was compiled, then packed
	if err := b.runCompiler(ctx, src, fresh, w); err != nil {
		_ = os.Remove(fresh)
		return err
	}
	image, err := b.clean(fresh)
	if err == nil {
		err = writeImage(fresh, image)
	}
	if err != nil {
		_ = os.Remove(fresh)
		return fmt.Errorf("compile %s: %w", src, err)
	}
	if err := os.Rename(fresh, target); err != nil {
		return err
	}
	e := entry{
		Source: src, Files: files, Sources: now, Image: shaOf(image), Options: strings.Join(options, " "),
		Nvcc: version,
	}
	if err := b.note(dir, name, e); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s in %.1f s\n", img+packed, time.Since(start).Seconds())
	return nil
}

// note writes the entry of one image into the manifest of its folder, as it is by now.
func (b *builder) note(dir, name string, e entry) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	m, err := readManifest(b.root, dir)
	if err != nil {
		return err
	}
	m[name] = e
	return m.write(b.root, dir)
}

// runCompiler compiles src to target, with additional options if any. When ctx ends, it stops the
// compiler and the programs that the compiler has started.
func (b *builder) runCompiler(
	ctx context.Context, src, target string, w io.Writer, more ...string,
) error {
	args := append(slices.Clone(options), more...)
	if b.threads > 0 { // of no effect on the image, so no part of the options that are summed
		args = append(args, "--threads", strconv.Itoa(b.threads))
	}
	if b.compress {
		args = append(args, "-Xfatbin=-compress-all")
	}
	args = append(args, "-I", "kernels", "-o", target, filepath.FromSlash(src))
	cmd := exec.CommandContext(ctx, b.nvcc, args...)
	cmd.Dir = b.root
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if len(out) > 0 {
		fmt.Fprintf(w, "%s", out)
	}
	if err != nil {
		return fmt.Errorf("compile %s: %w", src, err)
	}
	return nil
}

// clean reads an image and refuses it if it names the folder it was compiled in: it would be
// another on the next machine.
func (b *builder) clean(file string) ([]byte, error) {
	root, err := filepath.Abs(b.root)
	if err != nil {
		return nil, err
	}
	image, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(image, []byte(root+string(filepath.Separator))) {
		return nil, fmt.Errorf(
			"the image names the folder %s; leave options that keep source lines to -lines", root,
		)
	}
	return image, nil
}

// withLines makes an image with source lines in dir.
func (b *builder) withLines(ctx context.Context, src, dir string, w io.Writer) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := path.Base(path.Dir(src)) + "_" + path.Base(imageOf(src))
	return b.runCompiler(ctx, src, filepath.Join(dir, name), w, "-lineinfo")
}

// findCompiler returns nvcc's version, for which it asks once.
func (b *builder) findCompiler(ctx context.Context) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.version != "" {
		return b.version, nil
	}
	out, err := exec.CommandContext(ctx, b.nvcc, "--version").Output()
	if err != nil {
		return "", fmt.Errorf(
			"no CUDA compiler (%s: %w): install the CUDA toolkit 12 or 13, put its bin folder on the "+
				"PATH, or name nvcc with -nvcc",
			b.nvcc, err,
		)
	}
	b.version = "unknown"
	for _, line := range strings.Split(string(out), "\n") {
		if _, v, ok := strings.Cut(line, "release "); ok {
			b.version = strings.TrimSpace(v)
		}
	}
	return b.version, nil
}
