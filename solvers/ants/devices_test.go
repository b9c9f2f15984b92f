package ants_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
)

// A played is a device that is none: crews on it are those of the CPU.
type played struct {
	turns  sync.Mutex
	crews  atomic.Int32 // that are open
	made   atomic.Int32 // constructions
	failed atomic.Bool
	after  atomic.Int32 // it fails in the construction after so many; 0: never
}

const mostPlayed = 8

var playedDevices [mostPlayed]played

// A lostError says that a played device is of no more use.
type lostError int

func (e lostError) Error() string { return fmt.Sprintf("device %d fell off the bus", int(e)) }

func (e lostError) LostDevice() (int, bool) { return int(e), true }

// playedCrew is a crew on a played device.
type playedCrew struct {
	crew.Crew
	on int
}

func openPlayed(s *crew.Setup) (crew.Crew, error) {
	if s.Env.Devices == nil { // the first that works
		i := -1
		for k := range playedDevices {
			if i < 0 && !playedDevices[k].failed.Load() {
				i = k
			}
		}
		s.Env.Devices = []int{i}
	}
	on := s.Env.Devices[0]
	d := &playedDevices[on]
	if d.failed.Load() {
		return nil, lostError(on)
	}
	c, err := cpu.Open(s, cpu.WRS)
	if err != nil {
		return nil, err
	}
	d.crews.Add(1)
	return &playedCrew{c, on}, nil
}

func (c *playedCrew) Close() {
	playedDevices[c.on].crews.Add(-1)
	c.Crew.Close()
}

func (c *playedCrew) Construct(ctx context.Context, it int64, improve int, o *crew.Tours) error {
	d := &playedDevices[c.on]
	if n := d.made.Add(1); d.failed.Load() || d.after.Load() > 0 && n > d.after.Load() {
		d.failed.Store(true)
		return lostError(c.on)
	}
	return c.Crew.Construct(ctx, it, improve, o)
}

func (c *playedCrew) Turn(context.Context) (func(), bool, error) {
	waited := !playedDevices[c.on].turns.TryLock()
	if waited {
		playedDevices[c.on].turns.Lock()
	}
	return playedDevices[c.on].turns.Unlock, waited, nil
}

var playedOnce = sync.OnceFunc(func() {
	solvers.Register(ants.On(ants.Backend{
		Name: "cuda", Open: openPlayed, Tiles: tiles.NewCPU, SearchOnHost: true,
	}, "mmas", "wrs"))
})

// play makes all played devices whole again, for a test that is alone with them.
func play(t *testing.T) {
	playedOnce()
	for i := range playedDevices {
		d := &playedDevices[i]
		d.made.Store(0)
		d.after.Store(0)
		d.failed.Store(false)
	}
	t.Cleanup(func() {
		for i := range playedDevices {
			if n := playedDevices[i].crews.Load(); n != 0 {
				t.Errorf("%d crews are still open on device %d", n, i)
			}
		}
	})
}

func openOn(t *testing.T, backend string, devices []int, colonies int) *solvers.Run {
	t.Helper()
	inst, err := datasets.Uniform(50, 2)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Solver: "mmas", Variant: "wrs", Backend: backend, Instance: inst, Seed: 3, Devices: devices,
		Params: record.Of("ants", 4, "colonies", colonies, "exchange_period", 3, "local_search", "none"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// history makes iterations and returns the digest of each.
func history(t *testing.T, r *solvers.Run, n int) (out []uint64) {
	t.Helper()
	for p, err := range r.Steps(t.Context(), n) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p.Digest)
	}
	return out
}

