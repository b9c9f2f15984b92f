package prompt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	_ "metalab/solvers/ants"
	_ "metalab/solvers/ils"
)

// desks is a page of a test: a session, and workers that make the seeds of its repeats.
type desks struct {
	*Session
	t *testing.T

	mu      sync.Mutex
	workers []*Session          // free ones
	stops   map[string]func()   // of seeds under way
	lost    func(seed int) bool // whether the worker of the n-th seed goes
	n       int
	dropped []string
	folder  string
}

// session starts a session of the test.
func session(t *testing.T, folder string) *Session {
	t.Helper()
	s, end, err := Start(t.Context(), folder, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return s
}

func withWorkers(t *testing.T, many int) *desks {
	t.Helper()
	folder := t.TempDir()
	d := &desks{Session: session(t, folder), t: t, stops: map[string]func(){}, folder: folder}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	for range many {
		d.workers = append(d.workers, session(t, folder))
	}
	go d.Follow(ctx, func(e Event) {
		switch e.Kind {
		case "seed":
			d.seed(e)
		case "drop":
			d.mu.Lock()
			d.dropped = append(d.dropped, e.Key)
			if stop := d.stops[e.Key]; stop != nil {
				stop()
			}
			d.mu.Unlock()
		}
	})
	until(t, "the page listens", func() bool {
		d.Session.mu.Lock()
		defer d.Session.mu.Unlock()
		return d.tell != nil
	})
	d.Do(ctx, "w", Request{Do: "workers", Workers: many}, func(Event) {})
	return d
}

// until waits for something.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after a minute still not: %s", what)
		}
	}
}

// seed has a free worker make a seed, as a page does.
func (d *desks) seed(e Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	tell := func(m Made) {
		m.Key = e.Key
		d.Do(d.t.Context(), "made", Request{Do: "made", Made: &m}, func(Event) {})
	}
	if d.lost != nil && d.lost(d.n) {
		go tell(Made{Error: "it ran out of memory", Lost: true})
		return
	}
	if len(d.workers) == 0 {
		d.t.Error("more seeds are wanted at once than there are workers")
		go tell(Made{Error: "no worker"})
		return
	}
	w := d.workers[0]
	d.workers = d.workers[1:]
	ctx, stop := context.WithCancel(d.t.Context())
	d.stops[e.Key] = stop
	go func() {
		defer stop()
		w.Do(ctx, "s"+e.Key, Request{Do: "seed", Text: e.Text}, func(e Event) {
			switch e.Kind {
			case "progress":
				tell(Made{Part: e.Part})
				return
			case "done":
				d.free(w)
				tell(Made{Record: e.Text})
			case "error":
				d.free(w)
				tell(Made{Error: e.Text})
			}
		})
	}()
}

func (d *desks) free(w *Session) {
	d.mu.Lock()
	d.workers = append(d.workers, w)
	d.mu.Unlock()
}

// say carries lines out and returns what was said, and what was wrong.
func (d *desks) say(ctx context.Context, text string) (out string, err error) {
	d.Do(ctx, fmt.Sprint("l", text), Request{Do: "line", Text: text}, func(e Event) {
		switch e.Kind {
		case "out":
			out += e.Text + "\n"
		case "error":
			err = errors.New(e.Text)
		}
	})
	return out, err
}

var times = regexp.MustCompile(`[0-9.]+ ?(ms|s|µs|bytes)\b|/\S*/00\d/`)

// timeless is an answer without times, and without what hangs on how wide they are.
func timeless(s string) string {
	return strings.Join(strings.Fields(times.ReplaceAllString(s, "…")), " ")
}

// Seeds that workers make are those that the session itself makes: the same table, of every kind of
// run and budget, also of a file of the reader's.
func TestSeedsInWorkers(t *testing.T) {
	alone, d := withWorkers(t, 0), withWorkers(t, 3)
	cities := []byte("name,x,y\nA,0,0\nB,9,1\nC,12,8\nD,3,7\nE,5,2\nF,1,9\nG,11,3\n")
	for _, x := range []*desks{alone, d} {
		if err := os.WriteFile(filepath.Join(x.folder, "m.csv"), cities, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"open acs rand-60-1 as a seed=5 local_search=none; step a 4; set a q0=0.7; repeat a 5 n=20",
		"fork a as b ants=7; repeat b 4 n=9",
		"repeat b 4 until best<=7000000",
		"open tabu tai12a as q; repeat q 4 n=30",
		"open ils m.csv as m; repeat m 4 n=3",
		"repeat a 7 n=20; seeds a",
		"repeat a 7 n=20 fresh",
		"clear; save a a.run", "replay a.run seeds",
	} {
		want, err := alone.say(t.Context(), line)
		got, gerr := d.say(t.Context(), line)
		if err != nil || gerr != nil || timeless(got) != timeless(want) {
			t.Errorf("%s: by workers %v\n%s\nalone %v\n%s", line, gerr, got, err, want)
		}
	}
	if d.n < 28 || alone.n != 0 {
		t.Errorf("workers were asked for %d seeds, and without any for %d", d.n, alone.n)
	}
}

// A worker that goes is no loss: the seed is made where the repeat was asked for.
func TestSeedsOfLostWorkers(t *testing.T) {
	alone, d := withWorkers(t, 0), withWorkers(t, 2)
	d.lost = func(n int) bool { return n%2 == 0 }
	line := "open acs rand-40-1 as a; repeat a 5 n=6; seeds a"
	want, err := alone.say(t.Context(), line)
	got, gerr := d.say(t.Context(), line)
	if err != nil || gerr != nil || timeless(got) != timeless(want) {
		t.Errorf("%v, %v:\n%s\nwant\n%s", err, gerr, got, want)
	}
}

// ^C gives the seeds up, and what was made is kept.
func TestSeedsAreGivenUp(t *testing.T) {
	d := withWorkers(t, 2)
	if _, err := d.say(t.Context(), "open acs rand-100-1 as a"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := d.say(ctx, "repeat a 5000 n=3")
		ended <- err
	}()
	until(t, "six seeds are begun", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.n >= 6
	})
	cancel()
	if err := <-ended; err == nil {
		t.Error("it was made to the end")
	}
	out, err := d.say(t.Context(), "seeds a")
	if err != nil || !strings.Contains(out, "3 iterations") {
		t.Errorf("what was made is not kept: %v, %s", err, out)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.dropped) == 0 || len(d.dropped) > 2 {
		t.Errorf("seeds that were given up: %v", d.dropped)
	}
}

// What a page says wrongly is an error and no crash.
func TestWrongSeeds(t *testing.T) {
	d := withWorkers(t, 0)
	for _, q := range []struct {
		ask  Request
		want string
	}{
		{Request{Do: "seed", Text: "nothing"}, "line 1"},
		{Request{Do: "made"}, "is missing"},
		{Request{Do: "workers", Workers: -1}, "workers is -1, want 0 or more"},
	} {
		var last Event
		d.Do(t.Context(), "x", q.ask, func(e Event) { last = e })
		if last.Kind != "error" || !strings.Contains(last.Text, q.want) {
			t.Errorf("%+v: %+v, want %q", q.ask, last, q.want)
		}
	}
	if _, err := (&Made{Record: "x"}).seeded(); err == nil {
		t.Error("a record that is none is taken")
	}
}
