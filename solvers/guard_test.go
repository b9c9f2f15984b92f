package solvers_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/toy"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

func panics(record.Point) func(*record.Point) string { panic("at once") }

func panicsLater(record.Point) func(*record.Point) string {
	return func(*record.Point) string { panic("later") }
}

// A fault that was recovered before is told once, with its own place.
func TestPlacedPanicsAreToldOnce(t *testing.T) {
	r := open(t, nil)
	_, err := r.StepUntil(t.Context(), 5, func(record.Point) func(*record.Point) string {
		panic(&own.Fault{Text: "panic: late", Where: "(*late).Cost", Line: 7})
	})
	want := "the stop rule: panic: late (in (*late).Cost, line 7)\n"
	if err == nil || !strings.Contains(err.Error(), want) ||
		strings.Contains(err.Error(), "panic: panic") {
		t.Errorf("%v, want %q", err, want)
	}
}

// A panic in a caller's function is an error of the call, after which the run goes on.
func TestPanicsOfCallersAreErrors(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 3)
	check := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "panic: ") {
			t.Errorf("%s: %v", what, err)
		}
		if r.State() != solvers.Paused || r.Err() != nil {
			t.Errorf("%s: the run is %s, %v", what, r.State(), r.Err())
		}
		mustStep(t, r, 1)
	}
	for name, rule := range map[string]solvers.Stop{"at once": panics, "later": panicsLater} {
		_, err := r.StepUntil(t.Context(), 5, rule)
		check(name, err)
		_, err = r.StepUntil(t.Context(), 5, solvers.Any(nil, rule))
		check(name+" in Any", err)
	}
	check("go", r.GoUntil(panics))
	check("view", r.View(t.Context(), func(solvers.Algorithm) { panic("view") }))
	if err := r.View(t.Context(), nil); err == nil {
		t.Error("view without a function gives no error")
	}
	_, err := solvers.Repeat(t.Context(), solvers.Config{
		Solver: "toy", Instance: r.Instance(),
	}, []uint64{1, 2}, solvers.Budget{Iterations: 2}, func(solvers.Result) { panic("done") })
	check("repeat", err)
	if err := r.GoUntil(panicsLater); err != nil {
		t.Fatal(err)
	}
	for r.State() != solvers.Paused {
		runtime.Gosched()
	}
	if _, err := r.Best(t.Context()); err != nil { // after what the owner does at the pause
		t.Error(err)
	}
	if !strings.Contains(r.Trouble(), "later") || strings.Contains(r.Trouble(), "\n") ||
		!strings.Contains(r.Trouble(), "panicsLater") {
		t.Errorf("after a standing order: %q", r.Trouble())
	}
	mustStep(t, r, 1)
	updates := r.Watch(t.Context(), time.Hour)
	if err := r.GoUntil(panicsLater); err != nil {
		t.Fatal(err)
	}
	for u := range updates {
		if u.State == solvers.Paused && u.Err != nil {
			if !strings.Contains(u.Err.Error(), "stop rule: panic: later (in solvers_test.panicsLater") {
				t.Errorf("a watcher gets %v", u.Err)
			}
			break
		}
	}
	mustStep(t, r, 1)
	for _, none := range []solvers.Stop{
		nil, solvers.Any(), solvers.Any(nil, nil),
		func(record.Point) func(*record.Point) string { return nil },
	} {
		if why, err := r.StepUntil(t.Context(), 3, none); why != "" || err != nil {
			t.Errorf("a rule that is none: %q, %v", why, err)
		}
	}
}

// A function that ends its goroutine, as t.FailNow does, closes the run; nobody waits for ever.
func TestGoexitClosesTheRun(t *testing.T) {
	r := open(t, nil)
	if err := r.View(t.Context(), func(solvers.Algorithm) { runtime.Goexit() }); !errors.Is(err,
		solvers.ErrClosed) {
		t.Errorf("%v, want that it is closed", err)
	}
}

// wild is a toy that panics in one of its methods.
type wild struct {
	*toy.Search
	where string
}

func (w *wild) at(where string) {
	if w.where == where {
		panic("in " + where)
	}
}

func (w *wild) Init(env *solvers.Env) error { w.at("Init"); return w.Search.Init(env) }
func (w *wild) Best() float64               { w.at("Best"); return w.Search.Best() }
func (w *wild) Solution() record.Solution   { w.at("Solution"); return w.Search.Solution() }
func (w *wild) Snapshot(s *solvers.Writer)  { w.at("Snapshot"); w.Search.Snapshot(s) }
func (w *wild) Ended() string               { w.at("Ended"); return "" }

