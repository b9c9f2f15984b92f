package moves

import "metalab/datasets"

// qapForm holds the matrices of an instance in the form in which moves are evaluated.
//
// With the diagonals of A and B taken out (their part of the cost is linear) and
// b'[j][k] = B[p[j]][p[k]], let
//
//	E[i][j] = sum over k of a[i][k] b'[j][k] + a[k][i] b'[k][j], plus A[i][i] B[p[j]][p[j]].
//
// Exchanging p[i] and p[j] makes the cost grow by
//
//	E[i][j] + E[j][i] - E[i][i] - E[j][j] + (a[i][j] + a[j][i]) (b'[i][j] + b'[j][i]),
//
// so that every move costs a fixed number of steps, and an exchange of r and s changes E by the
// products u[i] v[j] of u = a[.][r] - a[.][s] and v = b'[.][s] - b'[.][r] (and a second such pair
// for the columns), after which its columns r and s change places. If one matrix is symmetric, the
// other may be replaced by its sum with its transpose, and one pair is enough; if both are, half of
// all entries are enough.
//
// It goes further than the update of E. D. Taillard, Robust taboo search for the quadratic
// assignment problem, Parallel Computing 17 (1991), doi:10.1016/S0167-8191(05)80147-4, which
// computes the moves that touch r or s again in n steps each.
type qapForm struct {
	n      int
	factor int64 // E is for the cost divided by this: 2 if both are symmetric
	pairs  int   // of vectors that an exchange changes E by: 1 or 2

	// a and b are the matrices of which E is computed; at and bt are their transposes (the same if
	// pairs is 1).
	a, at, b, bt []int64
	da, db       []int64 // the diagonals; nil when their part is 0 or constant

	fa, fb []int64 // symmetric; their products are the last term above

	small  bool // all numbers that occur are below 2^29
	middle bool // those of the matrices are, and all others below 2^40
}

func newQAPForm(q *datasets.QAP) *qapForm {
	n := q.N
	f := &qapForm{n: n, factor: 1, pairs: 1}
	bare := func(m []int32) (off, diagonal []int64, plain bool) {
		off, diagonal, plain = make([]int64, n*n), make([]int64, n), true
		for i, x := range m {
			off[i] = int64(x)
		}
		for i := range n {
			diagonal[i] = off[i*n+i]
			off[i*n+i] = 0
			plain = plain && diagonal[i] == diagonal[0]
		}
		return off, diagonal, plain
	}
	a, da, plainA := bare(q.A)
	b, db, plainB := bare(q.B)
	if !plainA && !plainB { // a constant diagonal adds the same to every cost
		f.da, f.db = da, db
	}
	a2, b2 := withTranspose(a, n), withTranspose(b, n)
	f.fa, f.fb = a2, b2
	symA, symB := isTwice(a2, a), isTwice(b2, b)
	switch {
	case symA && symB && f.da == nil:
		f.factor, f.a, f.b, f.fb = 2, a, b, b
	case symA:
		f.a, f.b = a, b2
	case symB:
		f.a, f.b = a2, b
	default:
		f.a, f.b, f.pairs = a, b, 2
	}
	f.at, f.bt = f.a, f.b
	if f.pairs == 2 {
		f.at, f.bt = transposed(a, n), transposed(b, n)
	}
	bound := f.bound()
	f.small = bound < 1<<29
	f.middle = !f.small && bound < 1<<40 && f.top() < 1<<28
	return f
}

// top is the largest absolute value of a number of the matrices.
func (f *qapForm) top() int64 {
	var t int64
	for _, m := range [][]int64{f.a, f.b, f.at, f.bt, f.da, f.db} {
		for _, x := range m {
			t = max(t, x, -x)
		}
	}
	return t
}

// bound returns an upper bound of all entries of E, of sums of four of them, and of all
// intermediate numbers, in floating point so that it cannot overflow.
func (f *qapForm) bound() float64 {
	top := func(m []int64) float64 {
		var t float64
		for _, x := range m {
			t = max(t, float64(x), -float64(x))
		}
		return t
	}
	sums := func(m []int64) float64 {
		var t float64
		for i := range f.n {
			var s float64
			for _, x := range m[i*f.n:][:f.n] {
				s += max(float64(x), -float64(x))
			}
			t = max(t, s)
		}
		return t
	}
	e := float64(float64(f.pairs)*max(sums(f.a), sums(f.at))*top(f.b)) + float64(top(f.da)*top(f.db))
	return float64(4*e) + float64(top(f.fa)*top(f.fb)) + float64(16*top(f.a)*top(f.b)*float64(f.pairs))
}

func transposed(m []int64, n int) []int64 {
	t := make([]int64, n*n)
	for i := range n {
		for j := range n {
			t[j*n+i] = m[i*n+j]
		}
	}
	return t
}

func withTranspose(m []int64, n int) []int64 {
	t := transposed(m, n)
	for i, x := range m {
		t[i] += x
	}
	return t
}

func isTwice(double, m []int64) bool {
	for i, x := range m {
		if double[i] != 2*x {
			return false
		}
	}
	return true
}

