package moves

import (
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers/moves"
)

// emulatedBall emulates real vectors. Its own buffers are in the order of testdata/ball.cc.
type emulatedBall struct{ *ball }

const (
	ballShape   = 0
	ballX       = 2
	ballTop     = 3
	ballPresent = 4
	ballUntil   = 5
)

func newEmulatedBall(inst datasets.Instance) emulation {
	b, err := newBall(inst)
	if err != nil {
		panic(err)
	}
	return &emulatedBall{b.(*ball)}
}

func (b *emulatedBall) source() emulate.Source {
	return emulate.Source{File: "ball.cu", Main: "testdata/ball.cc"}
}

func (b *emulatedBall) structs() []emulate.Struct {
	return []emulate.Struct{{Name: "ball", Form: ballArg{}}}
}

func (b *emulatedBall) problem() problem { return b.ball }

func (b *emulatedBall) load(e *emulated, states []moves.State) {
	var now, top []float64
	var until []int64
	for _, s := range states {
		now, top = append(now, s.Now.Real...), append(top, s.Top.Real...)
		until = append(until, s.Until...)
	}
	for i, v := range []any{
		b.arg, weights(b.inst), now, top, make([]float64, len(states)), until,
	} {
		e.set(i, v)
	}
}

func (b *emulatedBall) state(e *emulated, a int, s *moves.State) {
	n := b.inst.N
	emulate.Cooked(e.buf[own+ballX][8*a*n:], s.Now.Real)
	emulate.Cooked(e.buf[own+ballTop][8*a*n:], s.Top.Real)
	emulate.Cooked(e.buf[own+ballUntil][8*a*len(s.Until):], s.Until)
}

func (b *emulatedBall) adopt(e *emulated, _ int) { e.set(ballShape, b.arg) }

func (b *emulatedBall) renew(e *emulated, stale bool) error {
	if !stale {
		return nil
	}
	return e.launch("ball_load", e.jobs[0], len(e.walks), 2)
}

func (b *emulatedBall) scan(*emulated) string { return b.ball.scan() }

func (b *emulatedBall) step(e *emulated, o job) error {
	return e.launch("ball_move", o, len(e.walks), 3)
}

func (b *emulatedBall) hash(e *emulated) error {
	return e.launch("ball_hash", e.jobs[0], len(e.walks), 1)
}

func (b *emulatedBall) judge(
	e *emulated, o job,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	x := emulate.Cooked(e.buf[own+ballX], make([]float64, len(e.buf[own+ballX])/8))
	return celled(b.ball, o, x, e.int64s(ballUntil))
}

func trialsBall(t *testing.T) (trials []trial) {
	for i, c := range []struct {
		name       string
		neighbours int
		radius     float64
	}{
		{"weierstrass-1", 1, 1},
		{"weierstrass-2", 31, 0.5},
		{"weierstrass-3", 33, 0.001},
		{"weierstrass-10", 101, 0.1},
		{"weierstrass-5-b3-h0.5-t9-max", 32, 1},
		{"weierstrass-33-b8-h0.25-t66", 17, 2},
		{"weierstrass-7-max", 100, 1e-9},
		{"weierstrass-200-b2-h0.5-t11", 5, 0.1},
	} {
		for k, precision := range []string{"single", "double"} {
			trials = append(trials, try(load(t, c.name), "walks", 1+(i+k)%2, "neighbours", c.neighbours,
				"radius", c.radius, "precision", precision, "tenure", 30*k, "neighbourhood",
				[]string{"ball", "wide"}[(i/2+k)%2]))
		}
	}
	return trials
}
