package own_test

import (
	"math"

	"metalab/datasets"
)

// knapsack is a problem on bits that keeps the weight of the present solution, with a penalty that
// is a parameter.
type knapsack struct {
	weight, value []int64
	capacity      int64
	penalty       int64
	held          int64
	name          string           // of no use to a kernel
	notes         map[string][]int // neither
}

func (k *knapsack) over(held int64) int64 { return k.penalty * max(held-k.capacity, 0) }

func (k *knapsack) Cost(x []uint8) int64 {
	var held, value int64
	for i, b := range x {
		held += int64(b) * k.weight[i]
		value += int64(b) * k.value[i]
	}
	return value - k.over(held)
}

func (k *knapsack) Load(x []uint8) {
	k.held = 0
	for i, b := range x {
		k.held += int64(b) * k.weight[i]
	}
}

func (k *knapsack) change(x []uint8, i int) (weight, value int64) {
	if x[i] == 1 {
		return -k.weight[i], -k.value[i]
	}
	return k.weight[i], k.value[i]
}

func (k *knapsack) Delta(x []uint8, i int) int64 {
	w, v := k.change(x, i)
	return v - k.over(k.held+w) + k.over(k.held)
}

func (k *knapsack) Delta2(x []uint8, i, j int) int64 {
	w, v := k.change(x, i)
	w2, v2 := k.change(x, j)
	return v + v2 - k.over(k.held+w+w2) + k.over(k.held)
}

func (k *knapsack) Apply(x []uint8, i int) {
	w, _ := k.change(x, i)
	k.held += w
}

// text is left out of kernels.
func (k *knapsack) text() string { return k.name + string(rune(len(k.notes))) }

// onemax has a delta of single bits that depends on nothing else, and values that are not whole.
type onemax struct{ by [5]float64 }

func (o onemax) Cost(x []uint8) float64 {
	var n float64
	for i, b := range x {
		n += float64(float64(b) * o.by[i%5])
	}
	return n
}

func (o onemax) Delta(x []uint8, i int) float64 {
	return o.by[i%5] * (1 - float64(2*float64(x[i])))
}

// plain has nothing but a cost.
type plain struct{ at []int64 }

func (p *plain) Cost(x []uint8) int64 {
	var sum int64
	for i := range x {
		sum += p.at[i] * int64(x[i]^x[(i+1)%len(x)])
	}
	return sum
}

// route is an open tour of points on a line.
type route struct{ at []int64 }

func (p *route) d(a, b int32) int64 { return max(p.at[a]-p.at[b], p.at[b]-p.at[a]) }

func (p *route) Cost(x []int32) int64 {
	var sum int64
	for i := 1; i < len(x); i++ {
		sum += p.d(x[i-1], x[i])
	}
	return sum
}

func (p *route) edge(x []int32, i int, b int32) int64 {
	if i < 0 || i >= len(x) {
		return 0
	}
	return p.d(x[i], b)
}

func (p *route) DeltaReverse(x []int32, i, j int) int64 {
	return p.edge(x, i-1, x[j]) + p.edge(x, j+1, x[i]) - p.edge(x, i-1, x[i]) - p.edge(x, j+1, x[j])
}

// shop is a permutation flow shop: the insertion of a job is evaluated by what there is without it,
// which an evaluation makes and keeps.
type shop struct {
	jobs, machines   int
	time             []int64
	cost             int64
	out              int
	head, tail, line []int64
	rest             []int32
}

func newShop(jobs, machines int) *shop {
	f := &shop{jobs: jobs, machines: machines, out: -1}
	for i := range jobs * machines {
		f.time = append(f.time, int64(1+i*i*7%19))
	}
	f.head, f.tail = make([]int64, (jobs+1)*machines), make([]int64, (jobs+1)*machines)
	f.line, f.rest = make([]int64, machines), make([]int32, jobs-1)
	return f
}

func (f *shop) pass(before, after []int64, job int32) {
	at := int64(0)
	for m, t := range f.time[int(job)*f.machines:][:f.machines] {
		at = max(at, before[m]) + t
		after[m] = at
	}
}

func (f *shop) Cost(order []int32) int64 {
	clear(f.line)
	for _, j := range order {
		f.pass(f.line, f.line, j)
	}
	return f.line[f.machines-1]
}

func (f *shop) Load(order []int32) { f.cost, f.out = f.Cost(order), -1 }

func (f *shop) takeOut(order []int32, i int) {
	k := f.machines
	f.out = i
	copy(f.rest, order[:i])
	copy(f.rest[i:], order[i+1:])
	for p, job := range f.rest {
		f.pass(f.head[p*k:][:k], f.head[(p+1)*k:][:k], job)
	}
	n := len(f.rest)
	clear(f.tail[n*k : (n+1)*k])
	for p := n - 1; p >= 0; p-- {
		at := int64(0)
		for m := k - 1; m >= 0; m-- {
			at = max(at, f.tail[(p+1)*k+m]) + f.time[int(f.rest[p])*k+m]
			f.tail[p*k+m] = at
		}
	}
}

