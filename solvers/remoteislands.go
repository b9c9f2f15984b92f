package solvers

import (
	"context"
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers/record"
)

// RemoteIslands runs the islands of a run elsewhere, for example on other machines.
type RemoteIslands interface {
	// Island returns the algorithm of an island that runs elsewhere. Its iterations give the same
	// result as those of the variant in this process. It implements Admitter and RemoteIsland, and
	// Finisher if the variant's algorithm does.
	Island(v Variant, inst datasets.Instance, number int) (Algorithm, error)
}

// A RemoteIsland is the algorithm of an island that runs elsewhere.
type RemoteIsland interface {
	// Know passes what is known about the state that Restore has read: the value of the best solution,
	// the solution, and why the search is over (empty: it is not).
	Know(best float64, s record.Solution, ended string)

	// Ahead passes the work that follows from the next iteration on, unless the run is stopped or
	// changed. The remote side may run all of it before the run asks for it, and may call next until
	// the next Ahead.
	Ahead(next func() []Stretch)

	// Mark saves how the island stands; Return goes back to that mark.
	Mark()
	Return()
}

// A Stretch is a sequence of iterations of an island, and the solutions that the island accepts
// after them.
type Stretch struct {
	Iterations int
	Sends      bool // its best solution is wanted after them
	Takes      []Incoming
}

// An Incoming is a solution offered to an island. With Better, the island accepts it only if it is
// better than the island's own best.
type Incoming struct {
	Solution record.Solution
	Value    float64
	Better   bool
}

// PlaceIslands runs the islands of the run elsewhere from now on, or in this process again where
// over is nil. Results and the journal stay the same. After an error nothing has changed.
func (r *Run) PlaceIslands(ctx context.Context, over RemoteIslands) error {
	var err error
	if derr := r.do(ctx, func() { err = r.place(over) }); derr != nil {
		return derr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return nil
}

func (r *Run) place(over RemoteIslands) error {
	a, ok := r.alg.(*archipelago)
	if !ok {
		return fmt.Errorf("it has no islands: open or fork it with %s=4", ParamIslands)
	}
	if r.err != nil {
		return fmt.Errorf("%w: %w", ErrFailed, r.err)
	}
	moved := make([]*Stepper, 0, len(a.islands))
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
		x.Stepper.Close()
		x.Stepper = moved[i]
	}
	a.abroad, a.began = over != nil, false
	return nil
}

// move makes the search of an island where it is to be, in the state that it has.
func (a *archipelago) move(i int, over RemoteIslands) (*Stepper, error) {
	x := a.islands[i]
	state, err := x.Snapshot()
	if err != nil {
		return nil, err
	}
	var b *Stepper
	if over == nil {
		b, err = NewStepper(a.v, a.inst)
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
	if g, ok := b.alg.(RemoteIsland); ok && err == nil {
		g.Know(x.Best(), x.Solution(), x.Ended())
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// mark saves how the islands that run elsewhere stand.
func (a *archipelago) mark() {
	for _, x := range a.islands {
		if g, ok := x.alg.(RemoteIsland); ok {
			g.Mark()
		}
	}
}

// ahead passes the work that follows to an island that runs elsewhere.
func (x *island) ahead(next func() []Stretch) {
	if g, ok := x.alg.(RemoteIsland); ok {
		g.Ahead(next)
	}
}

// follow returns the work that follows for an island: the iterations to the end of the epoch, and
// those of later epochs, as long as the migrants at their ends are known already. So an island runs
// ahead of the others by migration_delay epochs.
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
		// At the end of this epoch the island receives what others sent delay epochs earlier.
		if at := len(a.mail) - (a.delay - j); at >= 0 {
			s.Takes = a.offers(i, a.mail[at])
		}
		out = append(out, s)
	}
}

// wanted returns the number of iterations that callers want of the run, including the next one.
func (r *Run) wanted() (n int64) {
	if r.going {
		return math.MaxInt32
	}
	for _, q := range r.steps {
		n += min(q.left, math.MaxInt32)
	}
	return n
}

// takeBack undoes an abandoned iteration on the islands that ran it elsewhere.
func (a *archipelago) takeBack(why error) error {
	for _, x := range a.islands {
		if g, ok := x.alg.(RemoteIsland); ok {
			g.Return()
		}
		x.err = nil
	}
	return why
}
