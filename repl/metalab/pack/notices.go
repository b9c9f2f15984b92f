package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
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

// isNotice says which files of a module are licences and notices.
var isNotice = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright|unlicense)`)

// licences are the texts of a module's licences and notices, by file: those of its folder, and of
// the folders that lead to the packages.
func licences(m *module, packages []string) (map[string][]byte, error) {
	folders := map[string]bool{".": true}
	for _, p := range packages {
		rel := strings.TrimPrefix(strings.TrimPrefix(p, m.Path), "/")
		for rel != "" && rel != "." {
			folders[rel] = true
			rel = filepath.Dir(rel)
		}
	}
	texts := map[string][]byte{}
	for folder := range folders {
		dir := filepath.Join(m.Dir, folder)
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() || !isNotice.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			texts[filepath.Join(folder, e.Name())] = b
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("the module %s %s has no licence in %s: a release must not ship it",
			m.Path, m.Version, m.Dir)
	}
	return texts, nil
}

func (m *module) licences() (map[string][]byte, error) {
	var packages []string
	for _, p := range m.packages {
		packages = append(packages, p.ImportPath)
	}
	return licences(m, packages)
}

// name is what people call a module.
func (m *module) name() string {
	if m.Path == "std" {
		return "Go " + m.Version
	}
	return m.Path + " " + m.Version
}

// noticesOf are the licences and notices of modules in one text.
func noticesOf(modules []*module) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("metalab is under the Apache License 2.0: see LICENSE. Its program, its source\n" +
		"for solvers of one's own, and the engine of its pages have parts of others, which are\n" +
		"under these licences:\n\n")
	type text struct {
		name string
		data []byte
	}
	var texts []text
	for _, m := range modules {
		found, err := m.licences()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "  %s (%s)\n", m.name(), strings.Join(namesOf(found), ", "))
		names := make([]string, 0, len(found))
		for name := range found {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			texts = append(texts, text{m.name() + ", " + name, found[name]})
		}
	}
	for _, t := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 78), t.name, bytes.TrimSpace(t.data))
	}
	return b.Bytes(), nil
}

// known holds the words that identify licences, and the licences' names in the list of SPDX.
var known = []struct {
	words *regexp.Regexp
	name  string
}{
	{regexp.MustCompile(`(?i)creative commons attribution 4\.0`), "CC-BY-4.0"},
	{regexp.MustCompile(`(?i)sil open font license`), "OFL-1.1"},
	{regexp.MustCompile(`(?i)mozilla public license,?\s+v(ersion|\.) ?2\.0`), "MPL-2.0"},
	{regexp.MustCompile(`(?i)apache license\s+version 2\.0`), "Apache-2.0"},
	{regexp.MustCompile(`(?i)this is free and unencumbered software`), "Unlicense"},
	{regexp.MustCompile(`(?i)freetype (project|license)`), "FTL"},
	{regexp.MustCompile(`(?is)redistribution and use.*neither the names? of`), "BSD-3-Clause"},
	{regexp.MustCompile(`(?is)redistribution and use.*endorse or promote`), "BSD-3-Clause"},
	{regexp.MustCompile(`(?i)redistribution and use in source and binary forms`), "BSD-2-Clause"},
	{regexp.MustCompile(`(?i)permission to use, copy, modify, and/or distribute`), "ISC"},
	{regexp.MustCompile(`(?i)permission is hereby granted, free of charge`), "MIT"},
}

// namesOf are the names of licences by their texts, where these are known.
func namesOf(texts map[string][]byte) (names []string) {
	for path, text := range texts {
		base := strings.ToLower(filepath.Base(path))
		if strings.HasPrefix(base, "patents") || strings.HasPrefix(base, "notice") {
			continue
		}
		name := "see its text"
		for _, k := range known {
			if k.words.Match(text) {
				name = k.name
				break
			}
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
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
		found, err := m.licences()
		if err != nil {
			return nil, err
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		c := component{
			Type: "library", Ref: purl, Name: m.Path, Version: m.Version, Purl: purl,
			Licenses: licensed(namesOf(found)),
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
