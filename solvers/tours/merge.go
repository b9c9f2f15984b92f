package tours

import (
	"cmp"
	"slices"
)

// A Merger makes one tour of two, part by part. It is a workspace, not for several goroutines at a
// time.
type Merger struct {
	sp   *Space
	pos  []int32 // place of a city in the tour that is changed
	root []int32 // of the union of cities; see of
	diff []differing
	alts []detour
	cuts []int32 // places of the tour after which it is cut, in their order
	mate []int32 // of an end of a path between cuts: the end that it is joined to, or none
	made []int32 // the second result of Merge
	next []int32 // the tour that reroute makes
}

// differing is an edge that is in one of the tours only; root is that of its cities.
type differing struct {
	a, b, root int32
	second     bool
}

// detour is a component of the edges in which the tours differ: in the first tour it has the edges
// gone, in the second in their place the edges come, which are shorter by gain.
type detour struct {
	gone, come []differing
	gain       int64
	root       int32
	taken      bool
}

// NewMerger makes a workspace for tours of a space.
func NewMerger(sp *Space) *Merger {
	return &Merger{
		sp: sp, pos: make([]int32, sp.N), root: make([]int32, sp.N), made: make([]int32, sp.N),
		next: make([]int32, sp.N),
	}
}

// Merge replaces the tour a by one that is shorter than both tours or as long as the shorter of
// them, and has no other edges than theirs. It returns the new tour's length less that of a.
//
// The edges that are in one tour only fall into components without a common city. In each, the
// edges of either tour are possible, as long as all together form one circle. So starting from a,
// Merge adopts the components in which b is shorter, one after the other, the largest gains first;
// then it does the same starting from b. The shorter result stays, and among equal ones that from
// b.
//
// It follows the partition crossover of D. Whitley, D. Hains, A. Howe, Tunneling between optima:
// partition crossover for the traveling salesman problem, 2009, doi:10.1145/1569901.1570026, which
// uses components whose borders are two common edges; Merge uses any that leave one circle.
func (m *Merger) Merge(a, b []int32) int64 {
	m.compare(a, b)
	if len(m.alts) == 0 {
		return 0
	}
	all := int64(0)
	for i := range m.alts {
		all += m.alts[i].gain
	}
	copy(m.made, b)
	first := m.take(a)
	for i := range m.alts {
		d := &m.alts[i]
		d.gone, d.come, d.gain = d.come, d.gone, -d.gain
	}
	if second := m.take(m.made); all+second >= first {
		copy(a, m.made)
		return -all - second
	}
	return -first
}

// compare writes the components to alts.
func (m *Merger) compare(a, b []int32) {
	m.diff, m.alts = m.diff[:0], m.alts[:0]
	for c := range m.root {
		m.root[c] = int32(c)
	}
	for i, c := range b {
		m.pos[c] = int32(i)
	}
	m.missing(a, false)
	for i, c := range a {
		m.pos[c] = int32(i)
	}
	m.missing(b, true)
	for i := range m.diff {
		m.diff[i].root = m.of(m.diff[i].a)
	}
	slices.SortStableFunc(m.diff, func(x, y differing) int {
		return cmp.Compare(x.root, y.root) // in each, those of a come first
	})
	for i := 0; i < len(m.diff); {
		d := detour{root: m.diff[i].root}
		from, middle := i, i
		for ; i < len(m.diff) && m.diff[i].root == d.root; i++ {
			e := &m.diff[i]
			if length := int64(m.sp.D(e.a, e.b)); e.second {
				d.gain -= length
			} else {
				d.gain += length
				middle = i + 1
			}
		}
		d.gone, d.come = m.diff[from:middle], m.diff[middle:i]
		m.alts = append(m.alts, d)
	}
}

