package moves

import (
	"fmt"
	"sync"

	"metalab/solvers/own"
	"metalab/solvers/record"
)

// newOwnBall returns a walk on a user's problem on real numbers.
func newOwnBall(p *own.Problem) (*ballWalk, error) {
	form := p.Form()
	half := float64((form.High - form.Low) / 2)
	mid := form.Low + half
	pool := sync.Pool{New: func() any {
		v, err := p.Value()
		if err != nil {
			panic(err)
		}
		return v
	}}
	f := field{
		mid: mid, half: half, low: form.Low, high: form.High,
		check: func(x []float64) error {
			if err := form.Take(record.Solution{Real: x}); err != nil {
				return fmt.Errorf("%s: %w", p.Name(), err)
			}
			return nil
		},
		value64: func(x []float64) float64 {
			v := pool.Get().(*own.Value)
			defer pool.Put(v)
			defer p.Keep()
			v.Refresh()
			return v.Checked(v.Cost(x))
		},
	}
	t, err := newBall(p, f)
	if err == nil {
		t.own = true
	}
	return t, err
}