// registered is what the registration of a variant panics with.
func registered(v solvers.Variant) (why string) {
	defer func() { why, _ = recover().(string) }()
	solvers.Register(v)
	return ""
}

// A panic in an algorithm is an error of Open, or fails the run; one without New cannot be opened.
func TestPanicsOfAlgorithmsAreErrors(t *testing.T) {
	inst := grid(t, 20)
	v := solvers.Variant{
		Solver: "wild", Name: "x", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "panics",
	}
	cfg := solvers.Config{Solver: "wild", Instance: inst}
	t.Cleanup(func() { solvers.Remove("wild", "x", "cpu") })
	if why := registered(v); !strings.Contains(why, "wild/x on cpu is registered without New") {
		t.Errorf("a variant without New: %q", why)
	}
	if _, err := v.Make(inst); err == nil || !strings.Contains(err.Error(), "New") {
		t.Errorf("a variant without New is made: %v", err)
	}
	if _, err := solvers.Open(cfg); err == nil {
		t.Error("what was refused is registered")
	}
	for _, where := range []string{"New", "Init", "Best", "Solution", "Snapshot", "Ended"} {
		v.New = func(datasets.Instance) (solvers.Algorithm, error) {
			w := &wild{toy.New(inst), where}
			w.at("New")
			return w, nil
		}
		solvers.Put(v)
		r, err := solvers.Open(cfg)
		if err == nil {
			if err = r.Step(t.Context(), 2); err == nil {
				_, err = r.Snapshot(t.Context())
			}
			r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "panic: in "+where) {
			t.Errorf("%s: %v", where, err)
		}
	}
}

// A nil context, instance or record is an error of the call.
func TestNilIsAnError(t *testing.T) {
	r := open(t, nil)
	mustStep(t, r, 3)
	rec, inst := paper(t, r), r.Instance()
	var no context.Context
	o := solvers.ReplayOptions{}
	cfg := solvers.Config{Solver: "toy", Instance: inst}
	b := solvers.Budget{Iterations: 1}
	for name, f := range map[string]func() error{
		"step":      func() error { return r.Step(no, 1) },
		"best":      func() error { _, err := r.Best(no); return err },
		"set":       func() error { _, err := r.Set(no, record.Of("heat", 2), ""); return err },
		"fork":      func() error { _, err := r.Fork(no, solvers.Fork{}); return err },
		"repeat":    func() error { _, err := solvers.Repeat(no, cfg, []uint64{1}, b, nil); return err },
		"once":      func() error { _, err := solvers.Once(no, cfg, b); return err },
		"replay":    func() error { _, err := solvers.Replay(no, rec, inst, o); return err },
		"load":      func() error { _, err := solvers.Load(no, "x", inst, ""); return err },
		"revive":    func() error { _, err := solvers.Revive(no, rec, nil, inst, ""); return err },
		"open":      func() error { _, err := solvers.Open(solvers.Config{Solver: "toy"}); return err },
		"no data":   func() error { _, err := solvers.Replay(t.Context(), rec, nil, o); return err },
		"no record": func() error { _, err := solvers.Replay(t.Context(), nil, inst, o); return err },
		"diff":      func() error { _, err := solvers.Diff(t.Context(), rec, nil, inst); return err },
		"watch": func() error {
			var err error
			for u := range r.Watch(no, time.Hour) {
				err = u.Err
			}
			return err
		},
		"of a name": func() error { _, err := r.Set(t.Context(), record.Of("heat"), ""); return err },
		"of a slice": func() error {
			_, err := r.Set(t.Context(), record.Of("heat", []int{1}), "")
			return err
		},
		"of no name": func() error { _, err := r.Set(t.Context(), record.Of(3, "heat"), ""); return err },
	} {
		if err := f(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	var typed *datasets.TSP // nil as an instance, too
	cfg.Instance = typed
	for name, f := range map[string]func() error{
		"open":    func() error { _, err := solvers.Open(cfg); return err },
		"resolve": func() error { _, _, err := solvers.Resolve(cfg); return err },
		"cost":    func() error { _, err := solvers.Cost(typed, record.Solution{}); return err },
		"bare":    func() error { _, err := solvers.NewStepper(r.Variant(), typed); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), "no instance") {
			t.Errorf("%s of a nil pointer: %v", name, err)
		}
	}
	if _, err := r.Set(t.Context(), record.Of("heat", uint8(3)), ""); err != nil {
		t.Errorf("any number is one: %v", err)
	}
}
