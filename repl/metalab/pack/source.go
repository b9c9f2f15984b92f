package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metalab/kernel/browser/notices"
)

// roots are the packages that users' solvers, problems and kernels, and compiled cells, use.
var roots = []string{
	"metalab/datasets", "metalab/gpu/cuda", "metalab/kernel/lab", "metalab/kernel/lab/problem",
	"metalab/kernel/reply", "metalab/kernels/own/searches", "metalab/solvers", "metalab/solvers/all",
	"metalab/solvers/stats", "metalab/solvers/wave",
}

// A pkg is a package as Go lists it.
type pkg struct {
	Dir, ImportPath string
	Standard        bool
	Module          *module

	GoFiles, CgoFiles, CFiles, HFiles, SFiles, EmbedFiles []string
}

// A module is one as Go lists it.
type module struct {
	Path, Version, Dir, GoVersion, Sum string
	Main                               bool
	Replace                            *module

	packages []pkg
}

// list is what Go lists of packages and all that they import, for a target.
func (r *release) list(ctx context.Context, t *target, tags []string, what ...string) (
	all []pkg, err error,
) {
	const fields = "Dir,ImportPath,Standard,Module,GoFiles,CgoFiles,CFiles,HFiles,SFiles,EmbedFiles"
	args := append([]string{"list", "-deps", "-json=" + fields}, tags...)
	out, err := output(ctx, r.root, t.env(r.root), "go", append(args, what...)...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// source are the files of a release in share/metalab/src: the packages that people's code is
// compiled with, other modules' in the folder vendor, and a go.mod that names just these.
func (r *release) source(ctx context.Context, t *target) (files []file, err error) {
	all, err := r.list(ctx, t, t.tags(), roots...)
	if err != nil {
		return nil, err
	}
	if t.cuda { // people may have no C compiler
		more, err := r.list(ctx, &target{goos: t.goos, goarch: t.goarch}, nil, roots...)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	const top = "share/metalab/src/"
	seen := map[string]bool{}
	add := func(to, from string) error {
		if seen[to] {
			return nil
		}
		seen[to] = true
		b, err := os.ReadFile(from)
		files = append(files, file{top + to, 0o644, b})
		return err
	}
	modules := map[string]*module{}
	used := map[string][]string{} // packages by module
	for _, p := range all {
		if p.Standard {
			continue
		}
		to := strings.TrimPrefix(p.ImportPath, "metalab/")
		if !p.Module.Main {
			to = "vendor/" + p.ImportPath
			modules[p.Module.Path] = p.Module
			if !slices.Contains(used[p.Module.Path], p.ImportPath) {
				used[p.Module.Path] = append(used[p.Module.Path], p.ImportPath)
			}
		}
		names := slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.HFiles, p.SFiles, p.EmbedFiles)
		for _, name := range names {
			if err := add(path.Join(to, name), filepath.Join(p.Dir, name)); err != nil {
				return nil, err
			}
		}
	}
	if t.cuda { // cgo's headers are no package
		const include = "gpu/internal/driver/include"
		headers, err := os.ReadDir(filepath.Join(r.root, include))
		if err != nil {
			return nil, err
		}
		for _, h := range headers {
			name := path.Join(include, h.Name())
			if err := add(name, filepath.Join(r.root, name)); err != nil {
				return nil, err
			}
		}
	}
	mod, list, err := vendored(r.root, modules, used)
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{
		"go.mod": mod, "vendor/modules.txt": list,
	} {
		files = append(files, file{top + name, 0o644, []byte(text)})
	}
	for _, m := range modules {
		of := notices.Module{Path: m.Path, Version: m.Version, Dir: m.Dir, Packages: used[m.Path]}
		texts, err := of.Licences()
		if err != nil {
			return nil, err
		}
		for name, text := range texts {
			files = append(files, file{top + "vendor/" + path.Join(m.Path, name), 0o644, text})
		}
	}
	return files, nil
}

// vendored is a go.mod of the module metalab that requires modules, and the list of what lies of
// them in its folder vendor; see "go help mod vendor".
func vendored(root string, modules map[string]*module, used map[string][]string) (
	mod, list string, err error,
) {
	b, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", "", err
	}
	language := ""
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "go "); ok {
			language = strings.TrimSpace(v)
		}
	}
	mod = "module metalab\n\ngo " + language + "\n"
	names := make([]string, 0, len(modules))
	for name := range modules {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		m := modules[name]
		if m.Replace != nil {
			return "", "", fmt.Errorf("the module %s is replaced, which a release cannot have", name)
		}
		mod += fmt.Sprintf("\nrequire %s %s\n", name, m.Version)
		list += fmt.Sprintf("# %s %s\n## explicit", name, m.Version)
		if m.GoVersion != "" {
			list += "; go " + m.GoVersion
		}
		packages := used[name]
		slices.Sort(packages)
		list += "\n" + strings.Join(packages, "\n") + "\n"
	}
	return mod, list, nil
}