func (f *shop) DeltaInsert(order []int32, i, j int) int64 {
	if f.out != i {
		f.takeOut(order, i)
	}
	k, at, most := f.machines, int64(0), int64(0)
	head, tail := f.head[j*k:][:k], f.tail[j*k:][:k]
	for m, t := range f.time[int(order[i])*k:][:k] {
		at = max(at, head[m]) + t
		most = max(most, at+tail[m])
	}
	return most - f.cost
}

// values has entries of three values, deltas for both neighbourhoods and sums that Apply keeps.
type values struct {
	weight []int64
	sum    [3]int64
	counts []int64
}

func (v *values) Cost(x []int32) int64 {
	var sum [3]int64
	for i, a := range x {
		sum[a] += v.weight[i]
	}
	return sum[0]*sum[0] + sum[1]*sum[1] + sum[2]*sum[2]
}

func (v *values) Load(x []int32) {
	v.sum = [3]int64{}
	for i := range v.counts {
		v.counts[i] = 0
	}
	for i, a := range x {
		v.sum[a] += v.weight[i]
		v.counts[a]++
	}
}

func (v *values) Apply(x []int32, i int, to int32) {
	v.sum[x[i]] -= v.weight[i]
	v.sum[to] += v.weight[i]
	v.counts[x[i]]--
	v.counts[to]++
}

func (v *values) Delta(x []int32, i int, to int32) int64 {
	n := int64(0)
	for _, a := range x {
		if a == x[i] {
			n++
		}
	}
	if v.counts[x[i]] != n {
		panic("the counts are not those of the solution")
	}
	v.counts[x[i]]-- // an evaluation may use what belongs to the solution, and leave it as it was
	v.counts[x[i]]++
	a, b, w := v.sum[x[i]], v.sum[to], v.weight[i]
	if x[i] == to {
		return 0
	}
	return (a-w)*(a-w) - a*a + (b+w)*(b+w) - b*b
}

// rotated is a permutation with a neighbourhood of its own: move k swaps entries k and k+2.
type rotated struct{ route }

func (r *rotated) Moves() int { return len(r.at) - 2 }

func (r *rotated) Move(x []int32, k int) { x[k], x[k+2] = x[k+2], x[k] }

// faulty runs out of a slice once enough bits are set.
type faulty struct{ at []int64 }

func (f *faulty) Cost(x []uint8) int64 {
	n := 0
	for _, b := range x {
		n += int(b)
	}
	return f.at[n]
}

// endless never ends where the first bit is set and the second is not.
type endless struct{ n int }

func (e *endless) Cost(x []uint8) int64 {
	for x[0] == 1 && x[1] == 0 {
		e.n++
	}
	return int64(x[2])
}

// ragged has what no kernel takes.
type ragged struct{ rows [][]int64 }

func (r *ragged) Cost(x []uint8) int64 { return r.rows[0][int(x[0])] }

// grown calls what no kernel takes.
type grown struct{}

func (grown) Cost(x []uint8) float64 { return math.Sin(float64(x[0])) }

// assignment is the quadratic assignment problem as somebody would write it.
type assignment struct {
	n    int
	a, b []int32
}

func newAssignment(q *datasets.QAP) *assignment {
	return &assignment{q.N, append([]int32(nil), q.A...), append([]int32(nil), q.B...)}
}

func (q *assignment) Cost(p []int32) int64 {
	var sum int64
	for i := range q.n {
		for j := range q.n {
			sum += int64(q.a[i*q.n+j]) * int64(q.b[int(p[i])*q.n+int(p[j])])
		}
	}
	return sum
}

func (q *assignment) DeltaSwap(p []int32, r, s int) int64 {
	n, pr, ps := q.n, int(p[r]), int(p[s])
	d := int64(q.a[r*n+r]-q.a[s*n+s])*int64(q.b[ps*n+ps]-q.b[pr*n+pr]) +
		int64(q.a[r*n+s]-q.a[s*n+r])*int64(q.b[ps*n+pr]-q.b[pr*n+ps])
	for k := range n {
		if k != r && k != s {
			pk := int(p[k])
			d += int64(q.a[k*n+r]-q.a[k*n+s])*int64(q.b[pk*n+ps]-q.b[pk*n+pr]) +
				int64(q.a[r*n+k]-q.a[s*n+k])*int64(q.b[ps*n+pk]-q.b[pr*n+pk])
		}
	}
	return d
}

// tabled keeps the deltas of all swaps, which a swap changes by a few look-ups each (E. Taillard,
// Robust taboo search for the quadratic assignment problem, 1991).
type tabled struct {
	assignment
	delta []int64
	p     []int32
}

func newTabled(q *datasets.QAP) *tabled {
	return &tabled{*newAssignment(q), make([]int64, q.N*q.N), make([]int32, q.N)}
}

func (q *tabled) Load(p []int32) {
	copy(q.p, p)
	for i := range q.n {
		for j := i + 1; j < q.n; j++ {
			q.delta[i*q.n+j] = q.assignment.DeltaSwap(p, i, j)
		}
	}
}

