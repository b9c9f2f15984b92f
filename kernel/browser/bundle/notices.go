package bundle

import (
	"context"
	"slices"
	"strings"

	"metalab/kernel/browser/notices"
)

// NoticesFile is the name of the file with the notices, beside a page with a prompt.
const NoticesFile = "NOTICES.txt"

// Notices returns the licences of all that a program of metalab's sources in the folder root is
// linked from: Go, and modules of others.
func Notices(ctx context.Context, what Program, root string) ([]byte, error) {
	version, goroot, err := goEnv(ctx, root)
	if err != nil {
		return nil, err
	}
	const format = "{{if .Module}}{{if not .Module.Main}}{{.Module.Path}}\t{{.Module.Version}}\t" +
		"{{.Module.Dir}}\t{{.ImportPath}}{{end}}{{end}}"
	p := building{what: what, root: root}
	out, err := p.list(ctx, format)
	if err != nil {
		return nil, err
	}
	by := map[string]*notices.Module{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			continue
		}
		m := by[f[0]]
		if m == nil {
			m = &notices.Module{Path: f[0], Version: f[1], Dir: f[2]}
			by[f[0]] = m
		}
		m.Packages = append(m.Packages, f[3])
	}
	modules := []notices.Module{{Path: "std", Version: strings.TrimPrefix(version, "go"), Dir: goroot}}
	for _, m := range by {
		modules = append(modules, *m)
	}
	slices.SortFunc(modules[1:], func(a, b notices.Module) int {
		return strings.Compare(a.Path, b.Path)
	})
	return notices.Text("The engine of this page is a part of metalab, which is under the Apache "+
		"License 2.0\n(apache.org/licenses/LICENSE-2.0), and has parts of others, which are under these "+
		"licences:\n\n", modules)
}
