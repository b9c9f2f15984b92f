package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// inClones are the files whose texts name programs of a clone, with the reason.
var inClones = map[string]string{
	"gpu/codes.go":                               "says that it is for clones",
	"gpu/doctor.go":                              "says that it is for clones",
	"gpu/image.go":                               "of a clone whose images are not built",
	"gpu/usable.go":                              "says that it is for clones",
	"gpu/withcuda/main.go":                       "a program of clones",
	"kernels/build/main.go":                      "a program of clones",
	"kernel/eval/bind/lab_bind.go":               "what go doc says of lab",
	"kernel/browser/site/main.go":                "a program of clones",
	"kernel/host/machines/command.go":            "a usage that gets the name",
	"kernel/internal/jupyter/build/sources.go":   "of the kernel that compiles cells",
	"kernel/internal/jupyter/execute/exec.go":    "of the kernel that compiles cells",
	"kernel/internal/jupyter/execute/runner.go":  "of the kernel that compiles cells",
	"kernel/internal/jupyter/install/doctor.go":  "of the kernel that compiles cells",
	"kernel/internal/jupyter/install/install.go": "of the kernel that compiles cells",
	"kernel/internal/jupyter/install/release.go": "says that it is for clones",
	"kernel/internal/jupyter/place.go":           "of the kernel that compiles cells",
	"kernel/internal/jupyter/session/run.go":     "of the kernel that compiles cells",
	"kernel/program/program.go":                  "the usage of kernel",
	"kernel/reference/tables.go":                 "a table of the exit status of programs",
	"kernel/reference/write/main.go":             "a program of clones",
	"kernel/wire/shape.go":                       "asks record.Released",
	"repl/browser/main_other.go":                 "a program of clones",
	"repl/metalab/release/main.go":               "a program of clones",
	"repl/prompt/main.go":                        "a usage that gets the name",
	"repl/prompt/serve.go":                       "a usage that gets the name",
	"solvers/record/program.go":                  "is where it is written",
	"solvers/record/release.go":                  "the line clones the repository first",
}

// TestWordsOfClones finds texts that name the programs of a clone where a release has metalab.
func TestWordsOfClones(t *testing.T) {
	t.Parallel()
	clone := regexp.MustCompile(`go run \./\w+|\brepl (worker|serve|-)`)
	found := map[string]bool{}
	const root = "../.."
	for _, top := range []string{"datasets", "gpu", "kernel", "kernels", "repl", "solvers"} {
		look := func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			name, _ := filepath.Rel(root, path)
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				if err == nil && clone.MatchString(text) {
					if found[name] = true; inClones[name] == "" {
						t.Errorf("%s names %q: say record.Typed or record.Started, or why not in inClones",
							set.Position(lit.Pos()), clone.FindString(text))
					}
				}
				return true
			})
			return nil
		}
		if err := filepath.WalkDir(filepath.Join(root, top), look); err != nil {
			t.Fatal(err)
		}
	}
	for name := range inClones {
		if !found[name] {
			t.Errorf("%s names no program of a clone: take it out of inClones", name)
		}
	}
}
