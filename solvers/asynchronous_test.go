package solvers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

// Islands that do not wait are held to the laws, in an order of arrival that is drawn; see
// export_test.go. It leaves none out of those that take in solutions.
func TestAsynchronousConform(t *testing.T) {
	t.Parallel()
	narrow := map[string][2]float64{
		"migration_period": {1, 4}, "migration_delay": {0, 3}, "migrants": {1, 2}, "islands": {1, 4},
		"population": {8, 12}, "groups": {1, 2}, "ants": {2, 4}, "moves": {1, 20}, "minima": {1, 2},
		"minima_generations": {1, 2}, "children": {1, 4}, "longest": {4, 100}, "round": {1, 8},
		"kicks": {1, 8}, "chains": {1, 3}, "size": {1, 20}, "pool": {0, 8}, "local_kicks": {1, 4},
		"cycle": {0, 10}, "min_new": {1, 8}, "reach": {1, 8},
	}
	inst, err := datasets.Uniform(48, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		solver, variant string
		params          record.Values
	}{
		{"ga", "tournament", record.Of("population", 8, "groups", 1)},
		{"ils", "2opt-rounds", record.Of("chains", 2, "kicks", 4)},
		{"mmas", "scan", record.Of("ants", 2, "local_search", "none", "migration_policy", "all")},
		{"acs", "seq", record.Of("ants", 2, "local_search", "none", "migration_topology", "star")},
	} {
		if testing.Short() && i > 0 {
			continue
		}
		t.Run(c.solver+"/"+c.variant, func(t *testing.T) {
			params := record.Of("islands", 3, "migration_period", 2, "migration_mode", "async")
			for n, v := range c.params {
				params[n] = v
			}
			conform.Check(t, conform.Case{
				Solver: c.solver, Variant: c.variant, Instance: inst, Seed: 7, Params: params,
				Iterations: 8, Trials: 6, Ranges: narrow, Presets: []string{"default"},
				Structural: []record.Values{record.Of("islands", 2), record.Of("islands", 5)},
			})
			takesIn(t, c.solver, c.variant, inst, params)
		})
	}
}

