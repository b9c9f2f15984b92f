package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"metalab/kernel/browser/bundle"
	"metalab/kernel/program"
)

// modules is the folder of Debian for modules of Python; in a wheel they lie at the top.
const modules = "lib/python3/dist-packages/"

// common reads what all targets have: the engine of pages, the kernel's description, the
// magic of Python, and the texts.
func (r *release) common(ctx context.Context) error {
	add := func(to, from string) error {
		b, err := os.ReadFile(from)
		r.files = append(r.files, file{to, 0o644, b})
		return err
	}
	cache := filepath.Join(r.out, "build", "engines")
	engine, err := bundle.Build(ctx, r.root, cache, func(int64, int64, string) {})
	if err != nil {
		return err
	}
	if err := add("share/metalab/engines/"+engine.Name(), engine.Path); err != nil {
		return err
	}
	for _, name := range []string{
		"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "SECURITY.md",
	} {
		if err := add("share/doc/metalab/"+name, filepath.Join(r.root, name)); err != nil {
			return err
		}
	}
	magic := filepath.Join(r.root, "repl", "metalab", "python", "metalab.py")
	if err := add(modules+"metalab.py", magic); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "metalab-spec-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// Jupyter puts the folder of kernel.json in the place of resource_dir.
	up := strings.Repeat("../", strings.Count(program.SpecFolder, "/")+1)
	if err := program.WriteSpec(dir, "{resource_dir}/"+up+"bin/metalab"); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := add(program.SpecFolder+"/"+e.Name(), filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
