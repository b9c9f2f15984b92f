// Command prose counts two habits in the comments of the project's Go files, tests and generated
// files left out: sentences that begin with a clause instead of their subject ("Of every chain a
// search"), and passives that hide who acts ("is told", "is given"). Both counts are printed, and
// nothing fails: they show which package a reader stumbles in most.
//
//	go run ./solvers/internal/prose                      # both shares, of the whole project
//	go run ./solvers/internal/prose -by                  # the packages, the worst first
//	go run ./solvers/internal/prose -by kernel/host      # the sentences of one package
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	clause  = regexp.MustCompile(`^(What|Who|Where|Of|By|Which|Whose|From)\b`)
	passive = regexp.MustCompile(
		`\b(is|are|was|were|be) (told|made|given|taken|kept|put|gone)\b`)
	end = regexp.MustCompile(`[.;:]\s+`)
)

// A tally counts the sentences of a package and keeps those with a habit.
type tally struct {
	folder           string
	sentences        int
	clauses, passive []string // each with its file and line in front
}

// sentences splits a comment at full stops, semicolons and colons, and leaves out what has fewer
// than three words.
func sentences(comment string) []string {
	text := strings.Join(strings.Fields(comment), " ") + " "
	return slices.DeleteFunc(end.Split(text, -1), func(s string) bool {
		return len(strings.Fields(s)) < 3
	})
}

// add counts the comments of a file.
func (t *tally) add(set *token.FileSet, f *ast.File) {
	for _, group := range f.Comments {
		at := set.Position(group.Pos())
		for _, s := range sentences(group.Text()) {
			t.sentences++
			line := fmt.Sprintf("%s:%d: %s", at.Filename, at.Line, s)
			if clause.MatchString(s) {
				t.clauses = append(t.clauses, line)
			}
			if passive.MatchString(s) {
				t.passive = append(t.passive, line)
			}
		}
	}
}

// count returns a tally for each folder below root that has Go files, the worst first.
func count(root string) ([]*tally, error) {
	found := map[string]*tally{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || len(name) > 1 && name[0] == '.' {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(f) {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(file))
		if found[folder] == nil {
			found[folder] = &tally{folder: folder}
		}
		found[folder].add(set, f)
		return nil
	})
	list := make([]*tally, 0, len(found))
	for _, t := range found {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *tally) int {
		return cmp.Or(
			len(b.clauses)+len(b.passive)-len(a.clauses)-len(a.passive),
			cmp.Compare(a.folder, b.folder),
		)
	})
	return list, err
}

func main() {
	by := flag.Bool("by", false, "list the packages, or the sentences of the package named")
	flag.Parse()
	list, err := count(".")
	if err != nil {
		log.Fatal(err)
	}
	var n, clauses, passives int
	for _, t := range list {
		n, clauses, passives = n+t.sentences, clauses+len(t.clauses), passives+len(t.passive)
		switch {
		case flag.Arg(0) == t.folder:
			for _, s := range append(t.clauses, t.passive...) {
				fmt.Println(s)
			}
		case *by && flag.NArg() == 0:
			fmt.Fprintf(os.Stdout, "%5d %4d %4d  %s\n",
				t.sentences, len(t.clauses), len(t.passive), t.folder)
		}
	}
	share := func(k int) float64 { return 100 * float64(k) / float64(max(n, 1)) }
	fmt.Printf("comments: %d sentences, %.2f %% begin with a clause, %.2f %% passive\n",
		n, share(clauses), share(passives))
}
