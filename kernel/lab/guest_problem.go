package lab

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A Problem is the instance on which your own solver searches, as plain data. Do not change it.
// Your own problem (Kind own) has no data but the form of its solutions: [Problem.Own] returns a
// value of its type, and [Problem.Walk] evaluates neighbours.
type Problem struct {
	Name string
	Kind string  // tsp, atsp, qap, ppp or own
	N    int     // length of a solution
	Best float64 // the best known value (of your own problem: cost), NaN if none is known

	// X and Y are the coordinates of the cities for drawing, if the instance has some; Dist applies
	// the metric.
	X, Y []float64

	// Matrix holds the distances row by row, N x N, unless they can be computed quickly from the
	// coordinates; else nil.
	Matrix []int32

	// A and B are the matrices of a quadratic assignment problem, row by row, N x N: a
	// permutation p costs the sum of A[i*N+j] * B[p[i]*N+p[j]].
	A, B []int32

	// Rows, Signs and Counts describe a permuted perceptron problem: the matrix of +1 and -1, Rows x
	// N, row by row, and the number of times that its multiset holds 0 to N.
	Rows   int
	Signs  []int8
	Counts []int32

	// Form is the form of the solutions of your own problem: bits, permutation, values, which are from
	// 0 to K-1, or reals, which are from Low to High.
	Form      string
	K         int
	Low, High float64

	metric string
	own    *ownProblem
}

// Dist returns the distance from city i to city j by the instance's metric, an integer.
func (p *Problem) Dist(i, j int) float64 {
	if p.Matrix != nil {
		return float64(p.Matrix[i*p.N+j])
	}
	dx, dy := p.X[i]-p.X[j], p.Y[i]-p.Y[j]
	return p.round(float64(dx*dx) + float64(dy*dy))
}

// round is the distance of two cities by the square of their Euclidean one; it never
// decreases as that grows.
func (p *Problem) round(s float64) float64 {
	switch p.metric {
	case "EUC_2D":
		return float64(int32(math.Sqrt(s) + 0.5))
	case "CEIL_2D":
		return math.Ceil(math.Sqrt(s))
	case "ATT":
		r := math.Sqrt(s / 10)
		d := float64(int32(r + 0.5))
		if d < r {
			d++
		}
		return d
	}
	panic(fmt.Sprintf("lab: %s (%s) has no distances", p.Name, p.Kind))
}

// Length returns the length of a closed tour.
func (p *Problem) Length(tour []int) float64 {
	sum := 0.0
	for i, c := range tour {
		next := tour[0]
		if i+1 < len(tour) {
			next = tour[i+1]
		}
		sum += p.Dist(c, next)
	}
	return sum
}

// CostReals returns the value of a solution of your own problem on real vectors: N numbers from Low
// to High.
func (p *Problem) CostReals(x []float64) float64 {
	if !p.real() {
		panic(fmt.Sprintf("lab: the solutions of %s are no real vectors: Cost takes them", p.Name))
	}
	if len(x) != p.N {
		panic(fmt.Sprintf("lab: a solution of %s has %d numbers, not %d", p.Name, p.N, len(x)))
	}
	return p.own.cost(bitsOf(x))
}

// real tells whether solutions are real vectors.
func (p *Problem) real() bool { return p.own != nil && p.own.of.Form.Kind == record.FormReals }

// Cost returns the cost of a solution of any kind of problem: the length of a tour, the cost of an
// assignment, the energy of a vector of +1 and -1, the result of the method Cost of your own
// problem, or its negative if that is maximised. A smaller cost is always better. For real vectors
// see [Problem.CostReals].
func (p *Problem) Cost(solution []int) float64 {
	if p.real() {
		panic(fmt.Sprintf("lab: the solutions of %s are real vectors: CostReals takes them", p.Name))
	}
	if len(solution) != p.N {
		panic(fmt.Sprintf("lab: a solution of %s has %d numbers, not %d", p.Name, p.N, len(solution)))
	}
	switch p.Kind {
	case "qap":
		var sum int64
		for i, a := range solution {
			for j, b := range solution {
				sum += int64(p.A[i*p.N+j]) * int64(p.B[a*p.N+b])
			}
		}
		return float64(sum)
	case "ppp":
		return p.energy(solution)
	case kindOwn:
		return p.own.cost(solution)
	}
	return p.Length(solution)
}

