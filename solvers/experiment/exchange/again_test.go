package exchange_test

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/exchange"
	"metalab/solvers/record"
)

// drawn is a store with an experiment "e" of anything.
func drawn(t *testing.T, rt *rapid.T) experiment.Store {
	t.Helper()
	s := &experiment.Memory{}
	var refs []record.InstanceRef
	for i := range rapid.IntRange(1, 3).Draw(rt, "instances") {
		ref := record.InstanceRef{
			Name: rapid.SampledFrom([]string{"sack", "d198", "=a b"}).Draw(rt, "name"),
			Kind: "tsp", Size: 7, SHA256: fmt.Sprintf("%dab", i), Maximise: rapid.Bool().Draw(rt, "max"),
		}
		if rapid.Bool().Draw(rt, "own") {
			ref.Kind = "own"
			ref.Own = rapid.SampledFrom([][]string{{}, {"penalty"}, {"penalty", "kind"}}).Draw(rt, "names")
		} else if rapid.Bool().Draw(rt, "known") {
			best := float64(rapid.IntRange(-3, 3).Draw(rt, "best known"))
			ref.Best = &best
		}
		refs = append(refs, ref)
	}
	// Settings of one solver and variant, of which some differ in what is varied, some in the name.
	type setting struct {
		label, solver, backend string
		varied                 record.Values
		budget                 record.Budget
	}
	budgets := []record.Budget{
		{Iterations: 10}, {Wall: 0.5}, {CPU: 1e-3, Evaluations: 7}, {Iterations: 1, Until: "gap<1 or x"},
	}
	var settings []setting
	for i := range rapid.IntRange(1, 5).Draw(rt, "settings") {
		w := setting{
			label: fmt.Sprint("as I like ", i), solver: "acs", backend: "cpu",
			budget: rapid.SampledFrom(budgets).Draw(rt, "budget"),
		}
		switch rapid.IntRange(0, 2).Draw(rt, "sort") {
		case 0:
			w.varied = record.Of("beta", i, "best", "a word", "kind", i%2)
			w.label = fmt.Sprint("beta=", i)
		case 1:
			w.solver, w.label = fmt.Sprint("s", i), fmt.Sprintf("s%d/seq", i)
		default:
			if rapid.Bool().Draw(rt, "twice") {
				w.label, w.backend = "on both", []string{"cpu", "cuda", "hip", "x", "y"}[i]
			}
		}
		settings = append(settings, w)
	}
	var units []experiment.Unit
	for seed := range uint64(rapid.IntRange(1, 3).Draw(rt, "seeds")) {
		for _, ref := range refs {
			for _, w := range settings {
				u := experiment.Unit{
					Label: w.label, Solver: w.solver, Variant: "seq", Backend: w.backend, Preset: "default",
					Instance: ref, Seed: seed, Budget: w.budget, Varied: w.varied,
					Params: record.Of("penalty", float64(len(w.label)%3), "kind", "x", "other", 1),
				}
				for n, v := range w.varied {
					u.Params[n] = v
				}
				u.Key, _ = u.MakeKey()
				units = append(units, u)
			}
		}
	}
	if _, err := s.Add(t.Context(), "e", experiment.Plan{}, units); err != nil {
		t.Fatal(err)
	}
	for _, backend := range []string{"cpu", "cuda", "hip", "x", "y"} {
		make1(t, rt, s, backend)
	}
	return s
}

// make1 gives units of a backend results; some fail, some are left.
func make1(t *testing.T, rt *rapid.T, s experiment.Store, backend string) {
	t.Helper()
	q, err := s.Queue(t.Context(), "e", false)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for {
		u, ok, err := q.Take(t.Context(), backend)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return
		}
		if rapid.IntRange(0, 9).Draw(rt, "leave") == 0 {
			continue
		}
		r := experiment.Result{
			Best: float64(rapid.IntRange(-9, 9).Draw(rt, "cost")) / 3, Gap: math.NaN(),
			Optimum: math.NaN(), Iterations: 3, Evaluations: 5, Wall: 0.25, CPU: 0.1,
			Machine: "a, machine", Device: rapid.SampledFrom([]string{"", "GPU 1"}).Draw(rt, "device"),
			Why: "gap<1",
		}
		if b := u.Instance.Best; b != nil {
			r.Optimum, r.Gap = *b, solvers.Gap(r.Best, b)
		}
		if rapid.IntRange(0, 9).Draw(rt, "fail") == 0 {
			r = experiment.Result{
				Best: math.NaN(), Gap: math.NaN(), Optimum: math.NaN(), Error: "-no memory",
			}
		}
		if err := q.Finish(t.Context(), u, r); err != nil {
			t.Fatal(err)
		}
	}
}

