package moves

import (
	"os"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/conform"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

// Launches change at random between iterations, in the emulator.

// howOf is what a job asks for, as far as the emulator can do it.
func howOf(j moves.Job) how {
	h := how{
		threads: j.Threads, warps: min(max(j.Block/32, 1), 4), readonly: j.Cache == readOnly,
		given: j.Generate == onCPU, out: j.Reduce == onHost, passing: j.Trials == 10,
	}
	if h.threads == 0 {
		h.threads = 64
	}
	return h
}

// quickHowOf is the like for the kernels that make many scans in a launch: teams are of one block.
func quickHowOf(j moves.Job, n int) quickHow {
	h := quickHow{
		kernel: "walks", warps: min(max(j.Block/32, 1), 4), staged: j.Trials > 0,
		wide: j.Cache == readOnly,
	}
	switch {
	case j.Evaluation == "linear":
		h.kernel, h.wide = "published", true
	case j.Threads > j.Block || j.Block < n:
		h.kernel, h.wide = "team", true
	}
	return h
}

// emulatedShapes registers an engine for all solvers, and returns the backend's name.
func emulatedShapes(t *testing.T, engine func(*moves.Problem) (moves.Engine, error)) string {
	backend := "by the kernels in " + t.Name()
	for _, v := range []solvers.Variant{
		moves.TabuOn(backend, Kinds(), engine), moves.HillOn(backend, Kinds(), engine),
		moves.VNDOn(backend, Kinds(), engine),
	} {
		solvers.Register(v)
		t.Cleanup(func() { solvers.Remove(v.Solver, v.Name, v.Backend) })
	}
	return backend
}

// few has few cases, unless METALAB_EMULATE is all.
func few(s conform.Shapes, backend string, iterations int) conform.Shapes {
	s.Backend, s.Cases, s.Iterations = backend, 1, iterations
	if os.Getenv("METALAB_EMULATE") == "all" {
		s.Cases = 10
	}
	return s
}

// TestEmulatedShapes changes, between iterations, all that the general kernels can do in more ways
// than one.
func TestEmulatedShapes(t *testing.T) {
	emulate.Need(t)
	eachShapes(t, onEmulator, func(t *testing.T, s conform.Shapes) {
		t.Parallel()
		backend := emulatedShapes(t, func(p *moves.Problem) (moves.Engine, error) {
			e, err := newEmulated(p, how{})
			if err == nil {
				e.(*emulated).asks = true
			}
			return e, err
		})
		conform.CheckShapes(t, few(s, backend, 6))
	})
}

// TestQuickShapes does it with the kernels of assignments that make many scans in a launch, whose
// state is on the device between launches.
func TestQuickShapes(t *testing.T) {
	emulate.Need(t)
	backend := emulatedShapes(t, func(p *moves.Problem) (moves.Engine, error) {
		return newQuickEmulated(p)
	})
	s := shapesOf(t, 0, "tabu", onEmulator)
	draw := s.Draw
	s.Draw = func(d *conform.Draws) (datasets.Instance, record.Values, error) {
		inst, params, err := draw(d)
		params["neighbourhood"] = record.Text("swap")
		return inst, params, err
	}
	s.Live = func(d *conform.Draws, _ datasets.Instance) record.Values {
		return record.Of("walks", d.Int(1, 3), "scans", d.Int(1, 4))
	}
	s = few(s, backend, 40)
	s.Cases *= 3
	conform.CheckShapes(t, s)
}
