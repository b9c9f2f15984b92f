package spins

import (
	"math"
	"math/bits"
	"slices"

	"metalab/datasets"
)

// A Net is an instance as sweeps read it. Positions are the vertices in the order of a sweep: by
// colour, then falling degree, then number. Position N is the vertex to which fields join, which
// is always on side 1.
type Net struct {
	Inst *datasets.Cut
	N    int

	Colours []int32 // colour c has the positions from Colours[c] to before Colours[c+1]
	Vertex  []int32 // by position
	Place   []int32 // by vertex, its position

	// The edges of a position are from First[i] to before First[i+1]: the other end's position times
	// 2, plus 1 if the ends are to be on one side.
	First, Edge []int32

	// Weight are the absolute weights of the edges in units of Unit; nil: all are 1.
	Weight []int32
	Unit   int64

	Total []int64 // by position, the sum of the weights of its edges
	Scale float64 // what a temperature of 1 is in units of the cost

	base int64 // twice the cost where no edge is good
}

// NewNet returns the net of an instance.
func NewNet(c *datasets.Cut) *Net {
	n := &Net{Inst: c, N: c.N, Unit: 1}
	n.arrange()
	n.measure()
	n.join()
	return n
}

// measure finds the unit of the weights, and the scale.
func (n *Net) measure() {
	var unit uint64
	var sum float64
	half := float64(n.Inst.Step()) / 2
	note := func(w int64) {
		unit = gcd(unit, uint64(max(w, -w)))
		x := half * float64(w)
		sum += float64(x * x)
	}
	for v := range n.N {
		_, weights := n.Inst.Neighbours(v)
		for _, w := range weights {
			note(int64(w))
		}
		note(n.Inst.Field(v))
	}
	n.Unit = int64(max(unit, 1))
	n.Scale = math.Sqrt(sum / float64(n.N))
	if n.Scale == 0 {
		n.Scale = 1
	}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// arrange colours the vertices and orders them.
func (n *Net) arrange() {
	order := make([]int32, n.N)
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return n.degree(b) - n.degree(a) })
	colour := n.sides()
	if colour == nil {
		colour = n.greedy(order)
	}
	count := slices.Max(colour) + 1
	n.Colours = make([]int32, count+1)
	for _, c := range colour {
		n.Colours[c+1]++
	}
	for c := range count {
		n.Colours[c+1] += n.Colours[c]
	}
	next := slices.Clone(n.Colours)
	n.Vertex, n.Place = make([]int32, n.N), make([]int32, n.N)
	for _, v := range order {
		at := next[colour[v]]
		next[colour[v]]++
		n.Vertex[at], n.Place[v] = v, at
	}
}

func (n *Net) degree(v int32) int {
	near, _ := n.Inst.Neighbours(int(v))
	return len(near)
}

// sides colours a graph without odd cycles by 0 and 1; nil: there is one.
func (n *Net) sides() []int32 {
	colour := slices.Repeat([]int32{-1}, n.N)
	for s := range colour {
		if colour[s] >= 0 {
			continue
		}
		colour[s] = 0
		for line := []int32{int32(s)}; len(line) > 0; line = line[1:] {
			v := line[0]
			near, _ := n.Inst.Neighbours(int(v))
			for _, u := range near {
				switch colour[u] {
				case -1:
					colour[u] = 1 - colour[v]
					line = append(line, u)
				case colour[v]:
					return nil
				}
			}
		}
	}
	return colour
}

// greedy gives each vertex in turn the smallest colour that no neighbour has.
func (n *Net) greedy(order []int32) []int32 {
	colour := slices.Repeat([]int32{-1}, n.N)
	var of []int32 // by colour, the last vertex with a neighbour of it
	for _, v := range order {
		near, _ := n.Inst.Neighbours(int(v))
		for _, u := range near {
			if c := colour[u]; c >= 0 {
				of[c] = v
			}
		}
		c := slices.IndexFunc(of, func(last int32) bool { return last != v })
		if c < 0 {
			c = len(of)
			of = append(of, -1)
		}
		colour[v] = int32(c)
	}
	return colour
}

// join makes the lists of edges.
func (n *Net) join() {
	n.First, n.Total = make([]int32, n.N+1), make([]int64, n.N)
	var weights []int32
	unit := true
	add := func(i, to int, w int64) {
		same := int32(0)
		if w < 0 {
			same, w = 1, -w
		}
		w /= n.Unit
		n.Edge = append(n.Edge, int32(to)<<1|same)
		weights = append(weights, int32(w))
		n.Total[i] += w
		unit = unit && w == 1
	}
	var good int64
	for i, v := range n.Vertex {
		near, w := n.Inst.Neighbours(int(v))
		for k, u := range near {
			add(i, int(n.Place[u]), int64(w[k]))
			if w[k] < 0 && int(v) < int(u) { // on side 0 all are alike
				good -= int64(w[k])
			}
		}
		if h := n.Inst.Field(int(v)); h != 0 {
			add(i, n.N, h)
			good += max(h, 0)
		}
		n.First[i+1] = int32(len(n.Edge))
	}
	if !unit {
		n.Weight = weights
	}
	zero, _ := n.Inst.Cost(make([]int8, n.N)) // cannot fail: bits
	n.base = 2*zero + good*int64(n.Inst.Step())
}

// Cost is the cost of a walk whose good edges have this weight, each counted once.
func (n *Net) Cost(good int64) int64 { return (n.base - good*n.Unit*int64(n.Inst.Step())) / 2 }

// Loss is by how much a flip makes the cost grow where the weight of the good edges is by so many
// whole units above half of all, rounded down.
func (n *Net) Loss(above int64, odd bool) float64 {
	m := 2 * above
	if odd {
		m--
	}
	return float64(m*n.Unit*int64(n.Inst.Step())) / 2
}

// planes is how many bits the sum of a position's weights has.
func (n *Net) planes(i int) int { return bits.Len64(uint64(n.Total[i])) }
