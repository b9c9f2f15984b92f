package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"metalab/kernel/browser/notices"
)

// modules are those that the program of a target is linked from, and the engine of pages, with the
// packages of each; Go itself is the first.
func (r *release) modules(ctx context.Context, t *target) ([]*module, error) {
	all, err := r.list(ctx, t, t.tags(), command)
	if err != nil {
		return nil, err
	}
	engine, err := r.list(ctx, &target{goos: "js", goarch: "wasm"}, nil,
		"metalab/kernel/browser/engine")
	if err != nil {
		return nil, err
	}
	source, err := r.list(ctx, t, t.tags(), roots...)
	if err != nil {
		return nil, err
	}
	by := map[string]*module{}
	for _, p := range slices.Concat(all, engine, source) {
		if p.Standard || p.Module.Main {
			continue
		}
		m := by[p.Module.Path]
		if m == nil {
			m = p.Module
			by[m.Path] = m
		}
		m.packages = append(m.packages, p)
	}
	goroot, err := output(ctx, r.root, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(filepath.Join(r.root, "go.sum"))
	if err != nil {
		return nil, err
	}
	list := []*module{}
	for _, m := range by {
		for line := range strings.Lines(string(sums)) {
			if sum, ok := strings.CutPrefix(line, m.Path+" "+m.Version+" "); ok {
				m.Sum = strings.TrimSpace(sum)
			}
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *module) int { return strings.Compare(a.Path, b.Path) })
	self := &module{Path: "std", Version: strings.TrimPrefix(runtime.Version(), "go"), Dir: goroot}
	return append([]*module{self}, list...), nil
}

// shipped is the module as its notices know it.
func (m *module) shipped() notices.Module {
	s := notices.Module{Path: m.Path, Version: m.Version, Dir: m.Dir}
	for _, p := range m.packages {
		s.Packages = append(s.Packages, p.ImportPath)
	}
	return s
}

// noticesOf are the licences and notices of modules in one text.
func noticesOf(modules []*module) ([]byte, error) {
	var all []notices.Module
	for _, m := range modules {
		all = append(all, m.shipped())
	}
	return notices.Text("metalab is under the Apache License 2.0: see LICENSE. Its program, its "+
		"source\nfor solvers of one's own, and the engine of its pages have parts of others, which "+
		"are\nunder these licences:\n\n", all)
}

// A component is one of a bill of materials; see cyclonedx.org, version 1.5.
type component struct {
	Type     string           `json:"type"`
	Ref      string           `json:"bom-ref,omitempty"`
	Name     string           `json:"name"`
	Version  string           `json:"version"`
	Purl     string           `json:"purl,omitempty"`
	Hashes   []hash           `json:"hashes,omitempty"`
	Licenses []map[string]any `json:"licenses,omitempty"`
	Extra    []property       `json:"properties,omitempty"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// licensed are the licences of a component.
func licensed(names []string) (all []map[string]any) {
	for _, name := range names {
		key := "id"
		if strings.Contains(name, " ") {
			key = "name"
		}
		all = append(all, map[string]any{"license": map[string]string{key: name}})
	}
	return all
}

// billOf returns the bill of materials of a target's program: its modules.
func billOf(r *release, t *target, modules []*module) ([]byte, error) {
	self := component{
		Type: "application", Ref: "metalab", Name: "metalab", Version: r.version,
		Licenses: licensed([]string{"Apache-2.0"}), Extra: []property{{"metalab:target", t.name}},
	}
	var parts []component
	for _, m := range modules {
		found, err := m.shipped().Licences()
		if err != nil {
			return nil, err
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		c := component{
			Type: "library", Ref: purl, Name: m.Path, Version: m.Version, Purl: purl,
			Licenses: licensed(notices.Names(found)),
		}
		if m.Sum != "" {
			c.Extra = []property{{"go.sum", m.Sum}}
		}
		parts = append(parts, c)
	}
	bill := map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{
			"component": self, "timestamp": r.when.Format("2006-01-02T15:04:05Z"),
		},
		"components": parts,
	}
	b, err := json.MarshalIndent(bill, "", "  ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b) // an identifier that is the same for the same bill
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	bill["serialNumber"] = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8],
		sum[8:10], sum[10:16])
	b, err = json.MarshalIndent(bill, "", "  ")
	return append(b, '\n'), err
}
