package datasets

import (
	"fmt"
	"math"
	"slices"
)

// A Cut is the problem of max-cut, of an Ising model (a spin glass) or of quadratic unconstrained
// binary optimisation (QUBO), which are one: N spins s of -1 or 1 with couplings J and fields h. A
// solution holds bits, x = (1 + s) / 2. The three differ in what is printed and in which values
// are better; see Objective.
//
//	cut:     the sum of w over the edges whose ends differ, maximised; J = w, h = 0
//	energy:  sum h s + sum J s s + offset, minimised
//	qubo:    sum q x + sum q x x + offset, minimised, or maximised
//
// The cost, which searches minimise, is a whole number: the negative of a cut, the energy, or the
// value of the QUBO with its sign. Weights of a file with decimal places are multiplied by a power
// of ten, Scale, and so is the cost.
//
// The page signs.md of this folder says how the forms follow from each other.
type Cut struct {
	Title string
	N     int // vertices, spins, bits

	// Labels are the names of the vertices in their file; nil: they are numbers.
	Labels []string

	// Scale is what one unit of the file is in the cost: 1, or a power of ten.
	Scale int64

	objective Objective
	first     []int32 // the neighbours of v are near[first[v]:first[v+1]], increasing
	near      []int32
	weight    []int32 // the coupling J of v and near[i], in units of 1/unit of the cost
	field     []int64 // h in the same units; nil: none
	shift     int64   // the offset in the same units
	all       int64   // the sum of couplings and fields
	listed    []Edge  // the edges in the order of their file, where that is to be kept

	facts facts
}

// An Objective says which value of a Cut is searched for.
type Objective string

// The objectives of a Cut.
const (
	CutObjective     Objective = "cut"    // the weight of the cut, maximised
	EnergyObjective  Objective = "energy" // the energy of the spins, minimised
	QUBOObjective    Objective = "qubo"   // a quadratic function of bits, minimised
	MaxQUBOObjective Objective = "maxqubo"
)

// An Edge joins the vertices U and V, numbered from 0, with a weight.
type Edge struct {
	U, V   int32
	Weight int64
}

var _ Instance = (*Cut)(nil)

// Limits of a Cut: vertices, edges, and the change of the cost by a flip.
const (
	maxSpins     = 1 << 20
	maxCouplings = 1 << 28
	maxFlip      = math.MaxInt32
)

// NewCut returns max-cut on the graph with n vertices (1 to 2^20) and the given edges, each
// between two vertices, in either order. Weights of edges between the same vertices are added up.
func NewCut(name string, n int, edges []Edge) (*Cut, error) {
	return newSpins(name, n, nil, edges, 0, CutObjective)
}

// NewIsing returns the Ising model with the energy sum h s + sum J s s + offset of n spins (1 to
// 2^20), of -1 or 1, to be minimised. fields holds h, or is nil; edges hold J.
func NewIsing(name string, n int, fields []int64, edges []Edge, offset int64) (*Cut, error) {
	return newSpins(name, n, fields, edges, offset, EnergyObjective)
}

// NewQUBO returns the function sum linear x + sum q x x + offset of n bits (1 to 2^20), to be
// minimised or maximised. edges hold q, which counts once for a pair of different bits; linear
// holds the diagonal, or is nil.
func NewQUBO(
	name string, n int, linear []int64, edges []Edge, offset int64, maximise bool,
) (*Cut, error) {
	sign, objective := int64(1), QUBOObjective
	if maximise {
		sign, objective = -1, MaxQUBOObjective
	}
	if err := moderate(name, linear, edges, offset); err != nil {
		return nil, err
	}
	// x = (1 + s) / 2, all times 4: q x = 2 q s + 2 q, q x x = q s s + q s + q s + q.
	fields := make([]int64, max(n, 0))
	shift := 4 * sign * offset
	for v, q := range linear {
		if v < n {
			fields[v] += 2 * sign * q
			shift += 2 * sign * q
		}
	}
	couplings := slices.Clone(edges)
	for i, e := range edges {
		couplings[i].Weight = sign * e.Weight
		for _, v := range []int32{e.U, e.V} {
			if v >= 0 && int(v) < n {
				fields[v] += sign * e.Weight
			}
		}
		shift += sign * e.Weight
	}
	return newSpins(name, n, fields, couplings, shift, objective)
}

