package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// A PPP is an instance of the permuted perceptron problem: given a matrix A of
// +1 and -1, M x N, and a multiset S of M numbers, find a vector V of +1 and -1
// such that the products A V are the numbers of S in some order. All of S is
// positive and odd, for N is odd.
//
// Solutions are minimised under the energy of Knudsen and Meier,
//
//	f(V) = 30 * sum over j of (|Y_j| - Y_j) + sum over i = 1..N of |H_i - H'_i|
//
// with Y = A V, H_i how often S holds i, and H'_i how often Y does; f is 0
// exactly when V solves the problem.
//
// Sources: D. Pointcheval, A new identification scheme based on the perceptrons
// problem, EUROCRYPT '95, doi:10.1007/3-540-49264-X_26; L. R. Knudsen, W. Meier,
// Cryptanalysis of an identification scheme based on the permuted perceptron
// problem, EUROCRYPT '99, doi:10.1007/3-540-48910-X_25.
type PPP struct {
	Title string
	M, N  int     // rows, columns
	A     []int8  // M x N, row by row, +1 and -1
	H     []int32 // H[i] counts i in S, for i from 0 to N; H[0] is 0

	facts facts
}

var _ Instance = (*PPP)(nil)

// pppByName knows ppp-<M>x<N>-<SEED>.
func pppByName(name string) (Instance, bool, error) {
	rest, found := strings.CutPrefix(name, "ppp-")
	size, s, two := strings.Cut(rest, "-")
	a, b, both := strings.Cut(size, "x")
	m, good1 := number(a)
	n, good2 := number(b)
	seed, good3 := number(s)
	if !found || !two || !both || !good1 || !good2 || !good3 {
		return nil, false, nil
	}
	p, _, err := NewPPP(m, n, uint64(seed))
	return made(p, err)
}

// NewPPP returns a random instance with m rows and n columns (n odd, both up to 20000), and the
// secret solution behind it: A and the secret V are uniform, and each row with a negative product
// is negated.
//
// The draws are the bits, from the highest down, of the numbers of SplitMix64 (G. L. Steele, D.
// Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014,
// doi:10.1145/2660193.2660195) seeded with seed: A row by row, then V; 1 stands for +1. The
// literature's own instances are not published; the sizes used are 73x73, 81x81, 101x117 and m x
// (m+16) up to 1301x1317.
func NewPPP(m, n int, seed uint64) (p *PPP, secret []int8, err error) {
	const most = 20000
	if m < 1 || m > most || n < 1 || n > most || n%2 == 0 {
		return nil, nil, fmt.Errorf(
			"datasets: permuted perceptron of %d x %d, want from 1 to %d rows and columns, columns odd", m,
			n, most,
		)
	}
	g := splitMix{state: seed}
	p = &PPP{
		Title: fmt.Sprintf("ppp-%dx%d-%d", m, n, seed), M: m, N: n, A: make([]int8, m*n),
		H: make([]int32, n+1),
	}
	for i := range p.A {
		p.A[i] = g.sign()
	}
	secret = make([]int8, n)
	for i := range secret {
		secret[i] = g.sign()
	}
	for j := range m {
		row := p.A[j*n:][:n]
		y := dot(row, secret)
		if y < 0 {
			y = -y
			for k := range row {
				row[k] = -row[k]
			}
		}
		p.H[y]++
	}
	return p, secret, nil
}

func dot(a, v []int8) int32 {
	var sum int32
	for k, x := range a {
		sum += int32(x) * int32(v[k])
	}
	return sum
}

// splitMix is the SplitMix64 generator, a bit at a time.
type splitMix struct {
	state, word uint64
	left        int
}

func (g *splitMix) sign() int8 {
	if g.left == 0 {
		g.state += 0x9e3779b97f4a7c15
		z := g.state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		g.word, g.left = z^z>>31, 64
	}
	g.left--
	return int8(g.word>>g.left&1)*2 - 1
}

// Name returns the instance's name, as "ppp-73x73-1".
func (p *PPP) Name() string { return p.Title }

// Kind returns KindPPP.
func (p *PPP) Kind() Kind { return KindPPP }

// Size returns the number of columns, which is the length of a solution.
func (p *PPP) Size() int { return p.N }

// BestKnown returns 0, which the secret attains.
func (p *PPP) BestKnown() (best BestKnown, ok bool) {
	return pppBest, true
}

// pppBest is the best value of each instance.
var pppBest = BestKnown{
	Value: 0, Proven: true, Source: "by construction: the instance is made from a solution",
}

// SHA256 returns the hash of the canonical form: kind, N, M, A, H. It is
// computed at the first call and safe for concurrent use.
func (p *PPP) SHA256() string { return p.facts.sha256(p) }

func (p *PPP) writeCanonical(h *hasher) {
	h.u64(uint64(p.M))
	for _, a := range p.A {
		h.room(1)
		h.buf = append(h.buf, byte(a))
	}
	h.ints(p.H)
}

// Cost returns the energy of v, in M x N steps. It returns an error unless v has N entries of +1 or
// -1.
func (p *PPP) Cost(v []int8) (int64, error) {
	if len(v) != p.N {
		return 0, fmt.Errorf("datasets: solution of %s: %d entries, want %d", p.Title, len(v), p.N)
	}
	for k, x := range v {
		if x != 1 && x != -1 {
			return 0, fmt.Errorf("datasets: solution of %s: entry %d is %d, want 1 or -1", p.Title, k, x)
		}
	}
	var cost int64
	diff := slices.Clone(p.H) // less the products that there are
	for j := range p.M {
		y := dot(p.A[j*p.N:][:p.N], v)
		if y > 0 {
			diff[y]--
		} else {
			cost += 60 * int64(-y)
		}
	}
	for _, d := range diff {
		cost += int64(max(d, -d))
	}
	return cost, nil
}
