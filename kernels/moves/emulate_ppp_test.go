package moves

import (
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers/moves"
)

// emulatedPPP emulates permuted perceptrons. Its own buffers are in the order of testdata/ppp.cc.
type emulatedPPP struct{ *ppp }

const (
	pppV     = 2
	pppTop   = 3
	pppY     = 4
	pppUntil = 5
	pppBins  = 6
	pppShape = 7
	pppRows  = 8
	pppHead  = 9 // and on: the sets
)

func newEmulatedPPP(inst datasets.Instance) emulation {
	p, err := newPPP(inst)
	if err != nil {
		panic(err)
	}
	return &emulatedPPP{p.(*ppp)}
}

func (q *emulatedPPP) source() emulate.Source {
	return emulate.Source{File: "ppp.cu", Main: "testdata/ppp.cc"}
}

func (q *emulatedPPP) structs() []emulate.Struct {
	return []emulate.Struct{{Name: "ppp", Form: pppArg{}}}
}

func (q *emulatedPPP) problem() problem { return q.ppp }

func (q *emulatedPPP) load(e *emulated, states []moves.State) {
	var now, top []int8
	var until []int64
	for _, s := range states {
		now, top = append(now, s.Now.Bits...), append(top, s.Top.Bits...)
		until = append(until, padded(s.Until, q.inst.N)...)
	}
	for i, v := range []any{
		columns(q.inst), wanted(q.inst), now, top, make([]int32, len(states)*q.inst.M), until,
		[]int16{},
		[]int32{q.arg.M, q.arg.Slots, q.arg.Records, q.arg.Stride},
		rows(q.inst),
	} {
		e.set(i, v)
	}
	slots, records, stride := int(q.arg.Slots), int(q.arg.Records), int(q.arg.Stride)
	for i, each := range []int{
		8, slots, 12 * records, 32 * records, records * stride, records * stride,
	} {
		e.set(pppHead+i, make([]int32, len(states)*each))
	}
}

func (q *emulatedPPP) state(e *emulated, a int, s *moves.State) {
	n := q.inst.N
	emulate.Cooked(e.buf[own+pppV][a*n:], s.Now.Bits)
	emulate.Cooked(e.buf[own+pppTop][a*n:], s.Top.Bits)
	emulate.Cooked(e.buf[own+pppUntil][8*a*len(s.Until):], s.Until)
}

func (q *emulatedPPP) adopt(e *emulated, threads int) {
	e.set(pppBins, emulate.Left(2*((q.inst.N+1)/2)*threads))
}

func (q *emulatedPPP) renew(e *emulated, stale bool) error {
	if !stale {
		return nil
	}
	return e.launch("ppp_load", e.jobs[0], len(e.walks), 2)
}

func (q *emulatedPPP) scan(*emulated) string { return "ppp_published" }

func (q *emulatedPPP) scanOf(e *emulated, o job) (string, error) {
	if !q.sets(e.asked.Evaluation) {
		return q.scan(e), nil
	}
	return flipKernels[o.Flips], e.launch("ppp_sets", o, 2*len(e.walks), 2)
}

func (q *emulatedPPP) step(e *emulated, o job) error {
	return e.launch("ppp_move", o, len(e.walks), 2)
}

func (q *emulatedPPP) hash(e *emulated) error {
	return e.launch("bits_hash", e.jobs[0], len(e.walks), 2)
}

func (q *emulatedPPP) judge(
	e *emulated, _ job,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	return flipped(q.inst.N, e.int64s(pppUntil))
}

func trialsPPP(t *testing.T) (trials []trial) {
	names := []string{"hamming1", "hamming2", "hamming3"}
	for i, size := range []string{"1x1", "31x31", "33x33", "7x65"} {
		inst := load(t, "ppp-"+size+"-1")
		for k, name := range names {
			if size != "1x1" || k == 0 {
				for e := range 1 + i%2 {
					trials = append(trials, try(inst, "walks", 1+(i+e)%2, "neighbourhood", name, "tenure", 7,
						"tenures", []string{"uniform", "cube"}[k%2], "evaluation",
						[]string{"incremental", "linear"}[e]))
				}
			}
		}
	}
	return append(trials, climbs(load(t, "ppp-13x13-1"))...)
}
