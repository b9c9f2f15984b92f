package ants

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
	"metalab/solvers/record"
)

// errNoCrew is what a crew says that only looks at what it is opened for.
var errNoCrew = errors.New("no crew today")

// setupOf is what a line's crew is opened for.
func setupOf(t *testing.T, solver, variant string, inst *datasets.TSP,
	ps record.Values,
) (s *crew.Setup, err error) {
	t.Helper()
	for i := range lines {
		if lines[i].solver != solver || lines[i].variant != variant {
			continue
		}
		b := lines[i].backend("setup of " + t.Name())
		b.Open = func(got *crew.Setup) (crew.Crew, error) {
			s = got
			return nil, errNoCrew
		}
		v := ants.On(b, solver, variant)
		solvers.Put(v)
		defer solvers.Remove(solver, variant, b.Name)
		_, err = solvers.Open(solvers.Config{
			Solver: solver, Variant: variant, Backend: b.Name,
			Instance: inst, Params: ps,
		})
		return s, err
	}
	t.Fatalf("there is no line of %s/%s", solver, variant)
	return nil, nil
}

// TestLinesRefuse: what the kernels do not compute is refused before anything is opened.
func TestLinesRefuse(t *testing.T) {
	globe, err := datasets.NewTSP("globe", datasets.Geo, []float64{1, 2, 3, 4}, []float64{5, 6, 7, 9})
	if err != nil {
		t.Fatal(err)
	}
	many, err := datasets.DIMACS(false, shortCities+1, 1)
	if err != nil {
		t.Fatal(err)
	}
	few, err := datasets.DIMACS(false, 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		solver, variant string
		inst            *datasets.TSP
		params          record.Values
		want            string // empty: it is opened
	}{
		{"mmas", "wrs", globe, nil, "globe has distances of type GEO"},
		{"acs", "lockstep", globe, nil, "globe has distances of type GEO"},
		{"as", "wrs", globe, nil, "globe has distances of type GEO"},
		{"acs", "lockstep", many, params("ants", 1), "take up to 65536: use acs/spm-sync, acs/spm or " +
			"acs/alt"},
		{"mmas", "rows", many, params("ants", 1), "take up to 65536: use mmas/wrs"},
		{"mmas", "thin", many, params("ants", 1), "takes up to 65535: use mmas/wrs"},
		{"mmas", "wrs", many, params("ants", 1, "candidates", 4), ""},
		{"mmas", "rows", few, params("candidates", 33), "candidates is 33, a GPU takes 0 (no lists) " +
			"and 1 to 32"},
		{"mmas", "wrs", few, params("local_search", "oropt"), "local_search is oropt, which is made on " +
			"the host's cores"},
		{"as", "wrs", few, params("local_search", "2opt"), "local_search is 2opt, which is made on the " +
			"host's cores"},
		{"acs", "lockstep", few, params("candidates", 32), ""},
		{"acs", "lockstep", few, params("local_search", "oropt"), ""},
		{"acs", "alt", few, params("local_search", "2opt"), ""},
		{"mmas", "wrs", few, params("local_search", "oropt-rounds"), ""},
	} {
		s, err := setupOf(t, c.solver, c.variant, c.inst, c.params)
		switch {
		case c.want == "" && !errors.Is(err, errNoCrew):
			t.Errorf("%s/%s on %s %v: %v, want that it is opened", c.solver, c.variant, c.inst.Name(),
				c.params, err)
		case c.want != "" && (s != nil || err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s/%s on %s %v: %v, want %q", c.solver, c.variant, c.inst.Name(), c.params, err,
				c.want)
		}
	}
}

// TestGroundFindsTheNearest compares the lists of a instance with a look at all cities.
func TestGroundFindsTheNearest(t *testing.T) {
	inst, err := datasets.DIMACS(false, 300, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range inst.X { // many cities equally far
		inst.X[i], inst.Y[i] = math.Floor(inst.X[i]/50000), math.Floor(inst.Y[i]/50000)
	}
	s, err := setupOf(t, "mmas", "wrs", inst, params("candidates", 6))
	if !errors.Is(err, errNoCrew) {
		t.Fatal(err)
	}
	for _, wide := range []bool{false, true} {
		g := instanceOf(s, wide)
		n, checked := s.Space.N, 0
		for c := range int32(n) {
			seen := make([]bool, n)
			seen[c] = true
			for k, id := range g.ID[c*trail.Width : (c+1)*trail.Width] {
				if k < 6 == (id == c) {
					t.Fatalf("city %d: slot %d is %d", c, k, id)
				}
				if rev := g.Reverse[int(c)*trail.Width+k]; rev >= 0 && g.ID[rev] != c {
					t.Fatalf("city %d: the way back of slot %d leads to %d", c, k, g.ID[rev])
				}
				seen[id] = true
			}
			for _, id := range g.Ext[int(c)*g.Far : int(c+1)*g.Far] {
				if id == c {
					continue
				}
				near, d := int32(-1), int32(math.MaxInt32)
				for j := range int32(n) {
					if x := s.Space.D(c, j); !seen[j] && x < d {
						near, d = j, x
					}
				}
				if id != near {
					t.Fatalf("city %d: %d comes next, the nearest is %d", c, id, near)
				}
				seen[id] = true
				checked++
			}
		}
		if want := map[bool]int{false: 40, true: 10}[wide]; checked < 300*want {
			t.Errorf("wide %v: only %d entries", wide, checked)
		}
	}
}

// TestPresetsOnADevice: a preset whose search is made on the host's cores is offered where they get
// the tours, and no preset has longer lists than the kernels take. That of the GPU MMAS paper's
// 2-opt is offered.
func TestPresetsOnADevice(t *testing.T) {
	few, err := datasets.DIMACS(false, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		v := ants.On(lines[i].backend("device"), lines[i].solver, lines[i].variant)
		for _, p := range v.AllPresets() {
			if p.Values == nil {
				continue
			}
			vs := p.Values(few)
			k, _ := vs["candidates"].Float()
			search, _ := vs["local_search"].Word()
			if err := lines[i].check(few, int(k)); err != nil {
				t.Errorf("%s/%s preset %s: %v", v.Solver, v.Name, p.Name, err)
			}
			if slices.Contains(local.Queues, search) && !lines[i].host {
				t.Errorf("%s/%s preset %s: local_search is %s", v.Solver, v.Name, p.Name, search)
			}
		}
		p, err := v.Preset("paper-2opt")
		if v.Name != "rows" {
			continue
		}
		if err != nil || p.Values == nil {
			t.Errorf("preset paper-2opt of rows: %v", err)
		} else if w, _ := p.Values(few)["local_search"].Word(); w != local.PlainOpt {
			t.Errorf("preset paper-2opt of rows on a device: local_search is %s", w)
		}
	}
}
