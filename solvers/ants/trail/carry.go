package trail

import (
	"cmp"
	"slices"
)

// Carried are the trails of one store, to be converted to a store of another kind when a fork
// changes the variant: those of edges for which one is stored, and the common one of all others. An
// edge of a symmetric instance may be there twice, with the trails that its two cities store for
// it.
type Carried struct {
	Level float32
	Edges []Edge
}

// An Edge is an edge with its trail.
type Edge struct {
	From, To int32
	Tau      float32
}

// A Carrier is a store that exports and imports trails. It loses those for which it has no room. Of
// two trails of an edge the greater one counts, and none counts less than the common one.
type Carrier interface {
	Store
	Give() *Carried
	Take(all *Carried)
}

var (
	_ Carrier = (*Table)(nil)
	_ Carrier = (*Extended)(nil)
	_ Carrier = (*Memory)(nil)
)

// Raise raises all trails below least to least.
func (c *Carried) Raise(least float32) {
	c.Level = max(c.Level, least)
	for i := range c.Edges {
		c.Edges[i].Tau = max(c.Edges[i].Tau, least)
	}
}

func (t *Table) Give() *Carried {
	c := &Carried{Level: t.Off}
	add := func(i, j int32, tau float32) {
		if i != j && tau != t.Off {
			c.Edges = append(c.Edges, Edge{i, j, tau})
		}
	}
	for i := range int32(t.N) {
		if t.Full != nil {
			for j := range int32(t.N) {
				if t.Mirror == nil || i < j {
					add(i, j, t.Full.Tau[int(i)*t.N+int(j)])
				}
			}
			continue
		}
		for s := int(i) * t.Stride; s < int(i)*t.Stride+t.K; s++ {
			add(i, t.ID[s], t.Tau[s])
		}
	}
	if t.rest != nil {
		for _, e := range t.rest.list {
			add(e.from, e.to, e.tau)
		}
	}
	return c
}

func (t *Table) Take(all *Carried) {
	t.Fill(all.Level)
	for _, e := range all.Edges {
		if at := t.Place(e.From, e.To); e.Tau > t.Read(e.From, e.To, at) {
			t.write(e.From, e.To, at, e.Tau)
		}
	}
}

func (x *Extended) Give() *Carried {
	c := x.Table.Give()
	for p, j := range x.Outs.City {
		if i := int32(p / OutsPerCity); j != i {
			c.Edges = append(c.Edges, Edge{i, j, x.Outs.Tau[p]})
		}
	}
	return c
}

// Take implements Carrier: of each city the greatest trails beyond its list have places.
func (x *Extended) Take(all *Carried) {
	x.Table.Take(all)
	x.Outs.Clear()
	for i, edges := range all.byCity(x.Table.N, !x.Table.Space.Asymmetric) {
		edges = slices.DeleteFunc(edges, func(e Edge) bool { return x.Table.Find(e.From, e.To) >= 0 })
		for k, e := range edges[max(0, len(edges)-OutsPerCity):] {
			p := i*OutsPerCity + k
			x.Outs.City[p], x.Outs.Tau[p] = e.To, e.Tau
		}
	}
}

func (m *Memory) Give() *Carried {
	c := &Carried{Level: m.TauMin}
	for at, j := range m.City {
		if j >= 0 {
			c.Edges = append(c.Edges, Edge{int32(at / m.Slots), j, m.Tau[at]})
		}
	}
	return c
}

// Take implements Carrier: a city stores its greatest trails, the greatest last, so that this one
// is forgotten last.
func (m *Memory) Take(all *Carried) {
	m.clear()
	for i, edges := range all.byCity(len(m.Head), !m.space.Asymmetric) {
		for _, e := range edges[max(0, len(edges)-m.Slots):] {
			m.store(int32(i), e.To, e.Tau)
		}
	}
}

// byCity returns, for each city, its edges with trails above the common one, sorted by trail, of
// equal ones those to smaller numbers last. With both an edge is listed at both its cities.
func (c *Carried) byCity(n int, both bool) [][]Edge {
	of := make([][]Edge, n)
	for _, e := range c.Edges {
		if e.Tau <= c.Level {
			continue
		}
		of[e.From] = append(of[e.From], e)
		if both {
			of[e.To] = append(of[e.To], Edge{e.To, e.From, e.Tau})
		}
	}
	for i, edges := range of {
		slices.SortFunc(edges, func(a, b Edge) int {
			return cmp.Or(cmp.Compare(b.To, a.To), cmp.Compare(b.Tau, a.Tau))
		})
		edges = slices.CompactFunc(edges, func(a, b Edge) bool { return a.To == b.To })
		slices.SortStableFunc(edges, func(a, b Edge) int { return cmp.Compare(a.Tau, b.Tau) })
		of[i] = edges
	}
	return of
}
