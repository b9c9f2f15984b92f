// Package share finds what a program of metalab needs beside itself: the source that solvers of
// one's own are compiled with, and the engine of pages. A release has both in the folder
// share/metalab beside its program, or beside the folder bin in which that lies.
package share

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// EnvSource is the environment variable that names a folder of metalab's source.
const EnvSource = "METALAB_SOURCE"

// The folders within [Dir].
const (
	SourceName  = "src"
	EnginesName = "engines"
)

// Name is the path of the folder beside a program.
var Name = filepath.Join("share", "metalab")

// Dir is the folder of the release that this program is of; empty where it is of none.
var Dir = sync.OnceValue(func() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	return dirOf(exe)
})

// dirOf is the folder of the release whose program is exe; links are followed, as pipx makes them.
func dirOf(exe string) string {
	if to, err := filepath.EvalSymlinks(exe); err == nil {
		exe = to
	}
	beside := filepath.Dir(exe)
	for _, top := range []string{beside, filepath.Dir(beside)} {
		if dir := filepath.Join(top, Name); IsSource(filepath.Join(dir, SourceName)) {
			return dir
		}
	}
	return ""
}

// IsSource reports whether a folder holds metalab's source.
func IsSource(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	line, _, _ := strings.Cut(string(b), "\n")
	return err == nil && strings.TrimSpace(line) == "module metalab"
}

// Source is the folder of the source that fits this program: that which METALAB_SOURCE names, that
// of its release, or that from which it was compiled.
func Source() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	return source(os.Getenv(EnvSource), Dir(), file)
}

// Compiled returns the folder of metalab's source in which this program was compiled; it is empty
// after -trimpath, or if the folder is missing.
func Compiled() string {
	_, file, _, _ := runtime.Caller(0)
	return above(file)
}

// above returns the folder of metalab's source that holds a file; empty if none does.
func above(file string) string {
	for dir := filepath.Dir(file); filepath.IsAbs(dir) && len(dir) > 1; dir = filepath.Dir(dir) {
		if IsSource(dir) {
			return dir
		}
	}
	return ""
}

func source(named, release, compiled string) (string, error) {
	if named != "" {
		dir, err := filepath.Abs(named)
		if err == nil && !IsSource(dir) {
			err = fmt.Errorf("metalab's source, and %s=%s is no folder of it: there is no go.mod of "+
				"module metalab", EnvSource, named)
		}
		return dir, err
	}
	if release != "" {
		return filepath.Join(release, SourceName), nil
	}
	if dir := above(compiled); dir != "" {
		return dir, nil
	}
	return "", fmt.Errorf("metalab's source, which is neither in %s beside this program nor where it "+
		"was made: %s=FOLDER names a folder that has it, as a clone",
		filepath.Join(Name, SourceName), EnvSource)
}

// Engine is the file of the engine of pages that the release has; empty where it has none.
func Engine() string {
	if Dir() == "" {
		return ""
	}
	found, _ := filepath.Glob(filepath.Join(Dir(), EnginesName, "metalab-????????????????.js"))
	if len(found) != 1 {
		return ""
	}
	return found[0]
}
