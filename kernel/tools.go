package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// The versions of the tools that GoNB calls. GoNB itself is pinned by metalab's go.mod.
const (
	goimportsVersion = "v0.41.0"
	goplsVersion     = "v0.21.1" // the last that builds with go 1.26
)

// A tool is a program that the kernel needs beside itself.
type tool struct {
	name, pkg, mod, version string
	what                    string // for people
	optional                bool
}

var tools = []tool{
	{
		name: "goimports", pkg: "golang.org/x/tools/cmd/goimports", mod: "golang.org/x/tools",
		version: goimportsVersion, what: "finds the imports of a cell",
	},
	{
		name: "gopls", pkg: "golang.org/x/tools/gopls", mod: "golang.org/x/tools/gopls",
		version: goplsVersion, what: "completes and explains in cells", optional: true,
	},
}

// buildSelf builds this program into path: with the layer of the GPU where the C compiler
// works, without it elsewhere. It returns in words what was built.
func buildSelf(ctx context.Context, root, path string) (string, error) {
	if runtime.GOOS == "linux" && compilerWorks(ctx) {
		cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-tags", "cuda", "-o", path,
			"metalab/kernel")
		cmd.Dir = root
		include := filepath.Join(root, "gpu", "internal", "driver", "include")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "CGO_CFLAGS=-I"+include+" "+
			os.Getenv("CGO_CFLAGS"))
		if _, err := output(cmd); err == nil {
			return "with the layer of NVIDIA GPUs", nil
		}
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", path, "metalab/kernel")
	cmd.Dir = root
	if _, err := output(cmd); err != nil {
		return "", fmt.Errorf("building the kernel: %w", err)
	}
	return "for the CPU only: there is no gcc for the layer of NVIDIA GPUs", nil
}

// compilerWorks reports whether cgo's C compiler is there.
func compilerWorks(ctx context.Context) bool {
	cc, err := output(exec.CommandContext(ctx, "go", "env", "CC"))
	if err != nil || cc == "" {
		return false
	}
	_, err = exec.LookPath(strings.Fields(cc)[0])
	return err == nil
}

// build builds a tool into path, from a module that is made for it: that asks the module
// proxy for one version by its name, not for lists, which some proxies refuse.
func (t tool) build(ctx context.Context, path string) error {
	dir, err := os.MkdirTemp("", "metalab-tool-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	mod := fmt.Sprintf("module tools\n\ngo 1.26\n\nrequire %s %s\n", t.mod, t.version)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-mod=mod", "-o", path, t.pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if _, err := output(cmd); err != nil {
		return fmt.Errorf("building %s %s: %w", t.name, t.version, err)
	}
	return nil
}

// ensure leaves the tool at path: what is there already, what is found in PATH, else a fresh
// build. It returns in words what it did.
func (t tool) ensure(ctx context.Context, path string) (string, error) {
	if isProgram(path) {
		return "is there", nil
	}
	if found, err := exec.LookPath(t.name); err == nil {
		if found, err = filepath.Abs(found); err == nil && t.fits(ctx, found) {
			_ = os.Remove(path)
			if err := os.Symlink(found, path); err == nil {
				return "found at " + found, nil
			}
		}
	}
	if err := t.build(ctx, path); err != nil {
		return "", err
	}
	return "built, " + t.version, nil
}

// fits reports whether a program that was found can do a tool's work: some that are found
// were built for another machine, or are scripts that only say how to install them.
func (t tool) fits(ctx context.Context, path string) bool {
	out, err := output(exec.CommandContext(ctx, "go", "version", "-m", path))
	return err == nil && strings.Contains(out, t.pkg)
}

func isProgram(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Mode().Perm()&0o111 != 0
}
