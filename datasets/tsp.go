package datasets

import (
	"errors"
	"fmt"
	"sync"
)

// A TSP is an instance of the travelling salesman problem, symmetric or not.
// Cities are numbered from 0 here and from 1 in files. Distances fit in 31 bits:
// readers and generators refuse coordinates for which they would not.
type TSP struct {
	Title   string // the NAME of the file
	Comment string
	N       int // cities
	Metric  Metric

	// Asymmetric reports whether the file declares Matrix as asymmetric (TYPE: ATSP). An instance with
	// coordinates is symmetric.
	Asymmetric bool

	// X, Y and Z are the coordinates by city; nil if the instance has none (Z: unless the metric has
	// three dimensions). Under GEO X is the latitude and Y the longitude, in the form DDD.MM.
	X, Y, Z []float64

	// ShowX and ShowY are coordinates for drawing the cities; nil if there are neither DISPLAY_DATA
	// nor two-dimensional coordinates. Under GEO ShowX is the longitude, so that north is up.
	ShowX, ShowY []float64

	// ShowKm is the number of kilometres per unit of ShowX and ShowY if they are a map; else 0.
	ShowKm float64

	// Names holds the names of the cities, by city; nil if they have none.
	Names []string

	// Matrix holds the distances of an Explicit instance, row by row, N x N, with
	// a diagonal of 0; nil otherwise.
	Matrix []int32

	// Fixed lists edges that every tour must contain (FIXED_EDGES_SECTION). The length of a tour
	// without one is an error, and a solver that does not keep them refuses the instance.
	Fixed [][2]int32

	name      string // the published name where it is not Title
	fixedLine int    // where the file has the fixed edges; 0: it has none
	unread    []unread
	facts     facts
}

var _ Instance = (*TSP)(nil)

// NewTSP returns a symmetric instance whose distances are computed from two-dimensional
// coordinates. It keeps x and y, which must not change afterwards.
//
// It returns an error if the slices are empty or of different lengths, if the metric is EXPLICIT or
// has three dimensions, if a coordinate is not finite, or if a distance might not fit in 31 bits.
func NewTSP(name string, metric Metric, x, y []float64) (*TSP, error) {
	if metric.Dim() != 2 {
		return nil, fmt.Errorf("datasets: metric %s does not belong to two coordinates a city", metric)
	}
	return newPoints(name, metric, x, y, nil)
}

// NewTSP3D is like NewTSP for the metrics with three coordinates a city.
func NewTSP3D(name string, metric Metric, x, y, z []float64) (*TSP, error) {
	if metric.Dim() != 3 {
		return nil, fmt.Errorf("datasets: metric %s does not belong to three coordinates a city", metric)
	}
	return newPoints(name, metric, x, y, z)
}

func newPoints(name string, metric Metric, x, y, z []float64) (*TSP, error) {
	if len(x) == 0 || len(x) != len(y) || (metric.Dim() == 3 && len(z) != len(x)) {
		return nil, fmt.Errorf(
			"datasets: %s has %d, %d, %d coordinates, want as many of each and at least one", name, len(x),
			len(y), len(z),
		)
	}
	if int64(len(x)) > maxCities {
		return nil, fmt.Errorf(
			"datasets: %s has %d cities, want at most %d", name, len(x), int64(maxCities),
		)
	}
	if err := metric.checkRange(x, y, z); err != nil {
		return nil, fmt.Errorf("%w (%s)", err, name)
	}
	t := &TSP{Title: name, N: len(x), Metric: metric, X: x, Y: y, Z: z}
	t.setShow()
	return t, nil
}

// setShow makes two-dimensional coordinates those to draw at.
func (t *TSP) setShow() {
	switch {
	case t.Metric.Dim() == 3 || t.X == nil:
	case t.Metric == Geo:
		t.ShowX, t.ShowY = t.Y, t.X
	default:
		t.ShowX, t.ShowY = t.X, t.Y
	}
}

// NewMatrixTSP returns an instance with the distances d, n x n, row by row. It owns d from then on:
// it sets the diagonal to 0, and d must not change afterwards.
//
// It returns an error if d does not have n x n entries, if one is negative, or if d is not
// symmetric although asymmetric is false.
func NewMatrixTSP(name string, n int, d []int32, asymmetric bool) (*TSP, error) {
	if n < 1 || n > maxMatrix || len(d) != n*n {
		return nil, fmt.Errorf(
			"datasets: %s has %d distances for %d cities, want %d x %d and from 1 to %d cities", name,
			len(d), n, n, n, maxMatrix,
		)
	}
	for i := range n {
		d[i*n+i] = 0
		for j := range n {
			if d[i*n+j] < 0 {
				return nil, fmt.Errorf(
					"datasets: %s: distance from city %d to city %d is %d, want at least 0", name, i+1, j+1,
					d[i*n+j],
				)
			}
			if !asymmetric && j < i && d[i*n+j] != d[j*n+i] {
				return nil, fmt.Errorf(
					"datasets: %s: distance from city %d to city %d is %d and back %d, want the same in a "+
						"symmetric instance",
					name, i+1, j+1, d[i*n+j], d[j*n+i],
				)
			}
		}
	}
	return &TSP{Title: name, N: n, Metric: Explicit, Asymmetric: asymmetric, Matrix: d}, nil
}

