package stream

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/experiment/stream/broker"
	_ "metalab/solvers/genetic" // registers ga
	"metalab/solvers/record"
)

// A worker that tells what is not so is found out, and the islands go on with another, as if it had
// not been there: it says that a best is better than it is, tells no solution, what is no message,
// another iteration, or points with too few measures, or refuses.
func TestFalseWorkerOfIslands(t *testing.T) {
	b, err := broker.Start(broker.Options{Token: testToken, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	a := Address{URL: b.URL(), Token: testToken}
	inst, err := datasets.Uniform(40, 3)
	if err != nil {
		t.Fatal(err)
	}
	open := func() *solvers.Run {
		r, err := solvers.Open(solvers.Config{
			Solver: "ga", Variant: "tournament", Instance: inst, Seed: 5,
			Params: record.Of("islands", 2, "migration_period", 2, "population", 8),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		return r
	}
	here := open()
	if err := here.Step(t.Context(), 6); err != nil {
		t.Fatal(err)
	}
	good := []number{0, 0, 0, 0}
	point := func(it int64) islandReply {
		return islandReply{Best: 1, Chain: hexText(arith.Chain(0, 1)), Point: &islandPoint{
			Iter: it, IterBest: 1, Mean: 1, Digest: "1", Measures: good,
		}}
	}
	tour := record.Solution{Perm: make([]int32, 40)}
	for i := range tour.Perm {
		tour.Perm[i] = int32(i)
	}
	for what, lie := range map[string]func(c *islandRequest) any{
		"loud: a best that is too good": func(c *islandRequest) any {
			x := point(1)
			if c.Want == wantSolution {
				x.Solution = &tour
			}
			return x
		},
		"loud: no solution": func(*islandRequest) any { return point(1) },
		"another iteration": func(*islandRequest) any { return point(7) },
		"too few measures":  func(*islandRequest) any { x := point(1); x.Point.Measures = nil; return x },
		"iterations ahead that nobody wants": func(*islandRequest) any {
			x := point(1)
			x.Ahead = []islandPoint{{Iter: 2, Digest: "1", Measures: good}}
			for range 9 {
				x.Ahead = append(x.Ahead, x.Ahead[0])
			}
			return x
		},
		"loud: a best ahead that is too good": func(c *islandRequest) any {
			x := point(1)
			for i := range c.Ahead {
				x.Ahead = append(x.Ahead, islandPoint{
					Iter: c.Operations[len(c.Operations)-c.Ahead+i].Iter, Digest: "1", Measures: good, Best: 1,
				})
			}
			return x
		},
		"no message":          func(*islandRequest) any { return "nothing" },
		"a refusal":           func(*islandRequest) any { return islandReply{Refused: "no room"} },
		"that it has nothing": func(*islandRequest) any { return islandReply{Unknown: true} },
		"nothing at all":      nil,
	} {
		if testing.Short() && !strings.HasPrefix(what, "loud: a") && what != "another iteration" {
			continue
		}
		t.Run(what, func(t *testing.T) {
			s, err := OpenIslands(t.Context(), a, testTiming, func(s string) { t.Log(s) })
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			asked := make(chan struct{})
			once := sync.OnceFunc(func() { close(asked) })
			end := liar(t, s, "liar", func(c *islandRequest) any {
				if once(); lie == nil {
					return nil
				}
				return lie(c)
			})
			over := open()
			if err := over.PlaceIslands(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			var wg sync.WaitGroup
			defer wg.Wait()
			defer cancel()
			stepped := make(chan error, 1)
			wg.Go(func() { stepped <- over.Step(ctx, 6) })
			select {
			case <-asked: // else it may be that only the honest one is
			case <-ctx.Done():
				t.Fatal("the liar is not asked")
			}
			w := &Worker{Address: a, Name: "honest", Cores: 1, Timing: testTiming}
			wg.Go(func() { _ = w.Run(ctx) })
			err = <-stepped
			end()
			if strings.HasPrefix(what, "loud: ") { // a point that fits stands in the history by then
				if err == nil || !strings.Contains(err.Error(), "was made twice") {
					t.Errorf("the run goes on: %v", err)
				}
				over.Close()
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p, q := over.Last(), here.Last(); p.Digest != q.Digest || p.Best != q.Best {
				t.Errorf("over: %+v, here: %+v", p, q)
			}
			if has := s.Reached(); has["honest"] != 2 {
				t.Errorf("islands are with %v", has)
			}
			over.Close()
		})
	}
}

// What is asked again as its answer was lost is not done twice, and what does not follow on what a
// worker has done is not done.
func TestDeedsAreDoneOnce(t *testing.T) {
	inst, err := datasets.Uniform(20, 3)
	if err != nil {
		t.Fatal(err)
	}
	v, err := solvers.Find("ga", "tournament", "cpu")
	if err != nil {
		t.Fatal(err)
	}
	b, err := solvers.NewStepper(v, inst)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Init(1, record.Of("population", 8), nil); err != nil {
		t.Fatal(err)
	}
	x, s := &activeWorker{}, &hostedIsland{b: b}
	ask := func(done int, iterations ...int64) *islandReply {
		c := islandRequest{Done: done}
		for _, it := range iterations {
			c.Operations = append(c.Operations, operation{Do: doIterate, Iter: it})
		}
		out, err := x.work(t.Context(), s, &c)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := ask(0, 1, 2)
	if first.Unknown || first.Point.Iter != 2 || s.done != 2 {
		t.Fatalf("%+v", first)
	}
	if again := ask(0, 1, 2); !reflect.DeepEqual(again, first) || s.done != 2 {
		t.Errorf("asked again: %+v, was %+v", again, first)
	}
	for _, done := range []int{0, 1, 3} {
		if out := ask(done, 3); done != 1 && !out.Unknown || done == 1 && s.done != 2 {
			t.Errorf("after %d deeds: %+v", done, out)
		}
	}
	if out := ask(2, 3); out.Unknown || out.Point.Iter != 3 || s.done != 3 {
		t.Errorf("%+v", out)
	}
}

// liar is a worker that answers what lie says; nil: nothing. It has many cores, so that it is asked
// first.
func liar(t *testing.T, s *Islands, name string, lie func(c *islandRequest) any) (end func()) {
	t.Helper()
	v, err := solvers.Find("ga", "tournament", "cpu")
	if err != nil {
		t.Fatal(err)
	}
	hello, err := json.Marshal(&Hello{
		Format: format, Name: name, Cores: 1000, Making: []string{},
		Variants: []string{kindOf(v.Solver, v.Name, v.Backend, v.Revision)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.p.workers.Put(t.Context(), name, hello); err != nil {
		t.Fatal(err)
	}
	ended, silent, asked := make(chan struct{}), make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(asked) })
	go func() { // a worker that is not heard for a while is forgotten, as it is to be once it is asked
		defer close(silent)
		for {
			select {
			case <-time.After(testTiming.Hello):
				_, _ = s.p.workers.Put(context.Background(), name, hello)
			case <-asked:
				return
			case <-ended:
				return
			}
		}
	}()
	sub, err := s.l.nc.Subscribe(s.l.subject("island", name), func(m *nats.Msg) {
		first()
		body, err := s.place().unpack(t.Context(), m.Data)
		if err != nil {
			return
		}
		c, err := readRequest(body)
		if err != nil {
			t.Error(err)
		}
		says := lie(&c)
		if says == nil {
			return
		}
		data, err := s.place().pack(t.Context(), says)
		if err != nil {
			t.Error(err)
		}
		_ = m.Respond(data)
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		close(ended)
		<-silent
		_ = sub.Unsubscribe()
		_ = s.p.workers.Delete(context.Background(), name)
	}
}

// Each message about an island that is read is written as it was, and read again as the same.
func FuzzCall(f *testing.F) {
	for _, c := range []islandRequest{
		{
			Run: "a", Island: 3, Done: 2, Operations: []operation{{Do: doIterate, Iter: 4}},
			Want: wantState,
		},
		{Run: "a", Operations: []operation{{
			Do: doAdmit, Iter: 1, Cost: 7, Solution: &record.Solution{Perm: []int32{1, 0}},
		}, {Do: doSet, Set: record.Of("a", 1, "b", "c")}}},
		{Run: "a", Begin: &islandConfig{
			Solver: "ga", Instance: record.InstanceRef{SHA256: strings.Repeat("0a", 32)},
			State: strings.Repeat("1b", 32), Params: record.Of("islands", 2),
		}},
	} {
		b, err := json.Marshal(&c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"run":"a","begin":{"instance":{"path":"/etc/passwd"}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := readRequest(b)
		if err != nil {
			return
		}
		if c.Begin != nil && c.Begin.Instance.Path != "" {
			t.Fatalf("it names the path %q", c.Begin.Instance.Path)
		}
		again, err := json.Marshal(&c)
		if err != nil {
			t.Fatal(err)
		}
		d, err := readRequest(again)
		if err != nil || d.Run != c.Run || d.Want != c.Want || len(d.Operations) != len(c.Operations) {
			t.Fatalf("%v: %+v and %+v", err, c, d)
		}
	})
}

func FuzzTold(f *testing.F) {
	for _, x := range []islandReply{
		{Alive: true},
		{Best: 3, Ended: "over", Changed: true, Point: &islandPoint{
			Iter: 1, Digest: "f", Measures: []number{1, 2},
		}},
		{Best: 3, Solution: &record.Solution{Perm: []int32{1, 0}}, Object: strings.Repeat("0a", 32)},
	} {
		b, err := json.Marshal(&x)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := readReply(b, 2)
		if err != nil {
			return
		}
		if x.Point != nil && len(x.Point.Measures) != 2 {
			t.Fatalf("a point of %d measures", len(x.Point.Measures))
		}
		again, err := json.Marshal(&x)
		if err != nil {
			t.Fatal(err)
		}
		y, err := readReply(again, 2)
		if err != nil || x.Point != nil && (!slices.Equal(x.Point.Measures, y.Point.Measures) &&
			!reflect.DeepEqual(x.Point, y.Point)) && !hasNaN(x.Point) {
			t.Fatalf("%v: %+v and %+v", err, x, y)
		}
	})
}

// hasNaN tells of numbers that are not equal to themselves.
func hasNaN(p *islandPoint) bool {
	return slices.ContainsFunc(append([]number{p.IterBest, p.Mean}, p.Measures...),
		func(n number) bool { return n != n })
}

// Iterations that follow on each other are asked for at once: the history is that of one at a time,
// with fewer messages, whatever is done in between.
func TestIslandsAhead(t *testing.T) {
	b, err := broker.Start(broker.Options{Token: testToken, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	a := Address{URL: b.URL(), Token: testToken}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() { _ = (&Worker{Address: a, Name: "w", Cores: 2, Timing: testTiming}).Run(ctx) })
	inst, err := datasets.Uniform(60, 3)
	if err != nil {
		t.Fatal(err)
	}
	open := func() *solvers.Run {
		r, err := solvers.Open(solvers.Config{
			Solver: "ga", Variant: "tournament", Instance: inst, Seed: 5,
			Params: record.Of("islands", 3, "migration_period", 10, "population", 16),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		return r
	}
	do := func(r *solvers.Run, what int) {
		var err error
		switch what {
		case 0:
			err = r.Step(ctx, 40)
		case 1: // in the midst of an epoch, by a rule that nobody knows before
			_, err = r.StepUntil(ctx, 25, solvers.AtIteration(47))
		case 2:
			_, err = r.Set(ctx, record.Of("mutation", 0.4, "migration_period", 7), "test")
		case 3:
			_, err = r.StepUntil(ctx, 60, solvers.AtIteration(93))
		case 4:
			_, err = r.Best(ctx)
		case 5:
			_, err = r.Snapshot(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	all := []int{0, 1, 4, 2, 3, 5, 4, 0}
	here := open()
	for _, what := range all {
		do(here, what)
	}
	count := map[bool]uint64{}
	for _, lockstep := range []bool{true, false} {
		s, err := OpenIslands(ctx, a, testTiming, func(s string) { t.Log(s) })
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.lockstep = lockstep
		over := open()
		if err := over.PlaceIslands(ctx, s); err != nil {
			t.Fatal(err)
		}
		for i, what := range all {
			before := s.l.nc.Stats()
			do(over, what)
			if after := s.l.nc.Stats(); i == 0 {
				count[lockstep] = after.OutMsgs + after.InMsgs - before.OutMsgs - before.InMsgs
			}
		}
		if p, q := over.Last(), here.Last(); p.Digest != q.Digest || p.Best != q.Best ||
			p.Evals != q.Evals {
			t.Errorf("in lock step %v: %+v, here %+v", lockstep, p, q)
		}
		x, errx := over.Best(ctx)
		y, erry := here.Best(ctx)
		if errx != nil || erry != nil || solvers.HashSolution(x.Solution) !=
			solvers.HashSolution(y.Solution) {
			t.Errorf("in lock step %v: another best: %v, %v", lockstep, errx, erry)
		}
		over.Close()
	}
	t.Logf("messages of 40 iterations of 3 islands, with those that begin them: %d, in lock step %d",
		count[false], count[true])
	if count[false]*3 > count[true] {
		t.Errorf("%d messages, in lock step %d", count[false], count[true])
	}
}
