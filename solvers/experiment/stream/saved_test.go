package stream_test

import (
	"context"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

// slowly is the toy search, with a pause in each iteration but the first ones. It has the same
// history.
type slowly struct{ *toy.Search }

func (s slowly) Iterate(ctx context.Context, it int64, p *record.Point) error {
	if it > 100 {
		time.Sleep(time.Millisecond)
	}
	return s.Search.Iterate(ctx, it, p)
}

// slowDown puts slowly in the place of the toy search.
func slowDown() {
	v, err := solvers.Find("toy", "swap", "cpu")
	if err != nil {
		panic(err)
	}
	solvers.Remove(v.Solver, v.Name, v.Backend)
	v.New = func(inst datasets.Instance) (solvers.Algorithm, error) {
		return slowly{toy.New(inst.(*datasets.TSP))}, nil
	}
	solvers.Register(v)
}

// A unit of a worker that is killed goes on with another from how far it was, and the result is
// that of one that made it at once; then the broker has nothing of it any more.
func TestKilledWorkersUnitGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("a process is killed")
	}
	b := start(t, 0)
	at, err := url.Parse(b.URL())
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(at.Port())
	if err != nil {
		t.Fatal(err)
	}
	p := plan(1)
	p.Budget = record.Budget{Iterations: 40_000}
	s := planned(t, p)
	nc, err := nats.Connect(b.URL(), nats.Token(secret))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	made := make(chan error, 1)
	go func() {
		f := &stream.Fabric{Address: address(b), Timing: quick}
		_, err := experiment.Make(t.Context(), s, "e1", experiment.Options{Load: load, Over: f})
		made <- err
	}()
	first := &process{role: "slow", name: "first"} // so that the unit is not made before the kill
	first.start(t, port, filepath.Join(t.TempDir(), "none"))
	kept := func() (n int) {
		kv, err := js.KeyValue(t.Context(), "metalab_lab_results")
		if err != nil {
			return 0
		}
		all, err := kv.Keys(t.Context())
		if err != nil {
			return 0
		}
		for _, k := range all {
			if strings.HasPrefix(k, "kept.") {
				n++
			}
		}
		return n
	}
	for kept() == 0 {
		select {
		case err := <-made:
			t.Fatalf("it ended before anything was kept: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	first.kill()
	var mu sync.Mutex
	var said []string
	work(t, &stream.Worker{Address: address(b), Name: "second", Cores: 1, Say: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, line)
	}})
	if err := <-made; err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	lines := strings.Join(said, "\n")
	mu.Unlock()
	if !strings.Contains(lines, "it goes on from iteration ") {
		t.Errorf("it began anew: %s", lines)
	}
	if got, want := table(t, s), local(t, p); got != want {
		t.Errorf("it went on:\n%s\nat once:\n%s", got, want)
	}
	if n := kept(); n != 0 {
		t.Errorf("%d units are kept that are made", n)
	}
}
