package browser_test

import (
	"context"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/browser"
	"metalab/solvers"
	_ "metalab/solvers/ants"
	"metalab/solvers/record"
)

// recorded is a run of acs with a change, and its instance.
func recorded(t *testing.T) (*record.Record, *solvers.Run) {
	t.Helper()
	inst, err := datasets.Uniform(40, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{
		Name: "a", Solver: "acs", Instance: inst, Seed: 7, Params: record.Of("local_search", "none"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	step(t, r, 30)
	if _, err := r.Set(t.Context(), record.Of("q0", 0.5), "test"); err != nil {
		t.Fatal(err)
	}
	step(t, r, 30)
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rec, r
}

func step(t *testing.T, r *solvers.Run, n int) {
	t.Helper()
	if err := r.Step(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}

// asked carries out a request and returns its last event, and all that was said before.
func asked(t *testing.T, e *browser.Engine, q browser.Request) (last browser.Event,
	before []browser.Event,
) {
	t.Helper()
	e.Do(t.Context(), q, func(ev browser.Event) { before = append(before, ev) })
	n := len(before) - 1
	return before[n], before[:n]
}

// opened is an engine that has a record open.
func opened(t *testing.T, rec *record.Record, inst datasets.Instance) *browser.Engine {
	t.Helper()
	e := &browser.Engine{}
	ev, _ := asked(t, e, opening(t, rec, inst))
	if ev.Kind != "done" || ev.Opened.End != rec.End {
		t.Fatalf("open: %+v", ev)
	}
	return e
}

func opening(t *testing.T, rec *record.Record, inst datasets.Instance) browser.Request {
	t.Helper()
	p, err := browser.Pack(inst)
	if err != nil {
		t.Fatal(err)
	}
	return browser.Request{Do: "open", Record: text(t, rec), Instance: p}
}

func text(t *testing.T, rec *record.Record) string {
	t.Helper()
	var b strings.Builder
	if err := rec.Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReplay(t *testing.T) {
	t.Parallel()
	rec, r := recorded(t)
	e := opened(t, rec, r.Instance())
	for _, e.MostEntries = range []int{0, 50} { // of 40 cities
		replayed(t, e, rec)
	}
}

func replayed(t *testing.T, e *browser.Engine, rec *record.Record) {
	t.Helper()
	ev, before := asked(t, e, browser.Request{Do: "replay"})
	v := ev.Verdict
	if v == nil || !v.Identical || v.Words != "identical over 60 iterations" {
		t.Fatalf("replay: %+v", ev)
	}
	// All iterations are told, and the last tour is the best one.
	n, best := 0, browser.Tour{}
	for _, b := range before {
		for _, p := range b.Points {
			if n++; int(p[0]) != n {
				t.Fatalf("point %d is of iteration %v", n, p[0])
			}
		}
		for _, best = range b.Tours {
		}
	}
	if n != 60 || best.Iter != rec.Best.Iter {
		t.Errorf("%d iterations, the last tour of %d; want 60 and %d", n, best.Iter, rec.Best.Iter)
	}
	for i, c := range rec.Best.Solution.Perm {
		if best.Perm[i] != c {
			t.Fatalf("the last tour has %d at %d, want %d", best.Perm[i], i, c)
		}
	}
}

// TestForkIsTheEnginesOwn compares a fork in a page with one that solvers makes.
func TestForkIsTheEnginesOwn(t *testing.T) {
	t.Parallel()
	rec, r := recorded(t)
	e := opened(t, rec, r.Instance())
	set := map[string]string{"q0": "0.1", "candidates": "5"} // live, and structural
	ev, _ := asked(t, e, browser.Request{Do: "fork", At: 20, To: 50, Set: set})
	if ev.Forked == nil || ev.Forked.Parts != 0 || ev.Forked.Compared != 0 {
		t.Fatalf("fork of a record that was not replayed: %+v", ev)
	}
	asked(t, e, browser.Request{Do: "replay"})
	ev, _ = asked(t, e, browser.Request{Do: "fork", At: 20, To: 50, Set: set})
	if ev.Forked == nil || ev.Forked.Parts != 21 || ev.Forked.End != 50 || ev.Forked.Compared != 50 {
		t.Fatalf("fork: %+v", ev)
	}
	got, err := record.Decode(strings.NewReader(ev.Forked.Record))
	if err != nil {
		t.Fatal(err)
	}
	past, err := solvers.Back(t.Context(), rec, nil, r.Instance(), "a", solvers.Before(rec, 20), nil,
		solvers.ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer past.Close()
	own, err := past.Fork(t.Context(), solvers.Fork{
		Name: "b", With: record.Of("q0", 0.1, "candidates", 5),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	step(t, own, 30)
	if own.Last().Digest != got.Digest || got.Header.Run != "a2" {
		t.Errorf("the fork of a page, %s, ends with %016x, that of solvers with %016x", got.Header.Run,
			got.Digest, own.Last().Digest)
	}
	if d, err := solvers.Replay(t.Context(), got, r.Instance(), solvers.ReplayOptions{}); d != nil ||
		err != nil {
		t.Errorf("the record of the fork: %v, %v", d, err)
	}
	// What changes nothing parts nowhere.
	set = map[string]string{"q0": "0.5"}
	ev, _ = asked(t, e, browser.Request{Do: "fork", At: 40, To: 70, Set: set})
	if ev.Forked == nil || ev.Forked.Parts != 0 || ev.Forked.BestParts != 0 ||
		ev.Forked.Compared != 60 {
		t.Errorf("a fork that changes nothing: %+v", ev)
	}
}

// A fork makes the record's later changes of other parameters, unless it is alone.
func TestForkMakesTheLaterChanges(t *testing.T) {
	t.Parallel()
	rec, r := recorded(t)
	e := opened(t, rec, r.Instance())
	asked(t, e, browser.Request{Do: "replay"})
	last := rec.Journal[len(rec.Journal)-1]
	q := browser.Request{Do: "fork", At: 10, To: rec.End, Set: map[string]string{"beta": "2"}}
	ev, _ := asked(t, e, q)
	if f := ev.Forked; f == nil || f.Parts != 0 || f.Compared != rec.End || len(f.Left) != 0 ||
		f.Made[len(f.Made)-1] != solvers.ChangeText(last) {
		t.Errorf("a fork that changes nothing: %+v", f)
	}
	q.Alone = true
	ev, _ = asked(t, e, q)
	if f := ev.Forked; f == nil || f.Parts <= last.Iter || len(f.Made) != 0 ||
		f.Left[len(f.Left)-1] != solvers.ChangeText(last) {
		t.Errorf("alone: %+v", f)
	}
	q.Alone, q.Set = false, map[string]string{last.Name: "0.11"}
	ev, _ = asked(t, e, q)
	if f := ev.Forked; f == nil || f.Left[len(f.Left)-1] != solvers.ChangeText(last) {
		t.Errorf("a fork that sets what the record changes later: %+v", f)
	}
}

func TestRepeatIsTheEnginesOwn(t *testing.T) {
	t.Parallel()
	_, r := recorded(t)
	q := solvers.Repeats{Seeds: 3, Budget: record.Budget{Iterations: 25}}
	_, _, err := r.Repeat(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := opened(t, rec, r.Instance())
	for i, want := range []string{"same", "same", "same", ""} {
		ev, _ := asked(t, e, browser.Request{Do: "repeat", Seed: 7 + uint64(i), To: 25})
		if ev.Seeded == nil || ev.Seeded.Recorded != want || ev.Seeded.Iter != 25 {
			t.Errorf("seed %d: %+v, %+v, want %q", 7+i, ev, ev.Seeded, want)
		}
	}
	rec.Repeats[0].Seeds[1].Best--
	e = opened(t, rec, r.Instance())
	ev, _ := asked(t, e, browser.Request{Do: "repeat", Seed: 8, To: 25})
	if ev.Seeded == nil || ev.Seeded.Recorded != "other" {
		t.Errorf("a seed that is another in the record: %+v", ev.Seeded)
	}
}

func TestWhatAnEngineRefuses(t *testing.T) {
	t.Parallel()
	rec, r := recorded(t)
	e := &browser.Engine{}
	says := func(q browser.Request, want string) browser.Event {
		t.Helper()
		ev, _ := asked(t, e, q)
		if ev.Kind != "error" || !strings.Contains(ev.Error, want) {
			t.Errorf("%s: %+v, want %q", q.Do, ev, want)
		}
		return ev
	}
	says(browser.Request{Do: "replay"}, "no record is open")
	says(browser.Request{Do: "open", Record: "{}"}, "record: line 1")
	open := opening(t, rec, r.Instance())
	open.Instance.Name = "rand-40-2"
	says(open, "is other data than when the record was made")
	open.Instance.Name = "nowhere"
	says(open, "no data of instance nowhere")
	old := *rec
	old.Header.Revision += 5
	old.Header.Build = "abc"
	ev := says(opening(t, &old, r.Instance()), "use the metalab that wrote it (abc)")
	if ev.Wanted != "revision 6 of acs/seq" {
		t.Errorf("wanted is %q", ev.Wanted)
	}
	e = opened(t, rec, r.Instance())
	says(browser.Request{Do: "sing"}, `no request "sing"`)
	says(browser.Request{Do: "fork", At: 61, To: 70}, "at is 61, want 0 to 60")
	says(browser.Request{Do: "fork", At: 30, To: 30}, "to is 30, want more than 30")
	says(browser.Request{Do: "fork", At: 3, To: 9, Set: map[string]string{"q0": "7"}}, "q0 is 7")
	says(browser.Request{Do: "repeat"}, "to is 0, want 1 or more")
}

func TestStopped(t *testing.T) {
	t.Parallel()
	rec, r := recorded(t)
	e := opened(t, rec, r.Instance())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, q := range []browser.Request{
		{Do: "replay"}, {Do: "fork", At: 30, To: 60}, {Do: "repeat", To: 30, Seed: 3},
	} {
		var last browser.Event
		e.Do(ctx, q, func(ev browser.Event) { last = ev })
		if last.Kind != "error" || !last.Stopped {
			t.Errorf("%s stopped: %+v", q.Do, last)
		}
	}
	ev, _ := asked(t, e, browser.Request{Do: "replay"})
	if ev.Verdict == nil || !ev.Verdict.Identical {
		t.Errorf("after that: %+v", ev)
	}
}
