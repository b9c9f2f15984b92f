// Package maker finds the commit of metalab's repository from which this program was built, if its
// build does not record it: under go run, and with -buildvcs=false.
//
// It examines the folder in which the program was compiled. If nothing in it is newer than the
// program, the sources there are those of the program, and so is git's commit, with or without
// changes. If that folder is no repository, or git is missing, a fingerprint of the sources stands
// for the commit. If something is newer, the package claims nothing.
//
// In a program that imports the package, [metalab/solvers/record.Made] uses it.
package maker

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"metalab/kernel/internal/share"
	"metalab/solvers/record"
)

func init() { record.FindMaker(Find) }

// Find says what the program was built from.
func Find() record.Maker {
	exe, err := os.Executable()
	if err != nil {
		return record.Maker{}
	}
	st, err := os.Stat(exe)
	if err != nil {
		return record.Maker{}
	}
	return Of(share.Compiled(), st.ModTime())
}

// Repository is the folder of metalab's sources in which this program was compiled, if that is a
// repository of git, for lines that clone it; else empty.
func Repository() string {
	root := share.Compiled()
	if root == "" {
		return ""
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		return ""
	}
	return root
}

// Of returns the maker of a program that was built at a time from the sources in root.
func Of(root string, built time.Time) (m record.Maker) {
	if root == "" {
		return m
	}
	sum := sha256.New()
	later := false
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (name[0] == '.' || name[0] == '_' || name == "testdata" ||
			name == "notebooks" || name == "bin") {
			return filepath.SkipDir
		}
		if !d.IsDir() && !source(name) {
			return nil
		}
		st, err := d.Info()
		// The top folder has files of others, as records that somebody saves there.
		if err != nil || path != root && st.ModTime().After(built) {
			later = true
			return fs.SkipAll
		}
		return nil
	})
	if err != nil || later {
		return m
	}
	if m, ok := commit(root); ok {
		return m
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != root && d.Name()[0] == '.' {
			return fs.SkipDir
		}
		if d.IsDir() || !source(d.Name()) {
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
	if err != nil {
		return m
	}
	return record.Maker{Sources: hex.EncodeToString(sum.Sum(nil))[:12]}
}

// source reports whether a file goes into programs: Go without its tests, what Go embeds, go.mod.
func source(name string) bool {
	switch filepath.Ext(name) {
	case ".go":
		return !strings.HasSuffix(name, "_test.go")
	case ".mod", ".sum", ".s", ".h", ".cu", ".fatbin", ".ptx", ".patch", ".tsv", ".js", ".css",
		".html":
		return true
	}
	return false
}

// commit is what git says of the folder.
func commit(root string) (m record.Maker, ok bool) {
	git := func(args ...string) (string, error) {
		cmd := exec.Command("git", append([]string{"-C", root}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
		b, err := cmd.Output()
		return strings.TrimRight(string(b), "\n"), err
	}
	top, err := git("rev-parse", "--show-prefix", "HEAD")
	prefix, head, ok := strings.Cut(top, "\n")
	if err != nil || !ok || prefix != "" { // a repository around the sources is another one
		return m, false
	}
	m.Commit = head
	status, err := git("status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return record.Maker{}, false
	}
	for line := range strings.Lines(status) {
		line = strings.TrimRight(line, "\"\n")
		m.Changed = m.Changed || !strings.HasPrefix(line, "??") && source(line) ||
			strings.HasSuffix(line, ".go") && !strings.HasSuffix(line, "_test.go")
	}
	tags, err := git("tag", "--points-at", "HEAD")
	for tag := range strings.Lines(tags) {
		if err == nil && !m.Changed && strings.TrimSpace(tag) == record.Release {
			m.Release = record.Release
		}
	}
	return m, true
}
