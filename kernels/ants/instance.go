package ants

import (
	"math"
	"slices"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
	"metalab/solvers/rounds"
	"metalab/solvers/tours"
)

// The length of a list of instance.Ext, FAR in the kernels: with city numbers of 16 bits, and of
// 32.
const (
	far     = 96
	wideFar = 32
)

// instance is an instance in the form of the kernels, in internal numbers. Lists are rows of
// trail.Width slots: slot c*Width+s is the s-th candidate of city c; slots beyond the length of a
// list hold c itself, which is always visited when they are looked at.
type instance struct {
	Space *tours.Space
	K     int // candidates of a city, at most Width
	Ants  int

	// Of mmas/rows. All: choices are among all unvisited cities. Matrix: all edges have trails.
	All, Matrix     bool
	Selection, Tabu string

	ID      []int32 // n x Width: the candidates
	Reverse []int32 // n x Width: the slot of the edge from the other city, -1 if c is not on its list

	// Ext holds the next nearest cities after the candidates, nearest first (ties by number), n x
	// Far: only those that are certainly nearer than all cities not in it. The rest of a list holds
	// the city itself. The first unvisited of them is the nearest unvisited city once the
	// candidates are visited.
	Ext []int32
	Far int

	// The local search on the device, in rounds or by pairs; nil: none.
	Local *rounds.Problem
	Pairs *local.Pairs
}

// instanceOf makes it for kernels whose city numbers have 16 bits or, if wide, 32.
func instanceOf(s *crew.Setup, wide bool) *instance {
	l := s.Table.Lists
	g := &instance{
		Space: s.Space, K: l.K, Ants: s.Ants, All: s.All, Matrix: s.Table.Full != nil,
		Selection: s.Selection, Tabu: s.Tabu, Far: far,
	}
	if wide {
		g.Far = wideFar
	}
	if s.Search != nil {
		g.Local, g.Pairs = s.Search.Rounds, s.Search.Pairs
	}
	g.ID, g.Reverse = make([]int32, l.N*trail.Width), make([]int32, l.N*trail.Width)
	for i := range l.N {
		for slot := range trail.Width {
			to := i*trail.Width + slot
			g.ID[to], g.Reverse[to] = int32(i), -1
			if slot >= l.K {
				continue
			}
			g.ID[to] = l.ID[i*l.Stride+slot]
			if m := l.Mirror[i*l.Stride+slot]; m >= 0 {
				g.Reverse[to] = m/int32(l.Stride)*trail.Width + m%int32(l.Stride)
			}
		}
	}
	near := s.Space.Nearest(l.K + g.Far)
	g.Ext = make([]int32, l.N*g.Far)
	own := l.Members()
	for i := range int32(l.N) {
		row, dist := near.Of(i), near.DistOf(i)
		at, end := int(i)*g.Far, int(i+1)*g.Far
		own.Of(i)
		for k, id := range row {
			// Other cities may be as far away as the last one, so those at its distance are left out.
			if near.K < l.N-1 && dist[k] == dist[near.K-1] || own.Has(id) {
				continue
			}
			if at < end {
				g.Ext[at] = id
				at++
			}
		}
		for ; at < end; at++ {
			g.Ext[at] = i
		}
	}
	return g
}

// widen copies numbers by slot of the lists to rows of Width slots; the additional slots get rest.
func widen(l *trail.Lists, v []float32, rest float32) []float32 {
	out := make([]float32, l.N*trail.Width)
	for i := range l.N {
		for s := range trail.Width {
			out[i*trail.Width+s] = rest
			if s < l.K {
				out[i*trail.Width+s] = v[i*l.Stride+s]
			}
		}
	}
	return out
}

// narrow is the reverse of widen.
func narrow(l *trail.Lists, wide, v []float32) {
	for i := range l.N {
		copy(v[i*l.Stride:i*l.Stride+l.K], wide[i*trail.Width:])
	}
}

// visibilities returns the second factors of the weights of as and mmas, by slot.
func visibilities(t *trail.Table) []float32 {
	if t.Full != nil {
		return t.Full.Eta
	}
	return widen(t.Lists, t.Eta, 1)
}

// scaled returns the weights of acs divided by the trails, by slot.
func scaled(t *trail.Table, inv float32) []float32 {
	out := make([]float32, len(t.Eta))
	for i, e := range t.Eta {
		out[i] = crew.Scaled(e, inv)
	}
	return widen(t.Lists, out, 1)
}

// nearestOctaves returns, by city, the binary logarithm of the distance to the first candidate plus
// 0.1, for acs/lockstep.
func (g *instance) nearestOctaves() []float32 {
	out := make([]float32, g.Space.N)
	for c := range int32(len(out)) {
		out[c] = crew.OctavesOf(g.Space.D(c, g.ID[c*trail.Width]))
	}
	return out
}

// places returns the cities' coordinates, and bounding boxes of 32 cities each.
func places(sp *tours.Space) (at []float64, box []float32) {
	at, box = make([]float64, 2*sp.N), make([]float32, (sp.N+31)/32*4)
	for i := range sp.N {
		x, y := sp.X[i], sp.Y[i]
		at[2*i], at[2*i+1] = x, y
		r := box[i/32*4 : i/32*4+4]
		if i%32 == 0 {
			r[0], r[1], r[2], r[3] = below(x), below(y), above(x), above(y)
		}
		r[0], r[1] = min(r[0], below(x)), min(r[1], below(y))
		r[2], r[3] = max(r[2], above(x)), max(r[3], above(y))
	}
	return at, box
}

// below returns a float32 not above x.
func below(x float64) float32 {
	f := float32(x)
	if float64(f) > x {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// above returns a float32 not below x.
func above(x float64) float32 { return -below(-x) }

// bitWords returns the number of words of an ant's visited bits: a bit for each city and, if city
// numbers have 32 bits, one for each of these words, and so on up to at most 32 words.
func bitWords(n int, wide bool) int {
	words := (n + 31) / 32
	sum := words
	for ; wide && words > 32; sum += words {
		words = (words + 31) / 32
	}
	return sum
}

// boxTree returns the boxes of places and, for the upper words of bitWords, boxes of 32 boxes of
// the level below.
func boxTree(box []float32, wide bool) []float32 {
	for from, count := 0, len(box)/4; wide && count > 32; {
		for i := range (count + 31) / 32 {
			r := [4]float32(box[4*(from+32*i):])
			part := box[4*(from+32*i) : 4*(from+min(32*i+32, count))]
			for _, b := range slices.Collect(slices.Chunk(part, 4)) {
				r = [4]float32{min(r[0], b[0]), min(r[1], b[1]), max(r[2], b[2]), max(r[3], b[3])}
			}
			box = append(box, r[:]...)
		}
		from, count = from+count, (count+31)/32
	}
	return box
}
