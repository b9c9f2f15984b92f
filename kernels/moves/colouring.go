package moves

import (
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// colouringArg is the kernels' colouring: the instance and the walks' data, by addresses of the
// device.
type colouringArg struct {
	First, Near, Adjacent, C, Top, Until, Around, Tickets uint64
	K, Words                                              int32
}

// colouring is the problem of colourings.
type colouring struct {
	inst        *datasets.Colouring
	n, k        int
	first, near []int32
	adjacent    []uint32
	arg         colouringArg
	now, top    lanes[int32]
	until       lanes[int64]
	around      lanes[int32]
	tickets     lanes[uint32]
	colours     []int32
	times       []int64
	counts      []int32
	quick       bool // by kernels that make whole scans
}

func newColouring(inst datasets.Instance) (problem, error) {
	g, ok := inst.(*datasets.Colouring)
	if !ok {
		return nil, fmt.Errorf("%s is a %T, want a colouring", inst.Name(), inst)
	}
	p := &colouring{inst: g, n: g.N, k: g.K}
	p.arg.K, p.arg.Words = int32(g.K), int32((g.N+31)/32)
	p.adjacent = make([]uint32, g.N*int(p.arg.Words))
	for v := range g.N {
		p.first = append(p.first, int32(len(p.near)))
		for _, u := range g.Neighbours(v) {
			p.near = append(p.near, u)
			p.adjacent[v*int(p.arg.Words)+int(u)/32] |= 1 << (u % 32)
		}
	}
	p.first = append(p.first, int32(len(p.near)))
	return p, nil
}

func (p *colouring) image() string { return "colouring" }

func (p *colouring) kernels() []string {
	return []string{
		"colouring_scan", "colouring_scans", "colouring_move", "colouring_load", "colouring_hash",
	}
}

func (p *colouring) fixed() int64 {
	return 4 * int64(len(p.first)+len(p.near)+len(p.adjacent))
}

func (p *colouring) perWalk() int64 {
	return 8*int64(p.n) + 12*int64(p.n)*int64(p.k) + 4
}

func (p *colouring) scratch(int, int64) int64 { return 0 }

func (p *colouring) upload(d *gpu.Device) (err error) {
	p.arg.First, err = address(d, p.first, err)
	p.arg.Near, err = address(d, p.near, err)
	p.arg.Adjacent, err = address(d, p.adjacent, err)
	return err
}

func (p *colouring) room(d *gpu.Device, walks int) (err error) {
	err = p.now.room(d, walks, p.n, err)
	err = p.top.room(d, walks, p.n, err)
	err = p.until.room(d, walks, p.n*p.k, err)
	err = p.around.room(d, walks, p.n*p.k, err)
	err = p.tickets.room(d, walks, 1, err)
	if err == nil {
		err = p.tickets.buf.Upload(make([]uint32, walks))
	}
	a := &p.arg
	a.C, a.Top, a.Until = p.now.at(), p.top.at(), p.until.at()
	a.Around, a.Tickets = p.around.at(), p.tickets.at()
	return err
}

func (p *colouring) free() error {
	return errors.Join(p.now.free(), p.top.free(), p.until.free(), p.around.free(), p.tickets.free())
}

func (p *colouring) put(a int, s *moves.State) error {
	return errors.Join(p.now.put(a, s.Now.Perm), p.top.put(a, s.Top.Perm), p.until.put(a, s.Until))
}

func (p *colouring) get(a int, s *moves.State) error {
	return errors.Join(p.now.get(a, s.Now.Perm), p.top.get(a, s.Top.Perm), p.until.get(a, s.Until))
}

func (p *colouring) copies() []mirrored { return []mirrored{&p.now, &p.top, &p.until} }

func (p *colouring) plan(o *job, _ *moves.Job) error {
	o.N, o.Flips, o.Size = int32(p.n), 1, uint64(p.n)*uint64(p.k-1)
	if o.Number > 0 {
		if o.Number > 1 {
			return errNeighbourhood(p.inst, o.Number)
		}
		o.Flips, o.Size = 2, uint64(moves.Pairs(int64(p.n)))
	}
	p.quick = o.Pick == tabu || o.Pick == best
	return nil
}

func (p *colouring) adopt(*gpu.Device, int, int) error { return nil }

func (p *colouring) renew(e *Engine, stale bool) error {
	if !stale {
		return nil
	}
	return e.launch("colouring_load", e.perWalk(1), e.jobs[0], p.arg)
}

func (p *colouring) evaluate(e *Engine, c gpu.Config, o job, given, deltas uint64) error {
	return e.launch("colouring_scan", c, o, p.arg, e.heads, given, deltas, e.parts)
}

func (p *colouring) step(e *Engine, o job) error {
	return e.launch("colouring_move", e.perWalk(1), o, p.arg, e.heads, e.parts)
}

func (p *colouring) hash(e *Engine) error {
	return e.launch("colouring_hash", e.perWalk(1), e.jobs[0], p.arg, e.heads)
}

func (p *colouring) judge(job) (
	_ func(int, moves.Move, int64, int64) (late, tabu bool), err error,
) {
	if p.colours, err = p.now.buf.Download(); err == nil {
		p.times, err = p.until.buf.Download()
	}
	if err == nil {
		p.counts, err = p.around.buf.Download()
	}
	return repainted(p.n, p.k, p.colours, p.counts, p.times), err
}

// repainted tells of moves of colourings what the memory says. A change of a vertex without a
// conflict is not made by tabu search: it is as if it was tabu, for it never makes the cost less.
func repainted(
	n, k int, colours, around []int32, times []int64,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	return func(a int, m moves.Move, clock, _ int64) (late, tabu bool) {
		c, v, u := colours[a*n:], int(m.At[0]), int(m.At[1])
		at := func(v, x int) int { return (a*n+v)*k + x }
		if u >= 0 {
			return false, min(times[at(v, int(c[u]))], times[at(u, int(c[v]))]) >= clock
		}
		own := int(c[v])
		return false, around[at(v, own)] == 0 || times[at(v, (own+int(m.By))%k)] >= clock
	}
}

// whole implements resident.
func (p *colouring) whole(e *Engine, c gpu.Config, jobs []job) (bool, error) {
	if !p.quick {
		return false, nil
	}
	passes := e.passes()
	if len(jobs) == 1 && jobs[0].Blocks == 1 {
		passes = 1 // the block makes all
	}
	for range passes {
		for _, o := range jobs {
			if err := e.launch("colouring_scans", c, o, p.arg, e.heads, e.parts); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// own implements shaped.
func (p *colouring) own(e *Engine) wave.Config {
	if all := p.shapes(e); len(all) > 0 {
		return all[0]
	}
	return wave.Config{}
}

// shapes implements shaped: a block a walk, which makes all scans in one launch, or several.
func (p *colouring) shapes(e *Engine) []wave.Config {
	if !p.quick || e.asked.Generate == onCPU || e.asked.Reduce == onHost {
		return nil
	}
	var out []wave.Config
	for _, block := range []int{512, 1024, 256, 128} {
		out = append(out, wave.Config{Threads: int64(block), Block: block})
	}
	for _, blocks := range []int{4, 16, 64, 132} {
		if blocks*256*e.busy() <= mostThreads {
			out = append(out, wave.Config{Threads: int64(blocks * 256), Block: 256})
		}
	}
	return out
}
