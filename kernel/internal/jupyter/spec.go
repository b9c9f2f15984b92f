package jupyter

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// A Spec is what Jupyter knows of a kernel: kernel.json.
type Spec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
	Metadata      map[string]any    `json:"metadata"`
}

// goFlags are the flags for compiling cells. Without symbol tables a cell links in two thirds of
// the time; panics still show their place.
const goFlags = "-buildvcs=false '-ldflags=-s -w'"

// NewSpec is the kernelspec of the kernel at p, which was built from sources of that hash, for
// the module in root.
func NewSpec(p Place, root, sources, goBin, path string) Spec {
	return Spec{
		Argv: []string{
			p.Bin("metalab-kernel"), "run", "-gonb", p.Bin("gonb"), "-module", root,
			"-sources", sources, "{connection_file}",
		},
		DisplayName: DisplayName,
		Language:    "go",
		// By message, because a signal would only reach GoNB when no cell can receive it.
		InterruptMode: "message",
		Env: map[string]string{
			"PATH":    joinPath(filepath.Join(p.Dir, "bin"), goBin, path),
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

// ReadSpec reads a kernel.json.
func ReadSpec(path string) (Spec, error) {
	var s Spec
	b, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(b, &s)
}

func (s Spec) Write(path string) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

// BuiltFrom is the hash of the sources that this program was built from: that of the kernelspec
// it stands beside. Jupyter keeps the arguments of a kernel over a restart, so those given may
// be of what was there before the last install.
func BuiltFrom(given string) string {
	exe, err := os.Executable()
	if err != nil {
		return given
	}
	s, err := ReadSpec(Place{filepath.Dir(filepath.Dir(exe))}.SpecFile())
	if h := s.Flag("-sources"); err == nil && h != "" {
		return h
	}
	return given
}

// Flag is the value of a flag in the kernelspec's command.
func (s Spec) Flag(name string) string {
	for i, a := range s.Argv[:max(len(s.Argv)-1, 0)] {
		if a == name {
			return s.Argv[i+1]
		}
	}
	return ""
}
