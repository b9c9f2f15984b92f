package main

import (
	"os"
	"path/filepath"
	"strings"
)

// Cells import metalab through a folder beside the kernelspec that holds links to the folders of
// its sources. Packages that a cell imports are found through them, and compiled as they are
// now. But they are no part of what gopls, which completes in cells, loads unasked: all of the
// modules that the cells' workspace names, with their tests, would be some ten times as much.

// linkModule makes dir such a folder for the module in root.
func linkModule(root, dir string) error {
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

// linkedModule is that folder of the kernel that this program is of, else root itself.
func linkedModule(root string) string {
	exe, err := os.Executable()
	if err != nil {
		return root
	}
	dir := place{filepath.Dir(filepath.Dir(exe))}.module()
	if to, err := os.Readlink(filepath.Join(dir, "go.mod")); err == nil && filepath.Dir(to) == root {
		return dir
	}
	return root
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
