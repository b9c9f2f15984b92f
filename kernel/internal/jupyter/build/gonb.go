package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"metalab/kernel/internal/jupyter/process"
)

// gonbModule is GoNB, at the version of metalab's go.mod.
const gonbModule = "github.com/janpfeifer/gonb"

// Gonb builds GoNB at the version of metalab's go.mod, with its patches. It returns in
// words what it did.
func Gonb(ctx context.Context, show *Shower, root, path string) (string, error) {
	dir, err := os.MkdirTemp("", "metalab-gonb-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	modfile, err := changedGonb(ctx, root, dir)
	if err != nil {
		return "", fmt.Errorf("building GoNB: %w", err)
	}
	c := compilation{
		dir: root, flags: []string{"-modfile=" + modfile}, pkg: gonbModule,
		env: append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
	}
	if err := show.build(ctx, "GoNB", c, path); err != nil {
		return "", fmt.Errorf("building GoNB: %w", err)
	}
	return "built", nil
}

// changedGonb puts GoNB's source into a folder, changes it there, and returns the path of a
// go.mod like that in root which takes it from there.
func changedGonb(ctx context.Context, root, dir string) (modfile string, err error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", gonbModule)
	list.Dir = root
	list.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	from, err := process.Output(list)
	if err == nil && from == "" { // not downloaded yet
		get := exec.CommandContext(ctx, "go", "mod", "download", gonbModule)
		get.Dir, get.Env = root, list.Env
		if _, err = process.Output(get); err == nil {
			again := exec.CommandContext(ctx, list.Path, list.Args[1:]...)
			again.Dir, again.Env = root, list.Env
			from, err = process.Output(again)
		}
	}
	if err != nil {
		return "", fmt.Errorf("its source is not found: %w", err)
	}
	to := filepath.Join(dir, "gonb")
	if err := copyGo(from, to); err != nil {
		return "", err
	}
	patches, err := readPatches()
	if err != nil {
		return "", err
	}
	for _, p := range patches {
		if err := p.apply(to); err != nil {
			return "", err
		}
	}
	modfile = filepath.Join(dir, "go.mod")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return "", err
	}
	mod = append(mod, "\nreplace "+gonbModule+" => "+quotePath(to)+"\n"...)
	return modfile, errors.Join(os.WriteFile(modfile, mod, 0o600),
		os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o600))
}

// copyGo copies what a build of a module reads.
func copyGo(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if rel == "docs" || rel == "examples" { // videos, mostly
			return filepath.SkipDir
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		if strings.HasSuffix(rel, "_test.go") || !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o600)
	})
}