func upTo(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

// A run has one history on 1, 2, 4 and 8 devices and on the CPU, also where it moves between them,
// and all devices have their share.
func TestOneHistoryOnAnyDevices(t *testing.T) {
	play(t)
	on := openOn(t, "cpu", nil, 8)
	want := history(t, on, 12)
	on.Close()
	for _, n := range []int{1, 2, 4, 8} {
		play(t)
		r := openOn(t, "cuda", upTo(n), 8)
		got := history(t, r, 12)
		r.Close()
		if !slices.Equal(got, want) {
			t.Errorf("on %d devices: %x, on the CPU %x", n, got, want)
		}
		for i := range playedDevices {
			share := 0
			if i < n {
				share = 12 * 8 / n
			}
			if made := int(playedDevices[i].made.Load()); made != share {
				t.Errorf("of %d devices number %d made %d constructions, want %d", n, i, made, share)
			}
		}
	}
	r := openOn(t, "cuda", []int{5}, 8)
	defer r.Close()
	var got []uint64
	for _, set := range [][]int{{0, 1}, {7}, {0, 1}, upTo(8)} {
		if _, err := r.Move(t.Context(), set, "test"); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Devices(), set) {
			t.Errorf("the run is on %v, want %v", r.Devices(), set)
		}
		got = append(got, history(t, r, 3)...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("moved: %x, on the CPU %x", got, want)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c := rec.Journal[1]; c.Name != solvers.DevicesName || c.Iter != 3 || c.Old.String() != "0,1" ||
		c.New.String() != "7" {
		t.Errorf("the journal has %+v", c)
	}
	for _, backend := range []string{"", "cpu"} {
		d, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{Backend: backend})
		if err != nil || d != nil {
			t.Errorf("replay on %q: %v, %v", backend, d, err)
		}
	}
	if _, err := on.Move(t.Context(), []int{1}, "test"); err == nil {
		t.Error("a closed run moved")
	}
}

// changed makes iterations with a change of a parameter between them, and returns their digests.
func changed(t *testing.T, r *solvers.Run) []uint64 {
	t.Helper()
	out := history(t, r, 4)
	if _, err := r.Set(t.Context(), record.Of("rho", 0.5), "test"); err != nil {
		t.Fatal(err)
	}
	return append(out, history(t, r, 11)...)
}

// A device that fails in the middle leaves its runs on the others, with the history that they would
// have had, and runs elsewhere alone.
func TestAFailedDeviceLeavesItsRuns(t *testing.T) {
	for _, c := range []struct {
		devices, fail, want []int
	}{
		{[]int{0, 1}, []int{1}, []int{0}},
		{[]int{0, 1, 2, 3}, []int{0}, []int{1, 2, 3}},
		{[]int{0, 1, 2}, []int{1, 2}, []int{0}},
		{[]int{0}, []int{0}, []int{1}}, // another one of the machine
	} {
		play(t)
		cpu := openOn(t, "cpu", nil, 4)
		want := changed(t, cpu)
		if _, err := cpu.Move(t.Context(), []int{0}, "test"); !errors.Is(err, solvers.ErrNoDevices) {
			t.Errorf("move of a run on the CPU: %v", err)
		}
		cpu.Close()
		after := int32(28 / len(c.devices)) // in the 7th iteration
		for _, d := range c.fail {
			playedDevices[d].after.Store(after)
		}
		r := openOn(t, "cuda", c.devices, 4)
		if _, err := r.Set(t.Context(), record.Of("beta", 3), "test"); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Set(t.Context(), record.Of("beta", 2), "test"); err != nil {
			t.Fatal(err)
		}
		if got := changed(t, r); !slices.Equal(got, want) {
			t.Errorf("%v without %v: %x, want %x", c.devices, c.fail, got, want)
		}
		if !slices.Equal(r.Devices(), c.want) {
			t.Errorf("%v without %v: the run is on %v, want %v", c.devices, c.fail, r.Devices(), c.want)
		}
		if r.State() != solvers.Paused {
			t.Errorf("%v without %v: the run is %s: %v", c.devices, c.fail, r.State(), r.Err())
		}
		r.Close()
	}
	// A fork goes on from its own beginning.
	play(t)
	r := openOn(t, "cuda", []int{0}, 2)
	defer r.Close()
	history(t, r, 5)
	f, err := r.Fork(t.Context(), solvers.Fork{
		Name: "f", Devices: []int{1}, With: record.Of("colonies", 3, "beta", 3),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := r.Fork(t.Context(), solvers.Fork{
		Name: "g", Backend: "cpu", With: record.Of("colonies", 3, "beta", 3),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	playedDevices[1].after.Store(playedDevices[1].made.Load() + 10)
	if a, b := history(t, f, 8), history(t, g, 8); !slices.Equal(a, b) {
		t.Errorf("a fork whose device failed has %x, want %x", a, b)
	}
	if s := solvers.DevicesText(f.Devices()); s == "1" {
		t.Error("the fork is on the device that failed")
	}
}

// Islands on devices have the CPU's history, on whichever they are, and go on where one fails.
func TestIslandsOnDevices(t *testing.T) {
	open := func(backend string, devices []int, colonies int) *solvers.Run {
		inst, err := datasets.Uniform(50, 2)
		if err != nil {
			t.Fatal(err)
		}
		r, err := solvers.Open(solvers.Config{
			Solver: "mmas", Variant: "wrs", Backend: backend, Instance: inst, Seed: 3, Devices: devices,
			Params: record.Of("ants", 3, "colonies", colonies, "exchange_period", 3, "islands", 3,
				"migration_period", 2, "local_search", "none"),
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		devices  []int
		colonies int
		want     []int
	}{
		{nil, 1, []int{0}},
		{[]int{5}, 1, []int{5}},
		{[]int{0, 1}, 1, []int{0, 1}},
		{[]int{0, 1}, 2, []int{0, 1}},
	} {
		play(t)
		cpu := open("cpu", nil, c.colonies)
		want := history(t, cpu, 12)
		cpu.Close()
		for _, fails := range []bool{false, true} {
			play(t)
			r := open("cuda", c.devices, c.colonies)
			if !slices.Equal(r.Devices(), c.want) {
				t.Errorf("%v, %d colonies: the run is on %v", c.devices, c.colonies, r.Devices())
			}
			if fails {
				playedDevices[c.want[0]].after.Store(13)
			}
			if got := history(t, r, 12); !slices.Equal(got, want) {
				t.Errorf("%v, %d colonies, fails %t: %x, on the CPU %x", c.devices, c.colonies, fails, got,
					want)
			}
			if fails == slices.Contains(r.Devices(), c.want[0]) {
				t.Errorf("%v, %d colonies, fails %t: the run is on %v", c.devices, c.colonies, fails,
					r.Devices())
			}
			r.Close()
		}
	}
}

// One island of several colonies is the run without islands, with its measures.
func TestOneIslandOfColonies(t *testing.T) {
	var last [2]record.Point
	for i, params := range []record.Values{{}, record.Of("islands", 1)} {
		for name, v := range record.Of("ants", 3, "colonies", 3, "exchange_period", 2,
			"local_search", "none") {
			params[name] = v
		}
		inst, err := datasets.Uniform(50, 2)
		if err != nil {
			t.Fatal(err)
		}
		r, err := solvers.Open(solvers.Config{
			Solver: "mmas", Variant: "wrs", Instance: inst, Seed: 3, Params: params,
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Step(t.Context(), 20); err != nil {
			t.Fatal(err)
		}
		last[i] = r.Last()
		rec, err := r.Record(t.Context())
		if err != nil || !slices.Contains(rec.Header.Measures, "received") {
			t.Errorf("%v: measures %v, %v", params, rec.Header.Measures, err)
		}
		r.Close()
	}
	if !slices.Equal(last[0].Measures, last[1].Measures) || last[0].Best != last[1].Best {
		t.Errorf("one island is at %+v, the run without at %+v", last[1], last[0])
	}
}

// Runs that share devices, each with several, do not wait for each other for ever.
func TestSharedDevicesAreTakenInOrder(t *testing.T) {
	play(t)
	var wg sync.WaitGroup
	for _, set := range [][]int{{0, 1, 2}, {1, 2}, {0, 2}, {0, 1, 2}} {
		r := openOn(t, "cuda", set, 3)
		defer r.Close()
		wg.Go(func() {
			if err := r.Step(t.Context(), 20); err != nil {
				t.Error(err)
			}
			runtime.Gosched()
		})
	}
	wg.Wait()
}

// Seeds of a repeat are made on all its devices, with the results that they have on the CPU.
func TestRepeatOverDevices(t *testing.T) {
	play(t)
	r := openOn(t, "cuda", []int{0}, 1)
	defer r.Close()
	on := openOn(t, "cpu", nil, 1)
	defer on.Close()
	q := solvers.Repeats{Seeds: 8, Budget: record.Budget{Iterations: 20}, Devices: []int{1, 3}}
	a, _, err := r.Repeat(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := on.Repeat(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Seeds {
		if a.Seeds[i].Digest != b.Seeds[i].Digest {
			t.Errorf("seed %d: %x on devices, %x on the CPU", a.Seeds[i].Seed, a.Seeds[i].Digest,
				b.Seeds[i].Digest)
		}
	}
	for i := range 4 {
		made := playedDevices[i].made.Load()
		if on := i == 1 || i == 3; on != (made > 0) {
			t.Errorf("device %d made %d constructions", i, made)
		}
	}
}

func TestParseDevices(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0", "0"},
		{"1,0", "0,1"},
		{"3, 1,3", "1,3"},
		{"", "error"},
		{"-1", "error"},
		{"a", "error"},
		{"0,", "error"},
		{"0;1", "error"},
		{"99999", "error"},
	} {
		got, err := solvers.ParseDevices(c.text)
		text := solvers.DevicesText(got)
		if err != nil {
			text = "error"
		}
		if text != c.want {
			t.Errorf("%q: %s, want %s", c.text, text, c.want)
		}
	}
}
