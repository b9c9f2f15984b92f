package moves

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/devices/played"
	"metalab/solvers/record"
)

// playedEngine is an engine on a device that is played, which counts scans. The code of this
// package makes them.
type playedEngine struct {
	*local
	device played.Engine
	first  int // walks before it are others'
	parts  int // devices that share out each scan
	meet   func([]Found) ([]Found, error)
}

func openPlayed(p *Problem) (Engine, error) {
	d, err := played.Open(p.Env)
	if err != nil {
		return nil, err
	}
	e, err := newLocal(p)
	if err != nil {
		d.Close()
		return nil, err
	}
	return &playedEngine{local: e.(*local), device: d}, nil
}

func (e *playedEngine) Share(first int) { e.first = first }

// worthParts tells which scans played devices share out.
var worthParts = func(Job) bool { return false }

func (e *playedEngine) Worth(j Job) bool { return worthParts(j) }

func (e *playedEngine) Part(_, n int, meet func([]Found) ([]Found, error)) {
	e.parts, e.meet = n, meet
}

func (e *playedEngine) Climb(ctx context.Context, j Job, out []Outcome) error {
	scans := 0
	for a := range out {
		if a < e.first && out[a].Left > 0 {
			return fmt.Errorf("walk %d of another device gets %d scans", a, out[a].Left)
		}
		scans += out[a].Left
	}
	return e.device.Make(scans, func() error {
		for range scans {
			if e.parts < 2 {
				break
			}
			mine := []Found{{All: Choice{Delta: int64(e.device.On)}}}
			all, err := e.meet(mine)
			if err != nil {
				return err
			}
			for k := range all { // devices are in ascending order
				if len(all) != e.parts || k > 0 && all[k].All.Delta <= all[k-1].All.Delta {
					return fmt.Errorf("%d parts have told %v", e.parts, all)
				}
			}
		}
		err := e.local.Climb(ctx, j, out)
		for a := range e.first { // what an engine says of walks that are not its own is of no use
			out[a] = Outcome{Low: -1, Hash: 99, Tally: [5]int64{7}, Left: 5}
		}
		return err
	})
}

func (e *playedEngine) Iterate(ctx context.Context, j Job, out []Outcome) error {
	for a := range out {
		out[a] = NewOutcome(j.Scans)
	}
	return e.Climb(ctx, j, out)
}

func (e *playedEngine) State(walk int, s *State) error {
	if walk < e.first {
		return fmt.Errorf("walk %d is another device's", walk)
	}
	if err := e.device.Read(); err != nil {
		return err
	}
	return e.local.State(walk, s)
}

func (e *playedEngine) Close() { e.device.Close() }

func (e *playedEngine) Turn(ctx context.Context) (func(), bool, error) { return e.device.Turn(ctx) }

func registerPlayed(t *testing.T) {
	for _, on := range []func(string, []datasets.Kind, func(*Problem) (Engine, error)) solvers.Variant{
		TabuOn, HillOn, VNDOn,
	} {
		v := on("cuda", allKinds, openPlayed)
		solvers.Register(v)
		t.Cleanup(func() { solvers.Remove(v.Solver, v.Name, "cuda") })
	}
}

// walking is a search of several walks.
type walking struct {
	solver, instance string
	scans            int
	params           record.Values
}

