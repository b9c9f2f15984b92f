package machines_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/kernel/host/machines"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers/experiment/stream"
)

// joinEmbedded starts a worker at the broker that workers serve starts, until the test ends.
func (d *desk) joinEmbedded(name string) {
	d.Helper()
	d.join(&stream.Worker{Name: name, Cores: 2})
}

func (d *desk) join(w *stream.Worker) {
	d.Helper()
	d.do("workers serve")
	w.Address = machines.Embedded(d.T, d.state)
	joined := make(chan struct{})
	w.Joined = func(string) { close(joined) }
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	d.Cleanup(func() { cancel(); <-ended })
	<-joined
}

// seeds are the results of a run's repeats without times.
func (d *desk) seeds(run string) string {
	d.Helper()
	out := ""
	for _, s := range d.do("seeds " + run).(*reply.SeedsReply).Series {
		for _, x := range s.Results {
			x.WallS, x.CPUS = 0, 0
			b, err := json.Marshal(x)
			if err != nil {
				d.Fatal(err)
			}
			out += s.Budget + " " + string(b) + "\n"
		}
	}
	return out
}

// The seeds of a repeat over a broker are those that this machine makes, and stand in a record that
// replays; what was interrupted goes on with the seeds that are missing.
func TestRepeatOverEmbed(t *testing.T) {
	machines.Forget(t)
	d := newDesk(t)
	d.do("open anneal rand-50-1 as a seed=7")
	d.do("set a cooling=0.93")
	d.do("open anneal rand-50-1 as h seed=7")
	d.do("set h cooling=0.93")
	for line, want := range map[string]string{
		"repeat a 3 n=5 over=moon":               "moon is none, want local, embed, or nats://HOST:PORT",
		"repeat a 3 n=5 over=nats://127.0.0.1:1": "nothing listens there",
		"repeat a 3 over=embed until best<=1":    "workers know no until=best<=1",
		"repeat a 0 n=5 over=embed":              "seeds is 0, want 1 to 10000",
	} {
		if _, err := d.try(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	d.joinEmbedded("attic")
	r := d.do("repeat a 5 n=300 over=embed").(*reply.RepeatReply)
	if len(r.Results) != 5 || r.Had != 0 {
		t.Errorf("%d seeds, %d before", len(r.Results), r.Had)
	}
	d.do("repeat h 5 n=300 over=local")
	if a, h := d.seeds("a"), d.seeds("h"); a != h {
		t.Errorf("over the broker:\n%s\nhere:\n%s", a, h)
	}
	r = d.do("repeat a 7 n=300 over=embed").(*reply.RepeatReply)
	if r.Had != 5 || len(r.Results) != 7 {
		t.Errorf("7 seeds of which 5 were made: %d of %d", r.Had, len(r.Results))
	}
	d.do("repeat h 7 n=300")
	if a, h := d.seeds("a"), d.seeds("h"); a != h {
		t.Errorf("two more over the broker:\n%s\nhere:\n%s", a, h)
	}
	path := filepath.Join(t.TempDir(), "a.run")
	d.do("save a " + path)
	if r := d.do("replay " + path + " seeds").(*reply.ReplayReply); !r.Identical {
		t.Errorf("the record: %v", r)
	}
	// No worker is there for a unit: what waits is withdrawn with who asked, and says so meanwhile.
	d.do("worker attic drain")
	ctx, cancel := context.WithCancel(t.Context())
	call, err := words.Parse("repeat a 9 n=300 over=embed", words.Scope{Runs: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- words.Ask(ctx, d.c, d.c.NewCall(), call)[0].Err }()
	d.waits("a", "no worker has joined")
	cancel()
	if err := <-ended; err == nil {
		t.Error("a repeat without workers has ended well")
	}
	d.do("repeat a 8 n=300 over=embed background")
	d.waits("a", "no worker has joined")
	d.joinEmbedded("cellar")
	for range 6000 { // five minutes, which only end a test that fails
		if len(d.do("seeds a").(*reply.SeedsReply).Series[0].Results) == 8 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	d.do("repeat h 8 n=300")
	if a, h := d.seeds("a"), d.seeds("h"); a != h {
		t.Errorf("after an interrupt:\n%s\nhere:\n%s", a, h)
	}
}

// waits waits until a repeat of a run says something.
func (d *desk) waits(run, what string) {
	d.Helper()
	said := ""
	for range 12_000 {
		var r reply.RunsReply
		if err := d.c.Do(d.Context(), "runs", wire.RunsRequest{}, &r); err != nil {
			d.Fatal(err)
		}
		for i := range r.Runs {
			if x := r.Runs[i].Repeat; r.Runs[i].Run == run && x != nil {
				said = x.Last
			}
		}
		if strings.Contains(said, what) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	d.Fatalf("the repeat of %s says %q, want %q", run, said, what)
}
