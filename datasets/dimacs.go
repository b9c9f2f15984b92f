package datasets

import (
	"fmt"
	"math"
	"strings"
)

// dimacsSizes are the sizes of the DIMACS challenge: the powers of the square
// root of ten, with how many instances of each the challenge used.
var dimacsSizes = []struct {
	label    string
	n, count int
}{
	{"1k", 1000, 10},
	{"3k", 3162, 5},
	{"10k", 10000, 3},
	{"31k", 31623, 2},
	{"100k", 100000, 2},
	{"316k", 316228, 1},
	{"1M", 1000000, 1},
	{"3M", 3162278, 1},
	{"10M", 10000000, 1},
}

// dimacsByName knows the classes of the challenge, E and C, and our own, V and N.
func dimacsByName(name string) (Instance, bool, error) {
	if len(name) < 4 || !strings.ContainsRune("ECVN", rune(name[0])) {
		return nil, false, nil
	}
	label, index, found := strings.Cut(name[1:], ".")
	i, good := number(index)
	if !found || !good {
		return nil, false, nil
	}
	for _, s := range dimacsSizes {
		if s.label != label {
			continue
		}
		if i > 9 {
			return nil, true, fmt.Errorf("instance %d, want from 0 to 9", i)
		}
		seed := s.n
		if i > 0 {
			seed = 10*s.n + i
		}
		t, err := byClass(name, s.n, seed)
		if err != nil {
			return nil, true, err
		}
		t.name = name
		return t, true, nil
	}
	return nil, false, nil
}

// byClass makes n cities of the class that the name begins with.
func byClass(name string, n, seed int) (*TSP, error) {
	var place func(g *lagged, x, y []float64)
	what := "pins of a chip"
	switch name[0] {
	case 'V':
		place = chips
	case 'N':
		place, what = towns, "towns"
	default:
		return DIMACS(name[0] == 'C', n, seed)
	}
	xy := make([]float64, 2*n)
	place(newLagged(seed), xy[:n:n], xy[n:])
	t, err := NewTSP(name, Euc2D, xy[:n:n], xy[n:])
	if err != nil {
		return nil, err
	}
	t.Comment = fmt.Sprintf("%d generated %s, seed %d", n, what, seed)
	return t, nil
}

// DIMACS returns an instance of the random classes of the 8th DIMACS
// implementation challenge, EUC_2D: n cities uniform in a square of side 10^6
// (class E), or, clustered, around n/100 uniform centres at normally
// distributed offsets (class C, which needs n >= 100). Title and Comment are
// those of the challenge's own files, and WriteTSP gives their bytes.
//
// Source: D. S. Johnson, L. A. McGeoch, Experimental analysis of heuristics for
// the STSP, in The Traveling Salesman Problem and Its Variations, 2002,
// doi:10.1007/0-306-48213-4_9; programs portgen and portcgen by L. McGeoch.
func DIMACS(clustered bool, n, seed int) (*TSP, error) {
	least := 1
	if clustered {
		least = 100
	}
	if n < least || n > 1e8 {
		return nil, fmt.Errorf("datasets: %d cities, want from %d to 100000000", n, least)
	}
	if seed < 0 || seed >= lagModulus {
		return nil, fmt.Errorf("datasets: seed %d, want from 0 to %d", seed, lagModulus-1)
	}
	program := "portgen"
	xy := make([]float64, 2*n)
	x, y := xy[:n:n], xy[n:]
	g := newLagged(seed)
	if clustered {
		program = "portcgen"
		clusters(g, x, y)
	} else {
		for i := range x {
			x[i] = float64(g.draw() / 1000)
			y[i] = float64(g.draw() / 1000)
		}
	}
	t, err := NewTSP(fmt.Sprintf("%s-%d-%d", program, n, seed), Euc2D, x, y)
	if err != nil {
		return nil, err
	}
	t.Comment = fmt.Sprintf("%s N=%d, seed=%d", program, n, seed)
	return t, nil
}

