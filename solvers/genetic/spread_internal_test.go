package genetic

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/devices/played"
	"metalab/solvers/record"
)

// playedEngine is an engine on a device that is played, with some rows and no others; the device
// counts children.
type playedEngine struct {
	Engine
	device played.Engine
	rows   int
}

func openPlayed(p *Problem) (Engine, error) {
	d, err := played.Open(p.Env)
	if err != nil {
		return nil, err
	}
	e, err := NewCPU(p)
	return &playedEngine{Engine: e, device: d}, err
}

func (e *playedEngine) Room(tours, births int) error {
	e.rows = max(e.rows, tours+births)
	return e.Engine.Room(tours, births)
}

func (e *playedEngine) Reproduce(ctx context.Context, j Job, births []Birth, out []Made) error {
	return e.device.Make(len(births), func() error { return e.Engine.Reproduce(ctx, j, births, out) })
}

func (e *playedEngine) Tour(row int32, tour []int32) error {
	if err := e.device.Read(); err != nil {
		return err
	}
	return e.Engine.Tour(row, tour)
}

func (e *playedEngine) Close() { e.device.Close() }

func (e *playedEngine) Turn(ctx context.Context) (func(), bool, error) { return e.device.Turn(ctx) }

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
		played.Whole(t)
		cpu := openGrouped(t, params, "cpu", nil)
		want := generations(t, cpu)
		cpu.Close()
		for _, devices := range [][]int{{0}, {0, 1}, {1, 2, 5, 7}, {0, 1, 2, 3, 4, 5, 6, 7}} {
			played.Whole(t)
			r := openGrouped(t, params, "cuda", devices)
			if got := generations(t, r); !slices.Equal(got, want) {
				t.Errorf("%s on %v: %x, on the CPU %x", name, devices, got, want)
			}
			all := 0
			for _, n := range devices {
				all += played.Devices[n].Made
			}
			for k, n := range devices {
				d := &played.Devices[n]
				if len(devices) > 1 && d.Turns != 12 {
					t.Errorf("%s on %v: %d turns of device %d were taken", name, devices, d.Turns, n)
				}
				if k < 4 && d.Made < all/len(devices)/3 || k == 7 && d.Made > 0 {
					t.Errorf("%s on %v: device %d made %d of %d children", name, devices, n, d.Made, all)
				}
			}
			r.Close()
		}
	}
	played.Whole(t)
}

// A device has the tours of its groups, and few others: a population of two devices takes about
// half of what one would need on each.
func TestTourOfGroupsAreShared(t *testing.T) {
	played.Whole(t)
	defer played.Whole(t)
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

// groupings are grouped as the checks of devices know them.
func groupings() (all []played.Search) {
	for _, name := range slices.Sorted(maps.Keys(grouped)) {
		all = append(all, played.Search{
			Name: name, History: generations, Fails: 60,
			Open: func(t *testing.T, backend string, devices []int) *solvers.Run {
				return openGrouped(t, grouped[name], backend, devices)
			},
		})
	}
	return all
}

// A run that moves between its iterations, and its record, have the same history.
func TestGroupsMove(t *testing.T) {
	registerPlayed(t)
	groupings()[1].Moves(t)
}

// Where a device fails in the middle the groups go on on the others, with the history that they
// would have had.
func TestADeviceOfGroupsFails(t *testing.T) {
	registerPlayed(t)
	for _, s := range groupings() {
		s.Loses(t)
	}
}