const (
	maxCities = 1<<31 - 1 // city numbers are int32
	maxMatrix = 46340     // n x n entries fit in 31 bits
)

// Name returns the name under which the instance was loaded, else its Title.
func (t *TSP) Name() string {
	if t.name != "" {
		return t.name
	}
	return t.Title
}

// Kind returns KindATSP for an instance declared asymmetric, else KindTSP.
func (t *TSP) Kind() Kind {
	if t.Asymmetric {
		return KindATSP
	}
	return KindTSP
}

// Size returns the number of cities.
func (t *TSP) Size() int { return t.N }

// Coordinates reports whether distances are computed from coordinates (X and Y,
// and Z where the metric has three dimensions) rather than read from Matrix.
func (t *TSP) Coordinates() bool { return t.Metric != Explicit && t.X != nil && t.Y != nil }

// BestKnown returns the best published tour length of the instance with this name and these
// distances. Other data under a published name has none. It is safe for concurrent use; the first
// call may hash the instance.
//
// BestKnown finds an instance with another name by its SHA-256.
//
// Two instances deserve care. linhp318 has the cities of lin318 and a fixed edge between the cities
// 1 and 214: the published 41345 is that of the path between them, without the edge. For dsj1000
// the value is that of the file's metric, CEIL_2D.
func (t *TSP) BestKnown() (best BestKnown, ok bool) { return t.facts.bestKnown(t) }

// SHA256 returns the hash of the canonical form: kind, number of cities, metric,
// the coordinates or the matrix without its diagonal, and the fixed edges. It is computed at
// the first call and safe for concurrent use.
func (t *TSP) SHA256() string { return t.facts.sha256(t) }

// facts holds what is found out about an instance when first asked for.
type facts struct {
	from               string // see Unverified
	hashOnce, bestOnce sync.Once
	hash               string
	best               BestKnown
	known              bool
	noteOnce           sync.Once
	coarse             string // see Notes
	plane              string // how far off a plane in metres is; empty: little
}

// canonical is what facts needs of an instance.
type canonical interface {
	Instance
	writeCanonical(h *hasher)
}

func (f *facts) sha256(c canonical) string {
	f.hashOnce.Do(func() {
		h := newHasher()
		h.str(string(c.Kind()))
		h.u64(uint64(c.Size()))
		c.writeCanonical(h)
		f.hash = h.sum()
	})
	return f.hash
}

func (f *facts) bestKnown(c canonical) (BestKnown, bool) {
	f.bestOnce.Do(func() {
		k, ok := factOf(c)
		f.best, f.known = k.best, ok && k.hasBest
	})
	return f.best, f.known
}

func (t *TSP) writeCanonical(h *hasher) {
	h.str(t.Metric.String())
	if t.Metric != Explicit {
		h.floats(t.X)
		h.floats(t.Y)
		if t.Metric.Dim() == 3 {
			h.floats(t.Z)
		}
	} else {
		h.ints(t.Matrix)
	}
	t.writeFixed(h)
}

// Length returns the length of the closed tour, which must list every city once.
//
// Otherwise the error says how many cities the tour has, or which city is out of range, or which
// one appears twice and which is missing, or which fixed edge is missing.
func (t *TSP) Length(tour []int32) (int64, error) {
	if err := CheckPermutation(tour, t.N); err != nil {
		return 0, fmt.Errorf("datasets: tour of %s: %w", t.Name(), err)
	}
	if e, ok := t.lacks(tour); ok {
		return 0, fmt.Errorf("datasets: tour of %s: it lacks the fixed edge %d-%d", t.Name(), e[0]+1,
			e[1]+1)
	}
	var sum int64
	prev := int(tour[len(tour)-1])
	for _, c := range tour {
		sum += int64(t.Dist(prev, int(c)))
		prev = int(c)
	}
	if t.N == 1 {
		return 0, nil // GEO gives a city the distance 1 from itself
	}
	return sum, nil
}

// CheckPermutation returns nil if p lists each number of [0, n) once. Otherwise its error says,
// counting from 0, which number is out of range, appears twice or is missing.
func CheckPermutation(p []int32, n int) error {
	if len(p) != n {
		return fmt.Errorf("it has %d entries, want %d", len(p), n)
	}
	seen := make([]uint64, (n+63)/64)
	for i, c := range p {
		if c < 0 || int(c) >= n {
			return fmt.Errorf("entry %d is %d, want from 0 to %d", i, c, n-1)
		}
		if seen[c>>6]&(1<<(c&63)) != 0 {
			return duplicate(p, seen, i)
		}
		seen[c>>6] |= 1 << (c & 63)
	}
	return nil
}

// duplicate describes the duplicate at p[at] and a number that is missing for it.
func duplicate(p []int32, seen []uint64, at int) error {
	first := 0
	for p[first] != p[at] {
		first++
	}
	for _, c := range p[at+1:] {
		if c >= 0 && int(c) < len(p) {
			seen[c>>6] |= 1 << (c & 63)
		}
	}
	for c := range len(p) {
		if seen[c>>6]&(1<<(c&63)) == 0 {
			return fmt.Errorf("%d is there twice (entries %d and %d) and %d is missing", p[at], first, at, c)
		}
	}
	return errors.New("it is not a permutation") // unreachable: a duplicate leaves a number out
}