func (w walking) open(t *testing.T, backend string, devices []int) *solvers.Run {
	t.Helper()
	inst, err := datasets.Load(w.instance)
	if err != nil {
		t.Fatal(err)
	}
	w.params["scans"] = record.Num(float64(w.scans))
	r, err := solvers.Open(solvers.Config{
		Name: "w", Solver: w.solver, Backend: backend, Instance: inst, Seed: 3, Params: w.params,
		Devices: devices,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// walkings are of all problems and solvers. On some walks go from device to device, by exchange.
var walkings = []walking{
	{"tabu", "tai10a", 3, record.Of("walks", 5, "exchange", 2, "aspiration", 20)},
	{"tabu", "ppp-31x33-1", 2, record.Of("walks", 5, "exchange", 1)},
	{"tabu", "rand-9-1", 4, record.Of("walks", 5, "exchange", 3)},
	{"tabu", "queen5_5", 4, record.Of("walks", 5)},
	{"tabu", "weierstrass-2", 2, record.Of("walks", 5, "neighbours", 20, "exchange", 2)},
	{"hill", "tai10a", 9, record.Of("walks", 5, "exchange", 2, "restarts", 3)},
	{"vnd", "rand-9-1", 9, record.Of("walks", 5)},
}

// steps makes iterations and returns the digest of each; from the 4th to the 8th there are other
// numbers of walks.
func steps(t *testing.T, r *solvers.Run) (out []uint64) {
	t.Helper()
	for it := range 10 {
		if walks := map[int]int{3: 2, 5: 7, 8: 5}[it]; walks > 0 {
			if _, err := r.Set(t.Context(), record.Of("walks", walks), "test"); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Step(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Last().Digest)
	}
	return out
}

// Walks have one history on 1, 2, 4 and 8 devices and on the CPU, also where there are fewer walks
// than devices, where their number changes and where the run moves.
func TestWalksOnSeveralDevices(t *testing.T) {
	registerPlayed(t)
	for _, w := range walkings {
		played.Whole(t)
		cpu := w.open(t, "cpu", nil)
		want := steps(t, cpu)
		cpu.Close()
		for _, devices := range [][]int{{0}, {0, 1}, {1, 2, 5, 7}, {0, 1, 2, 3, 4, 5, 6, 7}} {
			played.Whole(t)
			r := w.open(t, "cuda", devices)
			if got := steps(t, r); !slices.Equal(got, want) {
				t.Errorf("%v on %v: %x, on the CPU %x", w, devices, got, want)
			}
			for k, n := range devices {
				d := &played.Devices[n]
				// There are 7 walks at most, and those of hill may all have ended.
				if w.solver != "hill" && (d.Made == 0) != (k > 6) ||
					len(devices) > 1 && d.Turns == 0 && d.Made > 0 {
					t.Errorf("%v on %v: device %d made %d scans in %d turns", w, devices, n, d.Made, d.Turns)
				}
			}
			if w.solver == "tabu" && slices.Equal(devices, []int{0, 1}) {
				if a, b := played.Devices[0].Made/w.scans, played.Devices[1].Made/w.scans; a != 21 || b != 29 {
					t.Errorf("%v: two devices made %d and %d walks' iterations, want 21 and 29", w, a, b)
				}
			}
			r.Close()
		}
	}
	played.Whole(t)
}

// search is w as the checks of devices know it: devices fail in an iteration between the second and
// the sixth.
func (w walking) search() played.Search {
	return played.Search{
		Name: fmt.Sprint(w), Open: w.open, History: steps, Fails: w.scans * 20 * 2 / 3,
	}
}

// A run that moves between its iterations, and its record, have the same history.
func TestWalksMove(t *testing.T) {
	registerPlayed(t)
	walkings[0].search().Moves(t)
}

// Where a device fails in the middle the walks go on on the others, with the history that they
// would have had.
func TestADeviceOfWalksFails(t *testing.T) {
	registerPlayed(t)
	for _, w := range walkings {
		w.search().Loses(t)
	}
}

// stopping ends its context in the middle of an iteration.
type stopping struct {
	*playedEngine
	stop *context.CancelFunc
}

func (e *stopping) Climb(ctx context.Context, j Job, out []Outcome) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	(*e.stop)()
	return e.playedEngine.Climb(ctx, j, out)
}

// threeWalks is a spread of three walks on three devices, whose engines end an iteration's context
// by stop, and a way to make an iteration.
func threeWalks(
	t *testing.T, stop *context.CancelFunc,
) (x *spread, iterate func(context.Context) error) {
	t.Helper()
	inst, err := datasets.Load("tai10a")
	if err != nil {
		t.Fatal(err)
	}
	env := &solvers.Env{Seed: 3, Pool: solvers.NewPool(1), Devices: []int{0, 1, 2}}
	x, err = newSpread(&Problem{Instance: inst, Seed: 3, Env: env}, func(p *Problem) (Engine, error) {
		e, err := openPlayed(p)
		if err != nil {
			return nil, err
		}
		return &stopping{e.(*playedEngine), stop}, nil
	}, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := makeTabu(inst, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Init(&solvers.Env{Seed: 3, Pool: solvers.NewPool(1)}); err != nil {
		t.Fatal(err)
	}
	states := []State{s.all[0].state(), s.all[0].state(), s.all[0].state()}
	if err := x.Load(states); err != nil {
		t.Fatal(err)
	}
	return x, func(ctx context.Context) error {
		return x.Iterate(ctx, Job{Scans: 2, Tenures: "fixed", Tenure: 3}, make([]Outcome, 3))
	}
}

// An iteration is made by all devices or by none: one that is given up while some have begun is
// made by the others too.
func TestWalksAreNotCutApart(t *testing.T) {
	played.Whole(t)
	ctx, stop := context.WithCancel(t.Context())
	x, iterate := threeWalks(t, &stop)
	if err := iterate(ctx); err != nil {
		t.Fatal(err)
	}
	if err := iterate(ctx); err == nil {
		t.Error("an iteration began after it was given up")
	}
	if n := played.Devices[0].Made + played.Devices[1].Made + played.Devices[2].Made; n != 6 {
		t.Errorf("%d scans were made, want 6", n)
	}
	x.Close()
	played.Whole(t)
}

// Where some devices have made an iteration and another has not, the walks are of no use: they are
// neither read nor moved before they are loaded again.
func TestWalksAreLostTogether(t *testing.T) {
	played.Whole(t)
	stop := context.CancelFunc(func() {})
	x, iterate := threeWalks(t, &stop)
	state := State{Now: record.Solution{Perm: make([]int32, 10)}, Until: make([]int64, 100)}
	state.Top = state.Now.Clone()
	if err := errors.Join(iterate(t.Context()), x.State(0, &state)); err != nil {
		t.Fatal(err)
	}
	played.Devices[1].Failed = true
	for range 2 {
		var lost played.Lost
		if err := iterate(t.Context()); !errors.As(err, &lost) {
			t.Errorf("an iteration without a device: %v", err)
		}
		played.Devices[1].Failed = false
	}
	if err := x.State(0, &state); err == nil {
		t.Error("a walk was read that is ahead of the others")
	}
	x.Close()
	played.Whole(t)
}
