package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"metalab/kernel/internal/jupyter/process"
)

// settings are the variables of Go that decide what a build gives.
var settings = []string{
	"GOVERSION", "GOROOT", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOFLAGS", "GOEXPERIMENT",
	"GOFIPS140", "GOWORK", "CGO_ENABLED", "CC", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_LDFLAGS",
}

// Stamp returns a fingerprint of all inputs of [Self] and [Gonb] for the module in root: its files
// (but for tests), the patches of GoNB, Go with its flags and settings, and the C compiler for the
// layer of GPUs. It is empty if the inputs are unknown: in a workspace, with modules replaced by
// folders, with flags that use files from elsewhere.
func Stamp(ctx context.Context, root string) (string, error) {
	sum := sha256.New()
	env := exec.CommandContext(ctx, "go", append([]string{"env"}, settings...)...)
	env.Dir = root
	out, err := process.Output(env)
	if err != nil {
		return "", err
	}
	values := strings.Split(out, "\n")
	at := func(name string) string {
		if i := slices.Index(settings, name); i < len(values) {
			return values[i]
		}
		return ""
	}
	if w := at("GOWORK"); w != "" && w != "off" {
		return "", nil
	}
	for _, flag := range []string{"-overlay", "-modfile", "-toolexec", "-mod=vendor"} {
		if strings.Contains(at("GOFLAGS"), flag) {
			return "", nil
		}
	}
	fmt.Fprintf(sum, "%q\n", values)
	cc := strings.Fields(at("CC"))
	if len(cc) > 0 { // missing or there, it decides about the layer of GPUs
		version, err := process.Output(exec.CommandContext(ctx, cc[0], append(cc[1:], "--version")...))
		fmt.Fprintf(sum, "C by %q %v\n", version, err)
	}
	patches, err := gonbPatches.ReadDir("gonb")
	if err != nil {
		return "", err
	}
	for _, e := range patches { // those of this program, which it applies
		b, err := gonbPatches.ReadFile("gonb/" + e.Name())
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n%s", e.Name(), len(b), b)
	}
	if mod, err := os.ReadFile(filepath.Join(root, "go.mod")); err != nil || ofFolders(string(mod)) {
		return "", err
	}
	if err := addFiles(sum, root); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// ofFolders tells whether a go.mod takes a module from a folder.
func ofFolders(mod string) bool {
	for line := range strings.Lines(mod) {
		if _, to, ok := strings.Cut(line, "=> "); ok {
			if to = strings.Trim(strings.TrimSpace(to), `"`); to != "" && (to[0] == '.' || to[0] == '/') {
				return true
			}
		}
	}
	return false
}

// addFiles adds what a build may read of the module in root: of any name, for some are embedded.
func addFiles(sum hash.Hash, root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (name[0] == '.' || name == "testdata" || name == "notebooks") {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, "_test.go") || !d.Type().IsRegular() {
			return nil
		}
		rel, _ := filepath.Rel(root, path) // it is below root
		own, err := fileHash(path)
		if errors.Is(err, fs.ErrNotExist) { // gone since the folder was read
			return nil
		}
		fmt.Fprintf(sum, "%q %s\n", filepath.ToSlash(rel), own)
		return err
	})
}

// fileHash is the SHA-256 of a file.
func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// A file records what was built, so that the same is not built again.
type note struct {
	Stamp    string            `json:"stamp"`
	Words    string            `json:"words"`    // what Self returned
	Programs map[string]string `json:"programs"` // the SHA-256 of each, by path
}

// Standing tells whether the programs are what was noted in the file for that stamp, and in which
// words it was noted.
func Standing(file, stamp string, programs ...string) (words string, ok bool) {
	var n note
	b, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(b, &n) != nil || stamp == "" || n.Stamp != stamp {
		return "", false
	}
	for _, p := range programs {
		if own, err := fileHash(p); err != nil || own != n.Programs[p] || !IsProgram(p) {
			return "", false
		}
	}
	return n.Words, true
}

// Note notes in the file that the programs were built for that stamp, and in which words; not where
// the layer of GPUs could not be built by a C compiler that is there: what it lacks may come.
func Note(ctx context.Context, file, stamp, words string, programs ...string) error {
	if stamp == "" || words == cpuOnly && triesGPU(ctx) {
		return nil
	}
	n := note{Stamp: stamp, Words: words, Programs: map[string]string{}}
	for _, p := range programs {
		own, err := fileHash(p)
		if err != nil {
			return err
		}
		n.Programs[p] = own
	}
	b, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o644)
}
