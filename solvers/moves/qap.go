package moves

import (
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// A qapKernel keeps the matrices of qapForm for one permutation.
//
// The matrices are updated after a move in steps, so that the cores can share the long ones: begin,
// with the permutation before the move; rows for all rows; end, with the permutation after it. W is
// up to date then updated by the next call of best for every row below n-1, after which fresh is
// called.
type qapKernel interface {
	load(p []int32, w wave)
	begin(p []int32, r, s int)
	rows(lo, hi, r, s int)
	end(p []int32, r, s int)
	best(lo, hi int, admit func(i, j int, d int64) bool) (int64, [2]int)
	fresh()
	delta(i, j int) int64 // of an exchange, i < j, divided by the factor; W must be fresh
	at(i, j int) int64    // E[i][j]
}

// qapWalk is a permutation with the matrices of qapForm.
type qapWalk struct {
	inst   *datasets.QAP
	form   *qapForm
	kernel qapKernel
	p      []int32
	cost   int64
	nbs    []Neighbourhood

	linear bool // moves are evaluated in n steps, and the kernel is not used
	empty  bool // the kernel has no matrices for the permutation yet
	waits  bool // the kernel is not updated yet for the exchange of r and s
	r, s   int
	fresh  bool // W is
}

// newQAPWalk returns an error for instances whose costs a float64 cannot hold exactly.
func newQAPWalk(q *datasets.QAP) (*qapWalk, error) {
	var sum, top float64
	for i := range q.A {
		sum += math.Abs(float64(q.A[i]))
		top = max(top, math.Abs(float64(q.B[i])))
	}
	if sum*top > 1<<53 {
		return nil, fmt.Errorf("moves: %s: costs up to %.4g, want at most 2^53", q.Title, sum*top)
	}
	form := newQAPForm(q)
	if form.small {
		return makeQAPWalk(q, form, newPacked(form))
	}
	return makeQAPWalk(q, form, newWide(form))
}

func makeQAPWalk(q *datasets.QAP, form *qapForm, kernel qapKernel) (*qapWalk, error) {
	swap, err := Swaps(q.N)
	if err != nil {
		return nil, err
	}
	cycle, err := Cycles(q.N)
	if err != nil {
		return nil, err
	}
	return &qapWalk{
		inst: q, form: form, kernel: kernel, p: make([]int32, q.N), nbs: []Neighbourhood{swap, cycle},
	}, nil
}

func (t *qapWalk) Neighbourhoods() []Neighbourhood { return t.nbs }
func (t *qapWalk) Cost() float64                   { return float64(t.cost) }
func (t *qapWalk) Solution() record.Solution {
	return record.Solution{Perm: append([]int32(nil), t.p...)}
}
func (t *qapWalk) Hash() uint64         { return arith.HashPerm(t.p) }
func (t *qapWalk) entry(at int32) int32 { return t.p[at] }

func (t *qapWalk) Load(s record.Solution) error {
	c, err := t.inst.Cost(s.Perm)
	if err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	copy(t.p, s.Perm)
	t.set(c)
	return nil
}

func (t *qapWalk) set(cost int64) {
	t.cost = cost
	t.waits, t.fresh = false, true
	t.empty = !t.linear // it is filled when it is used: where an engine makes scans it never is
}

// evaluate sets whether moves are evaluated in n steps or by the kernel.
func (t *qapWalk) evaluate(linear bool) {
	if t.linear == linear {
		return
	}
	t.linear = linear
	t.set(t.cost)
}

func (t *qapWalk) Random(draws *arith.Stream) {
	for i := range t.p {
		t.p[i] = int32(i)
	}
	draws.Shuffle(t.p)
	c, _ := t.inst.Cost(t.p) // cannot fail for a permutation
	t.set(c)
}

func (t *qapWalk) Delta(m Move) float64 {
	if m.arity() == 2 {
		return float64(t.inst.Delta(t.p, int(m.At[0]), int(m.At[1])))
	}
	a, b := m.exchanges()
	p := append([]int32(nil), t.p...)
	d := t.inst.Delta(p, int(a[0]), int(a[1]))
	p[a[0]], p[a[1]] = p[a[1]], p[a[0]]
	return float64(d + t.inst.Delta(p, int(b[0]), int(b[1])))
}

// exchanges returns the two exchanges that a cycle consists of, one after the other.
func (m Move) exchanges() (a, b [2]int32) {
	a, b = [2]int32{m.At[0], m.At[1]}, [2]int32{m.At[1], m.At[2]}
	if m.Back {
		a, b = b, a
	}
	return a, b
}

func (t *qapWalk) Apply(m Move) {
	if m.arity() == 2 {
		t.exchange(int(m.At[0]), int(m.At[1]))
		return
	}
	a, b := m.exchanges()
	t.exchange(int(a[0]), int(a[1]))
	t.exchange(int(b[0]), int(b[1]))
}

func (t *qapWalk) exchange(r, s int) {
	if t.linear {
		t.cost += t.inst.Delta(t.p, r, s)
		t.p[r], t.p[s] = t.p[s], t.p[r]
		return
	}
	alone := wave{}
	t.follow(alone)
	if t.fresh {
		t.cost += t.form.factor * t.kernel.delta(r, s)
	} else {
		t.renew(alone, nil)
		t.cost += t.inst.Delta(t.p, r, s)
	}
	t.kernel.begin(t.p, r, s)
	t.p[r], t.p[s] = t.p[s], t.p[r]
	t.waits, t.r, t.s = true, r, s
}

func (t *qapWalk) steps(k int) int64 {
	if t.linear {
		return int64((4 + 4*k) * len(t.p))
	}
	return int64(1 + 40*k)
}

// follow fills the kernel, or updates it for the last exchange.
func (t *qapWalk) follow(w wave) {
	if t.empty {
		t.kernel.load(t.p, w)
		t.empty = false
	}
	if !t.waits {
		return
	}
	n := len(t.p)
	w.share(n, 2*int(w.block)/n, int64(n/2*t.form.pairs), func(_, lo, hi int) {
		t.kernel.rows(lo, hi, t.r, t.s)
	})
	t.kernel.end(t.p, t.r, t.s)
	t.waits, t.fresh = false, false
}

// renew finds the best exchange that admit accepts, and updates W at the same time. It does not
// look at the context, because W would be left half updated.
func (t *qapWalk) renew(w wave, admit func(i, j int, d int64) bool) (int64, [2]int) {
	n := len(t.p)
	type found struct {
		d  int64
		at [2]int
	}
	size := 2 * int(w.block) / n
	all := make([]found, w.parts(n-1, size, int64(n/2)))
	w.share(n-1, size, int64(n/2), func(part, lo, hi int) {
		all[part].d, all[part].at = t.kernel.best(lo, hi, admit)
	})
	best, at := int64(0), [2]int{-1, -1}
	for _, f := range all { // in the order of the indices
		if f.at[0] >= 0 && (at[0] < 0 || f.d < best) {
			best, at = f.d, f.at
		}
	}
	t.kernel.fresh()
	t.fresh = true
	return best, at
}

func (t *qapWalk) prepare(k int, w wave) {
	if t.linear {
		return
	}
	t.follow(w)
	if k == 0 && !t.fresh {
		t.renew(w, nil)
	}
}

func (t *qapWalk) scan(k int, w wave, allow func(Move, float64) bool) (choice, error) {
	if k > 0 || t.linear {
		t.prepare(k, w)
		return scanAll(k, t, w, allow)
	}
	if err := w.ctx.Err(); err != nil {
		return noChoice, err
	}
	t.follow(w)
	var admit func(i, j int, d int64) bool
	if allow != nil {
		admit = func(i, j int, d int64) bool {
			return allow(Move{At: [3]int32{int32(i), int32(j), none}}, float64(t.form.factor*d))
		}
	}
	d, at := t.renew(w, admit)
	if at[0] < 0 {
		return noChoice, nil
	}
	return choice{
		float64(t.form.factor * d), PairIndex(int64(len(t.p)), int64(at[0]), int64(at[1])),
	}, nil
}

func (t *qapWalk) value(k int, _ int64, m Move) float64 {
	if t.linear {
		return t.Delta(m)
	}
	if k == 0 {
		return float64(t.form.factor * t.kernel.delta(int(m.At[0]), int(m.At[1])))
	}
	return float64(t.cycle(m))
}

// cycle returns the delta of a 3-exchange in a fixed number of steps: what E says of all positions,
// minus what it counts among the three, plus the true change among them.
func (t *qapWalk) cycle(m Move) int64 {
	n := t.form.n
	at := [3]int{int(m.At[0]), int(m.At[1]), int(m.At[2])}
	to := [3]int{1, 2, 0} // position at[x] takes the entry of at[to[x]]
	if m.Back {
		to = [3]int{2, 0, 1}
	}
	// The 3 x 3 parts of A and of B under the permutation, without diagonals.
	var a, b [3][3]int64
	for x, i := range at {
		for y, j := range at {
			if x != y {
				a[x][y] = int64(t.inst.A[i*n+j])
				b[x][y] = int64(t.inst.B[int(t.p[i])*n+int(t.p[j])])
			}
		}
	}
	var outside, inside int64
	for x := range 3 {
		outside += t.kernel.at(at[x], at[to[x]]) - t.kernel.at(at[x], at[x])
		for y := range 3 {
			inside += a[x][y]*(b[to[x]][to[y]]-b[to[x]][y]+b[x][y]) -
				a[y][x]*(b[y][to[x]]-b[y][x]) - a[x][y]*b[x][y]
		}
	}
	return t.form.factor*outside + inside
}
