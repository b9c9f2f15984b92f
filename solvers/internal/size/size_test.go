package size

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	mostLines  = 80
	mostParams = 6
)

// kept are the functions above that, by folder and name, and why.
var kept = map[string]string{
	"ants/cpu thin.table":       "one walk over light and heavy cities, both of whose places it fills",
	"bench Row.once":            "a run, and one case for each measure",
	"bench Row.set":             "one case for each setting of a file",
	"bench spanRow":             "a row of a table, a parameter for each of its columns",
	"experiment/exchange LaTeX": "a table written from top to bottom",
	"rounds board.insert":       "called in the innermost loop; a struct would be filled there",
	". Back":                    "public: a record, its state, boundary, who went back",
	". Run.build":               "what a run is made of, each named once where it is called",
}

func TestFunctionsAreShort(t *testing.T) {
	t.Parallel()
	found, err := long("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		if kept[name] == "" {
			t.Errorf("%s has more than %d lines or %d parameters: make it shorter, or say in kept why not",
				name, mostLines, mostParams)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if !slices.Contains(found, name) {
			t.Errorf("%s is short, or gone: take it out of kept", name)
		}
	}
}

// long lists the functions under a folder that are above the bounds; tests and what is generated
// do not count.
func long(root string) (found []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") {
			return err
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
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1
			if lines > mostLines || f.Type.Params.NumFields() > mostParams {
				found = append(found, filepath.ToSlash(folder)+" "+name(f))
			}
		}
		return nil
	})
	return found, err
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
