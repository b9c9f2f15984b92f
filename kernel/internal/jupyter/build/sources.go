package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// SourcesHash is a fingerprint of the sources that the kernel is built from: the Go files of
// the module in root, without tests, the patches of GoNB, and go.mod. It is read in some
// hundredths of a second.
func SourcesHash(root string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (name[0] == '.' || name[0] == '_' || name == "testdata" ||
				name == "notebooks" || name == "repl" || name == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		built := name == "go.mod" || strings.HasSuffix(name, ".patch") ||
			strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		if !built || !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path) // it is below root
		fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(rel), len(b))
		sum.Write(b)
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil))[:16], err
}

// Edited says in words that the sources in root differ from those of the built kernel; it is empty
// if they do not, or if that is unknown.
func Edited(root, built string) string {
	if root == "" || built == "" {
		return ""
	}
	now, err := SourcesHash(root)
	if err != nil || now == built {
		return ""
	}
	return "the sources of metalab were changed after kernel install: cells are compiled from them, " +
		"the host and its solvers are as they were installed; to have both the same: go run ./kernel " +
		"install, then restart the kernel"
}
