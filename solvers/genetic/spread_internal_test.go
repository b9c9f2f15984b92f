package genetic

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A playedDevice is one that is none: engines on it are those of the CPU.
type playedDevice struct {
	mu     sync.Mutex
	open   int // engines
	made   int // children
	fails  int // it fails when it has made more; 0: never
	failed bool
	turns  int // that were taken
}

var playedDevices [8]playedDevice

// lostError says that a device is of no more use.
type lostError int

func (e lostError) Error() string { return fmt.Sprintf("device %d fell off the bus", int(e)) }

func (e lostError) LostDevice() (int, bool) { return int(e), true }

// playedEngine is an engine on a device, with some rows and no others.
type playedEngine struct {
	Engine
	on   int
	rows int
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
	e, err := NewCPU(p)
	d.open++
	return &playedEngine{Engine: e, on: p.Env.Devices[0]}, err
}

func (e *playedEngine) Room(tours, births int) error {
	e.rows = max(e.rows, tours+births)
	return e.Engine.Room(tours, births)
}

func (e *playedEngine) Reproduce(ctx context.Context, j Job, births []Birth, out []Made) error {
	d := &playedDevices[e.on]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.made += len(births)
	if d.failed = d.failed || d.fails > 0 && d.made > d.fails; d.failed {
		return lostError(e.on)
	}
	return e.Engine.Reproduce(ctx, j, births, out)
}

func (e *playedEngine) Tour(row int32, tour []int32) error {
	if playedDevices[e.on].failed {
		return lostError(e.on)
	}
	return e.Engine.Tour(row, tour)
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
		d.made, d.fails, d.failed, d.turns = 0, 0, false, 0
	}
}

func registerPlayed(t *testing.T) {
	t.Helper()
	solvers.Register(TournamentOn("cuda", openPlayed))
	t.Cleanup(func() { solvers.Remove("ga", "tournament", "cuda") })
}

// grouped are searches of several groups, which exchange their best.
var grouped = map[string]record.Values{
	"paper": record.Of(
		"population", 34, "groups", 4, "pairing", "half", "origin", "same", "mutants", "all",
		"mutation", 0.3, "move", "random", "moves", 2, "elite", "improved", "exchange_period", 2,
	),
	"best": record.Of("population", 40, "groups", 5, "exchange_period", 1, "moves", 5),
	"nn":   record.Of("population", 32, "groups", 4, "start", "nn", "crossover", "scx"),
	"2opt": record.Of("population", 33, "groups", 4, "start", "2opt", "exchange_period", 3),
	"minima": record.Of("population", 32, "groups", 4, "start", "minima", "minima", 5,
		"minima_generations", 3, "exchange_period", 2),
}

