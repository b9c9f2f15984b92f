package lab

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"metalab/kernel/lab/front"
	"metalab/kernel/lab/internal/serve"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// kindOwn is the kind of problems that somebody declared.
const kindOwn = "own"

// ownProblem is a user's problem in the process of a user's solver.
type ownProblem struct {
	front.Evaluator
	of     front.Problem
	params record.Values // of the problem
}

// beside are the problems that this worker's program declares, for its solver to search on.
var beside = map[string]func() front.Problem{}

// besides keeps the declaration of a problem for a solver of the same program.
func besides(name string, declared func() front.Problem) { beside[name] = declared }

// searched is the user's problem that this worker's solver searches on; nil: there is none.
var searched *ownProblem

// ownOf finds the problem that the host names.
func (p *Problem) ownOf(in wire.WorkerInit) error {
	declared, evaluate := beside[in.Name], front.Evaluators()
	if declared == nil || evaluate == nil {
		return errors.New("its code is not in this program")
	}
	o := &ownProblem{of: declared()}
	if o.of.Refused != "" {
		return errors.New(o.of.Refused)
	}
	var err error
	if o.Evaluator, err = evaluate(o.of); err != nil {
		return err
	}
	o.set(in.Params)
	p.Form, p.K, p.own, searched = o.of.Form.Kind, o.of.Form.K, o, o
	if p.real() {
		p.Low, p.High = o.of.Form.Low, o.of.Form.High
	}
	return nil
}

// set applies values of the problem's parameters and returns the names of those that changed.
func (o *ownProblem) set(vs record.Values) (changed []string) {
	now := record.Values{}
	for _, p := range o.of.Params {
		if v, ok := vs[p.Name]; ok {
			if now[p.Name] = v; o.params[p.Name] != v {
				changed = append(changed, p.Name)
			}
		}
	}
	if o.params == nil || len(changed) > 0 {
		o.params = now
		o.Give(now)
	}
	return changed
}

// names returns the names of the problem's parameters.
func (o *ownProblem) names() (out []string) {
	for _, p := range o.of.Params {
		out = append(out, p.Name)
	}
	return out
}

// bitsOf are real numbers as the rest of this package carries them, by the bits of each.
func bitsOf(x []float64) []int {
	out := make([]int, len(x))
	for i, v := range x {
		out[i] = int(math.Float64bits(v))
	}
	return out
}

// best is the best solution of the worker's solver.
func (w *worker) best() (value float64, solution []int) {
	if !w.p.real() {
		return w.d.solver.Best()
	}
	value, x := w.d.solver.(RealSolver).BestReals()
	return value, bitsOf(x)
}

// takes returns an error for a solver that does not know real vectors on a problem of these.
func (p *Problem) takes(s Solver) error {
	if _, ok := s.(RealSolver); !ok && p.real() {
		return fmt.Errorf("its solutions are real vectors, and %T has no method "+
			"BestReals() (float64, []float64)", s)
	}
	return nil
}

// solution returns a solution in the problem's form. A value that does not fit becomes a number
// that the problem refuses.
func (o *ownProblem) solution(x []int) (s record.Solution) {
	if o.of.Form.Kind == record.FormReals {
		s.Real = make([]float64, len(x))
		for i, b := range x {
			s.Real[i] = math.Float64frombits(uint64(b))
		}
		return s
	}
	if o.of.Form.Kind == record.FormBits {
		s.Bits = make([]int8, len(x))
		for i, b := range x {
			if s.Bits[i] = int8(b); int(s.Bits[i]) != b {
				s.Bits[i] = -1
			}
		}
		return s
	}
	s.Perm = make([]int32, len(x))
	for i, v := range x {
		if s.Perm[i] = int32(v); int(s.Perm[i]) != v {
			s.Perm[i] = -1
		}
	}
	return s
}

func (o *ownProblem) cost(x []int) float64 {
	c, err := o.Cost(o.solution(x))
	if err != nil {
		panic(err)
	}
	return c
}

// check returns an error unless a solution has the claimed cost.
func (o *ownProblem) check(claim float64, solution []int) error {
	got, err := o.Judge(o.solution(solution))
	if placed := front.Placed(nil); err != nil && !errors.As(err, &placed) {
		return fmt.Errorf(wrongBest+"its solution is not one: %w", err)
	}
	if err == nil && got != claim {
		err = fmt.Errorf(wrongBest+"it claims %s, and its solution has %s", plain(claim), plain(got))
	}
	return err
}

// Own returns a new value of the type of your own problem, from its constructor; nil for other
// problems. Its parameters are those of the run, and change with them. Call Own in Init, and give
// the field that holds the value the tag state:"-", so that its data is not copied into every
// state:
//
//	f := p.Own().(*FlowShop)
//
// Do not rely on data in its fields from one Step to the next: a loaded run has a new value. The
// cost of a maximised problem is the negative of what the type's Cost returns; Step and Best return
// costs.
func (p *Problem) Own() any {
	if p.own == nil {
		return nil
	}
	v, err := p.own.Value()
	if err != nil {
		panic(err)
	}
	return v
}

