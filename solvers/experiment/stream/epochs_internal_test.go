package stream

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

// gated is a worker that makes islands as others do, once it is let.
type gated struct {
	x    *activeWorker
	gate chan struct{} // closed when it is let

	mu    sync.Mutex
	calls int
	made  int64 // the last iteration
}

// answer does what a call asks for, and notes how far it is.
func (g *gated) answer(c *islandRequest) any {
	<-g.gate
	key := fmt.Sprintf("%s/%d", c.Run, c.Island)
	s := g.x.hostedIsland(key, c.Begin)
	if s == nil {
		return &islandReply{Unknown: true}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Want == wantEnd {
		g.x.dropIsland(key, s)
		return &islandReply{}
	}
	t, err := g.x.work(context.Background(), s, c)
	if err != nil {
		return &islandReply{Error: err.Error()}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	for _, p := range t.Ahead {
		g.made = max(g.made, p.Iter)
	}
	return t
}

// far is the last iteration that it made, and how many calls it has answered.
func (g *gated) far() (int64, int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.made, g.calls
}

// patient are times in which no worker is lost that is held.
var patient = Timing{
	AckWait: 5 * time.Minute, Renew: time.Minute, Hello: 5 * time.Minute, Check: time.Minute,
}

// gatedRun is a run of two islands, each with a worker of its own, and the same run here.
func gatedRun(t *testing.T, params record.Values) (over, here *solvers.Run, fast, slow *gated) {
	t.Helper()
	b, err := broker.Start(broker.Options{Token: testToken, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	s, err := OpenIslands(t.Context(), Address{URL: b.URL(), Token: testToken}, patient,
		func(s string) { t.Log(s) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	inst, err := datasets.Uniform(40, 3)
	if err != nil {
		t.Fatal(err)
	}
	open := func() *solvers.Run {
		r, err := solvers.Open(solvers.Config{
			Solver: "ga", Variant: "tournament", Instance: inst, Seed: 5, Params: params,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		return r
	}
	over, here = open(), open()
	of := map[string]*gated{}
	for _, name := range []string{"fast", "slow"} { // the first has the first island
		x := &activeWorker{
			w: &Worker{}, ctx: t.Context(), insts: newCache(), workState: workState{p: s.p},
		}
		x.islands.all = map[string]*hostedIsland{}
		of[name] = &gated{x: x, gate: make(chan struct{})}
		t.Cleanup(liar(t, s, name, of[name].answer))
	}
	if err := over.PlaceIslands(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return over, here, of["fast"], of["slow"]
}

// With migration_delay=d an island makes d epochs more than the one that another is in, which does
// not answer; with 0 it waits at the end of its own. The history is that of one process either way,
// with whatever the islands take in.
func TestIslandsGoAheadOfOthers(t *testing.T) {
	for _, delay := range []int{0, 1, 2} {
		for _, policy := range []string{"better", "all"} {
			t.Run(fmt.Sprintf("%d %s", delay, policy), func(t *testing.T) {
				t.Parallel()
				const period = 3
				over, here, fast, slow := gatedRun(t, record.Of("islands", 2, "population", 8,
					"migration_period", period, "migration_delay", delay, "migration_policy", policy))
				stepped := make(chan error, 1)
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
				defer cancel()
				go func() { stepped <- over.Step(ctx, 20) }()
				close(fast.gate)
				want := int64(period * (1 + delay))
				for i := 0; ; i++ {
					if made, _ := fast.far(); made == want {
						break
					}
					if made, _ := fast.far(); made > want || i > 20_000 {
						made, calls := fast.far()
						t.Fatalf("it made %d iterations in %d calls, want %d", made, calls, want)
					}
					time.Sleep(5 * time.Millisecond)
				}
				close(slow.gate)
				if err := <-stepped; err != nil {
					t.Fatal(err)
				}
				if err := here.Step(ctx, 20); err != nil {
					t.Fatal(err)
				}
				sameHistory(t, over, here)
			})
		}
	}
}

// sameHistory compares two runs, state by state.
func sameHistory(t *testing.T, over, here *solvers.Run) {
	t.Helper()
	if p, q := over.Last(), here.Last(); p.Digest != q.Digest || p.Best != q.Best ||
		p.Iter != q.Iter || p.Evals != q.Evals {
		t.Errorf("over: %+v, here: %+v", p, q)
	}
	x, errx := over.Snapshot(t.Context())
	y, erry := here.Snapshot(t.Context())
	if errx != nil || erry != nil || string(x) != string(y) {
		t.Errorf("the states differ: %v, %v", errx, erry)
	}
}

// What is changed while islands are ahead changes them from then on, as it does here: the delay,
// the period, who sends to whom and what is taken in, and the search itself; a worker that is lost
// meanwhile changes nothing, and the record is made again without a network.
func TestChangesWhileAhead(t *testing.T) {
	over, here, fast, slow := gatedRun(t, record.Of("islands", 2, "population", 8,
		"migration_period", 2, "migration_delay", 3, "migration_policy", "all"))
	close(fast.gate)
	close(slow.gate)
	for i, change := range []record.Values{
		record.Of("migration_delay", 1), record.Of("mutation", 0.4),
		record.Of("migration_period", 5, "migration_policy", "better"),
		record.Of("migration_delay", 2, "migration_topology", "best"),
		record.Of("migration_policy", "best"), record.Of("migration_delay", 0),
	} {
		for _, r := range []*solvers.Run{over, here} {
			// In the midst of an epoch, by a rule that nobody knows before.
			at := r.Last().Iter + int64(3+i)
			if _, err := r.StepUntil(t.Context(), 40, solvers.AtIteration(at)); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Set(t.Context(), change, "test"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, r := range []*solvers.Run{over, here} {
		if err := r.Step(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
	}
	sameHistory(t, over, here)
	rec, err := over.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d, err := solvers.Replay(t.Context(), rec, over.Instance(), solvers.ReplayOptions{})
	if err != nil || d != nil {
		t.Errorf("replayed: difference %v, error %v", d, err)
	}
}
