package host

import (
	"errors"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/genetic"
	"metalab/solvers/ils"
	_ "metalab/solvers/moves"
	"metalab/solvers/tiles"
)

// A machine with a GPU, as far as choosing goes.
type withGPU struct {
	none
	err error
}

func (w withGPU) Available() error { return w.err }
func (w withGPU) First() string    { return "GPU 0" }

// onFakeGPU registers what runs on a GPU, with engines of the CPU, and lets hosts find a GPU. It is
// for tests that are not parallel.
func onFakeGPU(t *testing.T, engines ils.PoolEngines) {
	t.Helper()
	old := gpus
	gpus = withGPU{}
	t.Cleanup(func() { gpus = old })
	tabu, err := solvers.Find("tabu", "robust", "cpu")
	if err != nil {
		t.Fatal(err)
	}
	tabu.Backend = "cuda"
	for _, v := range []solvers.Variant{
		ils.TilesOn("cuda", tiles.NewCPU), ils.PoolsOn("cuda", engines), tabu,
	} {
		solvers.Register(v)
		t.Cleanup(func() { solvers.Remove(v.Solver, v.Name, v.Backend) })
	}
}

// solve takes a GPU where one is there, time enough is given, and the instance is of a kind and a
// size for which it is ahead.
func TestSolveChoosesBackend(t *testing.T) {
	onFakeGPU(t, ils.PoolEngines{Tiles: tiles.NewCPU, Cross: genetic.NewRoundsCPU})
	uniform := func(n int) datasets.Instance {
		in, err := datasets.Uniform(n, 1)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	named := func(name string) datasets.Instance {
		in, _, err := datasets.Generate(name)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	at := make([]float64, 5000)
	blocks, err := datasets.NewTSP("blocks", datasets.Man2D, at, at)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what     string
		inst     datasets.Instance
		q        wire.SolveRequest
		wall     float64
		on, says string
		params   int
	}{
		{"small", uniform(1999), wire.SolveRequest{}, 10, "cpu", "below 2000 cities", 0},
		{"small, asked for", uniform(1999), wire.SolveRequest{On: "cuda:0"}, 10, "cuda:0", "", 0},
		{"tours", uniform(2000), wire.SolveRequest{}, 10, "cuda", "GPU 0", 0},
		{"the CPU asked for", uniform(2000), wire.SolveRequest{On: "cpu"}, 10, "cpu", "", 0},
		{"open end", uniform(2000), wire.SolveRequest{Until: "gap<1"}, 0, "cuda", "GPU 0", 0},
		{"short", uniform(2000), wire.SolveRequest{}, 4, "cpu", "for 5 s or more", 0},
		{"CPU seconds", uniform(2000), wire.SolveRequest{CPU: 60}, 0, "cpu", "in seconds of it", 0},
		{"large", uniform(60_000), wire.SolveRequest{}, 10, "cuda", "GPU 0", 0},
		{"no plane", blocks, wire.SolveRequest{}, 10, "cpu", "up to 10000 cities", 0},
		{"assignment", named("tai50a"), wire.SolveRequest{}, 10, "cuda", "GPU 0", 4},
		{"small one", named("tai40a"), wire.SolveRequest{}, 10, "cpu", "from 50 facilities", 0},
		{"small, asked for", named("tai40a"), wire.SolveRequest{On: "cuda"}, 10, "cuda", "", 4},
		{"colouring", named("queen5_5"), wire.SolveRequest{}, 10, "cpu", "", 0},
	} {
		got := choose(&c.q, c.inst, c.wall)
		if got.on != c.on || !strings.Contains(got.why, c.says) || c.says == "" && got.why != "" ||
			len(got.params) != c.params {
			t.Errorf("%s: on %q with %v, and says %q; want on %q, saying %q", c.what, got.on, got.params,
				got.why, c.on, c.says)
		}
	}
	gpus = withGPU{err: errors.New("there is none")}
	if got := choose(&wire.SolveRequest{}, uniform(2000), 10); got.on != "cpu" || got.why != "" {
		t.Errorf("without a GPU: %+v", got)
	}
}