// Neighbourhoods returns the names of your own problem's neighbourhoods, such as swap and
// insertion; go doc metalab/solvers/own lists them.
func (p *Problem) Neighbourhoods() []string {
	if p.own == nil {
		return nil
	}
	return slices.Clone(p.own.Evaluator.Neighbourhoods())
}

// Walk returns a solution of your own problem with the moves of one of its neighbourhoods. The
// methods of the problem's type (DeltaInsert and the others) evaluate them, in this process. Call
// Load before you use the solution. A field of this type is part of the state.
func (p *Problem) Walk(neighbourhood string) (*Walk, error) {
	if p.own == nil {
		return nil, fmt.Errorf("%s (%s) is no problem of your own: it has no walks", p.Name, p.Kind)
	}
	if p.real() {
		return nil, fmt.Errorf("the solutions of %s are real vectors: it has no walks; draw steps from "+
			"Rand, and take CostReals", p.Name)
	}
	in, err := p.own.Walk(neighbourhood)
	if err != nil {
		return nil, err
	}
	return &Walk{name: neighbourhood, in: in}, nil
}

// A Walk is a solution of your own problem with its neighbours, for one goroutine at a time; see
// [Problem.Walk].
type Walk struct {
	name     string
	solution []int      // when the state was written
	in       front.Walk `state:"-"`
}

var walkType = reflect.TypeFor[Walk]()

// keep copies the solution into the state.
func (w *Walk) keep() {
	if w.in != nil {
		w.solution = w.Solution()
	}
}

// walk returns the walk with the solution; after a restore it loads the solution first.
func (w *Walk) walk() front.Walk {
	if w.in != nil {
		return w.in
	}
	if w.name == "" || searched == nil {
		panic("lab: a Walk that Problem.Walk did not make")
	}
	in, err := searched.Walk(w.name)
	if err == nil {
		err = in.Load(searched.solution(w.solution))
	}
	if err != nil {
		panic(err)
	}
	w.in = in
	return in
}

// Load copies x into the current solution. It panics if x is no solution.
func (w *Walk) Load(x []int) {
	if err := w.walk().Load(searched.solution(x)); err != nil {
		panic(err)
	}
}

// Cost returns the cost of the solution.
func (w *Walk) Cost() float64 { return w.walk().Cost() }

// Moves returns the number of moves.
func (w *Walk) Moves() int { return w.walk().Size() }

// Delta returns the change of the cost by move k, counted from 0.
func (w *Walk) Delta(k int) float64 {
	w.check(k)
	return w.in.Delta(k)
}

// Apply applies move k, counted from 0.
func (w *Walk) Apply(k int) {
	w.check(k)
	w.in.Apply(k)
}

func (w *Walk) check(k int) {
	if n := w.Moves(); k < 0 || k >= n {
		panic(fmt.Sprintf("lab: move %d of a Walk, want 0 to %d", k, n-1))
	}
}

// Solution returns a copy of the solution.
func (w *Walk) Solution() []int {
	s := w.walk().Solution()
	x := make([]int, 0, max(len(s.Bits), len(s.Perm)))
	for _, b := range s.Bits {
		x = append(x, int(b))
	}
	for _, v := range s.Perm {
		x = append(x, int(v))
	}
	return x
}

// given applies new values of the problem's parameters, together with the changed ones of the
// solver.
func (w *worker) given(vs record.Values, changed []string) error {
	ofProblem := []string(nil)
	if w.p.own != nil {
		ofProblem = w.p.own.set(vs)
	}
	all := append(changed, ofProblem...)
	if c, ok := w.d.solver.(Changer); ok && len(all) > 0 {
		c.Changed(all)
	}
	if len(ofProblem) == 0 {
		return nil
	}
	return w.anew(ofProblem)
}

// anew checks the best after parameters of the problem have changed.
func (w *worker) anew(names []string) error {
	w.checked, w.showed = math.Inf(1), time.Time{}
	v, s := w.best()
	if len(s) == 0 {
		return nil
	}
	if err := w.p.check(v, s); err != nil {
		return fmt.Errorf("after a change of %v of %s %w; a method Changed(names []string) of the "+
			"solver computes its costs anew", names, w.p.Name, err)
	}
	return nil
}

// restored has the solver compute its costs anew where the problem has other parameters than when
// the state was written.
func (w *worker) restored() error {
	if w.p.own == nil || len(w.p.own.of.Params) == 0 {
		return nil
	}
	v, s := w.best()
	if len(s) == 0 || w.p.check(v, s) == nil {
		return nil
	}
	names := w.p.own.names()
	if c, ok := w.d.solver.(Changer); ok {
		c.Changed(names)
	}
	return w.anew(names)
}

// judged answers with the cost of a solution that the host has.
func (w *worker) judged(body []byte) ([]byte, error) {
	s, err := serve.Read[record.Solution](body)
	if err != nil {
		return nil, err
	}
	if w.p.own == nil {
		return nil, serve.Unknown(wire.OpCost)
	}
	return serve.JSON(w.p.own.Judge(s))
}
