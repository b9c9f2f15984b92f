package moves

import (
	"fmt"
	"math"
	"sync"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// Balls returns the neighbourhood of a ball with concentric crowns on real vectors: n moves,
// the one with index i to a random point of crown i, whose distances from the centre are
// (i, i+1] n-ths of the radius. The wide one has four times the radius.
//
// The neighbourhood on real vectors of T. V. Luong, N. Melab and E.-G. Talbi (see the
// package), after P. Siarry and G. Berthiau, Fitting of tabu search to optimize functions of
// continuous variables, International Journal for Numerical Methods in Engineering 40 (1997).
func Balls(n int, wide bool) (Neighbourhood, error) {
	if n < 1 || n > MaxCrowns {
		return nil, fmt.Errorf("moves: a ball of %d crowns, want 1 to %d", n, MaxCrowns)
	}
	return crowns{n: int64(n), wide: wide}, nil
}

// MaxCrowns is the most neighbours on real vectors: the number of one is a part of the
// counter of its draws.
const MaxCrowns = 1 << 20

type crowns struct {
	n     int64
	wide  bool
	gauss bool // not crowns, but normal deviates; see Gaussians
}

// Gaussians returns the neighbourhood of Gaussian steps on real vectors: n moves, each of which
// adds to every coordinate a normal deviate with the standard deviation radius, in halves of the
// box.
//
// The mutation of I. Rechenberg, Evolutionsstrategie, 1973, and of evolutionary programming.
func Gaussians(n int) (Neighbourhood, error) {
	if n < 1 || n > MaxCrowns {
		return nil, fmt.Errorf("moves: %d Gaussian steps, want 1 to %d", n, MaxCrowns)
	}
	return crowns{n: int64(n), gauss: true}, nil
}

func (c crowns) Name() string {
	if c.gauss {
		return "gauss"
	}
	if c.wide {
		return "wide"
	}
	return "ball"
}

func (c crowns) Size() int64 { return c.n }

func (c crowns) Move(index int64) Move {
	m := Move{At: [3]int32{int32(index), none, none}, Back: c.wide}
	if c.gauss {
		m.By = 1
	}
	return m
}
func (c crowns) Index(m Move) int64 { return int64(m.At[0]) }
func (c crowns) Next(m Move) Move {
	m.At[0]++
	return m
}

// ballWalk is a point of a function's box. Its neighbours are drawn again before every
// scan: during a scan, the neighbour in crown i is the same for all workers.
type ballWalk struct {
	pace pace
	own  bool // it is a user's problem: its pace is measured
	field
	x    []float64
	cost float64
	nbs  []Neighbourhood

	radius  float64
	single  bool    // neighbours are compared in float32
	present float64 // the sum at x as values see it: cost, or a float32

	seed, clock uint64 // of the draws
	walk        uint32

	scratch sync.Pool // of []float64
}

// field is a function in a box whose sides are from low to high, mid - half and mid + half but for
// rounding, safe for use by several goroutines.
type field struct {
	value64   func(x []float64) float64
	value32   func(x []float64) float32 // for comparisons in single precision; may be nil
	check     func(x []float64) error   // tells whether x is in the box
	mid, half float64
	low, high float64
}

func fieldOf(w *datasets.Weierstrass) field {
	return field{
		value64: w.Value, value32: w.Value32, half: 1, low: -1, high: 1,
		check: func(x []float64) error {
			_, err := w.Cost(x)
			return err
		},
	}
}

func newBallWalk(w *datasets.Weierstrass) (*ballWalk, error) {
	t, err := newBall(w, fieldOf(w))
	if err == nil {
		t.set()
	}
	return t, err
}

// newBall makes the walk, without a cost.
func newBall(inst datasets.Instance, f field) (*ballWalk, error) {
	nbs, err := neighbourhoods(inst)
	if err != nil {
		return nil, err
	}
	n := inst.Size()
	t := &ballWalk{field: f, x: make([]float64, n), nbs: nbs, radius: 1 / float64(n)}
	t.scratch.New = func() any {
		s := make([]float64, n)
		return &s
	}
	return t, nil
}

// Around returns a walk on the function with this number of neighbours in a ball of this radius, as
// the parameters neighbours and radius of the solvers say; On takes 10,000 and 1/N.
func Around(w *datasets.Weierstrass, neighbours int, radius float64) (Walk, error) {
	if neighbours < 1 || neighbours > MaxCrowns || !(radius > 0 && radius <= 2) {
		return nil, fmt.Errorf(
			"moves: %d neighbours within %v, want 1 to %d within at most 2", neighbours, radius, MaxCrowns,
		)
	}
	t, err := newBallWalk(w)
	if err != nil {
		return nil, err
	}
	t.shape(neighbours, radius, false)
	return t, nil
}

// shape sets how many neighbours there are, how far the outermost is at most, and whether they
// are compared in single precision.
func (t *ballWalk) shape(neighbours int, radius float64, single bool) {
	t.radius = radius
	if single != t.single {
		t.single = single
		t.set()
	}
	if len(t.nbs) > 0 && t.nbs[0].Size() == int64(neighbours) {
		return
	}
	nbs := []Neighbourhood{crowns{n: int64(neighbours)}, crowns{n: int64(neighbours), wide: true}}
	if len(t.nbs) > len(nbs) {
		nbs = append(nbs, crowns{n: int64(neighbours), gauss: true})
	}
	t.nbs = nbs
}

// Renew draws new neighbours.
func (t *ballWalk) Renew(seed uint64, clock int64, walk int) {
	t.seed, t.clock, t.walk = seed, uint64(clock), uint32(walk)
}

func (t *ballWalk) Neighbourhoods() []Neighbourhood { return t.nbs }
func (t *ballWalk) Cost() float64                   { return t.cost }
func (t *ballWalk) Solution() record.Solution {
	return record.Solution{Real: append([]float64(nil), t.x...)}
}

func (t *ballWalk) Hash() uint64 {
	var h uint64
	for _, x := range t.x {
		h = arith.Mix64(h ^ math.Float64bits(x))
	}
	return h
}

// entry returns a hash of the coordinate, which distinguishes coordinates.
func (t *ballWalk) entry(at int32) int32 { return int32(arith.Mix64(math.Float64bits(t.x[at]))) }

func (t *ballWalk) Load(s record.Solution) error {
	if err := t.check(s.Real); err != nil {
		return fmt.Errorf("moves: %w", err)
	}
	copy(t.x, s.Real)
	t.set()
	return nil
}

// set computes the sums at x.
func (t *ballWalk) set() {
	t.cost = t.value64(t.x)
	t.present = t.cost
	if t.single {
		t.present = float64(t.value32(t.x))
	}
}

func (t *ballWalk) Random(draws *arith.Stream) {
	for i := range t.x {
		v := t.mid + float64(t.half*(float64(2*float64(draws.Float64()))-1))
		t.x[i] = max(t.low, min(v, t.high))
	}
	t.set()
}

// point writes the point that the move m leads to, in a uniformly random direction, by normal
// deviates (G. Marsaglia, T. A. Bray, A convenient method for generating normal variables, SIAM
// Review 6, 1964, doi:10.1137/1006063), and a uniformly random distance within the crown. A
// coordinate outside the box is reflected at its side, which does not increase the distance from
// the centre. A Gaussian step has neither direction nor distance of its own.
func (t *ballWalk) point(m Move, y []float64) {
	i := m.At[0]
	draws := arith.NewStream(t.seed, t.clock, t.walk<<20|uint32(i), drawCrown)
	radius := t.radius
	if m.Back {
		radius = min(4*radius, 2)
	}
	if m.By != 0 {
		t.step(&draws, y)
		return
	}
	r := radius * ((float64(i) + float64(draws.Float64())) / float64(t.nbs[0].Size()))
	var norm float64
	for k := 0; k < len(y); k += 2 {
		a, b := normals(&draws)
		y[k] = a
		norm += float64(a * a)
		if k+1 < len(y) {
			y[k+1] = b
			norm += float64(b * b)
		}
	}
	t.beside(r/math.Sqrt(norm)*t.half, y)
}

// step writes a Gaussian step.
func (t *ballWalk) step(draws *arith.Stream, y []float64) {
	for k := 0; k < len(y); k += 2 {
		a, b := normals(draws)
		if y[k] = a; k+1 < len(y) {
			y[k+1] = b
		}
	}
	t.beside(t.radius*t.half, y)
}

// beside makes y the point that is scale y from the present one, in the box.
func (t *ballWalk) beside(scale float64, y []float64) {
	low, high := t.low, t.high
	for k, g := range y {
		v := t.x[k] + float64(scale*g)
		if v > high {
			v = float64(2*high) - v
		} else if v < low {
			v = float64(2*low) - v
		}
		y[k] = max(low, min(v, high)) // corrects at most the last bit
	}
}

// normals returns two independent standard normal deviates.
func normals(draws *arith.Stream) (a, b float64) {
	for {
		a, b = float64(2*float64(draws.Float64()))-1, float64(2*float64(draws.Float64()))-1
		if s := float64(a*a) + float64(b*b); s < 1 && s > 0 {
			f := math.Sqrt(-2 * math.Ln2 * arith.Log2(s) / s)
			return a * f, b * f
		}
	}
}

func (t *ballWalk) take() *[]float64 { return t.scratch.Get().(*[]float64) }

func (t *ballWalk) Delta(m Move) float64 {
	y := t.take()
	defer t.scratch.Put(y)
	t.point(m, *y)
	return t.value64(*y) - t.cost
}

func (t *ballWalk) Apply(m Move) {
	y := t.take()
	defer t.scratch.Put(y)
	t.point(m, *y)
	copy(t.x, *y)
	t.set()
}

func (t *ballWalk) prepare(int, wave) {}

func (t *ballWalk) steps(k int) int64 {
	guess := 100 * int64(len(t.x))
	if t.own {
		return t.pace.steps(k, guess)
	}
	return guess
}

func (t *ballWalk) value(_ int, _ int64, m Move) float64 {
	y := t.take()
	defer t.scratch.Put(y)
	t.point(m, *y)
	if t.single {
		return float64(t.value32(*y)) - t.present
	}
	return t.value64(*y) - t.cost
}

func (t *ballWalk) scan(k int, w wave, allow func(Move, float64) bool) (choice, error) {
	return scanAll(k, t, w, allow)
}

// cells stores, by hashes, until when the search may not come back to the small cubes of the box
// that it has left: a move is tabu when it ends in such a cube, or in one of the few with the same
// hash.
//
// After D. L. Woodruff, E. Zemel, Hashing vectors for tabu search, Annals of Operations
// Research 41 (1993), doi:10.1007/BF02022565; on real vectors the cubes are ours.
type cells struct {
	t     *ballWalk
	until []int64
}

// cellsPerUnit is the number of cubes along half a side of the box, and cellCount is the number of
// hashes.
const (
	cellsPerUnit = 64
	cellCount    = 1 << 12
)

func newCells(t *ballWalk) *cells {
	c := &cells{t: t, until: make([]int64, cellCount)}
	for i := range c.until {
		c.until[i] = -1
	}
	return c
}

func (t *ballWalk) cellOf(x []float64) int {
	var h uint64
	for _, v := range x {
		h = arith.Mix64(h ^ uint64(int64((v-t.low)/t.half*cellsPerUnit)))
	}
	return int(h % cellCount)
}

func (c *cells) tabu(_ Walk, m Move, clock int64) bool {
	y := c.t.take()
	defer c.t.scratch.Put(y)
	c.t.point(m, *y)
	return c.until[c.t.cellOf(*y)] >= clock
}

func (c *cells) note(_ Walk, _ Move, clock int64, wait func() int64) {
	c.until[c.t.cellOf(c.t.x)] = clock + wait()
}

func (c *cells) overdue(Walk, Move, int64) bool { return false }
func (c *cells) any(Walk, int64) bool           { return false }
func (c *cells) jumped()                        {}
func (c *cells) times() []int64                 { return c.until }

// A Ball determines the neighbours of a point, beside the point: the parameters, and the place of
// their draws.
type Ball struct {
	Neighbours int
	Radius     float64
	Seed       uint64
	Clock      int64 // of the scan
	Walk       int
}

// CellOf returns a function that returns the index of the memory's time for a move's end, by which
// the move is tabu or not.
func CellOf(w *datasets.Weierstrass, x []float64, b Ball) func(Move) int {
	t := &ballWalk{field: fieldOf(w), x: x}
	t.shape(b.Neighbours, b.Radius, false)
	t.Renew(b.Seed, b.Clock, b.Walk)
	y := make([]float64, len(x))
	return func(m Move) int {
		t.point(m, y)
		return t.cellOf(y)
	}
}