func openGrouped(
	t *testing.T, params record.Values, backend string, devices []int,
) *solvers.Run {
	t.Helper()
	inst, err := datasets.Uniform(31, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Name: "g", Solver: "ga", Variant: "tournament", Backend: backend, Instance: inst, Seed: 3,
		Params: params, Devices: devices,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// generations makes iterations and returns the digest of each; in the middle there are other
// numbers of groups.
func generations(t *testing.T, r *solvers.Run) (out []uint64) {
	t.Helper()
	for it := range 12 {
		if groups := map[int]int{6: 2, 8: 7, 10: 4}[it]; groups > 0 {
			if _, err := r.Set(t.Context(), record.Of("groups", groups), "test"); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Step(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Last().Digest, uint64(1e9*r.Last().Measures[0]))
	}
	return out
}

// Groups have one history on 1, 2, 4 and 8 devices and on the CPU, also where their number changes,
// and each device has its share of the children and of the tours.
func TestGroupsOnSeveralDevices(t *testing.T) {
	registerPlayed(t)
	for name, params := range grouped {
		playing(t)
		cpu := openGrouped(t, params, "cpu", nil)
		want := generations(t, cpu)
		cpu.Close()
		for _, devices := range [][]int{{0}, {0, 1}, {1, 2, 5, 7}, {0, 1, 2, 3, 4, 5, 6, 7}} {
			playing(t)
			r := openGrouped(t, params, "cuda", devices)
			if got := generations(t, r); !slices.Equal(got, want) {
				t.Errorf("%s on %v: %x, on the CPU %x", name, devices, got, want)
			}
			all := 0
			for _, n := range devices {
				all += playedDevices[n].made
			}
			for k, n := range devices {
				d := &playedDevices[n]
				if len(devices) > 1 && d.turns != 12 {
					t.Errorf("%s on %v: %d turns of device %d were taken", name, devices, d.turns, n)
				}
				if k < 4 && d.made < all/len(devices)/3 || k == 7 && d.made > 0 {
					t.Errorf("%s on %v: device %d made %d of %d children", name, devices, n, d.made, all)
				}
			}
			r.Close()
		}
	}
	playing(t)
}

// A device has the tours of its groups, and few others: a population of two devices takes about
// half of what one would need on each.
func TestTourOfGroupsAreShared(t *testing.T) {
	playing(t)
	defer playing(t)
	registerPlayed(t)
	var mu sync.Mutex // devices are opened side by side
	var engines []*playedEngine
	solvers.Remove("ga", "tournament", "cuda")
	solvers.Register(TournamentOn("cuda", func(p *Problem) (Engine, error) {
		e, err := openPlayed(p)
		mu.Lock()
		defer mu.Unlock()
		engines = append(engines, e.(*playedEngine))
		return e, err
	}))
	rows := func(devices ...int) (most int) {
		engines = nil
		r := openGrouped(t, record.Of("population", 400, "groups", 4), "cuda", devices)
		defer r.Close()
		if err := r.Step(t.Context(), 60); err != nil {
			t.Fatal(err)
		}
		for _, e := range engines {
			most = max(most, e.rows)
		}
		return most
	}
	if one, two := rows(0), rows(0, 1); two > one*2/3 {
		t.Errorf("one device has %d tours, and of two one has %d", one, two)
	}
}

// A run that moves between its iterations, and its record, have the same history.
func TestGroupsMove(t *testing.T) {
	registerPlayed(t)
	playing(t)
	cpu := openGrouped(t, grouped["best"], "cpu", nil)
	defer cpu.Close()
	r := openGrouped(t, grouped["best"], "cuda", []int{3})
	var got, want []uint64
	for _, set := range [][]int{{0, 1}, {7}, {0, 1, 2, 3}, {1, 2}} {
		if _, err := r.Move(t.Context(), set, "test"); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for _, x := range []*solvers.Run{r, cpu} {
				if err := x.Step(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
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

// A device that fails in the middle takes only its groups back: they go on on the others, with the
// history that they would have had.
func TestADeviceOfGroupsFails(t *testing.T) {
	registerPlayed(t)
	for name, params := range grouped {
		playing(t)
		cpu := openGrouped(t, params, "cpu", nil)
		want := generations(t, cpu)
		cpu.Close()
		for _, c := range []struct{ devices, fail, left []int }{
			{[]int{0, 1}, []int{1}, []int{0}},
			{[]int{0, 1, 2, 3}, []int{0, 2}, []int{1, 3}},
			{[]int{4}, []int{4}, []int{0}}, // another one of the machine
		} {
			playing(t)
			for _, n := range c.fail {
				playedDevices[n].fails = 60 / len(c.devices)
			}
			r := openGrouped(t, params, "cuda", c.devices)
			if got := generations(t, r); !slices.Equal(got, want) {
				t.Errorf("%s on %v without %v: %x, on the CPU %x", name, c.devices, c.fail, got, want)
			}
			if !slices.Equal(r.Devices(), c.left) || r.State() != solvers.Paused {
				t.Errorf("%s on %v without %v: it is %s on %v: %v", name, c.devices, c.fail, r.State(),
					r.Devices(), r.Err())
			}
			r.Close()
		}
	}
	playing(t)
}
