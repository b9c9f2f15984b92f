package host_test

import (
	"errors"
	"strings"
	"testing"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/solvers"
	"metalab/solvers/ils"
	"metalab/solvers/tiles"
)

// oneGPU is a machine with a GPU that answers.
type oneGPU struct{ host.GPUs }

func (oneGPU) Available() error { return nil }
func (oneGPU) First() string    { return "GPU 0" }

// A GPU that solve chose and that fails leaves the search to the CPU, and solve says so; one that
// was asked for is an error.
func TestSolveGoesOnWithoutGPU(t *testing.T) {
	host.UseGPUs(func(old host.GPUs) host.GPUs { return oneGPU{old} })
	t.Cleanup(func() { host.UseGPUs(func(now host.GPUs) host.GPUs { return now.(oneGPU).GPUs }) })
	broken := ils.PoolEngines{Tiles: func(*tiles.Problem) (tiles.Engine, error) {
		return nil, errors.New("its memory is full")
	}}
	for _, v := range []solvers.Variant{
		ils.TilesOn("cuda", broken.Tiles), ils.PoolsOn("cuda", broken),
	} {
		solvers.Register(v)
		t.Cleanup(func() { solvers.Remove(v.Solver, v.Name, v.Backend) })
	}
	l := start(t, hosttest.Options(t))
	r := l.Do("solve rand-2100-1 as a until iteration=1").(*reply.SolveReply)
	if r.Backend != "cpu" || r.Line != "open ils rand-2100-1 as a" || r.Iteration != 1 ||
		!strings.Contains(r.String(), "as the GPU failed: ") ||
		!strings.Contains(r.HTML(), "its memory is full") {
		t.Errorf("it says %s", r)
	}
	if _, err := hosttest.Try(t.Context(), l.C, "solve rand-2100-1 as b on=cuda"); err == nil ||
		!strings.Contains(err.Error(), "its memory is full") {
		t.Errorf("a GPU that was asked for and fails: %v", err)
	}
	r = l.Do("solve rand-60-1 as c on=cpu until iteration=1").(*reply.SolveReply)
	if r.Backend != "cpu" || r.Chosen != "" {
		t.Errorf("the CPU was asked for: %s", r)
	}
}
