package moves

import (
	"errors"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// pppArg is the kernels' ppp: the instance and the walks' data, by addresses of the device.
type pppArg struct {
	Columns, Want, V, Top, Y, Until, Bins       uint64
	Rows, Head, Ends, Infos, Order, Ups, Counts uint64
	M, Slots, Records, Stride                   int32
}

// ppp is the problem of permuted perceptrons: flips of one bit to three, evaluated by sets of rows
// with the same product (sets.cuh), or as published.
type ppp struct {
	inst   *datasets.PPP
	arg    pppArg
	now    lanes[int8]
	top    lanes[int8]
	y      lanes[int32]
	until  lanes[int64]
	heads  lanes[int32] // and on: the sets
	ends   lanes[int32]
	infos  lanes[int32]
	order  lanes[int32]
	ups    lanes[uint32]
	counts lanes[int32]
	bins   *gpu.Buffer[int16]
}

// Limits of the kernels that evaluate by sets: of classes, of rows, and the records that are read
// after the last.
const (
	mostClasses = 4096
	mostRows    = 1 << 14
	ahead       = 8
)

func newPPP(inst datasets.Instance) (problem, error) {
	q, ok := inst.(*datasets.PPP)
	if !ok {
		return nil, fmt.Errorf("%s is a %T, want a permuted perceptron", inst.Name(), inst)
	}
	p := &ppp{inst: q, arg: pppArg{M: int32(q.M)}}
	p.limit()
	return p, nil
}

// limit computes how large the sets can be. They are not used where the classes are too many or an
// energy may not fit in 32 bits.
func (p *ppp) limit() {
	m, n := int64(p.inst.M), int64(p.inst.N)
	if n+10 > mostClasses || m >= mostRows || 60*m*(n+10)+2*m > math.MaxInt32 {
		return
	}
	// Each product that occurs may leave 31 bits of a record empty, and each class may have a record
	// without rows.
	p.arg.Slots = int32(n + 10)
	p.arg.Records = int32((m+31*min(m, n+1))/32+n+10) + ahead
	p.arg.Stride = int32((n + 63) / 64 * 64)
}

// sets tells whether moves are evaluated by sets.
func (p *ppp) sets(evaluation string) bool { return evaluation != "linear" && p.arg.Slots > 0 }

func (p *ppp) image() string { return "ppp" }

func (p *ppp) kernels() []string {
	return []string{
		"ppp_published", "ppp_published_readonly", "ppp_one", "ppp_one_readonly", "ppp_two",
		"ppp_two_readonly", "ppp_three", "ppp_three_readonly", "ppp_sets", "ppp_part", "ppp_move",
		"ppp_load", "bits_hash",
	}
}

func (p *ppp) fixed() int64 {
	m, n := int64(p.inst.M), int64(p.inst.N)
	return m*n + 4*((n+1)/2) + 4*m*((n+31)/32)
}

func (p *ppp) perWalk() int64 {
	slots, records, stride := int64(p.arg.Slots), int64(p.arg.Records), int64(p.arg.Stride)
	sets := 8 + slots + 12*records + 32*records + 2*records*stride
	return 10*int64(p.inst.N) + 4*int64(p.inst.M) + 4*sets
}

func (p *ppp) scratch(walks int, threads int64) int64 {
	return 2 * int64((p.inst.N+1)/2) * threads * int64(walks)
}

func (p *ppp) upload(d *gpu.Device) (err error) {
	p.arg.Columns, err = address(d, columns(p.inst), err)
	p.arg.Want, err = address(d, wanted(p.inst), err)
	p.arg.Rows, err = address(d, rows(p.inst), err)
	return err
}

func (p *ppp) room(d *gpu.Device, walks int) (err error) {
	n := p.inst.N
	err = p.now.room(d, walks, n, err)
	err = p.top.room(d, walks, n, err)
	err = p.until.room(d, walks, n, err)
	err = p.y.room(d, walks, p.inst.M, err)
	a := &p.arg
	slots, records, stride := int(a.Slots), int(a.Records), int(a.Stride)
	err = p.heads.room(d, walks, 8, err)
	if slots > 0 {
		err = p.ends.room(d, walks, slots, err)
		err = p.infos.room(d, walks, 12*records, err)
		err = p.order.room(d, walks, 32*records, err)
		err = p.ups.room(d, walks, records*stride, err)
		err = p.counts.room(d, walks, records*stride, err)
	}
	a.V, a.Top, a.Until, a.Y = p.now.at(), p.top.at(), p.until.at(), p.y.at()
	a.Head, a.Ends, a.Infos = p.heads.at(), p.ends.at(), p.infos.at()
	a.Order, a.Ups, a.Counts = p.order.at(), p.ups.at(), p.counts.at()
	return err
}

func (p *ppp) free() error {
	err := errors.Join(p.now.free(), p.top.free(), p.until.free(), p.y.free(), p.bins.Free(),
		p.heads.free(), p.ends.free(), p.infos.free(), p.order.free(), p.ups.free(), p.counts.free())
	p.bins = nil
	return err
}

func (p *ppp) put(a int, s *moves.State) error {
	return errors.Join(p.now.put(a, s.Now.Bits), p.top.put(a, s.Top.Bits), p.until.put(a, s.Until))
}

func (p *ppp) get(a int, s *moves.State) error {
	return errors.Join(p.now.get(a, s.Now.Bits), p.top.get(a, s.Top.Bits), p.until.get(a, s.Until))
}

func (p *ppp) copies() []mirrored { return []mirrored{&p.now, &p.top, &p.until} }

func (p *ppp) plan(o *job, _ *moves.Job) error {
	n := int64(p.inst.N)
	o.N, o.Flips = int32(n), o.Number+1
	switch o.Flips {
	case 1:
		o.Size = uint64(n)
	case 2:
		o.Size = uint64(moves.Pairs(n))
	case 3:
		o.Size = uint64(moves.Triples(n))
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
	return e.launch("ppp_load", p.single(e), e.jobs[0], p.arg)
}

func (p *ppp) evaluate(e *Engine, c gpu.Config, o job, given, deltas uint64) error {
	name := "ppp_published"
	if p.sets(e.asked.Evaluation) {
		name = flipKernels[o.Flips]
		blocks := p.setBlocks(e.busy())
		if err := e.launch("ppp_sets", gpu.Config{
			Grid: gpu.Dim{X: blocks * e.walks}, Block: gpu.Dim{X: 256},
		}, o, p.arg, e.heads, int32(blocks)); err != nil {
			return err
		}
	}
	return e.launch(e.cached(name), c, o, p.arg, e.heads, given, deltas, e.parts)
}

// worth implements partible: an H100 evaluates 6 to 12 neighbours a nanosecond of 1301 rows.
func (p *ppp) worth() uint64 { return 1 << 22 }

// search implements partible.
func (p *ppp) search(e *Engine, c gpu.Config, o job) error {
	if err := p.evaluate(e, c, o, 0, 0); err != nil {
		return err
	}
	return e.searched("ppp_part", o)
}

// flipKernels are the kernels that evaluate by sets.
var flipKernels = []string{1: "ppp_one", 2: "ppp_two", 3: "ppp_three"}

// setBlocks is how many blocks of 8 warps make the sets of a walk: a warp for a class and 32
// columns if there are 160 classes, but not many more than a device has at once.
func (p *ppp) setBlocks(walks int) int {
	parts := min(int(p.arg.Slots), 160) * int(p.arg.Stride) / 32
	return max(1, min((parts+7)/8, 2048/walks))
}

// own implements shaped: by sets a thread takes 4 by 2 pairs, and a block 4 columns and one by all
// third ones.
func (p *ppp) own(e *Engine) (c wave.Config) {
	o := &e.jobs[len(e.jobs)-1]
	if !p.sets(e.asked.Evaluation) || e.asked.Generate == onCPU {
		return c
	}
	return p.tiled(o.Flips, e.busy())
}

func (p *ppp) tiled(flips int32, walks int) wave.Config {
	most := int64(mostThreads / walks)
	switch flips {
	case 1:
		return wave.Config{Threads: min(int64(p.inst.N), most), Block: 32}
	case 2:
		return wave.Config{Threads: max(32, min(128*pairTiles(p.inst.N, 4), most)), Block: 128}
	}
	fours := int64(p.inst.N+3) / 4
	return wave.Config{Threads: max(32, min(128*(2*fours*fours+fours), most)), Block: 128}
}

// pairTiles is how many tiles of pairs there are for blocks of so many warps: pair_tile.
func pairTiles(n, warps int) (tiles int64) {
	for c := 0; 64*c < n; c++ {
		tiles += int64((min(64*(c+1), n) - 1 + 4*warps - 1) / (4 * warps))
	}
	return tiles
}

// shapes implements shaped.
func (p *ppp) shapes(e *Engine) (out []wave.Config) {
	c := p.own(e)
	if c.Threads == 0 {
		return nil
	}
	for _, block := range []int{64, 128, 256} {
		for part := range 3 {
			out = append(out, wave.Config{Threads: max(32, c.Threads>>part), Block: block})
		}
	}
	return out
}

func (p *ppp) step(e *Engine, o job) error {
	return e.launch("ppp_move", p.single(e), o, p.arg, e.heads, e.parts)
}

// single is a launch of a block a walk: of many threads, for there may be few walks.
func (p *ppp) single(e *Engine) gpu.Config {
	return gpu.Config{Grid: gpu.Dim{X: e.walks}, Block: gpu.Dim{X: 512}}
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

// rows is the matrix by rows: a bit for each entry, set if it is -1, rows of whole words.
func rows(p *datasets.PPP) []uint32 {
	wide := (p.N + 31) / 32
	out := make([]uint32, p.M*wide)
	for j := range p.M {
		for k := range p.N {
			if p.A[j*p.N+k] < 0 {
				out[j*wide+k/32] |= 1 << (k % 32)
			}
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
