// Package testlab is a laboratory in small: it has the shape of the API that
// people type at the prompt, so that the evaluator's tests and its generated
// bindings have something to stand on.
package testlab

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"metalab/kernel/eval/internal/testlab/rows"
)

// Problem is an instance.
type Problem struct {
	Name string // as given to Load
	Size int    // cities
}

// Load gives the instance of a name.
func Load(name string) *Problem { return &Problem{Name: name, Size: 10 * len(name)} }

// An Option configures a run at Open.
type Option func(*Run)

// Seed sets the seed of a run's draws.
func Seed(seed uint64) Option { return func(r *Run) { r.seed = seed } }

// With sets parameters: name, value, name, value, …
func With(pairs ...any) Option {
	return func(r *Run) {
		for i := 0; i+1 < len(pairs); i += 2 {
			r.params[fmt.Sprint(pairs[i])] = pairs[i+1]
		}
	}
}

// Point is a row of a run's history.
type Point struct {
	Iteration int
	Best      float64
}

// String writes the row.
func (p Point) String() string { return fmt.Sprintf("it %d best %.3f", p.Iteration, p.Best) }

// Searcher improves a tour; inputs may bring their own.
type Searcher interface {
	Improve(tour []int) (gain int, err error)
}

// Stepper is what can be stepped.
type Stepper interface {
	Step(n int) Point
}

// Run is a search that can be stepped.
type Run struct {
	Problem *Problem
	Search  Searcher    // may be nil
	OnPoint func(Point) // may be nil
	name    string
	seed    uint64
	params  map[string]any
	last    Point
}

var _ Stepper = (*Run)(nil)

// Open makes a run of a solver on a problem.
func Open(name, solver string, pr *Problem, opts ...Option) *Run {
	r := &Run{
		Problem: pr, name: name + "/" + solver, params: map[string]any{},
		last: Point{Best: 1000},
	}
	for _, o := range opts {
		o(r)
	}
	return r
}

// Name is the run's name and solver.
func (r *Run) Name() string { return r.name }

// Seed is the seed of the run's draws.
func (r *Run) Seed() uint64 { return r.seed }

// Param is a parameter's value, nil when it was not set.
func (r *Run) Param(name string) any { return r.params[name] }

// Step makes n iterations and returns the last row.
func (r *Run) Step(n int) Point {
	for range n {
		r.last.Iteration++
		r.last.Best = 1000 / float64(r.last.Iteration)
		if r.Search != nil {
			if _, err := r.Search.Improve([]int{1, 2, 3}); err != nil {
				panic(err)
			}
		}
		if r.OnPoint != nil {
			r.OnPoint(r.last)
		}
	}
	return r.last
}

// Points makes n iterations, and gives each row with its number.
func (r *Run) Points(n int) iter.Seq2[int, Point] {
	return func(yield func(int, Point) bool) {
		for i := range n {
			if !yield(i, r.Step(1)) {
				return
			}
		}
	}
}

// Bests gives the best of each of n iterations.
func (r *Run) Bests(n int) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for range n {
			if !yield(r.Step(1).Best) {
				return
			}
		}
	}
}

// Rows makes n iterations, and gives their bests in a type of a package that is not bound.
func (r *Run) Rows(n int) *rows.Rows {
	out := &rows.Rows{}
	for range n {
		out.Bests = append(out.Bests, r.Step(1).Best)
	}
	return out
}

// StepAll steps anything that steps.
func StepAll(n int, all ...Stepper) (points []Point) {
	for _, s := range all {
		points = append(points, s.Step(n))
	}
	return points
}

// ErrStop is a sentinel error.
var ErrStop = errors.New("stop")

// Fail returns an error that wraps ErrStop.
func Fail() (int, error) { return 0, fmt.Errorf("fail: %w", ErrStop) }

// Crash panics as a kernel might.
func Crash() { panic("kernel fell over") }

// Wait waits, or gives up when ctx ends.
func Wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Block waits for release to be closed, whatever happens.
func Block(release <-chan struct{}) { <-release }

// MaxRuns is how many runs there may be.
const MaxRuns = 64

// Mode is an enumeration.
type Mode int

// The modes.
const (
	Idle Mode = iota
	Busy
)

// hidden has an unexported name, and methods that can be called all the same.
type hidden struct{ N int }

// Inc counts.
func (h *hidden) Inc() int { h.N++; return h.N }

// Hidden returns a value whose type inputs cannot name.
func Hidden() *hidden { return &hidden{} }
