package own

import (
	"embed"

	"metalab/kernels/own/walks"
	"metalab/solvers/arith"
)

// packages are those that a kernel may import beside what the compiler knows, by path.
var packages = map[string]embed.FS{
	"metalab/kernels/own/walks": walks.Files,
	"metalab/solvers/arith":     arith.Files,
}

// sources are the files of a package that a kernel imports.
func sources(path string) map[string]string {
	fs, ok := packages[path]
	if !ok {
		return nil
	}
	entries, err := fs.ReadDir(".")
	if err != nil {
		return nil
	}
	files := map[string]string{}
	for _, e := range entries {
		b, err := fs.ReadFile(e.Name())
		if err != nil {
			return nil
		}
		files[e.Name()] = string(b)
	}
	return files
}
