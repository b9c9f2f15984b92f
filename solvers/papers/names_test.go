package papers_test

import (
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/papers"
)

// small is an instance that a variant takes.
func small(t *testing.T, v solvers.Variant) datasets.Instance {
	t.Helper()
	for _, name := range []string{"rand-100-1", "tai10a"} {
		inst, ok, err := datasets.Generate(name)
		if err != nil || !ok {
			t.Fatal(name, err)
		}
		if slices.Contains(v.Kinds, inst.Kind()) {
			return inst
		}
	}
	t.Fatalf("no instance for %s/%s", v.Solver, v.Name)
	return nil
}

// What a name stands for exists: the variant, its preset and its values; and the variant's
// sources have the paper's authors and year.
func TestNamesStandForSomething(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, n := range papers.Names {
		if seen[n.Name] || n.Name != strings.ToLower(n.Name) || n.Doc == "" ||
			strings.HasSuffix(n.Doc, ".") {
			t.Errorf("%s: twice, or with capital letters, or its sentence is %q", n.Name, n.Doc)
		}
		seen[n.Name] = true
		v, err := solvers.Find(n.Solver, n.Variant, "cpu")
		if err != nil || n.Variant == "" {
			t.Errorf("%s: %v", n.Name, err)
			continue
		}
		for _, of := range strings.Split(n.Paper, ", ") {
			if !strings.Contains(v.Source, of) {
				t.Errorf("%s is of %s, and the source of %s/%s is %s", n.Name, n.Paper, n.Solver, n.Variant,
					v.Source)
				break
			}
		}
		r, err := solvers.Open(solvers.Config{
			Name: "a", Solver: n.Solver, Variant: n.Variant, Instance: small(t, v), Seed: 1,
			Preset: n.Preset, Params: n.Params,
		})
		if err != nil {
			t.Errorf("%s: %v", n.Name, err)
			continue
		}
		r.Close()
	}
}

// No name hides a solver, and none is an author's.
func TestNamesHideNothing(t *testing.T) {
	t.Parallel()
	for _, n := range papers.Names {
		if slices.Contains(papers.Authors(), n.Name) {
			t.Errorf("%s is an author, too", n.Name)
		}
		for _, v := range solvers.Variants() {
			if v.Solver == n.Name {
				t.Errorf("%s is a solver, too", n.Name)
			}
		}
	}
}

func TestByName(t *testing.T) {
	t.Parallel()
	n, ok := papers.ByName("ACS-GPU-SPM")
	if want := "acs/spm preset=paper"; !ok || n.Text() != want {
		t.Errorf("%v %q, want %q", ok, n.Text(), want)
	}
	n, _ = papers.ByName("acs-gpu*")
	if want := "acs/gpu preset=paper-star"; n.Text() != want {
		t.Errorf("%q, want %q", n.Text(), want)
	}
	n, _ = papers.ByName("arx")
	if want := "ga/tournament preset=paper crossover=arx"; n.Text() != want {
		t.Errorf("%q, want %q", n.Text(), want)
	}
	if _, ok := papers.ByName("acs"); ok {
		t.Error("a solver is taken for a name")
	}
	for author, want := range map[string]string{
		"Kang": "scx bcscx arx hybrid", "won": "scx bcscx arx hybrid", "fosin": "ils-2opt ils-3opt",
		"talbi": "hill-climbing tabu-search variable-neighbourhood-descent", "nobody": "",
	} {
		var got []string
		for _, n := range papers.ByAuthor(author) {
			got = append(got, n.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", author, got, want)
		}
	}
}