// missing appends the edges of a tour that the one with the places pos has not.
func (m *Merger) missing(tour []int32, second bool) {
	n := int32(len(tour))
	last := tour[n-1]
	for _, c := range tour {
		if d := m.pos[c] - m.pos[last]; d != 1 && d != -1 && d != n-1 && d != 1-n {
			m.diff = append(m.diff, differing{a: last, b: c, second: second})
			if x, y := m.of(last), m.of(c); x != y {
				m.root[max(x, y)] = min(x, y)
			}
		}
		last = c
	}
}

// of is the smallest city of the component of c.
func (m *Merger) of(c int32) int32 {
	for m.root[c] != c {
		m.root[c] = m.root[m.root[c]]
		c = m.root[c]
	}
	return c
}

// take makes the components that gain in the tour, and returns by how much it becomes shorter.
func (m *Merger) take(tour []int32) int64 {
	for i, c := range tour {
		m.pos[c] = int32(i)
	}
	slices.SortFunc(m.alts, func(x, y detour) int {
		return cmp.Or(cmp.Compare(y.gain, x.gain), cmp.Compare(x.root, y.root))
	})
	gain := int64(0)
	for i := range m.alts {
		m.alts[i].taken = false
	}
	for again := true; again; { // one that was refused may fit after others
		again = false
		for i := range m.alts {
			d := &m.alts[i]
			if d.gain <= 0 {
				break
			}
			if !d.taken && m.reroute(tour, d) {
				gain += d.gain
				d.taken, again = true, true
			}
		}
	}
	return gain
}

// reroute makes one component in the tour, if that leaves one circle.
func (m *Merger) reroute(tour []int32, d *detour) bool {
	n := int32(len(tour))
	m.cuts = m.cuts[:0]
	for _, e := range d.gone {
		x, y := m.pos[e.a], m.pos[e.b]
		if x > y {
			x, y = y, x
		}
		if x == 0 && y == n-1 { // the edge home
			x = y
		}
		m.cuts = append(m.cuts, x)
	}
	slices.Sort(m.cuts)
	k := len(m.cuts)
	// Path j is from behind cut j-1 to cut j; the first of them goes across the end of the tour. Its
	// ends have the numbers 2 j and 2 j + 1.
	m.mate = append(m.mate[:0], make([]int32, 2*k)...)
	for i := range m.mate {
		m.mate[i] = none
	}
	for _, e := range d.come {
		x := m.free(m.pos[e.a], n)
		m.mate[x] = x // not free any more
		y := m.free(m.pos[e.b], n)
		m.mate[x], m.mate[y] = y, x
	}
	paths, end := 1, int32(1)
	for ; m.mate[end] != 0; paths++ {
		end = m.mate[end] ^ 1
	}
	if paths < k {
		return false
	}
	at := 0
	for end = 0; at < len(tour); {
		at = m.copyPath(tour, end, at)
		end = m.mate[end^1]
	}
	copy(tour, m.next)
	for i, c := range tour {
		m.pos[c] = int32(i)
	}
	return true
}

// free is the end of a path at place p of the tour that has no mate yet.
func (m *Merger) free(p, n int32) int32 {
	j, cut := slices.BinarySearch(m.cuts, p)
	if cut && m.mate[2*j+1] == none {
		return int32(2*j + 1)
	}
	// It is the first city of a path, behind a cut.
	if p--; p < 0 {
		p = n - 1
	}
	j, _ = slices.BinarySearch(m.cuts, p)
	return int32((j + 1) % len(m.cuts) * 2)
}

// copyPath writes the path with the end, from this end on, to place at of next, and returns the
// place behind it.
func (m *Merger) copyPath(tour []int32, end int32, at int) int {
	k, n := len(m.cuts), len(tour)
	j := int(end / 2)
	from, to := int(m.cuts[(j+k-1)%k])+1, int(m.cuts[j])
	if from > to {
		to += n
	}
	for i := from; i <= to; i++ {
		p := i
		if end&1 == 1 {
			p = from + to - i
		}
		if p >= n {
			p -= n
		}
		m.next[at] = tour[p]
		at++
	}
	return at
}
