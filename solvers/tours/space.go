package tours

import (
	"errors"
	"fmt"
	"math"

	"metalab/datasets"
)

// MaxMatrix is the largest number of cities for which [NewSpace] makes a matrix of
// distances (4 MaxMatrix^2 bytes, 256 MiB): the limit for instances with coordinates
// and a metric other than EUC_2D, CEIL_2D, ATT and GEO.
const MaxMatrix = 8192

// A Space is an instance prepared for search. It never changes, and any goroutine may read it.
type Space struct {
	N          int
	Orig       []int32   // Orig[c] is the instance's number of the internal city c
	Internal   []int32   // Internal[Orig[c]] is c
	X, Y       []float64 // coordinates by internal city; nil if the instance has none
	Asymmetric bool      // D(i, j) may differ from D(j, i)
	Metric     datasets.Metric

	// Matrix holds the distances by internal city, N x N row by row, of an instance that
	// is explicit or has a metric without a formula here; nil for EUC_2D, CEIL_2D and ATT, and for GEO
	// from MaxMatrix cities on.
	Matrix []int32

	pts  []point // X and Y side by side
	fast bool    // the distance is int32(sqrt(dx^2 + dy^2) + up)
	up   float64

	globe    *globe     // of GEO without a matrix; else nil
	partners [][2]int32 // by city: those that fixed edges join it to, or -1; nil: there are none
	bonus    int64      // what fixed edges take off a tour with all of them
}

// point is a city's place: 16 bytes, so that a cache line holds four neighbours on the curve.
type point struct{ x, y float64 }

// NewSpace prepares t: cities are renumbered along a Hilbert curve if t has
// two-dimensional coordinates that its metric uses or displays, and keep their numbers otherwise.
//
// Tours of an instance with fixed edges have them all: they begin so, and without one a tour is
// longer by more than the rest of it can be.
//
// It refuses an instance without cities, with coordinates or a matrix of the wrong
// length, and one with more than [MaxMatrix] cities whose metric needs a matrix.
func NewSpace(t *datasets.TSP) (*Space, error) {
	if t == nil {
		return nil, errors.New("tours: the instance is nil")
	}
	n := t.N
	if n < 1 || n > math.MaxInt32/2 {
		return nil, fmt.Errorf("tours: %s has %d cities, want 1 to %d", t.Title, n, math.MaxInt32/2)
	}
	s := &Space{N: n, Asymmetric: t.Asymmetric, Metric: t.Metric}
	if len(t.X) != len(t.Y) || len(t.X) != 0 && len(t.X) != n {
		return nil, fmt.Errorf(
			"tours: %s has %d cities but %d and %d coordinates", t.Title, n, len(t.X), len(t.Y),
		)
	}
	if t.Metric == datasets.Explicit && len(t.Matrix) != n*n {
		return nil, fmt.Errorf(
			"tours: %s has %d cities but %d distances, want %d", t.Title, n, len(t.Matrix), n*n,
		)
	}
	if t.Metric != datasets.Explicit && t.X == nil {
		return nil, fmt.Errorf("tours: %s has neither coordinates nor a matrix", t.Title)
	}
	if t.X != nil && t.Metric != datasets.Explicit {
		s.Orig = hilbertOrder(t.X, t.Y)
		s.place(t)
	} else {
		s.Orig = make([]int32, n)
		for i := range s.Orig {
			s.Orig[i] = int32(i)
		}
	}
	s.Internal = make([]int32, n)
	share(n, func(from, to int) {
		for c := from; c < to; c++ {
			s.Internal[s.Orig[c]] = int32(c)
		}
	})
	switch t.Metric {
	case datasets.Explicit:
		s.Matrix = t.Matrix
	case datasets.Euc2D:
		s.fast, s.up = true, 0.5
	case datasets.Ceil2D:
		s.fast, s.up = ceilByTruncation(s.pts), ceilUp
	case datasets.Att:
	default:
		if n > MaxMatrix && t.Metric == datasets.Geo {
			s.globe = newGlobe(s, t)
			break
		}
		if n > MaxMatrix {
			return nil, fmt.Errorf(
				"tours: %s has %d cities, and %s is searched up to %d only (EUC_2D, CEIL_2D, ATT and GEO "+
					"without a limit)", t.Title, n, t.Metric, MaxMatrix,
			)
		}
		s.fill(t)
	}
	return s, s.fix(t)
}

