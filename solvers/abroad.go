package solvers

import (
	"context"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers/record"
)

// An Abroad has the iterations of islands made elsewhere, as by other machines.
type Abroad interface {
	// Island makes the algorithm of an island: one whose iterations are made elsewhere, and give what
	// those of the variant give here. It is an Admitter, a Guest, and an Ender if the variant's is.
	Island(v Variant, inst datasets.Instance, number int) (Algorithm, error)
}

// A Guest is the algorithm of an island whose iterations are made elsewhere.
type Guest interface {
	// Know tells what is known of the state that Restore has taken over: the value of the best
	// solution, the solution, and why the search is over.
	Know(best float64, s record.Solution, ended string)

	// Ahead tells what follows from the next iteration on, unless the run is stopped or changed: all
	// of that may be made before the run asks for it. It may be called until the next Ahead.
	Ahead(next func() []Stretch)

	// Mark notes how the island stands, and Return takes it back to there.
	Mark()
	Return()
}

// A Stretch are iterations of an island that follow on each other, and what it takes in after them.
type Stretch struct {
	Iterations int
	Sends      bool // its best solution after them is asked for
	Takes      []Incoming
}

// An Incoming is a solution that an island takes in; with Better only if it is better than all that
// it has found.
type Incoming struct {
	Solution record.Solution
	Value    float64
	Better   bool
}

// PlaceIslands has the iterations of the run's islands made elsewhere from now on, or here again
// where over is nil. That changes no result, and is in no journal. After an error all is as before.
func (r *Run) PlaceIslands(ctx context.Context, over Abroad) error {
	var err error
	if derr := r.do(ctx, func() { err = r.place(over) }); derr != nil {
		return derr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return nil
}

func (r *Run) place(over Abroad) error {
	a, ok := r.alg.(*archipelago)
	if !ok {
		return fmt.Errorf("it has no islands: open or fork it with %s=4", ParamIslands)
	}
	if r.err != nil {
		return fmt.Errorf("%w: %w", ErrFailed, r.err)
	}
	moved := make([]*Bare, 0, len(a.islands))
	for i := range a.islands {
		b, err := a.move(i, over)
		if err != nil {
			for _, b := range moved {
				b.Close()
			}
			return fmt.Errorf("island %d: %w", i, err)
		}
		moved = append(moved, b)
	}
	for i, x := range a.islands {
		x.Bare.Close()
		x.Bare = moved[i]
	}
	a.abroad, a.began = over != nil, false
	return nil
}

// move makes the search of an island where it is to be, in the state that it has.
func (a *archipelago) move(i int, over Abroad) (*Bare, error) {
	x := a.islands[i]
	state, err := x.Snapshot()
	if err != nil {
		return nil, err
	}
	var b *Bare
	if over == nil {
		b, err = NewBare(a.v, a.inst)
	} else {
		var alg Algorithm
		if alg, err = over.Island(a.v, a.inst, i); err == nil {
			params := &Params{size: a.inst.Size()}
			alg.Declare(params)
			b = bareOf(a.v, a.inst, alg, params)
		}
	}
	if err != nil {
		return nil, err
	}
	env := *x.env
	env.Pool = a.env.Pool.Part(0)
	env.Pool.cores.Store(int32(a.inner))
	err = b.begin(&env, x.params.Values(), a.given)
	if err == nil {
		err = b.Restore(state)
	}
	if g, ok := b.alg.(Guest); ok && err == nil {
		g.Know(x.Best(), x.Solution(), x.Ended())
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// mark notes how the islands stand that are made elsewhere.
func (a *archipelago) mark() {
	for _, x := range a.islands {
		if g, ok := x.alg.(Guest); ok {
			g.Mark()
		}
	}
}

// ahead tells an island that is made elsewhere what follows.
func (x *island) ahead(next func() []Stretch) {
	if g, ok := x.alg.(Guest); ok {
		g.Ahead(next)
	}
}

// follow is what follows for an island: the iterations to the end of the epoch, and those of epochs
// after it, as long as all is known already that it takes in at their ends. So an island goes ahead
// of the others by migration_delay epochs.
func (a *archipelago) follow(i int) []Stretch {
	left := max(1, a.wanted)
	var out []Stretch
	for j := 0; ; j++ {
		n := int64(a.period)
		if j == 0 {
			n = max(1, n-a.since)
		}
		s := Stretch{Iterations: int(min(n, left)), Sends: n <= left}
		left -= int64(s.Iterations)
		if j >= a.delay || left == 0 {
			return append(out, s)
		}
		// At the end of this epoch what was sent delay epochs before it is taken in.
		if at := len(a.mail) - (a.delay - j); at >= 0 {
			s.Takes = a.offers(i, a.mail[at])
		}
		out = append(out, s)
	}
}

// wanted is how many iterations are wanted of the run, the next one included.
func (r *Run) wanted() (n int64) {
	if r.going {
		return math.MaxInt32
	}
	for _, q := range r.steps {
		n += min(q.left, math.MaxInt32)
	}
	return n
}

// takeBack takes an iteration back that was given up, on the islands that made it elsewhere.
func (a *archipelago) takeBack(why error) error {
	for _, x := range a.islands {
		if g, ok := x.alg.(Guest); ok {
			g.Return()
		}
		x.err = nil
	}
	return why
}
