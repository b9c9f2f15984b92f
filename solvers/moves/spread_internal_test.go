package moves

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A playedDevice is one that is none: engines on it make scans by the code of this package.
type playedDevice struct {
	mu     sync.Mutex
	open   int // engines
	scans  int // that were made
	fails  int // it fails in the iteration in which it has made more scans than that; 0: never
	failed bool
	turns  int // that are taken
}

var playedDevices [8]playedDevice

// lostError says that a device is of no more use.
type lostError int

func (e lostError) Error() string { return fmt.Sprintf("device %d fell off the bus", int(e)) }

func (e lostError) LostDevice() (int, bool) { return int(e), true }

// playedEngine is an engine on a device.
type playedEngine struct {
	*local
	on    int
	first int // walks before it are others'
}

func openPlayed(p *Problem) (Engine, error) {
	if p.Env.Devices == nil { // the first that works
		at := 0
		for playedDevices[at].failed {
			at++
		}
		p.Env.Devices = []int{at}
	}
	d := &playedDevices[p.Env.Devices[0]]
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed {
		return nil, lostError(p.Env.Devices[0])
	}
	e, err := newLocal(p)
	if err != nil {
		return nil, err
	}
	d.open++
	return &playedEngine{local: e.(*local), on: p.Env.Devices[0]}, nil
}

func (e *playedEngine) Share(first int) { e.first = first }

func (e *playedEngine) Climb(ctx context.Context, j Job, out []Outcome) error {
	d := &playedDevices[e.on]
	d.mu.Lock()
	defer d.mu.Unlock()
	for a := range out {
		if a < e.first && out[a].Left > 0 {
			return fmt.Errorf("walk %d of another device gets %d scans", a, out[a].Left)
		}
		d.scans += out[a].Left
	}
	if d.failed = d.failed || d.fails > 0 && d.scans > d.fails; d.failed {
		return lostError(e.on)
	}
	err := e.local.Climb(ctx, j, out)
	for a := range e.first { // what an engine says of walks that are not its own is of no use
		out[a] = Outcome{Low: -1, Hash: 99, Tally: [5]int64{7}, Left: 5}
	}
	return err
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
	if playedDevices[e.on].failed {
		return lostError(e.on)
	}
	return e.local.State(walk, s)
}

func (e *playedEngine) Close() { playedDevices[e.on].open-- }

func (e *playedEngine) Turn(context.Context) (func(), bool, error) {
	playedDevices[e.on].turns++
	return func() {}, false, nil
}

// playing makes all devices whole again, for a test that is alone with them.
func playing(t *testing.T) {
	t.Helper()
	for i := range playedDevices {
		d := &playedDevices[i]
		if d.open != 0 {
			t.Errorf("%d engines are still open on device %d", d.open, i)
		}
		d.scans, d.fails, d.failed, d.turns = 0, 0, false, 0
	}
}

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
		playing(t)
		cpu := w.open(t, "cpu", nil)
		want := steps(t, cpu)
		cpu.Close()
		for _, devices := range [][]int{{0}, {0, 1}, {1, 2, 5, 7}, {0, 1, 2, 3, 4, 5, 6, 7}} {
			playing(t)
			r := w.open(t, "cuda", devices)
			if got := steps(t, r); !slices.Equal(got, want) {
				t.Errorf("%v on %v: %x, on the CPU %x", w, devices, got, want)
			}
			for k, n := range devices {
				d := &playedDevices[n]
				// There are 7 walks at most, and those of hill may all have ended.
				if w.solver != "hill" && (d.scans == 0) != (k > 6) ||
					len(devices) > 1 && d.turns == 0 && d.scans > 0 {
					t.Errorf("%v on %v: device %d made %d scans in %d turns", w, devices, n, d.scans, d.turns)
				}
			}
			if w.solver == "tabu" && slices.Equal(devices, []int{0, 1}) {
				if a, b := playedDevices[0].scans/w.scans, playedDevices[1].scans/w.scans; a != 21 || b != 29 {
					t.Errorf("%v: two devices made %d and %d walks' iterations, want 21 and 29", w, a, b)
				}
			}
			r.Close()
		}
	}
	playing(t)
}

