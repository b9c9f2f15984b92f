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

// tspArg is the kernels' tsp: the instance and the walks' data, by addresses of the device.
type tspArg struct {
	Places, From, To, P, Top, Until, Gain, Back, Tickets uint64
	Metric, Rows, Span, Stride, Together, Pad            int32
}

// tsp is the problem of tours whose cities change places.
type tsp struct {
	inst     *datasets.TSP
	n        int
	space    string // the representation of cities: see tsp.cuh
	whole32  []uint32
	real     []float64
	table    []int32
	back     []int32 // of an asymmetric table
	arg      tspArg
	now, top lanes[int32]
	until    lanes[int64]
	tickets  lanes[uint32]
	gain     *gpu.Buffer[int32]
	reverse  *gpu.Buffer[int32]
	perms    []int32
	times    []int64
	small    bool // distances are at most mostTiled
	cyclic   bool // scans of exchanges of three may come
	tiled    bool // evaluation=incremental, and the kernels of whole scans can do it
}

// Limits of the kernels.
const (
	mostTiled  = 1 << 24 // distances of the scans that share them: see NO_GAIN in tsp_cycles.cuh
	mostTable  = 20000   // cities of instances whose distances must be tabulated
	mostCycles = 1 << 20 // cities of exchanges of three
	tspRows    = 30      // of a warp's part of a scan of swaps, at most
	tspSpan    = 64      // positions of a warp's part of a scan of exchanges of three, at most
	inRows     = 4       // IN_ROWS and IN_COLUMNS of tsp_cycles.cuh
	inColumns  = 4
)

func newTSP(inst datasets.Instance) (problem, error) {
	t, ok := inst.(*datasets.TSP)
	if !ok {
		return nil, fmt.Errorf("%s is a %T, want a problem of tours", inst.Name(), inst)
	}
	p := &tsp{inst: t, n: t.N, small: true}
	p.arg.Metric, p.arg.Rows, p.arg.Span = int32(t.Metric), tspRows, tspSpan
	p.arg.Stride = int32((t.N + inColumns - 1) / inColumns * inColumns)
	switch t.Metric {
	case datasets.Euc2D, datasets.Ceil2D, datasets.Att:
		p.plane()
		return p, nil
	}
	return p, p.tabulate()
}

// plane keeps cities by their coordinates.
func (p *tsp) plane() {
	x0, x1, whole := span(p.inst.X)
	y0, y1, also := span(p.inst.Y)
	far := (x1-x0)*(x1-x0) + (y1-y0)*(y1-y0)
	p.small = far < mostTiled*mostTiled
	if p.inst.Metric == datasets.Euc2D && whole && also && far < 1<<31 {
		p.space, p.whole32 = "whole", make([]uint32, p.n)
		for c := range p.whole32 {
			p.whole32[c] = uint32(p.inst.Y[c]-y0)<<16 | uint32(p.inst.X[c]-x0)
		}
		return
	}
	p.space = "real"
	for c := range p.n {
		p.real = append(p.real, p.inst.X[c], p.inst.Y[c])
	}
}

// span is the least and the greatest number, and tells whether all are whole.
func span(v []float64) (least, most float64, whole bool) {
	least, most, whole = v[0], v[0], true
	for _, x := range v {
		least, most = min(least, x), max(most, x)
		whole = whole && x == math.Trunc(x)
	}
	return least, most, whole
}

// tabulate keeps all distances.
func (p *tsp) tabulate() error {
	n := p.n
	if n > mostTable {
		return fmt.Errorf("%s has %d cities whose distances need a table on a GPU, want at most %d",
			p.inst.Name(), n, mostTable)
	}
	p.space, p.table = "table", p.inst.Matrix
	if p.table == nil {
		p.table = make([]int32, n*n)
		for a := range n {
			for b := range n {
				if a != b { // under GEO a city has a distance from itself, which no tour has
					p.table[a*n+b] = p.inst.Dist(a, b)
				}
			}
		}
	}
	for _, d := range p.table {
		p.small = p.small && d <= mostTiled
	}
	if p.inst.Asymmetric {
		p.space, p.back = "both", make([]int32, n*n)
		for a := range n {
			for b := range n {
				p.back[b*n+a] = p.table[a*n+b]
			}
		}
	}
	return nil
}

func (p *tsp) image() string { return "tsp" }

func (p *tsp) kernels() []string {
	names := []string{p.published(), p.published() + "_readonly", "tsp_part", "tsp_move", "tsp_hash"}
	for _, s := range []string{"tsp_swaps_%s_1", "tsp_swaps_%s_4", "tsp_gains_%s", "tsp_cycles_%s"} {
		names = append(names, fmt.Sprintf(s, p.space))
	}
	return names
}

// published is the kernel that evaluates each neighbour by itself.
func (p *tsp) published() string {
	if p.space == "both" {
		return "tsp_published_table"
	}
	return "tsp_published_" + p.space
}

func (p *tsp) fixed() int64 {
	return 4*int64(len(p.whole32)+len(p.table)+len(p.back)) + 8*int64(len(p.real))
}

