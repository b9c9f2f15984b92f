package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"metalab/kernel/internal/jupyter/process"
	"metalab/kernel/maker"
)

// The versions of the tools that GoNB calls. GoNB itself is pinned by metalab's go.mod.
const (
	goimportsVersion = "v0.41.0"
	goplsVersion     = "v0.21.1" // the last that builds with go 1.26
)

// A Tool is a program that the kernel needs beside itself.
type Tool struct {
	Name, pkg, mod, version string
	What                    string // for people
	Optional                bool
}

var Tools = []Tool{
	{
		Name: "goimports", pkg: "golang.org/x/tools/cmd/goimports", mod: "golang.org/x/tools",
		version: goimportsVersion, What: "finds the imports of a cell",
	},
	{
		Name: "gopls", pkg: "golang.org/x/tools/gopls", mod: "golang.org/x/tools/gopls",
		version: goplsVersion, What: "completes and explains in cells", Optional: true,
	},
}

// Self builds this program into path: with the layer of the GPU where the C compiler
// works, without it elsewhere. It returns in words what was built.
func Self(ctx context.Context, show *Shower, root, path string) (string, error) {
	self := compilation{dir: root, flags: []string{
		"-buildvcs=false", maker.Of(root, time.Now()).Flag(),
	}, pkg: "metalab/kernel"}
	if triesGPU(ctx) {
		include := filepath.Join(root, "gpu", "internal", "driver", "include")
		with := self
		with.flags = append(with.flags, "-tags", "cuda")
		with.env = append(os.Environ(), "CGO_ENABLED=1", "CGO_CFLAGS=-I"+include+" "+
			os.Getenv("CGO_CFLAGS"))
		if err := show.build(ctx, "kernel", with, path); err == nil {
			return "with the layer of NVIDIA GPUs", nil
		}
	}
	if err := show.build(ctx, "kernel", self, path); err != nil {
		return "", fmt.Errorf("building the kernel: %w", err)
	}
	return cpuOnly, nil
}

// cpuOnly is what [Self] says of a kernel without the layer of GPUs.
const cpuOnly = "for the CPU only: there is no gcc for the layer of NVIDIA GPUs"

// triesGPU reports whether [Self] tries to build with the layer of the GPU.
func triesGPU(ctx context.Context) bool { return runtime.GOOS == "linux" && CompilerWorks(ctx) }

// CompilerWorks reports whether cgo's C compiler is there.
func CompilerWorks(ctx context.Context) bool {
	cc, err := process.Output(exec.CommandContext(ctx, "go", "env", "CC"))
	if err != nil || cc == "" {
		return false
	}
	_, err = exec.LookPath(strings.Fields(cc)[0])
	return err == nil
}

// build builds a tool into path, from a module created for it: that asks the module proxy for one
// version by its name, not for lists, which some proxies refuse.
func (t Tool) build(ctx context.Context, show *Shower, path string) error {
	dir, err := os.MkdirTemp("", "metalab-tool-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	mod := fmt.Sprintf("module tools\n\ngo 1.26\n\nrequire %s %s\n", t.mod, t.version)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
		return err
	}
	c := compilation{
		dir: dir, flags: []string{"-mod=mod"}, pkg: t.pkg,
		env: append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
	}
	if err := show.build(ctx, t.Name, c, path); err != nil {
		return fmt.Errorf("building %s %s: %w", t.Name, t.version, err)
	}
	return nil
}

// Ensure leaves the tool at path: what is there already, what is found in PATH, else a fresh
// build. It returns in words what it did.
func (t Tool) Ensure(ctx context.Context, show *Shower, path string) (string, error) {
	if IsProgram(path) {
		return "is there", nil
	}
	if found, err := exec.LookPath(t.Name); err == nil {
		if found, err = filepath.Abs(found); err == nil && t.fits(ctx, found) {
			_ = os.Remove(path)
			if err := os.Symlink(found, path); err == nil {
				return "found at " + found, nil
			}
		}
	}
	if err := t.build(ctx, show, path); err != nil {
		return "", err
	}
	return "built, " + t.version, nil
}

// fits reports whether a program that was found can do a tool's work: some that are found
// were built for another machine, or are scripts that only say how to install them.
func (t Tool) fits(ctx context.Context, path string) bool {
	out, err := process.Output(exec.CommandContext(ctx, "go", "version", "-m", path))
	return err == nil && strings.Contains(out, t.pkg)
}

// IsProgram reports whether there is a file that can be executed.
func IsProgram(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Mode().Perm()&0o111 != 0
}
