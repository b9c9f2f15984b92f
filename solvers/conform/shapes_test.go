package conform

import (
	"context"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

// sloppy is a search two of whose ways to share out work keep a table of their own each: one of
// many workers, made after one of one worker, reads the other's.
type sloppy struct {
	*toy.Search
	sloppy, alone bool
}

func (s *sloppy) Iterate(ctx context.Context, it int64, p *record.Point) error {
	err := s.Search.Iterate(ctx, it, p)
	if err != nil {
		return err
	}
	if s.Workers == 1 {
		s.alone = true
	} else if s.sloppy && s.alone && s.Workers > 1 {
		p.Digest++
	}
	return nil
}

// sloppily registers the search for the CPU, and for a backend.
func sloppily(t *testing.T, backend string, wrong bool) {
	for _, b := range []string{"cpu", backend} {
		solvers.Register(solvers.Variant{
			Solver: "toy", Name: "shared", Backend: b, Revision: 1, Deterministic: true, Title: "shared",
			Kinds: []datasets.Kind{datasets.KindTSP},
			New: func(inst datasets.Instance) (solvers.Algorithm, error) {
				return &sloppy{Search: toy.New(inst.(*datasets.TSP)), sloppy: wrong && b == backend}, nil
			},
		})
		t.Cleanup(func() { solvers.Remove("toy", "shared", b) })
	}
}

func sloppyShapes(backend string) Shapes {
	return Shapes{
		Solver: "toy", Variant: "shared", Backend: backend, Iterations: 80,
		Draw: func(d *Draws) (datasets.Instance, record.Values, error) {
			inst, err := datasets.Uniform(d.Int(5, 30), 1)
			return inst, d.All(Among("agents 1 2 5 9", "moves 1 4 7")), err
		},
		Schedule: func(d *Draws, _ datasets.Instance) record.Values {
			return d.Some(Among("workers 0 1 2 3 5"))
		},
		Live: func(d *Draws, _ datasets.Instance) record.Values {
			return d.Some(Among("moves 1 3 8", "heat 0.1 0.7"))
		},
	}
}

// A search that shares out its work as it should passes, whatever is drawn.
func TestShapesOfSound(t *testing.T) {
	sloppily(t, "sound", false)
	s, turns := sloppyShapes("sound"), map[int]bool{}
	s.Turn = func(n int) { turns[n] = true }
	CheckShapes(t, s)
	if len(turns) < 10 {
		t.Errorf("it was told of turns %v", turns)
	}
}

// One whose two ways do not know of each other is found, and what is told is the pair of them.
func TestShapesOfSloppy(t *testing.T) {
	sloppily(t, "sloppy", true)
	s := sloppyShapes("sloppy")
	o, err := s.draw("cases=5 seed=3")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for i := range o.cases {
		var sum tally
		p := s.try(t.Context(), o, i, &sum)
		if p == nil {
			continue
		}
		found++
		parts := p.of.parts
		if len(parts) != 2 || parts[0].n != 1 || parts[1].n != 1 || p.iter != 2 ||
			parts[0].set["workers"] != record.Num(1) || parts[1].before != nothing ||
			parts[1].set["workers"] == record.Num(1) || p.of.params["agents"] != record.Num(1) {
			t.Errorf("case %d is not as small as it can be:\n%v", i, p)
		}
		if text := p.String(); !strings.Contains(text, "they part") ||
			!strings.Contains(text, "workers:1") {
			t.Errorf("case %d is told as\n%s", i, text)
		}
	}
	if found == 0 {
		t.Error("nothing was found")
	}
}

// A case that cannot be opened is told too.
func TestShapesOfNothing(t *testing.T) {
	sloppily(t, "none", false)
	s := sloppyShapes("none")
	solvers.Remove("toy", "shared", "none")
	o, err := s.draw("")
	if err != nil {
		t.Fatal(err)
	}
	if p := s.try(t.Context(), o, 0, new(tally)); p == nil || !p.opening {
		t.Errorf("a backend that there is not: %v", p)
	}
}

func TestShapesVar(t *testing.T) {
	t.Parallel()
	s := Shapes{Iterations: 50}
	if o, err := s.draw("seed=7 case=3"); err != nil || o != (draw{7, 6, 50, 3}) {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{"seeds=7", "cases=x", "cases=0", "iterations=-1", "seed"} {
		if _, err := s.draw(bad); err == nil || !strings.Contains(err.Error(), ShapesVar) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
