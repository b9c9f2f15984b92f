package moves

import (
	"fmt"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers/arith"
	"metalab/solvers/moves"
)

// emulatedColouring emulates colourings. Its own buffers are in the order of testdata/colouring.cc.
type emulatedColouring struct{ *colouring }

const (
	colFirst = iota
	colNear
	colAdjacent
	colC
	colTop
	colUntil
	colAround
	colTickets
	colNumbers
)

func newEmulatedColouring(inst datasets.Instance) emulation {
	p, err := newColouring(inst)
	if err != nil {
		panic(err)
	}
	return &emulatedColouring{p.(*colouring)}
}

func (q *emulatedColouring) source() emulate.Source {
	return emulate.Source{File: "colouring.cu", Main: "testdata/colouring.cc"}
}

func (q *emulatedColouring) structs() []emulate.Struct {
	return []emulate.Struct{{Name: "colouring", Form: colouringArg{}}}
}

func (q *emulatedColouring) problem() problem { return q.colouring }

func (q *emulatedColouring) load(e *emulated, states []moves.State) {
	var now, top []int32
	var until []int64
	for _, s := range states {
		now, top = append(now, s.Now.Perm...), append(top, s.Top.Perm...)
		until = append(until, append(s.Until, make([]int64, q.n*q.k-len(s.Until))...)...)
	}
	for i, v := range []any{
		q.first, q.near, q.adjacent, now, top, until, make([]int32, len(states)*q.n*q.k),
		make([]uint32, len(states)),
		[]int32{q.arg.K, q.arg.Words},
	} {
		e.set(i, v)
	}
}

func (q *emulatedColouring) state(e *emulated, a int, s *moves.State) {
	emulate.Cooked(e.buf[own+colC][4*a*q.n:], s.Now.Perm)
	emulate.Cooked(e.buf[own+colTop][4*a*q.n:], s.Top.Perm)
	emulate.Cooked(e.buf[own+colUntil][8*a*q.n*q.k:], s.Until)
}

func (q *emulatedColouring) adopt(*emulated, int) {}

func (q *emulatedColouring) renew(e *emulated, stale bool) error {
	if !stale {
		return nil
	}
	return e.launch("colouring_load", e.jobs[0], len(e.walks), 2)
}

func (q *emulatedColouring) scan(e *emulated) string {
	e.how.readonly = false // the kernels read nothing through the cache
	return "colouring_scan"
}

func (q *emulatedColouring) step(e *emulated, o job) error {
	return e.launch("colouring_move", o, len(e.walks), 2)
}

func (q *emulatedColouring) hash(e *emulated) error {
	return e.launch("colouring_hash", e.jobs[0], len(e.walks), 2)
}

func (q *emulatedColouring) judge(
	e *emulated, _ job,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	return repainted(q.n, q.k, e.int32s(colC), e.int32s(colAround), e.int64s(colUntil))
}

func (q *emulatedColouring) whole(e *emulated, jobs []job) (bool, error) {
	if !q.quick {
		return false, nil
	}
	grid, passes := len(e.walks)*int(jobs[0].Blocks), 0
	for _, w := range e.walks {
		passes = max(passes, int(w.Left))
	}
	if len(jobs) == 1 && jobs[0].Blocks == 1 {
		passes = 1
	}
	for range passes {
		for _, o := range jobs {
			if err := e.launch("colouring_scans", o, grid, e.how.warps); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// randomColouring is a random graph of n vertices and about n^2/6 edges.
func randomColouring(t *testing.T, n, colours int) *datasets.Colouring {
	t.Helper()
	r := arith.NewStream(uint64(n), 0, uint32(colours), 0)
	var edges [][2]int32
	for v := range int32(n) {
		for u := range v {
			if r.IntN(3) == 0 {
				edges = append(edges, [2]int32{v, u})
			}
		}
	}
	g, err := datasets.NewColouring(fmt.Sprintf("random-%d", n), n, edges, colours)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// trialsColouring has every size and both neighbourhoods.
func trialsColouring(t *testing.T) (trials []trial) {
	for i, n := range []int{31, 1, 2, 32, 33, 67} {
		for j, nb := range []string{"change", "swap"} {
			trials = append(trials, try(randomColouring(t, n, min(n, 2+(i+j)%5)), "neighbourhood", nb,
				"walks", 1+(i+j)%2, "scans", 9))
		}
	}
	trials = append(trials, climbs(randomColouring(t, 12, 3))...)
	return append(trials,
		try(randomColouring(t, 5, 1), "neighbourhood", "change"),
		try(randomColouring(t, 40, 35), "neighbourhood", "change", "tenures", "fixed", "tenure", 3),
		try(randomColouring(t, 70, 40), "neighbourhood", "change", "scans", 20),
	)
}
