package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

// onGPU is a search that says it runs on a GPU. Two at a time on one are an error.
type onGPU struct {
	*toy.Search
	env *solvers.Env
}

var (
	busy     [3]atomic.Int32 // by number of the GPU
	bothWork = sync.OnceFunc(func() { close(both) })
	both     = make(chan struct{}) // closed once two GPUs work side by side
)

// errBroken leaves a GPU unusable.
var errBroken = errors.New("illegal address")

func init() {
	toy.Register()
	v := solvers.Variant{
		Solver: "toy", Name: "swap", Backend: "cuda", Revision: 1, Deterministic: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Title: "random exchanges",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return &onGPU{Search: toy.New(inst.(*datasets.TSP))}, nil
		},
	}
	solvers.Register(v)
}

func (s *onGPU) Init(env *solvers.Env) error {
	s.env = env
	return s.Search.Init(env)
}

func (s *onGPU) Iterate(ctx context.Context, it int64, p *record.Point) error {
	n := s.env.Devices[0]
	if n > 0 {
		defer busy[n].Add(-1)
		if busy[n].Add(1) > 1 {
			return fmt.Errorf("two units on GPU %d", n)
		}
		if busy[3-n].Load() > 0 {
			bothWork()
		}
		select {
		case <-both:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if s.Moves == 7 && it == 3 {
		return errBroken
	}
	return s.Search.Iterate(ctx, it, p)
}

// onBoth is a plan of a search on the processor and on GPUs, 6 units each.
func onBoth() experiment.Plan {
	return experiment.Plan{
		Settings: []experiment.Setting{
			{Solver: "toy", Variant: "swap"}, {Solver: "toy", Variant: "swap", Backend: "cuda"},
		},
		Instances: []string{"rand-60-1"}, Seeds: 6, First: 1, Budget: record.Budget{Iterations: 5},
	}
}

// begun is a store with the units of a plan.
func begun(t *testing.T, p experiment.Plan) *experiment.Memory {
	t.Helper()
	s := &experiment.Memory{}
	units, err := p.Units(t.Context(), load)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(t.Context(), "e", p, units); err != nil {
		t.Fatal(err)
	}
	return s
}

// Units of GPUs are shared out over all, one at a time on each, and name it. Where there is none
// they wait, and the others are made.
func TestUnitsOfGPUs(t *testing.T) {
	t.Parallel()
	s := begun(t, onBoth())
	none := experiment.Options{
		Load: load, GPUs: func() ([]int, error) { return nil, errors.New("no driver") },
	}
	info, err := experiment.Make(t.Context(), s, "e", none)
	if err != nil || info.Done != 6 || info.Failed != 0 || info.Left() != 6 {
		t.Fatalf("without a GPU: %+v, %v", info, err)
	}
	two := experiment.Options{
		Load: load, GPUs: func() ([]int, error) { return []int{1, 2}, nil },
		Device: func(n int) string { return fmt.Sprintf("GPU number %d", n) },
	}
	info, err = experiment.Make(t.Context(), s, "e", two)
	if err != nil || info.Done != 12 || info.Failed != 0 {
		t.Fatalf("with two: %+v, %v", info, err)
	}
	groups, err := experiment.Groups(s.Rows(t.Context(), "e"))
	if err != nil || len(groups) != 2 {
		t.Fatalf("%d groups, %v", len(groups), err)
	}
	d := strings.Join(groups[1].Devices, "; ")
	if len(groups[1].Devices) != 2 || !strings.Contains(d, "GPU number 1") ||
		!strings.Contains(d, "GPU number 2") {
		t.Errorf("devices %q", d)
	}
	for i := range groups[0].Done { // the same draws
		if a, b := groups[0].Done[i].Result, groups[1].Done[i].Result; a.Best != b.Best {
			t.Errorf("seed %d: %v on the processor, %v on a GPU", i+1, a.Best, b.Best)
		}
	}
}

// A GPU that fails for good makes one unit fail, and no more.
func TestLostGPU(t *testing.T) {
	t.Parallel()
	p := onBoth()
	p.Grid = []experiment.Axis{{Name: "moves", Values: []record.Value{record.Num(3), record.Num(7)}}}
	s := begun(t, p)
	o := experiment.Options{
		Load: load, Workers: 1, Lost: func(err error) bool { return errors.Is(err, errBroken) },
	}
	info, err := experiment.Make(t.Context(), s, "e", o)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := experiment.Groups(s.Rows(t.Context(), "e"))
	if err != nil {
		t.Fatal(err)
	}
	failed, left := 0, 0
	for _, g := range groups {
		if g.Backend == "cuda" {
			failed, left = failed+g.Failed, left+g.Left
		} else if g.Left > 0 {
			t.Errorf("%s: %d units are left", g.Label, g.Left)
		}
	}
	if failed != 1 || left != 10 || info.Left() != 10 {
		t.Errorf("%d units failed on the GPU, want 1, and %d of %d are left, want 10", failed, left,
			info.Left())
	}
}
