package stream_test

import (
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/record"
)

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
	first := &process{role: "worker", name: "first"}
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