// place copies the coordinates in internal order.
func (s *Space) place(t *datasets.TSP) {
	s.X, s.Y, s.pts = make([]float64, s.N), make([]float64, s.N), make([]point, s.N)
	share(s.N, func(from, to int) {
		for c := from; c < to; c++ {
			o := s.Orig[c]
			s.X[c], s.Y[c] = t.X[o], t.Y[o]
			s.pts[c] = point{t.X[o], t.Y[o]}
		}
	})
}

// ceilUp is what is added before truncation to round up; see ceilByTruncation.
const ceilUp = 1 - 1.0/(1<<24)

// ceilByTruncation tells whether ceil(d) equals int(d + ceilUp) for the distances d of
// all pairs: coordinates are integers and distances below 2^22. A distance that is no
// integer is then the root of an integer, at least 1/(2^23 + 1) above the integer below
// it, hence above 1 - ceilUp, and sums below 2^23 are rounded by far less.
func ceilByTruncation(pts []point) bool {
	lo, hi := bounds(pts)
	for _, p := range pts {
		if p.x != math.Trunc(p.x) || p.y != math.Trunc(p.y) {
			return false
		}
	}
	return math.Hypot(hi.x-lo.x, hi.y-lo.y) < 1<<22
}

// bounds are the corners of the box that holds all points.
func bounds(pts []point) (lo, hi point) {
	lo, hi = pts[0], pts[0]
	for _, p := range pts {
		lo.x, lo.y = min(lo.x, p.x), min(lo.y, p.y)
		hi.x, hi.y = max(hi.x, p.x), max(hi.y, p.y)
	}
	return lo, hi
}

// D is the distance from city i to city j, equal to the instance's own of Orig[i] and
// Orig[j] but for fixed edges, which cost less than all others (see fixedGain). EUC_2D, CEIL_2D and
// ATT are computed in float64 with correctly rounded roots (TSPLIB 95), others are read from the
// matrix.
func (s *Space) D(i, j int32) int32 {
	if s.fast {
		p, q := &s.pts[i], &s.pts[j]
		dx, dy := p.x-q.x, p.y-q.y
		return int32(math.Sqrt(float64(dx*dx)+float64(dy*dy)) + s.up)
	}
	return s.slow(i, j)
}

// slow is D for what has no short formula.
func (s *Space) slow(i, j int32) int32 {
	d := s.long(i, j)
	if s.partners != nil && s.isFixed(i, j) {
		d -= fixedGain
	}
	return d
}

// long is slow without what fixed edges take off.
func (s *Space) long(i, j int32) int32 {
	if s.Matrix != nil {
		return s.Matrix[int(i)*s.N+int(j)]
	}
	if s.globe != nil {
		return s.globe.d(i, j)
	}
	p, q := s.pts[i], s.pts[j]
	dx, dy := p.x-q.x, p.y-q.y
	sq := float64(dx*dx) + float64(dy*dy)
	switch s.Metric {
	case datasets.Ceil2D:
		return int32(math.Ceil(math.Sqrt(sq)))
	case datasets.Euc2D:
		return int32(math.Sqrt(sq) + 0.5)
	}
	r := math.Sqrt(sq / 10)
	t := int32(r + 0.5)
	if float64(t) < r {
		t++
	}
	return t
}

// Length is the length of a tour in internal numbers, the way back included; see also NewSpace.
func (s *Space) Length(tour []int32) int64 {
	l := s.bonus
	for i, c := range tour {
		if i > 0 {
			l += int64(s.D(tour[i-1], c))
		}
	}
	if n := len(tour); n > 0 {
		l += int64(s.D(tour[n-1], tour[0]))
	}
	return l
}

// ToInstance returns a tour of internal cities in the instance's numbers.
func (s *Space) ToInstance(tour []int32) []int32 {
	out := make([]int32, len(tour))
	for i, c := range tour {
		out[i] = s.Orig[c]
	}
	return out
}

// FromInstance returns a tour of the instance's cities in internal numbers.
func (s *Space) FromInstance(tour []int32) []int32 {
	out := make([]int32, len(tour))
	for i, c := range tour {
		out[i] = s.Internal[c]
	}
	return out
}

// fill makes the matrix of a metric that has no formula here.
func (s *Space) fill(t *datasets.TSP) {
	s.Matrix = make([]int32, s.N*s.N)
	for i := range s.N {
		for j := range i + 1 { // GEO has 1 on the diagonal
			d := t.Dist(int(s.Orig[i]), int(s.Orig[j]))
			s.Matrix[i*s.N+j], s.Matrix[j*s.N+i] = d, d
		}
	}
}
