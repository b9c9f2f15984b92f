package moves

import (
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers/arith"
	"metalab/solvers/moves"
)

// emulatedTSP emulates tours. Its own buffers are in the order of testdata/tsp.cc.
type emulatedTSP struct{ *tsp }

const (
	tspPlaces = iota
	tspFrom
	tspTo
	tspP
	tspTop
	tspUntil
	tspGain
	tspBack
	tspTickets
	tspNumbers
)

func newEmulatedTSP(inst datasets.Instance) emulation {
	p, err := newTSP(inst)
	if err != nil {
		panic(err)
	}
	return &emulatedTSP{p.(*tsp)}
}

func (q *emulatedTSP) source() emulate.Source {
	return emulate.Source{File: "tsp.cu", Main: "testdata/tsp.cc"}
}

func (q *emulatedTSP) structs() []emulate.Struct {
	return []emulate.Struct{{Name: "tsp", Form: tspArg{}}}
}

func (q *emulatedTSP) problem() problem { return q.tsp }

func (q *emulatedTSP) load(e *emulated, states []moves.State) {
	e.set(tspPlaces, q.real)
	if q.whole32 != nil {
		e.set(tspPlaces, q.whole32)
	}
	e.set(tspFrom, q.table)
	if e.set(tspTo, q.table); q.back != nil {
		e.set(tspTo, q.back)
	}
	var now, top []int32
	var until []int64
	for _, s := range states {
		now, top = append(now, s.Now.Perm...), append(top, s.Top.Perm...)
		until = append(until, append(s.Until, make([]int64, q.n-len(s.Until))...)...)
	}
	e.set(tspP, now)
	e.set(tspTop, top)
	e.set(tspUntil, until)
	entries := len(states) * q.n * int(q.arg.Stride)
	e.set(tspGain, emulate.Left(4*entries))
	e.set(tspBack, emulate.Left(4*entries))
	e.set(tspTickets, make([]uint32, 2*len(states)))
	e.set(tspNumbers, []int32{q.arg.Metric, q.arg.Rows, q.arg.Span, q.arg.Stride})
}

func (q *emulatedTSP) state(e *emulated, a int, s *moves.State) {
	emulate.Cooked(e.buf[own+tspP][4*a*q.n:], s.Now.Perm)
	emulate.Cooked(e.buf[own+tspTop][4*a*q.n:], s.Top.Perm)
	emulate.Cooked(e.buf[own+tspUntil][8*a*q.n:], s.Until)
}

func (q *emulatedTSP) adopt(*emulated, int)        {}
func (q *emulatedTSP) renew(*emulated, bool) error { return nil }
func (q *emulatedTSP) scan(*emulated) string       { return q.published() }

func (q *emulatedTSP) step(e *emulated, o job) error {
	return e.launch("tsp_move", o, len(e.walks), 2)
}

func (q *emulatedTSP) hash(e *emulated) error {
	return e.launch("tsp_hash", e.jobs[0], len(e.walks), 2)
}

func (q *emulatedTSP) judge(
	e *emulated, _ job,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	return rested(q.n, e.int32s(tspP), e.int64s(tspUntil))
}

// whole is tsp.whole with the kernels of one column a lane and of four in turn.
func (q *emulatedTSP) whole(e *emulated, jobs []job) (bool, error) {
	if !q.tiled {
		return false, nil
	}
	grid, passes := len(e.walks)*int(jobs[0].Blocks), 0
	for _, w := range e.walks {
		passes = max(passes, int(w.Left))
	}
	if len(jobs) == 1 && jobs[0].Blocks == 1 && jobs[0].Flips == 2 {
		passes = 1
	}
	var err error
	for pass := range passes {
		for _, o := range jobs {
			e.set(tspNumbers, []int32{
				q.arg.Metric, int32(1 + pass*13%tspRows), int32(3 + pass), q.arg.Stride,
			})
			run := func(kernel string) {
				if err == nil {
					err = e.launch(kernel, o, grid, e.how.warps)
				}
			}
			if o.Flips == 2 {
				run(fmt.Sprintf("tsp_swaps_%s_%d", q.space, 1+3*(pass%2)))
				continue
			}
			run("tsp_gains_" + q.space)
			run("tsp_cycles_" + q.space)
		}
	}
	return true, err
}

// randomTSP is a random problem of tours; kind says how its distances are given: whole coordinates,
// others, a table, or an asymmetric one.
func randomTSP(t *testing.T, n, kind int) *datasets.TSP {
	t.Helper()
	r := arith.NewStream(uint64(n), 0, uint32(kind), 0)
	name := fmt.Sprintf("random-%d-%d", n, kind)
	x, y := make([]float64, n), make([]float64, n)
	for c := range n {
		x[c], y[c] = float64(r.IntN(70)), float64(r.IntN(70))
	}
	m := make([]int32, n*n)
	for a := range n {
		for b := range n {
			if m[a*n+b] = int32(r.IntN(90)); kind == 2 && b < a {
				m[a*n+b] = m[b*n+a]
			}
		}
	}
	var inst *datasets.TSP
	var err error
	switch kind {
	case 0:
		inst, err = datasets.NewTSP(name, datasets.Euc2D, x, y)
	case 1:
		for c := range n {
			x[c] += 0.25
		}
		metric := []datasets.Metric{datasets.Ceil2D, datasets.Att, datasets.Euc2D, datasets.Geo}[n%4]
		inst, err = datasets.NewTSP(name, metric, x, y)
	default:
		inst, err = datasets.NewMatrixTSP(name, n, m, kind == 3)
	}
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// trialsTSP has every size and every kind of symmetric distances, with both neighbourhoods.
func trialsTSP(t *testing.T) (trials []trial) {
	for i, n := range []int{31, 3, 5, 32, 33, 37, 131} {
		trials = append(trials,
			try(randomTSP(t, n, i%3), "walks", 1+i%2, "tenures", []string{"cube", "uniform"}[i%2]),
			try(randomTSP(t, n, (i+1)%3), "evaluation", []string{"incremental", "published"}[i%3/2],
				"scans", 5))
	}
	for i, n := range []int{3, 5, 6, 11, 37} {
		trials = append(trials,
			try(randomTSP(t, n, i%3), "neighbourhood", "3exchange", "walks", 1+i%2, "tenures", "fixed",
				"tenure", 2),
			try(randomTSP(t, n, (i+1)%3), "neighbourhood", "3exchange", "scans", 4, "evaluation",
				[]string{"incremental", "published"}[i%3/2]))
	}
	return append(trials, climbs(randomTSP(t, 9, 0))...)
}

// trialsATSP is the same for distances that depend on the direction.
func trialsATSP(t *testing.T) (trials []trial) {
	for i, n := range []int{31, 4, 34} {
		trials = append(trials, try(randomTSP(t, n, 3), "walks", 1+i%2),
			try(randomTSP(t, n, 3), "neighbourhood", "3exchange"))
	}
	return trials
}
