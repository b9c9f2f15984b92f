package moves

import (
	"fmt"
	"math"
	"strings"

	"metalab/solvers/arith"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// Checked are the moves of a neighbourhood that CheckOwn compared.
type Checked struct {
	Name  string
	Size  int64
	Moves int
	Delta string // the method that evaluates them; empty: Cost
}

// Kernels counts the moves compared with kernels compiled from the methods.
type Kernels struct {
	On      string // where they ran
	Not     string // why they were not made; empty: they were
	Checked []Checked
}

// A Comparer compares, for n random moves of each neighbourhood, a problem's methods on the CPU
// with the kernels compiled from them, unless enough ends it before. wrong is a sentence about the
// first move that differs.
type Comparer func(
	p *own.Problem, seed uint64, n int, enough func() bool,
) (k Kernels, wrong string, err error)

// comparer is the program's comparer; nil: it compiles no kernels.
var comparer Comparer

// CompareBy makes f the comparer of the program. It is called from init, by what makes kernels.
func CompareBy(f Comparer) { comparer = f }

// CompareOwn compares by the comparer of the program; ok is false where there is none.
func CompareOwn(
	p *own.Problem, seed uint64, n int, enough func() bool,
) (k Kernels, wrong string, ok bool, err error) {
	if comparer == nil {
		return k, "", false, nil
	}
	k, wrong, err = comparer(p, seed, n, enough)
	return k, wrong, true, err
}

// CheckOwn compares, for n random moves of each neighbourhood of a user's problem, the result of
// the neighbourhood's method with Cost before and after, and Cost with itself. wrong is a sentence
// about the first difference, empty if there is none; err is a fault of the code. Costs that are
// not whole may differ by a millionth of a millionth of their size for each entry. CheckOwn asks
// enough, which may be nil, before each move but the first of a neighbourhood, and compares no more
// moves of it once it is true.
func CheckOwn(
	p *own.Problem, seed uint64, n int, enough func() bool,
) (done []Checked, wrong string, err error) {
	err = p.Guard(func() {
		var w Walk
		if w, err = newOwnWalk(p); err != nil {
			return
		}
		for k, nb := range w.Neighbourhoods() {
			c := &checker{p: p, w: w, nb: nb, draws: arith.NewStream(seed, uint64(k), 0, drawPlace)}
			c.method, c.whole = methodOf(w, k)
			done = append(done, Checked{Name: nb.Name(), Size: nb.Size(), Delta: c.method})
			if nb.Size() == 0 {
				continue
			}
			for i := range n {
				if i > 0 && enough != nil && enough() {
					break
				}
				if wrong, err = c.one(i); wrong != "" || err != nil {
					return
				}
				done[len(done)-1].Moves++
			}
		}
	})
	return done, wrong, err
}

// methodOf is the name of the method by which a walk evaluates a neighbourhood, and whether its
// costs are whole numbers.
func methodOf(w Walk, k int) (name string, whole bool) {
	t, ok := w.(*ownWalk)
	if !ok {
		return "", false
	}
	var f own.Functions
	switch e := t.main.evaluator.(type) {
	case *ownBits:
		f = e.Functions
	case *ownVector:
		f = e.Functions
	}
	if !t.main.quick(k) {
		return "", f.Whole
	}
	if t.nbs[k].Name() == "own" {
		return "DeltaMove", f.Whole
	}
	switch t.form.Kind {
	case record.FormBits:
		if k == 1 && f.Bits.Delta2 != nil || k == 2 && f.Bits.Delta3 != nil {
			return fmt.Sprintf("Delta%d", k+1), f.Whole
		}
		return "Delta", f.Whole
	case record.FormValues:
		return []string{"Delta", "DeltaSwap"}[k], f.Whole
	}
	return []string{"DeltaSwap", "DeltaInsert", "DeltaReverse", "DeltaCycle"}[k], f.Whole
}

// checker compares the moves of a neighbourhood.
type checker struct {
	p      *own.Problem
	w      Walk
	nb     Neighbourhood
	draws  arith.Stream
	method string
	whole  bool
}

// fresh is after how many moves another solution is drawn.
const fresh = 20

// one compares a move, and makes it.
func (c *checker) one(i int) (wrong string, err error) {
	if i%fresh == 0 {
		c.w.Random(&c.draws)
	}
	if r, ok := c.w.(Renewer); ok {
		r.Renew(uint64(i), int64(i), 0)
	}
	before, err := c.cost()
	if err != nil {
		return "", err
	}
	if again, err := c.cost(); err != nil || again != before {
		return fmt.Sprintf("Cost of one solution is %s, and asked again %s: it must depend on the "+
			"solution and the parameters alone", c.say(before), c.say(again)), err
	}
	if have := c.w.Cost(); have != before {
		return fmt.Sprintf("Cost of one solution is %s in one value of the type and %s in another: the "+
			"constructor must return the same each time", c.say(have), c.say(before)), nil
	}
	index := below(&c.draws, c.nb.Size())
	m := c.nb.Move(index)
	hash := c.w.Hash()
	d := c.w.Delta(m)
	if c.w.Hash() != hash {
		return fmt.Sprintf("%s has changed the solution that it was given", orCost(c.method)), nil
	}
	at := c.at(m)
	c.w.Apply(m)
	after, err := c.cost()
	if err != nil {
		return "", err
	}
	if c.method != "" && !c.near(d, before, after) {
		return fmt.Sprintf("move %d of %s, %s: %s says %s, and Cost goes from %s to %s, by %s", index,
			c.nb.Name(), at, c.method, c.say(d), c.say(before), c.say(after), c.say(after-before)), nil
	}
	return "", nil
}

func orCost(method string) string {
	if method == "" {
		return "Cost"
	}
	return method
}

// below draws a number in [0, n).
func below(draws *arith.Stream, n int64) int64 {
	return min(int64(float64(n)*draws.Float64()), n-1)
}

func (c *checker) cost() (float64, error) { return c.p.CostOf(c.w.Solution()) }

// near tells whether a delta is the difference of two costs.
func (c *checker) near(d, before, after float64) bool {
	if c.whole {
		return before+d == after
	}
	size := max(math.Abs(before), math.Abs(after), math.Abs(d), 1) * float64(c.p.Size())
	return math.Abs(before+d-after) <= 1e-12*size
}

// say is a value as the methods have it.
func (c *checker) say(v float64) string { return fmt.Sprint(c.p.Form().Sense().Value(v)) }

// at says which entries a move is about.
func (c *checker) at(m Move) string {
	t, ok := c.w.(*ownWalk)
	if !ok {
		return fmt.Sprintf("crown %d", m.At[0])
	}
	if m.owned() {
		return fmt.Sprintf("number %d", m.At[0])
	}
	if b, ok := t.main.evaluator.(*ownVector); ok && m.arity() == 1 {
		return fmt.Sprintf("entry %d from %d to %d", m.At[0], b.x[m.At[0]], b.to(m))
	}
	if m.insertion() {
		return fmt.Sprintf("from %d to %d", m.At[0], m.At[1])
	}
	var at []string
	for _, i := range m.At[:m.arity()] {
		at = append(at, fmt.Sprint(i))
	}
	if m.arity() == 3 && m.Back && t.form.Kind == record.FormPermutation {
		at[1], at[2] = at[2], at[1]
	}
	return "at " + strings.Join(at, ", ")
}