func (p *tsp) perWalk() int64 {
	bytes := 16*int64(p.n) + 8
	if p.cyclic && p.small && p.n >= 5 {
		bytes += 8 * int64(p.n) * int64(p.arg.Stride) // see cycles
	}
	return bytes
}

func (p *tsp) scratch(int, int64) int64 { return 0 }

func (p *tsp) upload(d *gpu.Device) (err error) {
	a := &p.arg
	if p.whole32 != nil {
		a.Places, err = address(d, p.whole32, err)
	} else {
		a.Places, err = address(d, p.real, err)
	}
	a.From, err = address(d, p.table, err)
	if a.To = a.From; p.back != nil {
		a.To, err = address(d, p.back, err)
	}
	return err
}

func (p *tsp) room(d *gpu.Device, walks int) (err error) {
	err = p.now.room(d, walks, p.n, err)
	err = p.top.room(d, walks, p.n, err)
	err = p.until.room(d, walks, p.n, err)
	err = p.tickets.room(d, walks, 2, err)
	if err == nil {
		err = p.tickets.buf.Upload(make([]uint32, 2*walks))
	}
	a := &p.arg
	a.P, a.Top, a.Until, a.Tickets = p.now.at(), p.top.at(), p.until.at(), p.tickets.at()
	return err
}

func (p *tsp) free() error {
	err := errors.Join(p.now.free(), p.top.free(), p.until.free(), p.tickets.free(), p.gain.Free(),
		p.reverse.Free())
	p.gain, p.reverse = nil, nil
	return err
}

func (p *tsp) put(a int, s *moves.State) error {
	return errors.Join(p.now.put(a, s.Now.Perm), p.top.put(a, s.Top.Perm), p.until.put(a, s.Until))
}

func (p *tsp) get(a int, s *moves.State) error {
	return errors.Join(p.now.get(a, s.Now.Perm), p.top.get(a, s.Top.Perm), p.until.get(a, s.Until))
}

func (p *tsp) copies() []mirrored { return []mirrored{&p.now, &p.top, &p.until} }

func (p *tsp) plan(o *job, j *moves.Job) error {
	o.N, o.Flips, o.Size = int32(p.n), 2, uint64(moves.Pairs(int64(p.n)))
	if o.Number > 0 {
		if o.Number > 1 || p.n > mostCycles {
			return errNeighbourhood(p.inst, o.Number)
		}
		o.Flips, o.Size = 3, 2*uint64(moves.Triples(int64(p.n)))
	}
	tiled := j.Evaluation != "published" && p.n >= 5 && p.small &&
		(o.Pick == tabu || o.Pick == best)
	p.tiled = tiled && (o.Level == 0 || p.tiled)
	return nil
}

func (p *tsp) adopt(*gpu.Device, int, int) error { return nil }

func (p *tsp) renew(*Engine, bool) error { return nil }

func (p *tsp) evaluate(e *Engine, c gpu.Config, o job, given, deltas uint64) error {
	return e.launch(e.cached(p.published()), c, o, p.arg, e.heads, given, deltas, e.parts)
}

func (p *tsp) step(e *Engine, o job) error {
	return e.launch("tsp_move", e.perWalk(1), o, p.arg, e.heads, e.parts)
}

func (p *tsp) hash(e *Engine) error {
	return e.launch("tsp_hash", e.perWalk(1), e.jobs[0], p.arg, e.heads)
}

func (p *tsp) judge(job) (_ func(int, moves.Move, int64, int64) (late, tabu bool), err error) {
	if p.perms, err = p.now.buf.Download(); err == nil {
		p.times, err = p.until.buf.Download()
	}
	return rested(p.n, p.perms, p.times), err
}

// rested tells of moves of permutations what the memory of entries says.
func rested(
	n int, perms []int32, times []int64,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	return func(a int, m moves.Move, clock, _ int64) (late, tabu bool) {
		for _, at := range m.At {
			tabu = tabu || at >= 0 && times[a*n+int(perms[a*n+int(at)])] >= clock
		}
		return false, tabu
	}
}

