package own

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A Problem is an instance of a user's problem, in the process that has its code.
type Problem struct {
	name, sum string
	form      record.Form
	make      func() any
	moves     int // of the neighbourhood of one's own; 0: there is none

	file, text string // its source; see Told

	prepare    atomic.Pointer[func(v any)] // sets the parameters of a new value
	generation atomic.Int64                // of the parameters
	fault      atomic.Pointer[Fault]

	mu    sync.Mutex
	judge *Value // by which whole solutions are evaluated; see CostOf
}

// New returns the problem with a name. make returns a new value of the type with the methods. New
// calls it for every goroutine that evaluates, and it must return an equal value each time.
func New(name string, form record.Form, make func() any) (*Problem, error) {
	h := sha256.Sum256(fmt.Appendf(nil, "%s %+v", name, form))
	p := &Problem{name: name, form: form, make: make, sum: hex.EncodeToString(h[:])}
	if err := form.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	v, err := p.made()
	var f Functions
	if err == nil {
		f, err = FunctionsOf(v, form)
	}
	if err == nil && f.Moves != nil {
		err = p.count(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// MaxMoves is the largest number of moves of a user's own neighbourhood.
const MaxMoves = 1 << 20

// count asks how many moves there are.
func (p *Problem) count(f Functions) error {
	var n int
	if err := p.Guard(func() { n = f.Moves() }); err != nil {
		return err
	}
	if n < 1 || n > MaxMoves {
		return fmt.Errorf("Moves says %d, want 1 to %d", n, MaxMoves)
	}
	p.moves = n
	return nil
}

// Moves returns the number of moves of the user's own neighbourhood, 0 if there is none.
func (p *Problem) Moves() int { return p.moves }

// made calls the constructor.
func (p *Problem) made() (v any, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = faultOf(x)
		}
	}()
	return p.make(), nil
}

// Name returns the declared name.
func (p *Problem) Name() string { return p.name }

// Kind returns datasets.KindOwn.
func (p *Problem) Kind() datasets.Kind { return datasets.KindOwn }

// Size returns the number of entries of a solution.
func (p *Problem) Size() int { return p.form.N }

// Form returns the form of the solutions.
func (p *Problem) Form() record.Form { return p.form }

// BestKnown returns the best known cost from the declaration.
func (p *Problem) BestKnown() (datasets.BestKnown, bool) { return BestOf(p.form) }

// BestOf returns the best known cost of a form.
func BestOf(form record.Form) (datasets.BestKnown, bool) {
	if form.BestKnown == nil {
		return datasets.BestKnown{}, false
	}
	v := form.Sense().Cost(*form.BestKnown)
	return datasets.BestKnown{Value: v, Source: form.Source}, true
}

// SHA256 identifies the problem within this process: the problem is code, which nothing can
// compare. Named replaces it by the hash of the source.
func (p *Problem) SHA256() string { return p.sum }

// Named sets the hash by which records identify the problem.
func (p *Problem) Named(sum string) { p.sum = sum }

// Told sets the source of the problem, from which a backend compiles kernels, and the file name
// that errors show.
func (p *Problem) Told(file, text string) { p.file, p.text = file, text }

// Source returns what Told has set.
func (p *Problem) Source() (file, text string) { return p.file, p.text }

// Prepare has set called on every value of the type, new and old, before its next solution. set
// assigns parameters. The caller must then load the solutions of all walks again.
func (p *Problem) Prepare(set func(v any)) {
	p.prepare.Store(&set)
	p.generation.Add(1)
}

// Generation grows with each call of Prepare.
func (p *Problem) Generation() int64 { return p.generation.Load() }

// CostOf returns the cost of a solution, by a value of the type that no search uses.
func (p *Problem) CostOf(s record.Solution) (float64, error) {
	if err := p.form.Take(s); err != nil {
		return 0, fmt.Errorf("%s: %w", p.name, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.judge == nil {
		v, err := p.Value()
		if err != nil {
			return 0, err
		}
		p.judge = v
	}
	var c float64
	err := p.Guard(func() {
		p.judge.Refresh()
		c = p.judge.whole(s)
	})
	return c, err
}

// Draw returns the picture of a solution by the type's method Plot. The error says that there is no
// such method, that a part of the picture cannot be drawn, or how the method failed.
func (p *Problem) Draw(s record.Solution) (d *record.Drawing, err error) {
	if err := p.form.Take(s); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	v, err := p.Value()
	if err != nil {
		return nil, err
	}
	if v.Plot == nil {
		return nil, fmt.Errorf("%s has no method Plot(x %s) *lab.Drawing, which draws a solution", p.name,
			sliceOf(p.form))
	}
	if err := p.Guard(func() { d = v.Plot(s.Clone()) }); err != nil {
		return nil, err
	}
	if d == nil {
		return nil, fmt.Errorf("the method Plot of %s returns nil", p.name)
	}
	if err := d.Check(); err != nil {
		return nil, fmt.Errorf("the method Plot of %s returns a drawing with %w", p.name, err)
	}
	return d, nil
}

// A Value is a value of the type with the methods, for one goroutine at a time.
type Value struct {
	Functions
	p          *Problem
	v          any
	sign       float64
	generation int64
}

// Value returns a new value.
func (p *Problem) Value() (*Value, error) {
	x, err := p.made()
	if err != nil {
		return nil, err
	}
	f, err := FunctionsOf(x, p.form)
	if err != nil {
		return nil, err
	}
	v := &Value{Functions: f, p: p, v: x, sign: 1, generation: -1}
	if p.form.Maximise {
		v.sign = -1
		v.Functions = f.negated()
	}
	v.Refresh()
	return v, nil
}

// Raw returns the value itself.
func (v *Value) Raw() any { return v.v }

// Sign returns -1 for a maximised problem, else 1. A value times Sign is a cost.
func (v *Value) Sign() float64 { return v.sign }

// Refresh assigns changed parameters. It returns true if the solution must be loaded again.
func (v *Value) Refresh() bool {
	g := v.p.generation.Load()
	if v.generation == g {
		return false
	}
	v.generation = g
	if set := v.p.prepare.Load(); set != nil {
		(*set)(v.v)
	}
	return true
}

// whole is the cost of a solution of the form.
func (v *Value) whole(s record.Solution) float64 {
	switch v.p.form.Kind {
	case record.FormBits:
		return v.Checked(v.Bits.Cost(Flags(s.Bits)))
	case record.FormReals:
		return v.Checked(v.Cost(s.Real))
	}
	return v.Checked(v.Vector.Cost(s.Perm))
}

// Flags converts bits to the form that the methods use.
func Flags(bits []int8) []uint8 {
	x := make([]uint8, len(bits))
	for i, b := range bits {
		x[i] = uint8(b)
	}
	return x
}

// Checked returns a cost. It panics with a Fault if the cost is no number, or so large that float64
// cannot tell it from the next whole number.
func (v *Value) Checked(c float64) float64 {
	if math.IsNaN(c) || math.IsInf(c, 0) {
		panic(&Fault{Text: fmt.Sprintf("Cost of %s is %v, want a number", v.p.name, v.sign*c)})
	}
	if v.Whole && math.Abs(c) > 1<<53 {
		panic(&Fault{Text: fmt.Sprintf("Cost of %s is %.0f, want at most 2^53 in size, beyond which "+
			"whole numbers are not exact", v.p.name, v.sign*c)})
	}
	return c
}
