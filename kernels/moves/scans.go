package moves

import (
	"metalab/gpu"
	"metalab/solvers/moves"
)

// The values of the schedule parameters, as solvers/moves declares them.
const (
	onCPU    = "cpu"      // generate
	onHost   = "host"     // reduce
	readOnly = "readonly" // cache
)

// scans queues the scans of an iteration, with the configuration of the stage. Where the host
// generates or chooses, it waits for the device in each.
func (e *Engine) scans() error {
	c := e.scan.Config()
	config := gpu.Config{
		Grid: gpu.Dim{X: int(e.job.Blocks) * e.state.walks}, Block: gpu.Dim{X: c.Block},
	}
	for range e.asked.Scans {
		given, deltas, err := e.extras()
		if err != nil {
			return err
		}
		if err := e.evaluate(config, given, deltas); err != nil {
			return err
		}
		if deltas != 0 {
			if err := e.choose(); err != nil {
				return err
			}
		}
		if err := e.step(); err != nil {
			return err
		}
	}
	return nil
}

// extras makes what generate=cpu and reduce=host need, and returns its addresses.
func (e *Engine) extras() (given, deltas uint64, err error) {
	size := int(e.job.Size)
	if e.asked.Generate == onCPU {
		if e.given == nil || e.given.Len() != 2*size {
			if err = e.given.Free(); err == nil {
				e.given, err = gpu.Alloc[int32](e.Dev, 2*size)
			}
			if err != nil {
				return 0, 0, err
			}
		}
		if err = e.given.Upload(neighbours(e.n, int(e.job.Flips), int64(size))); err != nil {
			return 0, 0, err
		}
		given = e.given.View().Ptr
	}
	if e.asked.Reduce == onHost {
		if all := size * e.state.walks; e.deltas == nil || e.deltas.Len() != all {
			if err = e.deltas.Free(); err == nil {
				e.deltas, err = gpu.Alloc[int64](e.Dev, all)
			}
			if err != nil {
				return 0, 0, err
			}
		}
		deltas = e.deltas.View().Ptr
	}
	return given, deltas, nil
}

// evaluate queues the evaluation of all neighbours of all walks.
func (e *Engine) evaluate(c gpu.Config, given, deltas uint64) error {
	name := "ppp_published"
	if e.q != nil {
		name = "qap_published"
		if e.quick() {
			name = "qap_incremental"
		}
	}
	if e.asked.Cache == readOnly {
		name += "_readonly"
	}
	if e.p != nil {
		return e.kernels[name].Launch(c, e.job, e.ppp, e.state.heads, given, deltas, e.parts)
	}
	return e.kernels[name].Launch(c, e.job, e.qap, e.state.heads, given, deltas, e.parts)
}

// choose copies the fitnesses to the host, which finds the best moves, and gives them to the device
// as those of all blocks.
func (e *Engine) choose() error {
	s, size := &e.state, int(e.job.Size)
	deltas, err := e.deltas.Download()
	if err != nil {
		return err
	}
	heads, err := s.heads.Download()
	if err != nil {
		return err
	}
	until, err := s.until.Download()
	if err != nil {
		return err
	}
	var perms []int32
	if e.q != nil {
		if perms, err = s.now.Download(); err != nil {
			return err
		}
	}
	parts := make([]found, e.parts.Len())
	for a, w := range heads {
		v := view{
			n: e.n, flips: int(e.job.Flips), clock: w.Clock, until: until[a*len(until)/s.walks:],
		}
		if perms != nil {
			v.perm = perms[a*e.n:]
		}
		f := v.reduce(deltas[a*size:(a+1)*size], e.job.Aspiration)
		for b := range int(e.job.Blocks) {
			parts[a*int(e.job.Blocks)+b] = f
		}
	}
	return e.parts.Upload(parts)
}

// step queues the choice among the blocks' moves and the move.
func (e *Engine) step() error {
	heads := e.state.heads
	if e.p != nil {
		return e.kernels["ppp_move"].Launch(e.perWalkBlocks(1), e.job, e.ppp, heads, e.parts)
	}
	err := e.kernels["qap_move"].Launch(e.perWalkBlocks(1), e.job, e.qap, heads, e.parts)
	if err != nil || !e.quick() {
		return err
	}
	return e.kernels["qap_update"].Launch(e.perWalkBlocks(e.n), e.job, e.qap, heads)
}

// neighbours are the moves of a neighbourhood, as the host makes them with generate=cpu: two
// positions each, or one and -1.
func neighbours(n, flips int, size int64) []int32 {
	out := make([]int32, 0, 2*size)
	for x := range size {
		i, j := x, int64(-1)
		if flips == 2 {
			i, j = moves.PairAt(int64(n), x)
		}
		out = append(out, int32(i), int32(j))
	}
	return out
}