// openLive opens a run whose islands come as they do.
func openLive(t testing.TB, inst datasets.Instance, params record.Values) *solvers.Run {
	r, err := solvers.Open(solvers.Config{
		Name: solvers.Live, Solver: "ga", Variant: "tournament", Instance: inst, Seed: 7, Params: params,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The record of islands that came as they did replays, as that of each island does, whatever was
// done in the middle: changes, modes, steps that were given up, forks, and going through files.
func TestAsynchronousReplay(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	inst, err := datasets.Uniform(40, 1)
	if err != nil {
		t.Fatal(err)
	}
	trials, orders := 0, map[string]bool{}
	rapid.Check(t, func(rt *rapid.T) {
		if trials++; trials > 40 && !t.Failed() {
			return
		}
		one := func(name string, of ...string) record.Value {
			return record.Text(rapid.SampledFrom(of).Draw(rt, name))
		}
		number := func(name string, from, to int) record.Value {
			return record.Num(float64(rapid.IntRange(from, to).Draw(rt, name)))
		}
		draw := func() record.Values {
			return record.Values{
				"migration_topology": one("topology", "ring", "all", "star", "best"),
				"migration_policy":   one("policy", "better", "best", "all"),
				"migration_mode":     one("mode", "async", "async", "sync"),
				"migration_period":   number("period", 1, 4), "migration_delay": number("delay", 0, 2),
			}
		}
		params := draw()
		params["population"], params["islands"] = record.Num(8), number("islands", 1, 6)
		params["migration_mode"] = record.Text("async")
		r := openLive(t, inst, params)
		defer func() { r.Close() }()
		fewer := false // then the islands that go on have other numbers
		for _, what := range rapid.SliceOfN(rapid.IntRange(0, 5), 1, 8).Draw(rt, "do") {
			n := rapid.IntRange(1, 4).Draw(rt, "n")
			err = r.Step(ctx, n)
			switch what {
			case 0:
				_, err = r.Set(ctx, draw(), "test")
			case 1:
				gone, cancel := context.WithCancel(ctx)
				go cancel()
				_ = r.Step(gone, n)
			case 2:
				were, _ := r.Islands(ctx)
				f, ferr := r.Fork(ctx, solvers.Fork{
					Name: solvers.Live + "2", With: record.Values{"islands": number("islands", 1, 6)},
				})
				if ferr != nil {
					rt.Fatal(ferr)
				}
				r.Close()
				r = f
				are, _ := r.Islands(ctx)
				fewer = fewer || len(are) < len(were)
			case 3:
				r = throughFile(ctx, rt, r, rapid.Bool().Draw(rt, "state"))
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		rec, err := r.Record(ctx)
		if err != nil {
			rt.Fatal(err)
		}
		for _, c := range rec.Journal {
			orders[c.With["epochs"].String()] = true
		}
		all, err := r.Islands(ctx)
		if err != nil {
			rt.Fatal(err)
		}
		records := []*record.Record{rec}
		for i := range all {
			if fewer {
				break
			}
			x, err := r.IslandRecord(ctx, i)
			if err != nil {
				rt.Fatal(err)
			}
			records = append(records, x)
		}
		for i, rec := range records {
			d, err := solvers.Replay(ctx, rec, inst, solvers.ReplayOptions{})
			if len(rec.Points) == 0 && errors.Is(err, solvers.ErrNothing) {
				continue
			}
			if err != nil || d != nil {
				rt.Fatalf("record %d: difference %v, error %v", i, d, err)
			}
		}
	})
	if len(orders) < 10 {
		t.Errorf("there were only %d orders", len(orders))
	}
}

// throughFile closes a run and opens it from what its file holds.
func throughFile(ctx context.Context, t *rapid.T, r *solvers.Run, keep bool) *solvers.Run {
	rec, err := r.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var state []byte
	if keep {
		if state, err = r.Snapshot(ctx); err != nil {
			t.Fatal(err)
		}
	}
	inst := r.Instance()
	r.Close()
	var b bytes.Buffer
	if err := rec.Encode(&b); err != nil {
		t.Fatal(err)
	}
	back, err := record.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	n, err := solvers.Revive(ctx, back, state, inst, solvers.Live)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.UnusedState(); err != nil {
		t.Fatal(err)
	}
	return n
}

// An order that is not that of the run is found out.
func TestFalseOrder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	inst, err := datasets.Uniform(40, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := openLive(t, inst, record.Of("population", 8, "islands", 3, "migration_period", 2,
		"migration_mode", "async", "migration_policy", "all"))
	defer r.Close()
	if err := r.Step(ctx, 6); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		change func(*record.Record)
		want   string
	}{
		"one is missing": {
			func(rec *record.Record) { rec.Journal = rec.Journal[1:] },
			"iteration 1 no order of arrival",
		},
		"an island that is none": {
			func(rec *record.Record) { rec.Journal[2].With["epochs"] = record.Text("0 1 3") },
			`iteration 3 has "3" in epochs, want a number from 0 to 2`,
		},
		"no number": {
			func(rec *record.Record) { rec.Journal[2].With["made"] = record.Text("2 2 x") },
			`"x" in made`,
		},
		"too few islands": {
			func(rec *record.Record) { rec.Journal[2].With["made"] = record.Text("2 2") },
			"is of 2 islands, and the run has 3",
		},
		"an epoch too many": {
			func(rec *record.Record) {
				e := rec.Journal[2].With["epochs"].String()
				rec.Journal[2].With["epochs"] = record.Text(e + " 0 0 0 0 0 0 0")
			}, "iteration 3 does not fit",
		},
		"an epoch too few": {
			func(rec *record.Record) { rec.Journal[2].With["epochs"] = record.Text("") },
			"iteration 3 does not fit",
		},
		"other iterations": {
			func(rec *record.Record) { rec.Journal[2].With["made"] = record.Text("40 0 0") },
			"iteration 3 does not fit",
		},
	} {
		rec, err := r.Record(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rec.Journal {
			with := record.Values{}
			for n, v := range rec.Journal[i].With {
				with[n] = v
			}
			rec.Journal[i].With = with
		}
		c.change(rec)
		d, err := solvers.Replay(ctx, rec, inst, solvers.ReplayOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: difference %v, error %v, want %s", what, d, err, c.want)
		}
	}
}

// slow is a search that makes its iterations when it is let.
type slow struct {
	*toy.Search
	let func(it int64, seed uint64)
	env *solvers.Env
}

func (s *slow) Init(env *solvers.Env) error {
	s.env = env
	return s.Search.Init(env)
}

func (s *slow) Iterate(ctx context.Context, it int64, p *record.Point) error {
	s.let(it, s.env.Seed)
	return s.Search.Iterate(ctx, it, p)
}

func (s *slow) Admit(int64, record.Solution, float64) (bool, error) { return false, nil }

// An island that takes long holds no other up: they make what it does not. A replay is held up by
// none, and all of it is the same.
func TestNoIslandWaits(t *testing.T) {
	// One island waits on a core, so that the others need a second one.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	ctx := context.Background()
	const islands, period, rounds = 3, 4, 5
	var mu sync.Mutex
	made, more := map[uint64]int{}, sync.NewCond(&mu)
	held := true
	solvers.Register(solvers.Variant{
		Solver: "slow", Name: "x", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "waits",
		New: func(i datasets.Instance) (solvers.Algorithm, error) {
			let := func(_ int64, seed uint64) {
				mu.Lock()
				defer mu.Unlock()
				made[seed]++
				more.Broadcast()
				all := func() (n int) {
					for _, m := range made {
						n += m
					}
					return n
				}
				for held && seed == 1 && all()%(islands*period) != 0 {
					more.Wait()
				}
			}
			return &slow{Search: toy.New(i.(*datasets.TSP)), let: let}, nil
		},
	})
	defer solvers.Remove("slow", "x", "cpu")
	inst := grid(t, 12)
	r, err := solvers.Open(solvers.Config{
		Name: solvers.Live, Solver: "slow", Instance: inst, Seed: 1, Params: record.Of("islands",
			islands, "migration_period", period, "migration_mode", "async"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(ctx, rounds); err != nil {
		t.Fatal(err)
	}
	if n := made[1]; n != rounds {
		t.Errorf("the island that waits made %d iterations of %d, want %d", n, rounds*islands*period,
			rounds)
	}
	held = false
	rec, err := r.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d, err := solvers.Replay(ctx, rec, inst, solvers.ReplayOptions{})
	if err != nil || d != nil {
		t.Errorf("replay: %v, %v", d, err)
	}
	if n := made[1]; n != 2*rounds {
		t.Errorf("with the replay it made %d iterations, want %d", n, 2*rounds)
	}
}

// What an island takes in has been sent by a neighbour, once, and is what the policy says.
func TestAsynchronousMigrants(t *testing.T) {
	t.Parallel()
	for topology, from := range map[string]func(from, to, n int) bool{
		"ring": func(from, to, n int) bool { return (from+1)%n == to },
		"star": func(from, to, n int) bool { return (from == 0) != (to == 0) },
		"all":  func(from, to, n int) bool { return from != to },
		"best": func(from, to, n int) bool { return from != to },
	} {
		r := openIslands(t, 60, record.Of("population", 12, "islands", 4, "migration_mode", "async",
			"migration_topology", topology, "migration_policy", "all", "migration_period", 2))
		all := stepIslands(t, r, 12)
		count := 0
		for to, x := range all {
			last := map[int]int64{}
			for _, m := range x.Migrants {
				count++
				if m.To != to || !from(m.From, to, len(all)) || m.Epoch <= last[m.From] {
					t.Errorf("%s: migrant %+v of island %d, after epoch %d", topology, m, to, last[m.From])
				}
				last[m.From] = m.Epoch
				if best := all[m.From].Points; m.Value < best[len(best)-1].Best {
					t.Errorf("%s: migrant %+v is better than all that its island found", topology, m)
				}
			}
			if x.Best > all[(to+len(all)-1)%len(all)].Best*2 || math.IsInf(x.Best, 0) {
				t.Errorf("%s: island %d has %v", topology, to, x.Best)
			}
		}
		if count < 5 {
			t.Errorf("%s: only %d migrants", topology, count)
		}
	}
}

// What no journal tells of cannot be made again, and says so.
func TestRepeatsOfIslandsThatDoNotWait(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	inst, err := datasets.Uniform(30, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := openLive(t, inst, record.Of("population", 8, "islands", 2, "migration_mode", "async"))
	defer r.Close()
	if _, _, err := r.Repeat(ctx, solvers.Repeats{
		Seeds: 2, Budget: record.Budget{Iterations: 2},
	}); err != nil {
		t.Fatal(err)
	}
	rec, err := r.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, err = solvers.Replay(ctx, rec, inst, solvers.ReplayOptions{Repeats: true})
	if !errors.Is(err, solvers.ErrNotDeterministic) {
		t.Errorf("the repeats: %v", err)
	}
	if solvers.Waits(rec.Header.Params) || !solvers.Waits(record.Of("migration_mode", "sync")) ||
		!solvers.Waits(nil) {
		t.Error("who waits is not told")
	}
}

// The most islands, of which most are over at once, come to an end.
func TestIslandsThatAreOver(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(20, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Name: solvers.Live, Solver: "ga", Variant: "eax", Instance: inst, Seed: 7,
		Params: record.Of("population", 8, "islands", 5, "migration_mode", "async", "migration_period",
			2),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	why, err := r.StepUntil(context.Background(), 2000, nil)
	if err != nil || why == "" {
		t.Fatalf("%q, %v after %d", why, err, r.Last().Iter)
	}
	rec, err := r.Record(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	d, err := solvers.Replay(context.Background(), rec, inst, solvers.ReplayOptions{})
	if err != nil || d != nil {
		t.Errorf("%v, %v", d, err)
	}
}

// An order is written as it was read.
func FuzzOrder(f *testing.F) {
	f.Add("0 1 2", "4 4 4", 3)
	f.Add("", "0", 1)
	f.Add("1 1", "-1 2", 2)
	f.Fuzz(func(t *testing.T, epochs, made string, islands int) {
		if islands < 1 || islands > 9 {
			return
		}
		e, m, err := solvers.ReadOrder(epochs, made, islands)
		if err != nil {
			return
		}
		none := func(i int) bool { return i < 0 || i >= islands }
		if len(m) != islands || slices.ContainsFunc(e, none) {
			t.Fatalf("%v and %v of %d islands", e, m, islands)
		}
		x, y, err := solvers.ReadOrder(fmt.Sprint(e)[1:len(fmt.Sprint(e))-1],
			fmt.Sprint(m)[1:len(fmt.Sprint(m))-1], islands)
		if err != nil || !slices.Equal(x, e) || !slices.Equal(y, m) {
			t.Fatalf("%v: %v and %v, again %v and %v", err, e, m, x, y)
		}
	})
}
