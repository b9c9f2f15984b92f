package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// A kernelSpec is what Jupyter knows of a kernel: kernel.json.
type kernelSpec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
	Metadata      map[string]any    `json:"metadata"`
}

// goFlags are the flags of the compilations of cells. Without symbol tables a cell links in
// two thirds of the time; where a panic came from is told all the same.
const goFlags = "-buildvcs=false '-ldflags=-s -w'"

// newSpec is the kernelspec of the kernel at p, which was built from sources of that hash, for
// the module in root.
func newSpec(p place, root, sources, goBin, path string) kernelSpec {
	return kernelSpec{
		Argv: []string{
			p.bin("metalab-kernel"), "run", "-gonb", p.bin("gonb"), "-module", root,
			"-sources", sources, "{connection_file}",
		},
		DisplayName: displayName,
		Language:    "go",
		// By message, for a signal would only reach GoNB when it has no cell to give it to.
		InterruptMode: "message",
		Env: map[string]string{
			"PATH":    joinPath(filepath.Join(p.dir, "bin"), goBin, path),
			"GOFLAGS": goFlags,
		},
		Metadata: map[string]any{"debugger": false},
	}
}

// joinPath is a PATH that begins with dirs and goes on with list, every folder once.
// Programs that are started from a desktop often lack the folder of Go's tools.
func joinPath(a, b, list string) string {
	var out []string
	seen := map[string]bool{"": true}
	for _, d := range append([]string{a, b}, filepath.SplitList(list)...) {
		if !seen[d] {
			seen[d] = true
			out = append(out, d)
		}
	}
	return strings.Join(out, string(filepath.ListSeparator))
}

func readSpec(path string) (kernelSpec, error) {
	var s kernelSpec
	b, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(b, &s)
}

func (s kernelSpec) write(path string) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

// builtFrom is the hash of the sources that this program was built from: that of the kernelspec
// it stands beside. Jupyter keeps the arguments of a kernel over a restart, so those given may
// be of what was there before the last install.
func builtFrom(given string) string {
	exe, err := os.Executable()
	if err != nil {
		return given
	}
	s, err := readSpec(place{filepath.Dir(filepath.Dir(exe))}.spec())
	if h := s.flag("-sources"); err == nil && h != "" {
		return h
	}
	return given
}