// newSpins makes an instance of fields and couplings in units of 1/unit of the cost.
func newSpins(
	name string, n int, fields []int64, edges []Edge, shift int64, objective Objective,
) (*Cut, error) {
	if n < 1 || n > maxSpins {
		return nil, fmt.Errorf(
			"datasets: %s: a graph of %d vertices, want from 1 to %d", name, n, maxSpins,
		)
	}
	if len(edges) > maxCouplings {
		return nil, fmt.Errorf("datasets: %s: %d edges, want at most %d", name, len(edges), maxCouplings)
	}
	if err := moderate(name, fields, edges, shift); err != nil {
		return nil, err
	}
	c := &Cut{Title: name, N: n, Scale: 1, objective: objective, shift: shift}
	if slices.ContainsFunc(fields, func(h int64) bool { return h != 0 }) {
		c.field = make([]int64, n)
		copy(c.field, fields)
	}
	if err := c.join(edges); err != nil {
		return nil, err
	}
	for _, e := range edges {
		c.all += e.Weight
	}
	for _, h := range c.field {
		c.all += h
	}
	if objective == CutObjective {
		c.shift = -c.all // the negative of a cut is (E - W) / 2
	}
	return c, c.bounded()
}

// moderate returns an error if sums of the numbers might not fit.
func moderate(name string, fields []int64, edges []Edge, shift int64) error {
	const most = 1 << 53
	for _, h := range fields {
		if h < -most || h > most {
			return fmt.Errorf("datasets: %s: a field of %d, want at most 2^53", name, h)
		}
	}
	for _, e := range edges {
		if e.Weight < -maxFlip || e.Weight > maxFlip {
			return fmt.Errorf("datasets: %s: a weight of %d, want at most %d", name, e.Weight, maxFlip)
		}
	}
	if shift < -most || shift > most {
		return fmt.Errorf("datasets: %s: an offset of %d, want at most 2^53", name, shift)
	}
	return nil
}

// join makes the lists of neighbours.
func (c *Cut) join(edges []Edge) error {
	n := c.N
	ends := make([]int, n+1)
	for i, e := range edges {
		if e.U < 0 || e.V < 0 || int(e.U) >= n || int(e.V) >= n || e.U == e.V {
			return fmt.Errorf(
				"datasets: %s: edge %d joins %d and %d, want two different vertices from 0 to %d", c.Title, i,
				e.U, e.V, n-1,
			)
		}
		ends[e.U+1]++
		ends[e.V+1]++
	}
	for v := range n {
		ends[v+1] += ends[v]
	}
	type half struct {
		to     int32
		weight int64
	}
	halves := make([]half, 2*len(edges))
	at := slices.Clone(ends[:n])
	for _, e := range edges {
		halves[at[e.U]], halves[at[e.V]] = half{e.V, e.Weight}, half{e.U, e.Weight}
		at[e.U]++
		at[e.V]++
	}
	c.first = make([]int32, n+1)
	c.near, c.weight = make([]int32, 0, len(halves)), make([]int32, 0, len(halves))
	for v := range n {
		row := halves[ends[v]:ends[v+1]]
		slices.SortStableFunc(row, func(a, b half) int { return int(a.to) - int(b.to) })
		for i := 0; i < len(row); {
			to, sum := row[i].to, int64(0)
			for ; i < len(row) && row[i].to == to; i++ {
				sum += row[i].weight
			}
			switch {
			case sum < -maxFlip || sum > maxFlip:
				return fmt.Errorf("datasets: %s: the weight of %d and %d is %d, want at most %d",
					c.Title, v, to, sum, maxFlip)
			case sum != 0:
				c.near, c.weight = append(c.near, to), append(c.weight, int32(sum))
			}
		}
		c.first[v+1] = int32(len(c.near))
	}
	return nil
}

// bounded returns an error if a flip, or the cost, may be beyond what searches count with.
func (c *Cut) bounded() error {
	var total float64
	for v := range c.N {
		sum := math.Abs(float64(c.Field(v)))
		_, weights := c.Neighbours(v)
		for _, w := range weights {
			sum += math.Abs(float64(w))
		}
		total += sum
		if flip := 2 * sum / float64(c.unit()); flip > maxFlip {
			return fmt.Errorf(
				"datasets: %s: a flip of vertex %d changes the cost by up to %.0f, want at most %d", c.Title,
				v, flip, maxFlip,
			)
		}
	}
	if most := 1 << 53; total+math.Abs(float64(c.shift)) > float64(most) {
		return fmt.Errorf("datasets: %s: a cost of up to %.0f, want at most 2^53", c.Title,
			total+math.Abs(float64(c.shift)))
	}
	return nil
}

// unit is how often the units of couplings go into one of the cost.
func (c *Cut) unit() int64 {
	switch c.objective {
	case CutObjective:
		return 2
	case EnergyObjective:
		return 1
	}
	return 4
}

// Name returns the instance's name, as "G22".
func (c *Cut) Name() string { return c.Title }

// Kind returns KindCut.
func (c *Cut) Kind() Kind { return KindCut }

// Size returns the number of vertices, which is the length of a solution.
func (c *Cut) Size() int { return c.N }

// Objective returns what is searched for.
func (c *Cut) Objective() Objective { return c.objective }

