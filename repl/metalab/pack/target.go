package main

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A target is a system that a program is built for.
type target struct {
	name         string
	goos, goarch string
	cuda         bool
	wheel        string // the wheel's platform; empty: as the program's symbols show
	debian       string // Debian's name of the architecture; empty: no package
}

var targets = []target{
	{name: "linux-amd64", goos: "linux", goarch: "amd64", cuda: true, debian: "amd64"},
	{
		name: "linux-amd64-static", goos: "linux", goarch: "amd64",
		wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	},
	{
		name: "linux-arm64", goos: "linux", goarch: "arm64", debian: "arm64",
		wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	},
	{name: "darwin-arm64", goos: "darwin", goarch: "arm64", wheel: "macosx_12_0_arm64"},
}

func targetNames() (names []string) {
	for _, t := range targets {
		names = append(names, t.name)
	}
	return names
}

// choose returns the targets that are named; all of them for an empty list.
func choose(list string) (chosen []target, err error) {
	if list == "" {
		return targets, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(targets, func(t target) bool { return t.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no target %q, but %s", name, strings.Join(targetNames(), ", "))
		}
		chosen = append(chosen, targets[i])
	}
	return chosen, nil
}

// command is the package of the program.
const command = "metalab/repl/metalab"

// env is what Go is asked with for a target: nothing of the user's own settings counts.
func (t *target) env(root string) []string {
	env := []string{
		"GOOS=" + t.goos, "GOARCH=" + t.goarch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOWORK=off",
		"CGO_ENABLED=0", "GOEXPERIMENT=",
	}
	if t.cuda {
		include := filepath.Join(root, "gpu", "internal", "driver", "include")
		env = append(env, "CGO_ENABLED=1", "CGO_LDFLAGS=",
			"CGO_CFLAGS=-O2 -g0 -I"+include+" -include "+filepath.Join(include, "oldglibc.h"))
	}
	return env
}

func (t *target) tags() []string {
	if t.cuda {
		return []string{"-tags", "cuda,netgo"} // Go's resolver: the C library's is of a new glibc
	}
	return nil
}

// link are the flags of Go's linker for a program with C code: as oldglibc.h wants it, and with the
// libraries in which an old glibc has those names.
const link = " -linkmode=external '-extldflags=-no-pie -Wl,--wrap=__libc_start_main " +
	"-Wl,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2'"

// build compiles the program of a target; no folder of this machine is in it.
func (r *release) build(ctx context.Context, t *target) (path string, err error) {
	path = filepath.Join(r.out, "build", t.name, "metalab")
	if _, err := os.Stat(path); err == nil && r.fast {
		return path, nil
	}
	flags := r.maker.Flag() + " -s -w -buildid="
	if t.cuda {
		flags += link
	}
	args := []string{"build", "-trimpath", "-buildvcs=false", flags, "-o", path}
	args = append(args, t.tags()...)
	cmd := exec.CommandContext(ctx, "go", append(args, command)...)
	cmd.Dir, cmd.Env = r.root, append(os.Environ(), t.env(r.root)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return path, cmd.Run()
}

// target builds and packs what there is for a target.
func (r *release) target(ctx context.Context, t target) error {
	path, err := r.build(ctx, &t)
	if err != nil {
		return err
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if t.wheel == "" {
		if t.wheel, err = manylinux(path); err != nil {
			return err
		}
	}
	source, err := r.source(ctx, &t)
	if err != nil {
		return err
	}
	modules, err := r.modules(ctx, &t)
	if err != nil {
		return err
	}
	notices, err := noticesOf(modules)
	if err != nil {
		return err
	}
	bill, err := billOf(r, &t, modules)
	if err != nil {
		return err
	}
	const doc = "share/doc/metalab/"
	files := append(slices.Clone(r.files), source...)
	files = append(files,
		file{"bin/metalab", 0o755, program},
		file{doc + "NOTICES.txt", 0o644, notices},
		file{doc + "metalab.cdx.json", 0o644, bill})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	stem := "metalab-" + r.version + "-" + t.name
	for _, one := range []struct {
		name string
		pack func(path string, files []file) error
	}{
		{r.wheelName(&t), func(path string, files []file) error { return r.writeWheel(path, &t, files) }},
		{stem + ".tar.zst", r.writeArchive},
		{stem + ".deb", func(path string, files []file) error {
			return r.writeDebian(ctx, path, &t, files)
		}},
		{stem + ".cdx.json", func(path string, _ []file) error {
			return os.WriteFile(path, bill, 0o644)
		}},
	} {
		err := one.pack(filepath.Join(r.out, one.name), files)
		if errors.Is(err, errNotHere) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return nil
}

// errNotHere is the error of a form that a target does not have, or this machine cannot make.
var errNotHere = errors.New("not made")

// oldGlibc is the minor version of glibc 2 that a program with C code claims to run on: that of
// RHEL 8. For older ones there is the static program.
const oldGlibc = 28

// manylinux returns the platform of a wheel for a program that is linked to the C library. A
// program that needs a newer glibc than oldGlibc is an error: it was built without oldglibc.h or
// the linker's flags, and many clusters could not start it.
func manylinux(path string) (string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	if err != nil {
		return "", err
	}
	for _, l := range libraries {
		if !slices.Contains([]string{
			"libc.so.6", "libpthread.so.0", "libdl.so.2", "libresolv.so.2", "ld-linux-x86-64.so.2",
		}, l) {
			return "", fmt.Errorf("the program wants %s, which not every Linux has", l)
		}
	}
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return "", err
	}
	var newer []string
	for _, s := range symbols {
		if _, v, ok := strings.Cut(s.Version, "GLIBC_2."); ok {
			minor, _, _ := strings.Cut(v, ".")
			n, err := strconv.Atoi(minor)
			if err != nil {
				return "", fmt.Errorf("the symbol %s is of version %s", s.Name, s.Version)
			}
			if n > oldGlibc {
				newer = append(newer, s.Name+"@"+s.Version)
			}
		}
	}
	if len(newer) > 0 {
		slices.Sort(newer)
		return "", fmt.Errorf("%s needs a glibc newer than 2.%d (%s): "+
			"it was not built with oldglibc.h and the linker's flags", path, oldGlibc,
			strings.Join(slices.Compact(newer), ", "))
	}
	return fmt.Sprintf("manylinux_2_%d_x86_64", oldGlibc), nil
}
