package moves

import (
	"fmt"
	"maps"
	"os"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

// A partible emulation searches a part of the blocks, as partible does.
type partibleEmulation interface {
	search(e *emulated, o job) error
}

func (e *emulated) Share(int) {}

func (e *emulated) Worth(moves.Job) bool {
	_, ok := e.of.(partibleEmulation)
	return ok && e.parts
}

func (e *emulated) Part(k, n int, meet func([]found) ([]found, error)) {
	e.part = part{k: k, n: n, meet: meet}
}

// together is that of Engine.
func (e *emulated) together(passes int) error {
	for range passes {
		for _, o := range e.jobs {
			if err := e.shared(o); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *emulated) shared(o job) error {
	n, walks := e.part.n, len(e.walks)
	first, last := e.part.k*int(o.Blocks)/n, (e.part.k+1)*int(o.Blocks)/n
	mine := make([]found, walks)
	for a := range mine {
		mine[a] = noFound
	}
	if first < last {
		part := o
		part.First, part.Span, part.Parted = int32(first), int32(last-first), 1
		if err := e.of.(partibleEmulation).search(e, part); err != nil {
			return err
		}
		emulate.Cooked(e.buf[bParts][48*walks*(last-first):], mine)
	}
	all, err := e.part.meet(mine)
	if err != nil {
		return err
	}
	for a := range walks {
		for k := range n {
			copy(e.buf[bParts][48*(a*n+k):], emulate.Raw(all[k*walks+a:][:1]))
		}
	}
	o.Blocks, o.Span = int32(n), int32(n)
	return e.of.step(e, o)
}

// ended is Engine.searched.
func (e *emulated) ended(scan, end string, o job) error {
	if e.how.readonly {
		scan += "_readonly"
	}
	if err := e.launch(scan, o, int(o.Span)*len(e.walks), e.how.warps); err != nil {
		return err
	}
	return e.launch(end, o, len(e.walks), 2)
}

func (q *emulatedPPP) search(e *emulated, o job) error {
	scan, err := q.scanOf(e, o)
	if err != nil {
		return err
	}
	return e.ended(scan, "ppp_part", o)
}

func (q *emulatedTSP) search(e *emulated, o job) error {
	if !q.tiled {
		return e.ended(q.scan(e), "tsp_part", o)
	}
	grid := int(o.Span) * len(e.walks)
	if o.Flips == 2 {
		return e.launch(fmt.Sprintf("tsp_swaps_%s_%d", q.space, 1+3*(q.n%2)), o, grid, e.how.warps)
	}
	every := o
	every.First, every.Span = 0, o.Blocks
	err := e.launch("tsp_gains_"+q.space, every, int(o.Blocks)*len(e.walks), e.how.warps)
	if err != nil {
		return err
	}
	return e.launch("tsp_cycles_"+q.space, o, grid, e.how.warps)
}

// TestEmulatedParts shares out the neighbourhoods of few walks over devices: the history is the
// CPU's, for launches of more blocks than devices and of fewer.
func TestEmulatedParts(t *testing.T) {
	emulate.Need(t)
	at := 0
	for _, m := range emulations {
		switch m.kind {
		case datasets.KindPPP, datasets.KindTSP, datasets.KindATSP:
		default:
			continue
		}
		for i, c := range m.trials(t) {
			if i%3 != 0 && os.Getenv("METALAB_EMULATE") != "all" {
				continue
			}
			c.params = maps.Clone(c.params)
			c.devices = [][]int{{0, 1}, {0, 1, 2}, {0, 3, 4, 5, 6}}[at%3]
			if at++; i%2 == 0 {
				maps.Copy(c.params, record.Of("walks", len(c.devices)-1))
			} else {
				maps.Copy(c.params, record.Of("walks", 1))
			}
			h := []how{
				{threads: 600, warps: 1},
				{threads: 1, warps: 1},
				{threads: 200, warps: 2, readonly: true},
				{threads: 130, warps: 1, passing: true},
			}[at%4]
			t.Run(fmt.Sprint(c.solver, c.inst.Name(), c.params, c.devices, h), func(t *testing.T) {
				t.Parallel()
				twins(t, c, func(p *moves.Problem) (moves.Engine, error) {
					e, err := newEmulated(p, h)
					if err == nil {
						e.(*emulated).parts = true
					}
					return e, err
				})
			})
		}
	}
}

var _ moves.Parting = (*emulated)(nil)
