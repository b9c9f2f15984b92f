// Package notices collects the licences of the modules that a program is linked from, for what
// ships the program: a release, a page.
package notices

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Module is one that a program is linked from.
type Module struct {
	Path     string   // "std" is Go itself
	Version  string   // as in go.mod; Go's without "go"
	Dir      string   // the folder of its sources
	Packages []string // the import paths of its packages in the program
}

// Name is what people call the module.
func (m Module) Name() string {
	if m.Path == "std" {
		return "Go " + m.Version
	}
	return m.Path + " " + m.Version
}

// isNotice says which files of a module are licences and notices.
var isNotice = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright|unlicense)`)

// Licences returns the texts of the module's licences and notices by their files: those of its
// folder, and of the folders that lead to the packages. A module without any is an error.
func (m Module) Licences() (map[string][]byte, error) {
	folders := map[string]bool{".": true}
	for _, p := range m.Packages {
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

// Text returns the licences and notices of modules, below a list of the modules with the names of
// their licences, and before that an introduction.
func Text(introduction string, modules []Module) ([]byte, error) {
	b := bytes.NewBufferString(introduction)
	type text struct {
		name string
		data []byte
	}
	var texts []text
	for _, m := range modules {
		found, err := m.Licences()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(b, "  %s (%s)\n", m.Name(), strings.Join(Names(found), ", "))
		names := make([]string, 0, len(found))
		for name := range found {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			texts = append(texts, text{m.Name() + ", " + name, found[name]})
		}
	}
	for _, t := range texts {
		fmt.Fprintf(b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 78), t.name, bytes.TrimSpace(t.data))
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

// Names returns the names of licences by their texts, as the list of SPDX has them, sorted. One
// that is not known is "see its text".
func Names(texts map[string][]byte) (names []string) {
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