// maxCheck is the work of a cost function, in look-ups, up to which the worker checks every better
// best at once. The host checks all, but only after the iterations that a worker makes ahead.
const maxCheck = 1 << 13

// work is about how many look-ups the cost function takes.
func (p *Problem) work() int {
	switch p.Kind {
	case "qap":
		return p.N * p.N
	case "ppp":
		return p.N * p.Rows
	case kindOwn:
		return 0 // nobody else checks it: the host has not the code
	}
	return p.N
}

// wrongBest begins an error about a best.
const wrongBest = "the best is not what it says: "

// check returns an error unless a solution is valid and has the claimed value.
func (p *Problem) check(claim float64, solution []int) error {
	if len(solution) != p.N {
		return fmt.Errorf(wrongBest+"its solution is not one: it has %d numbers, want %d",
			len(solution), p.N)
	}
	if p.own != nil {
		return p.own.check(claim, solution)
	}
	seen := make([]bool, p.N)
	for i, x := range solution {
		switch {
		case p.Kind == "ppp" && x != 1 && x != -1:
			return fmt.Errorf(wrongBest+"its solution is not one: number %d is %d, want 1 or -1", i, x)
		case p.Kind == "ppp":
		case x < 0 || x >= p.N:
			return fmt.Errorf(wrongBest+"its solution is not one: number %d is %d, want 0 to %d",
				i, x, p.N-1)
		case seen[x]:
			return fmt.Errorf(wrongBest+"its solution is not one: %d is there twice", x)
		default:
			seen[x] = true
		}
	}
	if got := p.Cost(solution); got != claim {
		return fmt.Errorf(wrongBest+"it claims %s, and its solution has %s", plain(claim), plain(got))
	}
	return nil
}

// plain writes a value in full.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// energy is the energy of Knudsen and Meier: 30 times the sum of |y| - y over the products y of the
// rows, plus the differences between the actual and the wanted count of each product.
func (p *Problem) energy(v []int) float64 {
	var sum int64
	have := make([]int32, p.N+1)
	for i := range p.Rows {
		y := 0
		for j, s := range p.Signs[i*p.N : (i+1)*p.N] {
			y += int(s) * v[j]
		}
		if y < 0 {
			sum += 30 * int64(-2*y)
		} else {
			have[y]++
		}
	}
	for i := 1; i <= p.N; i++ {
		d := int64(p.Counts[i] - have[i])
		sum += max(d, -d)
	}
	return float64(sum)
}

// problemOf reads an instance as the host sends it.
func problemOf(in wire.WorkerInit, rest []byte) (*Problem, error) {
	p := &Problem{
		Name: in.Name, Kind: in.Kind, N: in.N, Best: math.NaN(), Rows: in.Rows,
		metric: in.Metric,
	}
	if in.Kind == kindOwn {
		if err := p.ownOf(in); err != nil {
			return nil, err
		}
	}
	if in.Best != nil {
		p.Best = *in.Best
	}
	if len(in.Arrays) != len(in.Lengths) {
		return nil, errors.New("arrays without lengths")
	}
	for i, name := range in.Arrays {
		n := in.Lengths[i]
		if n < 0 || n > len(rest) {
			return nil, fmt.Errorf("array %s is cut short", name)
		}
		b := rest[:n]
		rest = rest[n:]
		switch name {
		case "x":
			p.X = floats(b)
		case "y":
			p.Y = floats(b)
		case "matrix":
			p.Matrix = int32s(b)
		case "a":
			p.A = int32s(b)
		case "b":
			p.B = int32s(b)
		case "counts":
			p.Counts = int32s(b)
		case "signs":
			p.Signs = make([]int8, n)
			for j, s := range b {
				p.Signs[j] = int8(s)
			}
		}
	}
	return p, nil
}

func floats(b []byte) []float64 {
	v := make([]float64, len(b)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

func int32s(b []byte) []int32 {
	v := make([]int32, len(b)/4)
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
