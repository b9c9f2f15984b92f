package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func installCommand(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("install", flag.ContinueOnError)
	where := placeFlags(fs)
	complete := fs.Bool("gopls", true, "with gopls, which completes and explains in cells")
	if err := parse(fs, args, 0); err != nil {
		return err
	}
	p, err := where()
	if err != nil {
		return err
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	if err := install(ctx, os.Stdout, p, root, *complete); err != nil {
		return err
	}
	if p.prefix() != "" && !p.ofUser() {
		if err := remember(p); err != nil {
			fmt.Printf("\nIt is not noted that it is there, so doctor and exec want -prefix %s: %v\n",
				p.prefix(), err)
		}
	}
	return nil
}

// install builds what the kernel is made of into p and writes the kernelspec last, so that
// Jupyter never offers what is not whole.
func install(ctx context.Context, w io.Writer, p place, root string, complete bool) error {
	if err := os.MkdirAll(filepath.Join(p.dir, "bin"), 0o755); err != nil {
		return err
	}
	say := func(name, what string) { fmt.Fprintf(w, "%-12s %s\n", name, what) }
	show := newShower(w)
	fmt.Fprintln(w, "This compiles the kernel, GoNB, the tools that it calls, and a first cell: "+
		"minutes the first\ntime, seconds when Go's cache of builds has them.")
	sources, err := sourcesHash(root) // before the build: what is changed meanwhile is noticed
	if err != nil {
		return err
	}
	words, err := replace(p.bin("metalab-kernel"),
		func(path string) (string, error) { return buildSelf(ctx, show, root, path) })
	if err != nil {
		return err
	}
	say("kernel", "built "+words)
	words, err = replace(p.bin("gonb"),
		func(path string) (string, error) { return buildGonb(ctx, show, root, path) })
	if err != nil {
		return err
	}
	say("GoNB", words)
	for _, t := range tools {
		if t.optional && !complete {
			continue
		}
		words, err := t.ensure(ctx, show, p.bin(t.name))
		if err != nil && !t.optional {
			return err
		}
		if err != nil {
			words = fmt.Sprintf("is missing, so nothing %s: %v", t.what, err)
		}
		say(t.name, words)
	}
	if err := linkModule(root, p.module()); err != nil {
		return err
	}
	goBin, err := output(exec.CommandContext(ctx, "go", "env", "GOROOT"))
	if err != nil {
		return err
	}
	spec := newSpec(p, root, sources, filepath.Join(goBin, "bin"), os.Getenv("PATH"))
	took, err := warm(ctx, show, spec, p.module())
	if err != nil {
		return err
	}
	say("cells", fmt.Sprintf("compiled one for the cache of builds, in %.1f s", took.Seconds()))
	if err := writeLogos(p.dir); err != nil {
		return err
	}
	if err := spec.write(p.spec()); err != nil {
		return err
	}
	say("kernelspec", p.dir)
	fmt.Fprintf(w, "\nInstalled. In Jupyter choose \"%s\" for a new notebook, or open one of the "+
		"folder notebooks:\n  %s\n", displayName, jupyterHint())
	return nil
}

func jupyterHint() string {
	if _, err := exec.LookPath("jupyter"); err == nil {
		return "jupyter notebook"
	}
	return "go run ./kernel exec notebook.ipynb   (there is no jupyter on PATH; go run ./kernel " +
		"doctor tells how to get it)"
}

// replace builds a program beside path and moves it there, so that kernels that run keep
// theirs, and a build that fails leaves the old one.
func replace(path string, build func(path string) (string, error)) (string, error) {
	tmp := path + ".new"
	words, err := build(tmp)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		os.Remove(tmp)
	}
	return words, err
}

// warm compiles what a cell consists of, with the flags of cells, so that the first cell of
// the first notebook need not.
func warm(
	ctx context.Context, show *shower, spec kernelSpec, root string,
) (time.Duration, error) {
	t0 := time.Now()
	dir, err := os.MkdirTemp("", "metalab-warm-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"go.mod":  "module cell\n\ngo 1.26\n",
		"go.work": "go " + goVersion(root) + "\n\nuse (\n\t.\n\t" + quotePath(root) + "\n)\n",
		"main.go": `package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"metalab/kernel/lab"
)

func main() {
	fmt.Println(lab.Runs(), math.Pi, len(os.Args), strings.ToUpper("a"),
		time.Now(), slices.Max([]int{1}), gonbui.IsNotebook)
	sort.Ints(nil)
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return 0, err
		}
	}
	cell := compilation{dir: dir, pkg: ".", env: append(os.Environ(),
		"GOWORK="+filepath.Join(dir, "go.work"), "GOFLAGS="+spec.Env["GOFLAGS"])}
	if err := show.build(ctx, "cells", cell, filepath.Join(dir, "cell")); err != nil {
		return 0, fmt.Errorf("compiling a cell: %w", err)
	}
	return time.Since(t0), nil
}

// quotePath writes a path as go.work wants it.
func quotePath(path string) string {
	if strings.ContainsAny(path, " \t\"`'()") {
		return fmt.Sprintf("%q", path)
	}
	return path
}

func uninstallCommand(_ context.Context, args []string) error {
	fs := flag.NewFlagSet("uninstall", flag.ContinueOnError)
	where := placeFlags(fs)
	if err := parse(fs, args, 0); err != nil {
		return err
	}
	p, err := where()
	if err != nil {
		return err
	}
	if _, err := os.Stat(p.dir); errors.Is(err, os.ErrNotExist) {
		fmt.Println("not installed:", p.dir)
		if all := places(); !named(fs) && len(all) > 0 {
			fmt.Printf("it is in %s: go run ./kernel uninstall -prefix %s\n", all[0].dir, all[0].prefix())
		}
		return nil
	}
	if err := os.RemoveAll(p.dir); err != nil {
		return err
	}
	fmt.Println("removed", p.dir)
	return nil
}