// Maximises reports whether the objective's value is the negative of the cost: it is of cuts.
func (c *Cut) Maximises() bool {
	return c.objective == CutObjective || c.objective == MaxQUBOObjective
}

// Edges returns the number of couplings that are not 0, each counted once.
func (c *Cut) Edges() int { return len(c.near) / 2 }

// Neighbours returns the vertices coupled with v, in increasing order, and the couplings. A flip
// of v changes the cost by Step for each unit of a coupling. Do not change the slices.
func (c *Cut) Neighbours(v int) (near, weights []int32) {
	lo, hi := c.first[v], c.first[v+1]
	return c.near[lo:hi], c.weight[lo:hi]
}

// Rows returns the lists of neighbours one after the other: those of v, and their couplings, are
// from first[v] to first[v+1]. Do not change the slices.
func (c *Cut) Rows() (first, near, weights []int32) { return c.first, c.near, c.weight }

// Step returns by how much the flip of a vertex changes Loss of a neighbour for each unit of the
// coupling: less where both are now alike, else more.
func (c *Cut) Step() int32 { return int32(4 / c.unit()) }

// Loss returns by how much the flip of v makes the cost of the bits x grow.
func (c *Cut) Loss(x []int8, v int) int64 {
	near, weights := c.Neighbours(v)
	sum := c.Field(v)
	for i, u := range near {
		sum += int64(weights[i]) * (2*int64(x[u]) - 1)
	}
	return -2 * (2*int64(x[v]) - 1) * sum / c.unit()
}

// Coupling returns the coupling of u and v, 0 if there is none.
func (c *Cut) Coupling(u, v int) int32 {
	near, weights := c.Neighbours(u)
	if i, ok := slices.BinarySearch(near, int32(v)); ok {
		return weights[i]
	}
	return 0
}

// Field returns the field of v, in the units of the couplings.
func (c *Cut) Field(v int) int64 {
	if c.field == nil {
		return 0
	}
	return c.field[v]
}

// BestKnown returns the cost of the best published cut; ok is false if there is none.
func (c *Cut) BestKnown() (best BestKnown, ok bool) {
	row, ok := gsetTable()[c.Title]
	if !ok || c.SHA256() != row.sha256 {
		return BestKnown{}, false
	}
	return row.best, true
}

// SHA256 returns the hash of the canonical form: kind, N, objective, offset, fields, couplings. It
// is computed at the first call and safe for concurrent use.
func (c *Cut) SHA256() string { return c.facts.sha256(c) }

func (c *Cut) writeCanonical(h *hasher) {
	h.str(string(c.objective))
	h.u64(uint64(c.shift))
	h.u64(uint64(len(c.field)))
	for _, x := range c.field {
		h.u64(uint64(x))
	}
	h.ints(c.first)
	h.ints(c.near)
	h.ints(c.weight)
}

// Cost returns the cost of the bits x. It returns an error unless x has N entries of 0 or 1.
func (c *Cut) Cost(x []int8) (int64, error) {
	if len(x) != c.N {
		return 0, fmt.Errorf("datasets: solution of %s: %d bits given, want %d", c.Title, len(x), c.N)
	}
	for v, b := range x {
		if b != 0 && b != 1 {
			return 0, fmt.Errorf("datasets: solution of %s: bit %d is %d, want 0 or 1", c.Title, v, b)
		}
	}
	return (c.ising(x) + c.shift) / c.unit(), nil
}

// ising returns sum h s + sum J s s of bits, in the units of the couplings.
func (c *Cut) ising(x []int8) int64 {
	var twice, fields int64
	for v, b := range x {
		s := 2*int64(b) - 1
		near, weights := c.Neighbours(v)
		var sum int64
		for i, u := range near {
			sum += int64(weights[i]) * (2*int64(x[u]) - 1)
		}
		twice += s * sum
		fields += s * c.Field(v)
	}
	return twice/2 + fields
}

// An Answer is the value of a solution of a [Cut] in the units of its file. Energy is minimised,
// and is sum h s + sum J s s + Offset. Cut is the weight of the cut, (W - (Energy - Offset)) / 2;
// with fields it is that of the graph with one vertex more, which is joined to each v by h and
// whose spin is 1.
type Answer struct{ Cut, Energy, Offset float64 }

// Answer returns the cut, the energy and the offset of solutions with a cost.
func (c *Cut) Answer(cost int64) Answer {
	ising, offset := cost*c.unit()-c.shift, c.shift
	if c.objective == CutObjective {
		offset = 0
	}
	return Answer{
		Cut: c.real((c.all - ising) / 2), Energy: c.real(ising + offset), Offset: c.real(offset),
	}
}

// real converts units of couplings into those of the file.
func (c *Cut) real(x int64) float64 {
	per := c.Scale
	if c.unit() == 4 {
		per *= 4
	}
	return float64(x) / float64(per)
}
