package moves

import (
	"errors"
	"testing"

	"metalab/gpu"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/moves"
	"metalab/solvers/record"
	"metalab/solvers/wave"
)

// onFake makes runs of tabu search, on the driver that is none, whose engine it gives to use before
// the first iteration. It returns a function that opens one.
func onFake(t *testing.T, use func(*Engine)) func(c trial, with ...any) *solvers.Run {
	t.Helper()
	image = func(string) ([]byte, error) { return emulate.FakeImage, nil }
	backend := "fake in " + t.Name()
	solvers.Register(moves.TabuOn(backend, Kinds(), func(p *moves.Problem) (moves.Engine, error) {
		made, err := NewEngine(p)
		if err == nil {
			use(made.(*Engine))
		}
		return made, err
	}))
	return func(c trial, with ...any) *solvers.Run {
		params := record.Of(with...)
		for name, v := range c.params {
			if _, ok := params[name]; !ok {
				params[name] = v
			}
		}
		r, err := solvers.Open(solvers.Config{
			Name: "claims", Solver: "tabu", Variant: "robust", Backend: backend, Instance: c.inst, Seed: 1,
			Params: params,
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// TestClaims holds what an engine asks the device for against what it allocates, for several
// numbers of walks and all launches, and looks that all is given back.
func TestClaims(t *testing.T) {
	if !emulate.OnFake(t) {
		return
	}
	var e *Engine
	open := onFake(t, func(made *Engine) { e = made })
	for _, m := range emulations {
		for _, walks := range []int{1, 7, 3} {
			c := m.trials(t)[2]
			r := open(c, "walks", walks)
			if err := r.Step(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			for _, shape := range append(e.shapes(), e.own()) {
				if err := e.adopt(shape); err != nil {
					t.Fatal(err)
				}
			}
			h := e.Dev.Holding()
			if h.Claimed != e.bytes(walks) || h.Held > h.Claimed || h.Held == 0 {
				t.Errorf("%s, %d walks: %d bytes were asked for, %d should be, %d are held", c.inst.Name(),
					walks, h.Claimed, e.bytes(walks), h.Held)
			}
			r.Close()
		}
	}
	for _, h := range gpu.Holdings(0) {
		t.Errorf("after closing: %v", h)
	}
}

// TestOpens opens and closes a thousand runs: the device has then as much memory as before.
func TestOpens(t *testing.T) {
	if !emulate.OnFake(t) {
		return
	}
	open := onFake(t, func(*Engine) {})
	free := func() int64 {
		d, err := gpu.Open(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		n, _, err := d.MemInfo()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var trials []trial
	for _, m := range emulations {
		trials = append(trials, m.trials(t)[1])
	}
	before := free()
	for i := range 1000 {
		r := open(trials[i%len(trials)])
		err := r.Step(t.Context(), 1)
		if r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := free(); after != before {
		t.Errorf("%d bytes were free before, %d are after a thousand runs", before, after)
	}
}

// refusing is a problem of which some launches fail.
type refusing struct {
	problem
	fails func(c gpu.Config) bool
}

var errRefused = errors.New("too many resources requested for launch")

func (r refusing) evaluate(e *Engine, c gpu.Config, o job, given, deltas uint64) error {
	if r.fails(c) {
		return errRefused
	}
	return r.problem.evaluate(e, c, o, given, deltas)
}

// TestFailedLaunches injects launches that fail: the tuner skips them, says so in its table, and
// the run goes on.
func TestFailedLaunches(t *testing.T) {
	if !emulate.OnFake(t) {
		return
	}
	open := onFake(t, func(e *Engine) {
		e.of = refusing{e.of, func(c gpu.Config) bool { return c.Block.X%64 == 32 && c.Block.X > 96 }}
	})
	for _, m := range emulations {
		c := m.trials(t)[3]
		r := open(c, "scans", 1, "trials", 1, "wave", 0)
		defer r.Close()
		var tables []solvers.Wave
		for range 300 { // trials may lose a part of the time only, by a clock that is none
			if err := r.Step(t.Context(), 300); err != nil {
				t.Fatalf("%s: %v", c.inst.Name(), err)
			}
			var err error
			tables, err = r.Waves(t.Context())
			if err != nil || len(tables) != 1 {
				t.Fatalf("%s: %v, %+v", c.inst.Name(), err, tables)
			}
			if tables[0].Tuned {
				break
			}
		}
		if !tables[0].Tuned {
			t.Fatalf("%s: not tuned: %+v", c.inst.Name(), tables)
		}
		failed := 0
		for _, trial := range tables[0].Trials {
			bad := trial.Config.Block%64 == 32 && trial.Config.Block > 96
			if bad != errors.Is(trial.Err, errRefused) {
				t.Errorf("%s, %v: %v", c.inst.Name(), trial.Config, trial.Err)
			}
			if bad {
				failed++
			}
		}
		if failed == 0 || tables[0].Config == (wave.Config{}) {
			t.Errorf("%s: none of %d failed; taken is %v", c.inst.Name(), len(tables[0].Trials),
				tables[0].Config)
		}
	}
}
