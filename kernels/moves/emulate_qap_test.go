package moves

import (
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers/arith"
	"metalab/solvers/moves"
)

// emulatedQAP emulates assignments. Its own buffers are in the order of testdata/qap.cc.
type emulatedQAP struct {
	*qap
	without bool // E is not that of the permutations
}

const (
	qapP     = 10
	qapTop   = 11
	qapUntil = 12
)

func newEmulatedQAP(inst datasets.Instance) emulation {
	p, err := newQAP(inst)
	if err != nil {
		panic(err)
	}
	return &emulatedQAP{qap: p.(*qap)}
}

func (q *emulatedQAP) source() emulate.Source {
	return emulate.Source{File: "qap.cu", Main: "testdata/qap.cc"}
}

func (q *emulatedQAP) structs() []emulate.Struct {
	return []emulate.Struct{{Name: "qap", Form: qapArg{}}}
}

func (q *emulatedQAP) problem() problem { return q.qap }

func (q *emulatedQAP) load(e *emulated, states []moves.State) {
	f := q.form
	for i, m := range []any{q.inst.A, q.inst.B, f.FA, f.FB, f.A, f.B, f.AT, f.BT, f.DA, f.DB} {
		e.set(i, m)
	}
	var now, top []int32
	var until []int64
	for _, s := range states {
		now, top = append(now, s.Now.Perm...), append(top, s.Top.Perm...)
		until = append(until, padded(s.Until, q.n*q.n)...)
	}
	k, n := len(states), q.n
	for i, v := range []any{
		now, top, until, make([]int64, k*n*n), make([]int64, 4*k*n), []int32{q.arg.Pairs, q.arg.Factor},
	} {
		e.set(qapP+i, v)
	}
}

func (q *emulatedQAP) state(e *emulated, a int, s *moves.State) {
	emulate.Cooked(e.buf[own+qapP][4*a*q.n:], s.Now.Perm)
	emulate.Cooked(e.buf[own+qapTop][4*a*q.n:], s.Top.Perm)
	emulate.Cooked(e.buf[own+qapUntil][8*a*len(s.Until):], s.Until)
}

func (q *emulatedQAP) adopt(*emulated, int) {}

func (q *emulatedQAP) renew(e *emulated, stale bool) error {
	q.without = q.without || stale || !q.quick
	if !q.quick || !q.without {
		return nil
	}
	q.without = false
	return e.launch("qap_load", e.jobs[0], len(e.walks)*q.n, 1)
}

func (q *emulatedQAP) scan(*emulated) string {
	if q.quick {
		return "qap_incremental"
	}
	return "qap_published"
}

func (q *emulatedQAP) step(e *emulated, o job) error {
	err := e.launch("qap_move", o, len(e.walks), 2)
	if err == nil && q.quick {
		err = e.launch("qap_update", o, len(e.walks)*q.n, 1)
	}
	if err == nil && o.Flips == 3 {
		err = e.launch("qap_turn", o, len(e.walks), 2)
		if err == nil && q.quick {
			err = e.launch("qap_update2", o, len(e.walks)*q.n, 1)
		}
	}
	return err
}

func (q *emulatedQAP) hash(e *emulated) error {
	return e.launch("perm_hash", e.jobs[0], len(e.walks), 2)
}

func (q *emulatedQAP) judge(
	e *emulated, _ job,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	return placed(q.n, e.int32s(qapP), e.int64s(qapUntil))
}

// randomQAP is a random assignment problem; kind says which matrices are symmetric, whether they
// have diagonals too.
func randomQAP(t *testing.T, n, kind int) *datasets.QAP {
	t.Helper()
	r := arith.NewStream(uint64(n), 0, uint32(kind), 0)
	var m [2][]int32
	for k := range m {
		m[k] = make([]int32, n*n)
		for i := range n {
			for j := range n {
				m[k][i*n+j] = int32(r.IntN(20))
				if j < i && kind>>k&1 == 0 {
					m[k][i*n+j] = m[k][j*n+i]
				}
				if i == j && kind < 4 {
					m[k][i*n+j] = 0
				}
			}
		}
	}
	q, err := datasets.NewQAP(fmt.Sprintf("random-%d-%d", n, kind), n, m[0], m[1])
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// trialsQAP has every size once, and each way that the matrices can be.
func trialsQAP(t *testing.T) (trials []trial) {
	for i, n := range []int{2, 3, 31, 32, 33, 37} {
		trials = append(trials, try(randomQAP(t, n, i), "walks", 1+i%3,
			"aspiration", []int{0, 4, 9}[i%3],
			"evaluation", []string{"incremental", "linear"}[i%2]))
	}
	for kind := range 8 {
		trials = append(trials,
			try(randomQAP(t, 11, kind), "walks", 2, "aspiration", 6, "tenure", 9, "tenures",
				[]string{"cube", "uniform", "fixed"}[kind%3]),
			try(randomQAP(t, 7, kind), "evaluation", "linear", "tenure", 30, "tenures", "fixed"),
		)
	}
	for i, n := range []int{3, 5, 12, 11} {
		for k, how := range []string{"incremental", "linear"} {
			trials = append(trials, try(randomQAP(t, n, 3*i+k&7), "neighbourhood", "3exchange", "evaluation",
				how, "walks", 1+k, "aspiration", 5, "tenure", 12))
		}
	}
	return append(trials, climbs(randomQAP(t, 9, 2))...)
}