// whole implements resident: by kernels in which neighbours share distances.
func (p *tsp) whole(e *Engine, c gpu.Config, jobs []job) (bool, error) {
	if !p.tiled {
		return false, nil
	}
	passes := e.passes()
	if len(jobs) == 1 && jobs[0].Flips == 2 && passes > 1 {
		if done, err := p.all(e, c, jobs[0]); done || err != nil {
			return done, err
		}
	}
	for range passes {
		for _, o := range jobs {
			if err := p.search(e, c, o); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// worth implements partible: an H100 evaluates some 400 swaps a nanosecond.
func (p *tsp) worth() uint64 { return 1 << 28 }

// search implements partible.
func (p *tsp) search(e *Engine, c gpu.Config, o job) error {
	if !p.tiled {
		if err := p.evaluate(e, c, o, 0, 0); err != nil {
			return err
		}
		return e.searched("tsp_part", o)
	}
	warps := int(o.Blocks) * c.Block.X / 32
	arg := p.arg
	if o.Flips == 2 {
		name, rows := p.parts(warps)
		arg.Rows = int32(rows)
		return e.launch(name, c, o, arg, e.heads, e.parts)
	}
	return p.cycles(e, c, o, arg, warps)
}

// all queues all scans of swaps as one launch, if there is one block a walk, or if all blocks are
// on the device at once; else it returns false.
func (p *tsp) all(e *Engine, c gpu.Config, o job) (bool, error) {
	name, rows := p.parts(int(o.Blocks) * c.Block.X / 32)
	arg := p.arg
	arg.Rows = int32(rows)
	if o.Blocks > 1 {
		if !e.Dev.Info().Cooperative {
			return false, nil
		}
		k := e.loaded[name]
		c.Block.X = min(c.Block.X, k.Info().MaxBlock)
		most, err := k.MaxCooperativeGrid(c.Block.X, 0)
		if err != nil || most < c.Grid.X {
			return false, err
		}
		arg.Together, c.Cooperative = 1, true
	}
	return true, e.launch(name, c, o, arg, e.heads, e.parts)
}

// cycles queues a scan of exchanges of three.
func (p *tsp) cycles(e *Engine, c gpu.Config, o job, arg tspArg, warps int) error {
	entries := e.walks * p.n * int(arg.Stride)
	err := errors.Join(grow(e.Dev, &p.gain, entries), grow(e.Dev, &p.reverse, entries))
	if err != nil {
		return fmt.Errorf("moves: tables of the gains of %d walks of %d cities, %d bytes: %w", e.walks,
			p.n, 8*entries, err)
	}
	arg.Gain, arg.Back = p.gain.View().Ptr, p.reverse.View().Ptr
	arg.Span = int32(p.spanOf(warps))
	all, every := c, o // each device has all gains
	every.First, every.Span = 0, o.Blocks
	all.Grid.X = int(o.Blocks) * e.walks
	err = e.launch("tsp_gains_"+p.space, all, every, arg, e.heads)
	c.Shared = 4 * 2 * inRows * int(arg.Span) * (c.Block.X / 32)
	if err == nil {
		err = e.launch("tsp_cycles_"+p.space, c, o, arg, e.heads, e.parts)
	}
	return err
}

// spanOf is the number of positions of a part of a scan of exchanges of three by so many warps.
func (p *tsp) spanOf(warps int) int {
	span := tspSpan
	across := (p.n + inRows - 1) / inRows * ((p.n + 32*inColumns - 1) / (32 * inColumns))
	for span > 8 && across*(p.n/span)/6 < warps {
		span /= 2
	}
	return span
}

// parts is the kernel of the scans of swaps, and the rows of a part, by which so many warps have
// the least to do: a part with K columns a lane takes about 18 K + 12 steps a row, and three rows
// more.
func (p *tsp) parts(warps int) (kernel string, rows int) {
	least := math.MaxInt
	for _, columns := range []int{1, 4} {
		for r := 1; r <= tspRows; r++ {
			steps := (tspParts(p.n, columns, r) + warps - 1) / warps * (r + 3) * (18*columns + 12)
			if steps < least {
				least, rows = steps, r
				kernel = fmt.Sprintf("tsp_swaps_%s_%d", p.space, columns)
			}
		}
	}
	return kernel, rows
}

// tspParts is the number of parts of a scan of swaps, as scan_swaps of tsp_swaps.cuh makes them.
func tspParts(n, columns, rows int) int {
	width := 32*columns - 2
	strips := (n - 2 + width) / width
	return (strips + 1) / 2 * (((strips+1)*width+rows-1)/rows + 1)
}

// own implements shaped.
func (p *tsp) own(e *Engine) wave.Config {
	if all := p.shapes(e); len(all) > 0 {
		return all[0]
	}
	return wave.Config{}
}

// shapes implements shaped. If neighbours share distances, the shapes are the whole device, in one
// wave of blocks or in two, and a block a walk; else those of the paper's Algorithm 3.
func (p *tsp) shapes(e *Engine) []wave.Config {
	if !p.tiled || e.asked.Generate == onCPU || e.asked.Reduce == onHost {
		return nil
	}
	var out []wave.Config
	add := func(blocks, block int) {
		c := wave.Config{Threads: int64(blocks * block), Block: block}
		for _, d := range out {
			if c == d {
				return
			}
		}
		out = append(out, c)
	}
	sms := e.Dev.Info().SMs
	for _, s := range []struct{ per, block int }{
		{2, 256}, {1, 512}, {3, 256}, {4, 256}, {4, 128}, {6, 128}, {8, 128}, {1, 1024}, {1, 256},
	} {
		if s.per*s.block*sms <= mostThreads {
			add(max(1, s.per*sms/e.busy()), s.block)
			if e.idle > 0 { // all blocks must be there at once where they wait for each other
				add(max(1, s.per*sms/e.walks), s.block)
			}
		}
	}
	for _, block := range []int{256, 512, 1024} {
		if jobs := e.jobs; len(jobs) > 0 && jobs[0].Flips == 2 {
			add(1, block)
		}
	}
	return out
}