// clusters places the cities of class C.
func clusters(g *lagged, x, y []float64) {
	const side = 1e6
	n := len(x)
	m := n / 100
	cx, cy := make([]float64, m), make([]float64, m)
	for i := range cx {
		cx[i] = math.Trunc(g.unit() * side)
		cy[i] = math.Trunc(g.unit() * side)
	}
	scale := 1 / math.Sqrt(float64(n))
	for i := range x {
		c := int(g.unit() * float64(m))
		x[i] = cx[c] + math.Trunc(float64(g.normal()*scale)*side)
		y[i] = cy[c] + math.Trunc(float64(g.normal()*scale)*side)
	}
}

// uniformByName knows rand-N-SEED.
func uniformByName(name string) (Instance, bool, error) {
	rest, found := strings.CutPrefix(name, "rand-")
	a, b, two := strings.Cut(rest, "-")
	n, good1 := number(a)
	seed, good2 := number(b)
	if !found || !two || !good2 {
		return nil, false, nil
	}
	if len(a) > 10 && strings.Trim(a, "0123456789") == "" {
		return nil, true, fmt.Errorf("datasets: %s: %s cities, want from 1 to 100000000", name, a)
	}
	if !good1 {
		return nil, false, nil
	}
	return made(Uniform(n, seed))
}

// Uniform returns n cities uniform in a square of side 10^6, EUC_2D, named
// rand-n-seed: the cities of DIMACS class E for any size and seed.
func Uniform(n, seed int) (*TSP, error) {
	t, err := DIMACS(false, n, seed)
	if err != nil {
		return nil, err
	}
	t.Title = fmt.Sprintf("rand-%d-%d", n, seed)
	t.Comment = fmt.Sprintf("%d uniform cities, seed %d", n, seed)
	return t, nil
}

// lagModulus is the modulus of the lagged generator.
const lagModulus = 1000000000

// lagged is the subtractive lagged Fibonacci generator x[k] = x[k-55] - x[k-24]
// mod 10^9 (D. E. Knuth, The Art of Computer Programming, vol. 2, 3.2.2 and
// 3.6), as the DIMACS generators seed it, on integers alone.
type lagged struct {
	x    [55]int32
	a, b int

	spare   float64 // the second normal deviate of a pair
	spareOK bool
}

func newLagged(seed int) *lagged {
	g := &lagged{b: 24}
	g.x[0] = int32(seed)
	last, next := int32(seed), int32(1)
	for i := 1; i < 55; i++ {
		k := 21 * i % 55
		g.x[k] = next
		if next = last - next; next < 0 {
			next += lagModulus
		}
		last = g.x[k]
	}
	for range 165 {
		g.draw()
	}
	return g
}

// draw returns the next integer of [0, 10^9).
func (g *lagged) draw() int32 {
	if g.a--; g.a < 0 {
		g.a = 54
	}
	if g.b--; g.b < 0 {
		g.b = 54
	}
	t := g.x[g.a] - g.x[g.b]
	if t < 0 {
		t += lagModulus
	}
	g.x[g.a] = t
	return t
}

// unit returns the next number of [0, 1).
func (g *lagged) unit() float64 { return float64(g.draw()) / lagModulus }

// normal returns a standard normal deviate by the polar method (Knuth, vol. 2,
// 3.4.1, algorithm P), the second of each pair first.
func (g *lagged) normal() float64 {
	if g.spareOK {
		g.spareOK = false
		return g.spare
	}
	for {
		v1 := float64(2*g.unit()) - 1
		v2 := float64(2*g.unit()) - 1
		s := float64(v1*v1) + float64(v2*v2)
		if s >= 1 || s == 0 {
			continue
		}
		t := math.Sqrt(-2 * logarithm(s) / s)
		g.spare, g.spareOK = v1*t, true
		return v2 * t
	}
}
