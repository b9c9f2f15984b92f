package trail

import (
	"cmp"
	"slices"

	"metalab/solvers"
	"metalab/solvers/tours"
)

func (t *Table) Strongest(limit int) ([]solvers.Trail, int) { return t.strongestOf(limit, nil) }

func (x *Extended) Strongest(limit int) ([]solvers.Trail, int) {
	return x.Table.strongestOf(limit, x.Outs)
}

func (t *Table) strongestOf(limit int, o *Outs) ([]solvers.Trail, int) {
	top := NewTop(limit)
	for i := range int32(t.N) {
		if t.Full != nil {
			for j := range int32(t.N) {
				if i != j && (t.Mirror == nil || i < j) {
					top.Offer(i, j, t.Full.Tau[int(i)*t.N+int(j)])
				}
			}
			continue
		}
		for s := range t.K {
			at := int(i)*t.Stride + s
			if t.Mirror == nil || t.Mirror[at] < 0 || i < t.ID[at] {
				top.Offer(i, t.ID[at], t.Tau[at])
			}
		}
	}
	if t.rest != nil {
		for _, g := range t.rest.list {
			if t.Mirror == nil || g.from < g.to {
				top.Offer(g.from, g.to, g.tau)
			}
		}
	}
	if o != nil {
		for p, j := range o.City {
			// An edge that both cities have is shown once, with the trail found first.
			c := int32(p / OutsPerCity)
			if j == c || t.Place(c, j) != None || j < c && o.Find(j, c) >= 0 {
				continue
			}
			top.Offer(min(c, j), max(c, j), o.Tau[p])
		}
	}
	return top.List(t.Space)
}

func (m *Memory) Strongest(limit int) ([]solvers.Trail, int) {
	top := NewTop(limit)
	for c := range int32(len(m.Head)) {
		for i := int(c) * m.Slots; i < (int(c)+1)*m.Slots; i++ {
			// An edge that both cities store is shown once, with the trail of the smaller number.
			if j := m.City[i]; j >= 0 && (m.space.Asymmetric || c < j || m.Find(j, c) < 0) {
				top.Offer(c, j, m.Tau[i])
			}
		}
	}
	return top.List(m.space)
}

// A Top keeps the strongest of the trails that it is offered. It drops the others when it holds
// twice as many as are wanted.
type Top struct {
	limit int
	list  []solvers.Trail
	all   int // that were offered
	least float32
}

// NewTop keeps at most limit trails.
func NewTop(limit int) *Top { return &Top{limit: max(1, limit)} }

// Offer takes the trail of the edge from i to j, in internal numbers.
func (t *Top) Offer(i, j int32, v float32) {
	t.all++
	if v < t.least {
		return
	}
	t.list = append(t.list, solvers.Trail{From: i, To: j, Strength: v})
	if len(t.list) >= 2*t.limit+1024 {
		selectTop(t.list, t.limit)
		t.list = t.list[:t.limit]
		t.least = t.list[t.limit-1].Strength
	}
}

// List returns the kept trails, the strongest first, with the instance's numbers of cities, and how
// many were offered.
func (t *Top) List(sp *tours.Space) ([]solvers.Trail, int) {
	t.cut()
	for k := range t.list {
		e := &t.list[k]
		e.From, e.To = sp.Orig[e.From], sp.Orig[e.To]
	}
	return t.list, t.all
}

// cut sorts and shortens the list.
func (t *Top) cut() {
	if len(t.list) > t.limit {
		selectTop(t.list, t.limit)
		t.list = t.list[:t.limit]
	}
	slices.SortFunc(t.list, stronger)
}

// stronger orders trails, the strongest first. The order of equal ones looks random, so that the
// first of them lie all over the instance.
func stronger(a, b solvers.Trail) int {
	if a.Strength != b.Strength {
		return cmp.Compare(b.Strength, a.Strength)
	}
	return cmp.Or(cmp.Compare(scatter(a), scatter(b)), cmp.Compare(a.From, b.From),
		cmp.Compare(a.To, b.To))
}

// scatter returns a number that looks random, and is always the same for the same edge.
func scatter(t solvers.Trail) uint64 {
	h := (uint64(uint32(t.From))<<32 | uint64(uint32(t.To))) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// selectTop moves the k strongest of more than k trails to the front, the weakest of them last
// of these.
func selectTop(list []solvers.Trail, k int) {
	lo, hi := 0, len(list)-1
	for at := k - 1; lo < hi; {
		mid := list[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for stronger(list[i], mid) < 0 {
				i++
			}
			for stronger(mid, list[j]) < 0 {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case at <= j:
			hi = j
		case at >= i:
			lo = i
		default:
			return
		}
	}
}