// A run that moves between its iterations, and its record, have the same history.
func TestWalksMove(t *testing.T) {
	registerPlayed(t)
	playing(t)
	w := walkings[0]
	cpu := w.open(t, "cpu", nil)
	defer cpu.Close()
	r := w.open(t, "cuda", []int{3})
	var got, want []uint64
	for _, set := range [][]int{{0, 1}, {7}, {0, 1, 2, 3}, {1, 2}} {
		if _, err := r.Move(t.Context(), set, "test"); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := errors.Join(r.Step(t.Context(), 1), cpu.Step(t.Context(), 1)); err != nil {
				t.Fatal(err)
			}
			got, want = append(got, r.Last().Digest), append(want, cpu.Last().Digest)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("moved: %x, on the CPU %x", got, want)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []solvers.ReplayOptions{
		{Backend: "cpu"},
		{Backend: "cuda", Devices: []int{4}},
		{Backend: "cuda", Devices: []int{2, 5, 6}},
	} {
		if d, err := solvers.Replay(t.Context(), rec, r.Instance(), o); err != nil || d != nil {
			t.Errorf("replay on %s %v: %v, %v", o.Backend, o.Devices, d, err)
		}
	}
	r.Close()
	playing(t)
}

// A device that fails in the middle takes only its walks back: they go on on the others, with the
// history that they would have had.
func TestADeviceOfWalksFails(t *testing.T) {
	registerPlayed(t)
	for _, w := range walkings {
		playing(t)
		cpu := w.open(t, "cpu", nil)
		want := steps(t, cpu)
		cpu.Close()
		for _, c := range []struct{ devices, fail, left []int }{
			{[]int{0, 1}, []int{1}, []int{0}},
			{[]int{0, 1, 2, 3}, []int{0, 2}, []int{1, 3}},
			{[]int{4}, []int{4}, []int{0}}, // another one of the machine
		} {
			playing(t)
			for _, n := range c.fail {
				// In an iteration between the second and the sixth.
				playedDevices[n].fails = w.scans * 20 / len(c.devices) * 2 / 3
			}
			r := w.open(t, "cuda", c.devices)
			if got := steps(t, r); !slices.Equal(got, want) {
				t.Errorf("%v on %v without %v: %x, on the CPU %x", w, c.devices, c.fail, got, want)
			}
			if !slices.Equal(r.Devices(), c.left) || r.State() != solvers.Paused {
				t.Errorf("%v on %v without %v: it is %s on %v: %v", w, c.devices, c.fail, r.State(),
					r.Devices(), r.Err())
			}
			r.Close()
		}
	}
	playing(t)
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
	playing(t)
	ctx, stop := context.WithCancel(t.Context())
	x, iterate := threeWalks(t, &stop)
	if err := iterate(ctx); err != nil {
		t.Fatal(err)
	}
	if err := iterate(ctx); err == nil {
		t.Error("an iteration began after it was given up")
	}
	if n := playedDevices[0].scans + playedDevices[1].scans + playedDevices[2].scans; n != 6 {
		t.Errorf("%d scans were made, want 6", n)
	}
	x.Close()
	playing(t)
}

// Where some devices have made an iteration and another has not, the walks are of no use: they are
// neither read nor moved before they are loaded again.
func TestWalksAreLostTogether(t *testing.T) {
	playing(t)
	stop := context.CancelFunc(func() {})
	x, iterate := threeWalks(t, &stop)
	state := State{Now: record.Solution{Perm: make([]int32, 10)}, Until: make([]int64, 100)}
	state.Top = state.Now.Clone()
	if err := errors.Join(iterate(t.Context()), x.State(0, &state)); err != nil {
		t.Fatal(err)
	}
	playedDevices[1].failed = true
	for range 2 {
		var lost lostError
		if err := iterate(t.Context()); !errors.As(err, &lost) {
			t.Errorf("an iteration without a device: %v", err)
		}
		playedDevices[1].failed = false
	}
	if err := x.State(0, &state); err == nil {
		t.Error("a walk was read that is ahead of the others")
	}
	x.Close()
	playing(t)
}
