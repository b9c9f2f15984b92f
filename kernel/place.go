package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// kernelName is the kernel's name among Jupyter's kernels.
const kernelName = "metalab"

// displayName is what the launcher shows.
const displayName = "metalab (Go)"

// A place is where the kernel is installed: the folder of its kernelspec, which holds all
// that install writes.
type place struct{ dir string }

func (p place) spec() string           { return filepath.Join(p.dir, "kernel.json") }
func (p place) bin(name string) string { return filepath.Join(p.dir, "bin", name) }
func (p place) module() string         { return filepath.Join(p.dir, "module") }

// placeFlags adds the flags that say where; call the result after parsing.
func placeFlags(fs *flag.FlagSet) func() (place, error) {
	user := fs.Bool("user", false, "for this user only (the default)")
	prefix := fs.String("prefix", "",
		"for the Jupyter that is installed under this `folder`, as /usr/local or a virtual environment")
	return func() (place, error) {
		if *user && *prefix != "" {
			return place{}, errors.New("-user and -prefix exclude each other")
		}
		if *prefix != "" {
			p, err := filepath.Abs(*prefix)
			if err != nil {
				return place{}, err
			}
			return place{filepath.Join(p, "share", "jupyter", "kernels", kernelName)}, nil
		}
		d, err := userData()
		if err != nil {
			return place{}, err
		}
		return place{filepath.Join(d, "kernels", kernelName)}, nil
	}
}

// userData is Jupyter's folder of the user's data, by Jupyter's own rules.
func userData() (string, error) {
	if d := os.Getenv("JUPYTER_DATA_DIR"); d != "" {
		return filepath.Abs(d)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%w; name a folder: -prefix D", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Jupyter"), nil
	}
	if d := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// moduleRoot is the folder of the module metalab.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := output(exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "metalab"))
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("cells are compiled with Go, and there is none on PATH (%w): install Go "+
			"1.26 or newer from https://go.dev/dl", err)
	}
	if err != nil || out == "" {
		return "", fmt.Errorf("this is not a folder of metalab (go list -m metalab: %v); cd to the "+
			"folder of its go.mod first", err)
	}
	return out, nil
}

// output runs a command and returns what it printed, trimmed; the error holds the last line
// that it printed to standard error.
func output(cmd *exec.Cmd) (string, error) {
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		if s := lastLine(errs.String()); s != "" {
			err = fmt.Errorf("%w: %s", err, s)
		}
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
