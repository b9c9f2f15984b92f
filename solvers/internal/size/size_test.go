package size

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	mostLines  = 80
	mostParams = 6
	mostFields = 20
	mostInFile = 500
)

// kept are the functions above that, by folder and name, and why.
var kept = map[string]string{
	"gpu cuda.launch":                         kernelLaunch,
	"gpu/internal/cuext Launch":               kernelLaunch,
	"gpu/ptx graph.early":                     "one walk over the dominators, with its rules",
	"gpu/ptx graph.unrollOne":                 "one rewrite: what must hold, the copy, the edges",
	"gpu/ptx numbering.interval":              "one case for each operation",
	"gpu/ptx/internal/examples Knapsack":      kernelInGo,
	"kernel/host/experiments room.experiment": "one case for each action of the verb",
	"kernel/host/experiments room.makeUnits":  "the units of a plan, and how they are made",
	"kernel/internal/glance acs":              "a table written from top to bottom",
	"kernel/internal/glance kang":             "a table written from top to bottom",
	"kernels/own/walks Anneal":                kernelInGo,
	"kernels/own/walks Evaluate":              kernelInGo,
	"kernels/own/walks Join":                  kernelInGo,
	"kernels/own/walks Make":                  kernelInGo,
	"kernels/own/walks Part":                  kernelInGo,
	"kernels/own/walks Point":                 kernelInGo,
	"kernels/own/walks Scan":                  kernelInGo,
	"kernels/own/walks conclude":              kernelInGo,
	"kernels/own/walks first":                 kernelInGo,
	"kernels/own/walks look":                  kernelInGo,
	"kernel/eval/bind/binding source.write":   "a file of Go written from top to bottom",
	"solvers Back":                            "public: a record, its state, boundary, who went back",
	"solvers/ants/cpu thin.table":             "one walk over light and heavy cities",
	"solvers/bench Row.once":                  "a run, and one case for each measure",
	"solvers/bench Row.set":                   "one case for each setting of a file",
	"solvers/experiment/exchange LaTeX":       "a table written from top to bottom",
	"solvers/rounds board.insert":             "called in the innermost loop",
}

const (
	kernelLaunch = "what the driver is told of a launch, in its order"
	kernelInGo   = "compiled for GPUs: arguments of a launch, or values in registers"
)

// wide are the structs of the project with more fields than that, and why.
var wide = map[string]string{
	"kernel/reply BenchPaper":         "a message: one name in JSON for each field",
	"kernel/reply BenchRow":           "a message: one name in JSON for each field",
	"kernel/reply ShowReply":          "a message: one name in JSON for each field",
	"kernel/view Data":                "public: what any figure may need, a name for each",
	"kernel/wire ExperimentRequest":   "a message: the verb's arguments, one field for each",
	"kernels/ants job":                "byte for byte a struct of the compiled kernels",
	"solvers/ants variant":            "a row of the table of variants, read column by column",
	"solvers/bench Row":               "a row of a table, as files of papers have it",
	"solvers/experiment/exchange Run": "a row of a file: one field for each of its columns",
}

func TestFunctionsAreShort(t *testing.T) {
	t.Parallel()
	var found []string
	err := walk("../../..", func(folder string, set *token.FileSet, n ast.Node) {
		f, ok := n.(*ast.FuncDecl)
		if !ok {
			return
		}
		lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1
		if lines > mostLines || f.Type.Params.NumFields() > mostParams {
			found = append(found, folder+" "+name(f))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, found, kept, fmt.Sprintf("has more than %d lines or %d parameters: make it shorter",
		mostLines, mostParams))
}

// A struct of many fields is one of named parts, each with a sentence.
func TestStructsAreSmall(t *testing.T) {
	t.Parallel()
	var found []string
	err := walk("../../..", func(folder string, _ *token.FileSet, n ast.Node) {
		if s, ok := n.(*ast.TypeSpec); ok {
			if fields := fieldsOf(s.Type); fields > mostFields {
				found = append(found, folder+" "+s.Name.Name)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, found, wide,
		fmt.Sprintf("has more than %d fields: make parts of them that have names", mostFields))
}

// A file has one subject, tests too; what is generated is not read.
func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	err := files("../../..", func(path string) error {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		generated := bytes.HasPrefix(b, []byte("// Code generated "))
		if lines := bytes.Count(b, []byte("\n")); lines > mostInFile && !generated {
			t.Errorf("%s has %d lines, more than %d: split it by what it is about", path, lines, mostInFile)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// fieldsOf counts the fields of a struct: an embedded part is one, as is a part that has no type of
// its own with what is in it; 0 for all else.
func fieldsOf(t ast.Expr) (n int) {
	s, ok := t.(*ast.StructType)
	if !ok {
		return 0
	}
	for _, f := range s.Fields.List {
		n += max(1, len(f.Names)) + fieldsOf(f.Type)
	}
	return n
}

// compare holds what was found to a list of what may be so.
func compare(t *testing.T, found []string, list map[string]string, what string) {
	t.Helper()
	for _, name := range found {
		if list[name] == "" {
			t.Errorf("%s %s, or say in the list why not", name, what)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if !slices.Contains(found, name) {
			t.Errorf("%s is small, or gone: take it out of the list", name)
		}
	}
}

// walk hands over all nodes of the Go files under a folder; tests and what is generated are left
// out.
func walk(root string, see func(folder string, set *token.FileSet, n ast.Node)) error {
	return files(root, func(path string) error {
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(file) {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			see(filepath.ToSlash(folder), set, n)
			return true
		})
		return nil
	})
}

// files hands over the paths of the Go files under a folder; folders that Go does not build are
// left out.
func files(root string, see func(path string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() {
			hidden := strings.HasPrefix(base, ".") && !strings.HasPrefix(base, "..")
			if hidden || base == "testdata" || base == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		return see(path)
	})
}

// name is a function's name, behind that of its receiver's type.
func name(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
			continue
		case *ast.IndexExpr:
			of = t.X
			continue
		case *ast.Ident:
			return t.Name + "." + f.Name.Name
		}
		return f.Name.Name
	}
}