// told is what tables, tests and figures take from the units of an experiment that were made.
func told(t *testing.T, s experiment.Store, csv bool) string {
	t.Helper()
	groups, err := experiment.Groups(func(yield func(experiment.Row, error) bool) {
		for r, err := range s.Rows(t.Context(), "e") {
			made := r.State == experiment.Done || csv && r.State == experiment.Failed
			if (made || err != nil) && !yield(r, err) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, g := range groups {
		for i := range g.Done {
			u, r := &g.Done[i].Unit, &g.Done[i].Result
			own, of := "", ""
			for _, n := range u.Instance.Own {
				own += fmt.Sprint(" ", n, "=", u.Params[n])
			}
			if csv {
				of = fmt.Sprint(u.Instance.SHA256, u.Instance.Size, u.Instance.Kind, g.Varied, g.Optimum,
					r.Gap, r.Iterations, r.Why, r.Device, r.Machine, u.Budget, u.Solver)
			}
			out = append(out, fmt.Sprint(g.Label, " on ", g.Instance, " ", g.Sense, own,
				u.Instance.Own != nil, " ", u.Seed, " ", r.Best, r.Wall, r.CPU, r.Evaluations, of))
		}
		if csv {
			out = append(out, fmt.Sprint(g.Label, g.Instance, g.Failed))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// often is true for some.
func often(rt *rapid.T) bool { return rapid.IntRange(0, 4).Draw(rt, "files, too") == 0 }

// namesakes reports whether instances have the name of another.
func namesakes(t *testing.T, s experiment.Store) bool {
	t.Helper()
	sums := map[string]string{}
	for r, err := range s.Rows(t.Context(), "e") {
		if err != nil {
			t.Fatal(err)
		}
		ref := r.Unit.Instance
		if sum, ok := sums[ref.Name]; ok && sum != ref.SHA256 {
			return true
		}
		sums[ref.Name] = ref.SHA256
	}
	return false
}

// What is exported is imported again as it was, where nothing else is known of it: groups, senses,
// objectives, parameters and results.
func TestExportedIsImported(t *testing.T) {
	t.Parallel()
	n := 0
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		s := drawn(t, rt)
		for _, f := range []struct {
			name string
			csv  bool
			read func() ([]exchange.Foreign, error)
		}{
			{"CSV", true, func() ([]exchange.Foreign, error) {
				var b bytes.Buffer
				if _, err := exchange.CSV(t.Context(), s, "e", &b); err != nil {
					return nil, err
				}
				return exchange.ReadCSV(&b, "e.csv", exchange.Mapping{})
			}},
			{"IOHprofiler", false, func() ([]exchange.Foreign, error) {
				n++
				to := filepath.Join(dir, fmt.Sprint(n))
				if _, err := exchange.IOHprofiler(t.Context(), s, "e", to); err != nil {
					return nil, err
				}
				return exchange.ReadIOHprofiler(to)
			}},
		} {
			if told(t, s, false) == "" || !f.csv && (namesakes(t, s) || n > 0 && !often(rt)) {
				continue // nothing is done; names get the hash behind them there; files take long
			}
			runs, err := f.read()
			if err != nil {
				rt.Fatal(f.name, err)
			}
			back := &experiment.Memory{}
			if _, err := exchange.Add(t.Context(), back, "e", runs, nil); err != nil {
				rt.Fatal(f.name, err)
			}
			if got, want := told(t, back, f.csv), told(t, s, f.csv); got != want {
				rt.Errorf("%s: imported again it is\n%s\nand was\n%s", f.name, got, want)
			}
			if n, err := exchange.Add(t.Context(), back, "e", runs, nil); n != 0 || err != nil {
				rt.Errorf("%s: %d are new the second time, %v", f.name, n, err)
			}
		}
	})
}