func (q *tabled) DeltaSwap(p []int32, i, j int) int64 { return q.delta[i*q.n+j] }

func (q *tabled) ApplySwap(p []int32, r, s int) {
	n, a, b := q.n, q.a, q.b
	q.p[r], q.p[s] = q.p[s], q.p[r]
	pr, ps := int(q.p[r])*n, int(q.p[s])*n
	for i := range n {
		for j := i + 1; j < n; j++ {
			if i == r || i == s || j == r || j == s {
				q.delta[i*n+j] = q.assignment.DeltaSwap(q.p, i, j)
				continue
			}
			pi, pj := int(q.p[i]), int(q.p[j])
			q.delta[i*n+j] += int64(a[r*n+i]-a[r*n+j]+a[s*n+j]-a[s*n+i])*
				int64(b[ps+pi]-b[ps+pj]+b[pr+pj]-b[pr+pi]) +
				int64(a[i*n+r]-a[j*n+r]+a[j*n+s]-a[i*n+s])*
					int64(b[pi*n+ps/n]-b[pj*n+ps/n]+b[pj*n+pr/n]-b[pi*n+pr/n])
		}
	}
}

// rowed keeps what each entry would cost at each position: with b' as b under the permutation, and
// diagonals of zeros, cost[j][i] is the sum over k of a[i][k] b'[j][k] + a[k][i] b'[k][j]. A swap
// of r and s makes it grow by two products, after its rows r and s have changed places; no sum is
// made anew. Diagonals have a part of their own, da[i] db[p[j]].
type rowed struct {
	n            int
	a, b, da, db []int32
	both, other  []int32 // a and b with their transposes added
	cost         []int64
	here         []int64 // cost[i][i]
	v, z         []int32 // of a swap
}

func newRowed(q *datasets.QAP) *rowed {
	n := q.N
	bare := func(m []int32) (off, diagonal, sum []int32) {
		off, diagonal, sum = append(off, m...), make([]int32, n), make([]int32, n*n)
		for i := range n {
			diagonal[i], off[i*n+i] = m[i*n+i], 0
		}
		for i := range n {
			for j := range n {
				sum[i*n+j] = off[i*n+j] + off[j*n+i]
			}
		}
		return off, diagonal, sum
	}
	r := &rowed{
		n: n, cost: make([]int64, n*n), here: make([]int64, n), v: make([]int32, n), z: make([]int32, n),
	}
	r.a, r.da, r.both = bare(q.A)
	r.b, r.db, r.other = bare(q.B)
	return r
}

func (q *rowed) Cost(p []int32) int64 {
	var sum int64
	for i := range q.n {
		sum += int64(q.da[i]) * int64(q.db[p[i]])
		for j := range q.n {
			sum += int64(q.a[i*q.n+j]) * int64(q.b[int(p[i])*q.n+int(p[j])])
		}
	}
	return sum
}

func (q *rowed) Load(p []int32) {
	n := q.n
	for j := range n {
		pj := int(p[j])
		for i := range n {
			sum := int64(q.da[i]) * int64(q.db[pj])
			for k := range n {
				pk := int(p[k])
				sum += int64(q.a[i*n+k])*int64(q.b[pj*n+pk]) + int64(q.a[k*n+i])*int64(q.b[pk*n+pj])
			}
			q.cost[j*n+i] = sum
		}
		q.here[j] = q.cost[j*n+j]
	}
}

func (q *rowed) DeltaSwap(p []int32, i, j int) int64 {
	n := q.n
	return q.cost[i*n+j] + q.cost[j*n+i] - q.here[i] - q.here[j] +
		int64(q.both[i*n+j])*int64(q.other[int(p[i])*n+int(p[j])])
}

// ApplySwap notes what the rows of b of both entries have from each other.
func (q *rowed) ApplySwap(p []int32, r, s int) {
	br, bs := q.b[int(p[r])*q.n:][:q.n], q.b[int(p[s])*q.n:][:q.n]
	for j := range q.n {
		pj := int(p[j])
		q.v[j], q.z[j] = q.b[pj*q.n+int(p[s])]-q.b[pj*q.n+int(p[r])], bs[pj]-br[pj]
	}
	q.v[r], q.v[s] = q.v[s], q.v[r]
	q.z[r], q.z[s] = q.z[s], q.z[r]
}

// SwappedRow is for column i, so that threads side by side have elements side by side.
func (q *rowed) SwappedRow(_ []int32, r, s, i int) {
	n := q.n
	q.cost[r*n+i], q.cost[s*n+i] = q.cost[s*n+i], q.cost[r*n+i]
	u, w := int64(q.a[i*n+r]-q.a[i*n+s]), int64(q.a[r*n+i]-q.a[s*n+i])
	cost, z := q.cost, q.z[:len(q.v)]
	for j, v := range q.v {
		cost[j*n+i] += u*int64(v) + w*int64(z[j])
	}
	q.here[i] = q.cost[i*n+i]
}
