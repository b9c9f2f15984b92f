package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"metalab/kernel/internal/jupyter/process"
)

// Cells import metalab through a folder beside the kernelspec that holds links to the folders of
// its sources. Packages that a cell imports are found through them, and compiled as they are
// now. But they are no part of what gopls, which completes in cells, loads unasked: all of the
// modules that the cells' workspace names, with their tests, would be some ten times as much.

// LinkModule makes dir such a folder for the module in root.
func LinkModule(root, dir string) error {
	tmp := dir + ".new"
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && !strings.HasPrefix(name, ".") || name == "go.mod" ||
			name == "go.sum" {
			if err := os.Symlink(filepath.Join(root, name), filepath.Join(tmp, name)); err != nil {
				return err
			}
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}

// goVersion is the version of Go that the module in root asks for: a workspace with the module may
// not ask for less.
func goVersion(root string) string {
	b, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "go "); ok {
			return v
		}
	}
	return "1.26.0"
}

// ModuleRoot is the folder of the module metalab.
func ModuleRoot(ctx context.Context) (string, error) {
	out, err := process.Output(
		exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "metalab"))
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
