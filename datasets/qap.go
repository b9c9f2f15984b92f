package datasets

import (
	"fmt"
	"math"
)

// A QAP is an instance of the quadratic assignment problem (T. C. Koopmans,
// M. Beckmann, Assignment problems and the location of economic activities,
// Econometrica 25, 1957, doi:10.2307/1907742): assign facilities to locations
// so that the sum of flow times distance is least. A permutation p has the cost
//
//	sum over i, j of A[i][j] * B[p[i]][p[j]]
//
// with A the first matrix of a QAPLIB file and B the second.
type QAP struct {
	Title string
	N     int     // facilities, and locations
	A, B  []int32 // N x N each, row by row

	symmetric bool // both are, so Delta takes the short way
	facts     facts
}

var _ Instance = (*QAP)(nil)

// NewQAP returns the instance with the matrices a and b, n x n, row by row. It keeps both, which
// must not change afterwards. It returns an error if a matrix does not have n x n entries, or if a
// cost might not fit in 62 bits.
func NewQAP(name string, n int, a, b []int32) (*QAP, error) {
	if n < 1 || n > maxMatrix || len(a) != n*n || len(b) != n*n {
		return nil, fmt.Errorf(
			"datasets: %s has matrices of %d and %d entries, want two of %d x %d and n from 1 to %d", name,
			len(a), len(b), n, n, maxMatrix,
		)
	}
	// sum of |A| times the largest |B| bounds every cost.
	var sum, top float64
	for i := range a {
		sum += math.Abs(float64(a[i]))
		top = max(top, math.Abs(float64(b[i])))
	}
	if sum*top > 1<<62 {
		return nil, fmt.Errorf("datasets: %s: costs up to %.4g, want less than 2^62", name, sum*top)
	}
	return &QAP{Title: name, N: n, A: a, B: b, symmetric: isSymmetric(a, n) && isSymmetric(b, n)}, nil
}

func isSymmetric(m []int32, n int) bool {
	for i := range n {
		for j := range i {
			if m[i*n+j] != m[j*n+i] {
				return false
			}
		}
	}
	return true
}

// Name returns the instance's name, as "tai50a".
func (q *QAP) Name() string { return q.Title }

// Kind returns KindQAP.
func (q *QAP) Kind() Kind { return KindQAP }

// Size returns the number of facilities.
func (q *QAP) Size() int { return q.N }

// Symmetric reports whether both matrices equal their transposes.
func (q *QAP) Symmetric() bool { return q.symmetric }

// BestKnown returns the best published cost of the instance with this name and
// these matrices. It is safe for concurrent use.
func (q *QAP) BestKnown() (best BestKnown, ok bool) { return q.facts.bestKnown(q) }

// SHA256 returns the hash of the canonical form: kind, size, A, B. It is
// computed at the first call and safe for concurrent use.
func (q *QAP) SHA256() string { return q.facts.sha256(q) }

func (q *QAP) writeCanonical(h *hasher) {
	h.ints(q.A)
	h.ints(q.B)
}

// Cost returns the cost of the permutation p, in N^2 steps. The error says why p is no permutation
// of [0, N).
func (q *QAP) Cost(p []int32) (int64, error) {
	if err := CheckPermutation(p, q.N); err != nil {
		return 0, fmt.Errorf("datasets: solution of %s: %w", q.Title, err)
	}
	var sum int64
	for i, pi := range p {
		a, b := q.A[i*q.N:][:q.N], q.B[int(pi)*q.N:][:q.N]
		for j, pj := range p {
			sum += int64(a[j]) * int64(b[pj])
		}
	}
	return sum, nil
}

// Delta returns the change of the cost of the permutation p if p[r] and p[s] were exchanged, in N
// steps. It does not change p.
func (q *QAP) Delta(p []int32, r, s int) int64 {
	if r == s {
		return 0
	}
	n := q.N
	pr, ps := int(p[r]), int(p[s])
	ar, as := q.A[r*n:][:n], q.A[s*n:][:n]
	br, bs := q.B[pr*n:][:n], q.B[ps*n:][:n]
	// The entries among r and s alone.
	d := (int64(ar[r])-int64(as[s]))*(int64(bs[ps])-int64(br[pr])) +
		(int64(ar[s])-int64(as[r]))*(int64(bs[pr])-int64(br[ps]))
	var sum int64
	if q.symmetric {
		for k, pk := range p {
			if k != r && k != s {
				sum += (int64(ar[k]) - int64(as[k])) * (int64(bs[pk]) - int64(br[pk]))
			}
		}
		return d + 2*sum
	}
	for k, pk := range p {
		if k != r && k != s {
			ak, bk := q.A[k*n:][:n], q.B[int(pk)*n:][:n]
			sum += (int64(ar[k])-int64(as[k]))*(int64(bs[pk])-int64(br[pk])) +
				(int64(ak[r])-int64(ak[s]))*(int64(bk[ps])-int64(bk[pr]))
		}
	}
	return d + sum
}
