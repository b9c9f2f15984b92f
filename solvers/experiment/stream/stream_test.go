package stream_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

const secret = "0123456789abcdef0123456789abcdef"

// quick are times that tests can wait for.
var quick = stream.Timing{
	AckWait: 2 * time.Second, Renew: 300 * time.Millisecond, Hello: 300 * time.Millisecond,
	Check: 300 * time.Millisecond,
}

func start(t *testing.T, port int) *broker.Broker {
	t.Helper()
	b, err := broker.Start(broker.Options{Token: secret, Dir: t.TempDir(), Port: port})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func plan(n int) experiment.Plan {
	return experiment.Plan{
		Settings:  []experiment.Setting{{Solver: "toy", Variant: "swap"}},
		Instances: []string{"rand-60-1"}, Seeds: n, First: 1, Budget: record.Budget{Iterations: 20},
	}
}

func load(ctx context.Context, name string) (datasets.Instance, error) {
	return datasets.LoadContext(ctx, name)
}

// planned is a store that has an experiment.
func planned(t *testing.T, p experiment.Plan) *experiment.Memory {
	t.Helper()
	s := &experiment.Memory{}
	units, err := p.Units(t.Context(), load)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(t.Context(), "e1", p, units); err != nil {
		t.Fatal(err)
	}
	return s
}

// table is all of an experiment but what clocks measured, and where it was made.
func table(t *testing.T, s experiment.Store) string {
	t.Helper()
	out, err := tableOf(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func tableOf(ctx context.Context, s experiment.Store) (out string, err error) {
	for r, err := range s.Rows(ctx, "e1") {
		if err != nil {
			return "", err
		}
		x := r.Result
		out += fmt.Sprintln(r.Unit.Number, r.Unit.Key, r.State, x.Best, x.Gap, x.Optimum, x.Iterations,
			x.Evaluations, x.Digest, x.Why, x.Error)
	}
	for x, err := range s.Traces(ctx, "e1") {
		if err != nil {
			return "", err
		}
		for _, p := range x.Points {
			out += fmt.Sprintln(x.Number, p.Iteration, p.Evaluations, p.Best)
		}
	}
	for x, err := range s.Solutions(ctx, "e1") {
		if err != nil {
			return "", err
		}
		out += fmt.Sprintln(x.Number, x.Solution)
	}
	return out, nil
}

// local is the table of a plan that is made in this process.
func local(t *testing.T, p experiment.Plan) string {
	t.Helper()
	s := planned(t, p)
	if _, err := experiment.Make(t.Context(), s, "e1", experiment.Options{Load: load}); err != nil {
		t.Fatal(err)
	}
	return table(t, s)
}

func address(b *broker.Broker) stream.Address {
	return stream.Address{URL: b.URL(), Token: secret}
}

// work runs a worker until the test ends, or the function that is returned is called.
func work(t *testing.T, w *stream.Worker) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	joined := make(chan struct{})
	w.Joined = func(string) { close(joined) }
	say := w.Say
	w.Say = func(s string) {
		if t.Log(w.Name + ": " + s); say != nil {
			say(s)
		}
	}
	w.Timing = quick
	var wg sync.WaitGroup
	wg.Go(func() { _ = w.Run(ctx) })
	end = func() { cancel(); wg.Wait() }
	t.Cleanup(end)
	select {
	case <-joined:
	case <-time.After(5 * time.Minute):
		t.Fatal("the worker has not joined")
	}
	return end
}

// The table of an experiment over two workers is that of one made in this process.
func TestWorkersMakeTheSame(t *testing.T) {
	b := start(t, 0)
	for _, n := range []string{"attic", "attic"} {
		work(t, &stream.Worker{Address: address(b), Name: n, Cores: 2})
	}
	s := planned(t, plan(30))
	info, err := experiment.Make(t.Context(), s, "e1", experiment.Options{
		Load: load, Over: &stream.Fabric{Address: address(b), Timing: quick},
		Note: func(s string) { t.Log(s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if info.Done != 30 {
		t.Fatalf("%d of 30 are done", info.Done)
	}
	if got, want := table(t, s), local(t, plan(30)); got != want {
		t.Errorf("over workers:\n%s\nhere:\n%s", got, want)
	}
	all, err := stream.Workers(t.Context(), address(b))
	if err != nil || len(all) != 2 || all[0].Name != "attic" || all[1].Name != "attic-2" {
		t.Fatalf("workers: %v %v", all, err)
	}
}
