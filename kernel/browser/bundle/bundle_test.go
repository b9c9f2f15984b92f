package bundle_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/browser/bundle"
	"metalab/solvers"
	"metalab/solvers/record"
)

var made string // the folder of the engine that tests share

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range []string{made, madePrompt} {
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// TestAlgorithmsAreThoseOfTheHost compares what the engine links with what hosts link.
func TestAlgorithmsAreThoseOfTheHost(t *testing.T) {
	imports := func(file string) (out []string) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			out = append(out, i.Path.Value)
		}
		return out
	}
	want := imports("../../host/rooms/core/algorithms.go")
	for _, program := range []string{"engine", "metalab"} {
		if got := imports("../" + program + "/algorithms.go"); !slices.Equal(want, got) {
			t.Errorf("%s links %v, hosts %v", program, got, want)
		}
	}
}

// TestHouses holds what is for no browser out of the engine.
func TestHouses(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "metalab/kernel/browser/engine")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	not := regexp.MustCompile(`^(net|net/http.*|os/exec|os/signal|runtime/cgo|` +
		`golang\.org/x/(sys|term)/?.*|modernc\.org/.*|gorgonia\.org/.*|gonum\.org/.*|` +
		`metalab/(gpu|kernels|repl)/?.*|metalab/kernel/(host|wire|internal|view|guest|lab|cells).*|` +
		`metalab/solvers/experiment.*)$`)
	ok := false
	for p := range strings.FieldsSeq(string(out)) {
		ok = ok || p == "metalab/solvers/ants"
		if not.MatchString(p) && p != "golang.org/x/sys/cpu" {
			t.Errorf("the engine of pages imports %s", p)
		}
	}
	if !ok {
		t.Error("the list of packages has no algorithms")
	}
}

// TestSizeOfTheEngine holds the file to what the pages say of it.
func TestSizeOfTheEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("it is compiled")
	}
	e, err := built()
	if err != nil {
		t.Fatal(err)
	}
	const most = 4 << 20 // of the file, a third more than what is compressed
	if e.Size > most {
		t.Errorf("the engine's file has %d bytes, want at most %d", e.Size, most)
	}
	t.Logf("%d bytes", e.Size)
	again, err := built()
	if err != nil || *again != *e {
		t.Errorf("built again: %v, %v; want %v", again, err, e)
	}
	// The second build finds the first.
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	found, err := bundle.Build(t.Context(), root, filepath.Dir(e.Path), func(int64, int64, string) {
		t.Error("it is compiled again")
	})
	if err != nil || *found != *e {
		t.Errorf("built anew: %v, %v; want %v", found, err, e)
	}
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const head = "// The engine of metalab for pages, and wasm_exec.js of Go.\nself.metalabEngine("
	for name, text := range map[string]string{
		"empty": "", "page": "<html>", "cut": head + "{", "no hash": head + "{})\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := bundle.Open(path)
		if err == nil || !strings.Contains(err.Error(), "no engine of pages") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPageEscapes writes a page of a run whose names would be markup.
func TestPageEscapes(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(20, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{Name: "a", Solver: "acs", Instance: inst, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const evil = `</script><script>alert(1)</script>`
	rec.Header.Run, rec.Header.Build = evil, evil
	rec.Journal = append(rec.Journal,
		record.Change{Iter: 3, Kind: record.KindStop, Name: evil, Who: evil})
	page := bundle.Page{Record: rec, Instance: inst, Engine: &bundle.Engine{Hash: "0123456789abcdef"}}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "alert(1)</script>") {
		t.Error("the name of a run is markup")
	}
	if n := strings.Count(b.String(), "<script"); n != 1 {
		t.Errorf("the page has %d scripts, want 1", n)
	}
	page.Figures = []bundle.Figure{{Name: "best", SVG: []byte(`<svg><script>1</script></svg>`)}}
	if err := page.Write(&b); err == nil {
		t.Error("a figure with a script is taken")
	}
}
