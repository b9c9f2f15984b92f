package solvers_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/ants"
	"metalab/solvers/conform"
	_ "metalab/solvers/genetic"
	_ "metalab/solvers/ils"
	"metalab/solvers/record"
)

// Islands are held to the laws with every search that takes in solutions.
func TestIslandsConform(t *testing.T) {
	t.Parallel()
	narrow := map[string][2]float64{
		"migration_period": {1, 4}, "migration_delay": {0, 3}, "migrants": {1, 2}, "islands": {1, 4},
		"population": {8, 12}, "groups": {1, 2}, "ants": {2, 6}, "moves": {1, 20},
		"minima": {1, 2}, "minima_generations": {1, 2}, "children": {1, 4}, "longest": {4, 100},
		"round": {1, 8}, "kicks": {1, 8}, "chains": {1, 3}, "size": {1, 20}, "pool": {0, 8},
		"local_kicks": {1, 4}, "cycle": {0, 10}, "min_new": {1, 8}, "reach": {1, 8},
	}
	for i, c := range []struct {
		solver, variant string
		params          record.Values
	}{ // so weak that they go on finding something
		{"ga", "tournament", record.Of("population", 8, "groups", 1)},
		{"ga", "eax", record.Of("population", 8)},
		{"ga", "eax-rounds", record.Of("population", 8)},
		{"ils", "queue", record.Of("pool", 12, "kicks", 1, "start", "random")},
		{"ils", "2opt-rounds", record.Of("chains", 2, "kicks", 4)},
		{"ils", "best", record.Of("chains", 2, "kicks", 1, "operator", "2opt")},
		{"ils", "tiles", record.Of("chains", 2, "kicks", 0.1, "start", "random")},
		{"mmas", "scan", record.Of("ants", 2, "local_search", "none")},
		{"mmas", "wrs", record.Of("ants", 2, "local_search", "none")},
		{"mmas", "focused", record.Of("ants", 1, "local_search", "2opt")},
		{"acs", "seq", record.Of("ants", 2, "local_search", "none")},
		{"acs", "spm-sync", record.Of("ants", 2, "local_search", "none")},
	} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(c.solver+"/"+c.variant, func(t *testing.T) {
			cities := 64
			if c.variant == "queue" {
				cities = 400
			}
			inst, err := datasets.Uniform(cities, 1)
			if err != nil {
				t.Fatal(err)
			}
			params := record.Of("islands", 3, "migration_period", 2)
			for n, v := range c.params {
				params[n] = v
			}
			conform.Check(t, conform.Case{
				Solver: c.solver, Variant: c.variant, Instance: inst, Seed: 7, Params: params,
				Iterations: 10, Trials: 2, Ranges: narrow, Presets: []string{"default"},
				Structural: []record.Values{record.Of("islands", 2), record.Of("islands", 5)},
			})
			takesIn(t, c.solver, c.variant, inst, params)
		})
	}
}

