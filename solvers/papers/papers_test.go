package papers_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ants"
	_ "metalab/solvers/genetic"
	_ "metalab/solvers/ils"
	_ "metalab/solvers/moves"
	"metalab/solvers/papers"
	"metalab/solvers/record"
)

// elsewhere are the variants, or all of a solver, with presets of papers that are not in the table,
// and why.
var elsewhere = map[string]string{
	"as/scan":      "M. Dorigo et al., 1996, is not among the texts that the table is made from",
	"as/wrs":       "as as/scan",
	"mmas/focused": "R. Skinderowicz, 2022, is not among the texts that the table is made from",
	"ga/eax":       "Y. Nagata, S. Kobayashi, 2013, is not among these texts",
}

// find is a variant's preset on the CPU; nil: there is none.
func find(variant, preset string) (solvers.Variant, *solvers.Preset) {
	solver, name, _ := strings.Cut(variant, "/")
	for _, v := range solvers.Variants() {
		if v.Solver != solver || v.Name != name || v.Backend != "cpu" {
			continue
		}
		for i, p := range v.Presets {
			if p.Name == preset {
				return v, &v.Presets[i]
			}
		}
		return v, nil
	}
	return solvers.Variant{}, nil
}

// instances are of a kind, of the sizes that presets tell apart.
func instances(t *testing.T, kind datasets.Kind) []datasets.Instance {
	t.Helper()
	var out []datasets.Instance
	names := map[datasets.Kind][]string{
		datasets.KindQAP: {"tai10a", "tai30a"}, datasets.KindPPP: {"ppp-73x73-1", "ppp-9x17-1"},
		datasets.KindWeierstrass: {"weierstrass-10", "weierstrass-4"},
	}[kind]
	for _, name := range names {
		inst, ok, err := datasets.Generate(name)
		if err != nil || !ok {
			t.Fatal(name, err)
		}
		out = append(out, inst)
	}
	if names != nil {
		return out
	}
	for _, n := range []int{198, 1002, 12000} {
		inst, err := datasets.DIMACS(false, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, inst)
	}
	return out
}

// declared are the parameters that a variant declares on an instance, without those that change no
// result.
func declared(t *testing.T, v solvers.Variant, inst datasets.Instance) map[string]bool {
	t.Helper()
	a, err := v.New(inst)
	if err != nil {
		t.Fatal(err)
	}
	var ps solvers.Params
	a.Declare(&ps)
	out := map[string]bool{}
	for _, p := range ps.List() {
		if p.Class != record.Schedule {
			out[p.Name] = true
		}
	}
	return out
}

// TestPresets holds every preset of a paper to what the paper says of each parameter.
func TestPresets(t *testing.T) {
	t.Parallel()
	for _, paper := range papers.All {
		for _, p := range paper.Presets {
			for _, name := range p.Variants {
				at := fmt.Sprintf("%s, preset %s (%s)", name, p.Name, paper.Name)
				v, preset := find(name, p.Name)
				if preset == nil {
					t.Errorf("%s: there is no such preset", at)
					continue
				}
				if p.Iterations == "" {
					t.Errorf("%s: how many iterations the paper made is not said", at)
				}
				for _, inst := range instances(t, p.Kind) {
					n := inst.Size()
					got, left := preset.Values(inst), declared(t, v, inst)
					for _, s := range p.Settings {
						if want := s.Value(n); got[s.Param] != want {
							t.Errorf("%s, %d cities: %s is %v, the paper's is %v: %s", at, n, s.Param,
								got[s.Param], want, s.Where)
						}
						if s.Where == "" || !left[s.Param] {
							t.Errorf("%s: %s stands twice, without a place, or is no parameter", at, s.Param)
						}
						delete(left, s.Param)
					}
					for param, why := range p.Open {
						if why == "" || !left[param] {
							t.Errorf("%s: %s stands twice, without a reason, or is no parameter", at, param)
						}
						delete(left, param)
					}
					if len(left) > 0 {
						t.Errorf("%s: the table says nothing of %v", at, slices.Sorted(maps.Keys(left)))
					}
				}
			}
		}
	}
}

// TestAllPresets: a preset whose name begins with paper is in the table, or it is said why not.
func TestAllPresets(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, paper := range papers.All {
		for _, p := range paper.Presets {
			for _, v := range p.Variants {
				listed[v+" "+p.Name] = true
			}
		}
	}
	used := map[string]bool{}
	for _, v := range solvers.Variants() {
		name := v.Solver + "/" + v.Name
		for _, p := range v.Presets {
			switch {
			case !strings.HasPrefix(p.Name, "paper") || listed[name+" "+p.Name]:
			case elsewhere[name] != "":
				used[name] = true
			case elsewhere[v.Solver] != "":
				used[v.Solver] = true
			default:
				t.Errorf("%s: preset %s is in no paper's table", name, p.Name)
			}
		}
	}
	for name := range elsewhere {
		if !used[name] && strings.Contains(name, "/") {
			t.Errorf("%s: all presets are in the table, and yet it stands among those that are not", name)
		}
	}
}
