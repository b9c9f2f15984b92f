package moves

import (
	"errors"
	"slices"

	"metalab/gpu"
	"metalab/solvers/moves"
)

// The values of the schedule parameters, as solvers/moves declares them.
const (
	onCPU    = "cpu"      // generate
	onHost   = "host"     // reduce
	readOnly = "readonly" // cache
)

// mostPasses is the number of queued scans of a climb before the host checks whether all are done.
const mostPasses = 64

// scans queues scans, with the configuration of the stage: all of an iteration of tabu search, and
// at most mostPasses of climbing. If the host generates or chooses, it waits for the device in
// each.
func (e *Engine) scans() error {
	c := e.scan.Config()
	config := gpu.Config{
		Grid: gpu.Dim{X: int(e.jobs[0].Blocks) * e.walks}, Block: gpu.Dim{X: c.Block},
	}
	if e.part.shared() {
		return e.together(config)
	}
	if r, ok := e.of.(resident); ok && e.asked.Generate != onCPU && e.asked.Reduce != onHost {
		if done, err := r.whole(e, config, e.jobs); done || err != nil {
			e.moved = e.moved || err == nil
			// The capture recorded what a graph's launches leave of the problem's tables, and these launches
			// have recorded something else.
			return errors.Join(err, e.graph.Drop())
		}
	}
	passes := e.passes()
	all := func() error {
		for range passes {
			for _, o := range e.jobs {
				if err := e.pass(config, o); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if e.asked.Generate == onCPU || e.asked.Reduce == onHost || passes == 0 {
		return all()
	}
	if key := (graphKey{e.asked, config, passes}); key != e.key || !slices.Equal(e.jobs, e.drawn) {
		if err := e.graph.Drop(); err != nil {
			return err
		}
		e.key, e.drawn = key, slices.Clone(e.jobs)
	}
	launch, err := e.graph.Whole(e.Dev, &e.Tuner, all)
	if err != nil {
		return err
	}
	e.moved = true
	return launch()
}

// graphKey is what a graph of scans depends on, beside the jobs and the buffers.
type graphKey struct {
	asked  moves.Job
	config gpu.Config
	passes int
}

// passes is how many times all neighbourhoods are to be scanned.
func (e *Engine) passes() (passes int) {
	for _, w := range e.back.Slice() {
		passes = max(passes, int(w.Left))
	}
	if e.jobs[0].Pick != tabu {
		passes = min(passes, mostPasses)
	}
	return passes
}

// pass queues a scan in one neighbourhood, of the walks that are due.
func (e *Engine) pass(c gpu.Config, o job) error {
	given, deltas, err := e.extras(o)
	if err != nil {
		return err
	}
	if err := e.spend(kernels, func() error {
		return e.of.evaluate(e, c, o, given, deltas)
	}); err != nil {
		return err
	}
	if deltas != 0 {
		if err := e.choose(o); err != nil {
			return err
		}
	}
	e.moved = true
	return e.spend(kernels, func() error { return e.of.step(e, o) })
}

// extras makes what generate=cpu and reduce=host need, and returns its addresses.
func (e *Engine) extras(o job) (given, deltas uint64, err error) {
	if e.asked.Generate == onCPU {
		var v []int32
		if err := e.spend(process, func() (err error) {
			v, err = e.neighbours(o)
			return err
		}); err != nil {
			return 0, 0, err
		}
		if err := grow(e.Dev, &e.given, len(v)); err != nil {
			return 0, 0, err
		}
		if err := e.spend(transfer, func() error {
			return e.given.Slice(0, len(v)).Upload(v)
		}); err != nil {
			return 0, 0, err
		}
		given = e.given.View().Ptr
	}
	if e.asked.Reduce == onHost {
		if err := grow(e.Dev, &e.deltas, int(o.Size)*e.walks); err != nil {
			return 0, 0, err
		}
		deltas = e.deltas.View().Ptr
	}
	return given, deltas, nil
}

// neighbourhood is that of a job.
func neighbourhood(p *moves.Problem, o job) (moves.Neighbourhood, error) {
	return moves.NeighbourhoodOf(p.Instance, int(o.Number), int64(o.Size))
}

func (e *Engine) neighbours(o job) ([]int32, error) {
	nb, err := neighbourhood(e.problem, o)
	if err != nil {
		return nil, err
	}
	return neighbours(nb), nil
}

// neighbours are the moves of a neighbourhood, as the host makes them with generate=cpu: four
// numbers each, the positions, -1 where they are not needed, and the direction or the value.
func neighbours(nb moves.Neighbourhood) []int32 {
	out := make([]int32, 0, 4*nb.Size())
	if nb.Size() == 0 {
		return out
	}
	m := nb.Move(0)
	for range nb.Size() {
		last := m.By
		if m.Back {
			last = 1
		}
		out = append(out, m.At[0], m.At[1], m.At[2], last)
		m = nb.Next(m)
	}
	return out
}

// choose copies the fitnesses to the host, which finds the best moves, and gives them to the device
// as those of all blocks.
func (e *Engine) choose(o job) error {
	size := int(o.Size)
	nb, err := neighbourhood(e.problem, o)
	if err != nil {
		return err
	}
	v := chooser{job: o, nb: nb}
	var deltas []int64
	var heads []walk
	if err := e.spend(transfer, func() (err error) {
		if deltas, err = e.deltas.Slice(0, size*e.walks).Download(); err == nil {
			heads, err = e.heads.Download()
		}
		if err == nil && o.Pick == tabu {
			v.judge, err = e.of.judge(o)
		}
		return err
	}); err != nil {
		return err
	}
	parts := make([]found, e.parts.Len())
	if err := e.spend(process, func() error {
		for a, w := range heads {
			if w.Left <= 0 || w.Ended != 0 || w.Level != o.Level {
				continue
			}
			f := v.reduce(a, &w, deltas[a*size:(a+1)*size])
			for b := range int(o.Blocks) {
				parts[a*int(o.Blocks)+b] = f
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return e.spend(transfer, func() error { return e.parts.Upload(parts) })
}