// entries computes all of E under the permutation p, in rows of so many words: column writes the
// numbers of a word of b', of b or bt, and diagonal returns those of db for a word. The words are
// sums of products, so it does not matter how many numbers a word has.
func (f *qapForm) entries(
	p []int32, w wave, e []int64, words int, column func(m []int64, x int, to []int64),
	diagonal func(x int) int64,
) {
	n := f.n
	w.share(words, entriesAtOnce, int64(n)*int64(n)*int64(f.pairs), func(_, lo, hi int) {
		scratch := make([]int64, entriesAtOnce*n)
		for ; lo < hi; lo += entriesAtOnce {
			m := min(entriesAtOnce, hi-lo)
			for turn, of := range [][2][]int64{{f.a, f.b}, {f.at, f.bt}}[:f.pairs] {
				for x := range m {
					column(of[1], lo+x, scratch[x*n:][:n])
				}
				for i := range n {
					f.products(of[0][i*n:][:n], scratch, e[i*words+lo:][:m], turn > 0)
				}
			}
			for x := range m {
				if f.da == nil {
					break
				}
				d := diagonal(lo + x)
				for i := range n {
					e[i*words+lo+x] += f.da[i] * d
				}
			}
		}
	})
}

// entriesAtOnce is the number of words of a row of E that are computed together, so that one read
// of a row of a serves them all.
const entriesAtOnce = 4

// products sets e[x] to the sum over k of a[k] b[x][k], or adds it.
func (f *qapForm) products(a, b, e []int64, add bool) {
	if len(e) == entriesAtOnce {
		var sum [entriesAtOnce]int64
		b0, b1, b2, b3 := b[:len(a)], b[f.n:][:len(a)], b[2*f.n:][:len(a)], b[3*f.n:][:len(a)]
		for k, x := range a {
			sum[0] += x * b0[k]
			sum[1] += x * b1[k]
			sum[2] += x * b2[k]
			sum[3] += x * b3[k]
		}
		for x := range e {
			if add {
				sum[x] += e[x]
			}
			e[x] = sum[x]
		}
		return
	}
	for x := range e {
		var sum int64
		for k, y := range b[x*f.n:][:len(a)] {
			sum += a[k] * y
		}
		if add {
			sum += e[x]
		}
		e[x] = sum
	}
}

// permuted writes the entries of a row in the order of p.
func permuted(to, row []int64, p []int32) {
	for i, pi := range p {
		to[i] = row[pi]
	}
}

// vectors are the pairs whose products an exchange adds: u[i] v[j], and w[i] z[j].
type vectors struct{ u, v, w, z []int64 }

func newVectors(n int) vectors {
	return vectors{make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)}
}

// fill computes the vectors of an exchange of p[r] and p[s], where p is the permutation before it;
// v and z are for the columns after it.
func (x *vectors) fill(f *qapForm, p []int32, r, s int) {
	n := f.n
	one := func(u, v, a, b []int64) {
		ar, as := a[r*n:][:n], a[s*n:][:n]
		br, bs := b[int(p[r])*n:][:n], b[int(p[s])*n:][:n]
		for i, pi := range p {
			u[i] = ar[i] - as[i]
			v[i] = bs[pi] - br[pi]
		}
		v[r], v[s] = v[s], v[r]
	}
	one(x.u, x.v, f.at, f.bt)
	if f.pairs == 2 {
		one(x.w, x.z, f.a, f.b)
	}
}

// spare makes the products at positions r and s zero.
func (x *vectors) spare(r, s int) {
	for _, t := range [][]int64{x.u, x.v, x.w, x.z} {
		t[r], t[s] = 0, 0
	}
}

// An Exchange holds the data with which an engine evaluates exchanges of an assignment in a fixed
// number of steps. With the permutation p, b'[j][k] = B[p[j]][p[k]] and so on, an exchange of i and
// j makes the cost grow by
//
//	Factor * (E[i][j] + E[j][i] - E[i][i] - E[j][j] + FA[i][j] * FB[p[i]][p[j]])
//
// where E[i][j] is the sum over k of A[i][k] b'[j][k], with Pairs = 2 also of AT[i][k] bt'[j][k],
// plus DA[i] DB[p[j]] if they are not nil. The walk on assignments documents how E is updated.
// Small says that all numbers are below 2^29. Middle says, if Small is false, that the numbers of
// A, B, AT, BT, DA and DB are below 2^28 and all others below 2^40.
type Exchange struct {
	Small, Middle                bool
	Factor, Pairs                int
	A, B, AT, BT, DA, DB, FA, FB []int64
}

// ExchangeOf returns it for an instance.
func ExchangeOf(q *datasets.QAP) Exchange {
	f := newQAPForm(q)
	return Exchange{
		Small: f.small, Middle: f.middle, Factor: int(f.factor), Pairs: f.pairs,
		A: f.a, B: f.b, AT: f.at, BT: f.bt, DA: f.da, DB: f.db,
		FA: f.fa, FB: f.fb,
	}
}