// takesIn fails unless something is taken in: else the laws would say nothing of that.
func takesIn(t *testing.T, solver, variant string, inst datasets.Instance, params record.Values) {
	params["migration_policy"] = record.Text("all")
	r, err := solvers.Open(solvers.Config{
		Solver: solver, Variant: variant, Instance: inst, Seed: 7, Params: params,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, x := range stepIslands(t, r, 12) {
		if len(x.Migrants) > 0 {
			return
		}
	}
	t.Error("no island took anything in within 12 iterations")
}

func openIslands(t *testing.T, n int, params record.Values) *solvers.Run {
	t.Helper()
	inst, err := datasets.Uniform(n, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Name: "a", Solver: "ga", Variant: "tournament", Instance: inst, Seed: 7, Params: params,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func stepIslands(t *testing.T, r *solvers.Run, n int) []solvers.Island {
	t.Helper()
	if err := r.Step(context.Background(), n); err != nil {
		t.Fatal(err)
	}
	all, err := r.Islands(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// One island is the run without islands; the first of several is, until it takes something in.
func TestOneIslandIsTheRun(t *testing.T) {
	t.Parallel()
	plain := openIslands(t, 60, record.Of("population", 16))
	one := openIslands(t, 60, record.Of("population", 16, "islands", 1))
	three := openIslands(t, 60, record.Of("population", 16, "islands", 3, "migration_period", 20))
	if all := stepIslands(t, plain, 20); all != nil {
		t.Errorf("a run without islands has %v", all)
	}
	stepIslands(t, one, 20)
	first := stepIslands(t, three, 20)[0]
	p, q := plain.History(), one.History()
	if len(p) != len(q) || len(p) != len(first.Points) {
		t.Fatalf("%d points, %d of one island, %d of the first of three", len(p), len(q),
			len(first.Points))
	}
	for i := range p {
		if x := first.Points[i]; p[i].Best != q[i].Best || p[i].Mean != q[i].Mean ||
			p[i].Best != x.Best || p[i].Mean != x.Mean || p[i].Evals != x.Evals {
			t.Fatalf("iteration %d: %v, one island %v, the first of three %v", p[i].Iter, p[i], q[i], x)
		}
	}
}

// What is taken in was sent so many epochs before, by those that the topology names, and is better.
func TestMigrants(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		topology, policy string
		period, delay    int
		from             func(from, to, n int) bool
	}{
		{"ring", "better", 3, 0, func(from, to, n int) bool { return (from+1)%n == to }},
		{"ring", "all", 2, 1, func(from, to, n int) bool { return (from+1)%n == to }},
		{"star", "best", 2, 2, func(from, to, n int) bool { return (from == 0) != (to == 0) }},
		{"all", "all", 4, 1, func(from, to, n int) bool { return from != to }},
		{"best", "better", 1, 3, func(from, to, n int) bool { return from != to }},
	} {
		r := openIslands(t, 80, record.Of("population", 12, "islands", 4, "migration_topology",
			c.topology, "migration_policy", c.policy, "migration_period", c.period, "migration_delay",
			c.delay))
		all := stepIslands(t, r, 40)
		count := 0
		for to, x := range all {
			best := func(of int, it int64) float64 {
				v := math.Inf(1)
				for _, p := range all[of].Points {
					if p.Iter <= it {
						v = p.Best
					}
				}
				return v
			}
			for _, m := range x.Migrants {
				count++
				sent := m.Epoch * int64(c.period)
				if m.To != to || !c.from(m.From, to, len(all)) || m.Iter != sent+int64(c.delay*c.period) {
					t.Errorf("%v: migrant %+v of island %d", c, m, to)
				}
				// what was taken in at that boundary itself is in the point, and was not sent
				if v := best(m.From, sent); v > m.Value || best(m.From, sent-1) < m.Value {
					t.Errorf("%v: migrant %+v, and island %d had %v", c, m, m.From, v)
				}
				if c.policy == "better" && !(m.Value < best(to, m.Iter-1)) {
					t.Errorf("%v: migrant %+v is not better than %v", c, m, best(to, m.Iter-1))
				}
				if best(to, m.Iter) > m.Value {
					t.Errorf("%v: after migrant %+v island %d has %v", c, m, to, best(to, m.Iter))
				}
			}
		}
		if count < 5 {
			t.Errorf("%v: only %d migrants", c, count)
		}
	}
}

// The record of an island replays, and what is false in it is seen.
func TestIslandRecord(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := openIslands(t, 60, record.Of("population", 12, "islands", 3, "migration_period", 2))
	stepIslands(t, r, 10)
	change := record.Of("mutation", 0.5, "migration_topology", "all")
	if _, err := r.Set(ctx, change, "test"); err != nil {
		t.Fatal(err)
	}
	stepIslands(t, r, 10)
	for i := range 3 {
		made, err := r.IslandRecord(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := made.Encode(&b); err != nil {
			t.Fatal(err)
		}
		rec, err := record.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]int{}
		for _, c := range rec.Journal {
			kinds[c.Kind]++
		}
		if kinds[record.KindSet] != 2 || kinds[record.KindMigrant] == 0 {
			t.Errorf("island %d: the journal has %v", i, kinds)
		}
		again := func() *solvers.Difference {
			d, err := solvers.Replay(ctx, rec, r.Instance(), solvers.ReplayOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		if d := again(); d != nil {
			t.Errorf("island %d: %v", i, d)
		}
		rec.Points[12].Mean++
		if d := again(); d == nil || d.Iter != 13 || d.What != "mean" {
			t.Errorf("island %d: a false mean is %v", i, d)
		}
		rec.Points[12].Mean--
		rec.Digest++
		if d := again(); d == nil || d.What != "digest" {
			t.Errorf("island %d: a false digest is %v", i, d)
		}
		rec.Digest--
		if rec.Best.Value++; again() == nil {
			t.Errorf("island %d: a false best is not seen", i)
		}
		if _, err := solvers.Revive(ctx, rec, nil, r.Instance(), ""); err == nil ||
			!strings.Contains(err.Error(), "of the whole run") {
			t.Errorf("island %d is loaded: %v", i, err)
		}
		*rec.Header.Island = 3
		if _, err := solvers.Replay(ctx, rec, r.Instance(), solvers.ReplayOptions{}); err == nil ||
			!strings.Contains(err.Error(), "island 3") {
			t.Errorf("island 3 of 3: %v", err)
		}
	}
	for _, i := range []int{-1, 3} {
		if _, err := r.IslandRecord(ctx, i); err == nil || !strings.Contains(err.Error(), "0 to 2") {
			t.Errorf("island %d: %v", i, err)
		}
	}
}

// An iteration that is given up is taken back on all islands, also on those that made it.
func TestIslandsGiveUp(t *testing.T) {
	t.Parallel()
	params := record.Of("population", 48, "islands", 3, "migration_period", 1, "workers", 1,
		"start", "2opt")
	a, b := openIslands(t, 300, params), openIslands(t, 300, params)
	stepIslands(t, b, 1)
	gone := 0
	for wait := time.Millisecond; a.Last().Iter == 0; wait += wait / 2 {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(wait, cancel)
		if err := a.Step(ctx, 1); errors.Is(err, context.Canceled) {
			gone++
		}
		cancel()
	}
	if gone == 0 {
		t.Error("no iteration was given up")
	}
	stepIslands(t, b, 5)
	stepIslands(t, a, 6-int(a.Last().Iter))
	if p, q := a.Last(), b.Last(); p.Digest != q.Digest || p.Best != q.Best || p.Evals != q.Evals {
		t.Errorf("after steps that were given up %v, else %v", p, q)
	}
}

// The record of an island of a fork with fewer of them, in which those that go on have other
// numbers, replays; so does one of a fork with more after that.
func TestIslandRecordAfterFork(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := openIslands(t, 60, record.Of("population", 12, "islands", 5, "migration_period", 4))
	before := stepIslands(t, r, 11)
	least := slices.MinFunc(before, func(a, b solvers.Island) int {
		return cmp.Compare(a.Best, b.Best)
	})
	if least.Number == 0 {
		t.Fatal("the first island is the best: no island gets another number")
	}
	for _, n := range []int{2, 1, 4} {
		f, err := r.Fork(ctx, solvers.Fork{
			Name: fmt.Sprintf("f%d", n), With: record.Of("islands", n),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.Close)
		stepIslands(t, f, 9)
		for number := range n {
			rec, err := f.IslandRecord(ctx, number)
			if err != nil {
				t.Fatal(err)
			}
			d, err := solvers.Replay(ctx, rec, f.Instance(), solvers.ReplayOptions{})
			if err != nil || d != nil {
				t.Errorf("island %d of %d: difference %v, error %v", number, n, d, err)
			}
			if first := rec.Points[0].Iter; first <= 11 {
				t.Errorf("island %d of %d: its points begin at iteration %d", number, n, first)
			}
		}
		r = f
	}
}

// A state of any iteration, also in the midst of an epoch, goes on as the run does.
func TestIslandsState(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	params := record.Of("population", 12, "islands", 3, "migration_period", 3, "migration_delay", 2)
	whole := openIslands(t, 80, params)
	want := stepIslands(t, whole, 20)
	r := openIslands(t, 80, params)
	for at := 1; at < 10; at++ {
		stepIslands(t, r, 1)
		rec, err := r.Record(ctx)
		if err != nil {
			t.Fatal(err)
		}
		state, err := r.Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		again, err := solvers.Revive(ctx, rec, state, r.Instance(), "")
		if err != nil || again.UnusedState() != nil {
			t.Fatalf("at %d: %v, %v", at, err, again.UnusedState())
		}
		got := stepIslands(t, again, 20-at)
		if p, q := again.Last(), whole.Last(); p.Digest != q.Digest || p.Best != q.Best {
			t.Errorf("from %d on: %v, else %v", at, p, q)
		}
		for i := range want {
			if x, y := fmt.Sprint(got[i].Migrants), fmt.Sprint(want[i].Migrants); x != y {
				t.Errorf("from %d on island %d took in %s, else %s", at, i, x, y)
			}
		}
		again.Close()
	}
}

func TestNoIslands(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(20, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		solver string
		params record.Values
		want   string
	}{
		{"as", record.Of("islands", 2), "islands: as/scan takes in no solutions of others; those that " +
			"do: acs/"},
		{"ga", record.Of("islands", 0), "islands is 0, want an integer from 1 to 1024"},
		{"ga", record.Of("islands", 2, "migration_topology", "line"), "migration_topology is line, " +
			"want one of best, ring, all, star"},
		{"ga", record.Of("migration_period", 2), "migration_period is a parameter of islands: open or " +
			"fork the run with islands="},
	} {
		_, err := solvers.Open(solvers.Config{Solver: c.solver, Instance: inst, Params: c.params})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %s", c.solver, c.params, err, c.want)
		}
	}
}
