package moves

import (
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers/moves"
)

// pppArg is the kernels' ppp: the instance and the walks' data, by addresses of the device.
type pppArg struct {
	Columns, Want, V, Top, Y, Until, Bins uint64
	M, Pad                                int32
}

// ppp is the problem of permuted perceptrons: flips of one bit or of two.
type ppp struct {
	inst  *datasets.PPP
	arg   pppArg
	now   lanes[int8]
	top   lanes[int8]
	y     lanes[int32]
	until lanes[int64]
	bins  *gpu.Buffer[int16]
}

func newPPP(inst datasets.Instance) (problem, error) {
	q, ok := inst.(*datasets.PPP)
	if !ok {
		return nil, fmt.Errorf("%s is a %T, want a permuted perceptron", inst.Name(), inst)
	}
	return &ppp{inst: q, arg: pppArg{M: int32(q.M)}}, nil
}

func (p *ppp) image() string { return "ppp" }

func (p *ppp) kernels() []string {
	return []string{"ppp_published", "ppp_published_readonly", "ppp_move", "ppp_load", "bits_hash"}
}

func (p *ppp) fixed() int64 { return int64(p.inst.M)*int64(p.inst.N) + 4*int64((p.inst.N+1)/2) }

func (p *ppp) perWalk() int64 { return 10*int64(p.inst.N) + 4*int64(p.inst.M) }

func (p *ppp) scratch(walks int, threads int64) int64 {
	return 2 * int64((p.inst.N+1)/2) * threads * int64(walks)
}

func (p *ppp) upload(d *gpu.Device) (err error) {
	p.arg.Columns, err = address(d, columns(p.inst), err)
	p.arg.Want, err = address(d, wanted(p.inst), err)
	return err
}

func (p *ppp) room(d *gpu.Device, walks int) (err error) {
	n := p.inst.N
	err = p.now.room(d, walks, n, err)
	err = p.top.room(d, walks, n, err)
	err = p.until.room(d, walks, n, err)
	err = p.y.room(d, walks, p.inst.M, err)
	a := &p.arg
	a.V, a.Top, a.Until, a.Y = p.now.at(), p.top.at(), p.until.at(), p.y.at()
	return err
}

func (p *ppp) free() error {
	err := errors.Join(p.now.free(), p.top.free(), p.until.free(), p.y.free(), p.bins.Free())
	p.bins = nil
	return err
}

func (p *ppp) put(a int, s *moves.State) error {
	return errors.Join(p.now.put(a, s.Now.Bits), p.top.put(a, s.Top.Bits), p.until.put(a, s.Until))
}

func (p *ppp) get(a int, s *moves.State) error {
	return errors.Join(p.now.get(a, s.Now.Bits), p.top.get(a, s.Top.Bits), p.until.get(a, s.Until))
}

func (p *ppp) plan(o *job, _ *moves.Job) error {
	n := int64(p.inst.N)
	o.N, o.Flips = int32(n), o.Number+1
	switch o.Flips {
	case 1:
		o.Size = uint64(n)
	case 2:
		o.Size = uint64(moves.Pairs(n))
	default:
		return errNeighbourhood(p.inst, o.Number)
	}
	return nil
}

func (p *ppp) adopt(d *gpu.Device, grid, block int) error {
	err := grow(d, &p.bins, (p.inst.N+1)/2*grid*block)
	if err == nil {
		p.arg.Bins = p.bins.View().Ptr
	}
	return err
}

func (p *ppp) renew(e *Engine, stale bool) error {
	if !stale {
		return nil
	}
	return e.launch("ppp_load", e.perWalk(1), e.jobs[0], p.arg)
}

func (p *ppp) evaluate(e *Engine, c gpu.Config, o job, given, deltas uint64) error {
	return e.launch(e.cached("ppp_published"), c, o, p.arg, e.heads, given, deltas, e.parts)
}

func (p *ppp) step(e *Engine, o job) error {
	return e.launch("ppp_move", e.perWalk(1), o, p.arg, e.heads, e.parts)
}

func (p *ppp) hash(e *Engine) error {
	return e.launch("bits_hash", e.perWalk(1), e.jobs[0], p.arg, e.heads)
}

func (p *ppp) judge(job) (func(int, moves.Move, int64, int64) (late, tabu bool), error) {
	times, err := p.until.buf.Download()
	return flipped(p.inst.N, times), err
}

// flipped tells of moves of n bits what the memory of bits says.
func flipped(
	n int, times []int64,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	return func(a int, m moves.Move, clock, _ int64) (late, tabu bool) {
		for _, at := range m.At {
			if at >= 0 && times[a*n+int(at)] >= clock {
				return false, true
			}
		}
		return false, false
	}
}

// columns is the matrix of a perceptron by columns.
func columns(p *datasets.PPP) []int8 {
	out := make([]int8, p.M*p.N)
	for j := range p.M {
		for k := range p.N {
			out[k*p.M+j] = p.A[j*p.N+k]
		}
	}
	return out
}

// wanted are how many rows should have each positive product: 1, 3 and so on.
func wanted(p *datasets.PPP) []int32 {
	out := make([]int32, (p.N+1)/2)
	for k := range out {
		out[k] = p.H[2*k+1]
	}
	return out
}
