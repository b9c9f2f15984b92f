package cpu

import (
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// Ways of choosing in mmas/rows.
const (
	Roulette  = "rwm" // roulette wheel
	Reservoir = "wrs" // weighted reservoir sampling
	// of ours: weighted reservoir sampling of groups of positions, then of one in the group
	Groups = "groups"
)

// Selections are the values of the parameter selection.
var Selections = []string{Roulette, Reservoir, Groups}

// MostListed is the longest candidate list.
const MostListed = stretch

// rows is the form of mmas/rows: the algorithms MMAS-RWM and MMAS-WRS of the paper, each with three
// ways of keeping the tabu list, with and without candidate lists.
//
// Choice. selection=rwm draws one number and a roulette wheel ([spin]); selection=wrs is weighted
// reservoir sampling, which draws a number for each unvisited city ([reserve]); selection=groups,
// which is ours, draws one for each group of eight positions ([sample]). All give each city a
// probability in proportion to its weight.
//
// candidates=0: all unvisited cities take part, at the positions of the [tabu] list, in
// float32 weights of a matrix. The positions of lc and ct are the same, so are their tours;
// bt has another order, and other tours.
//
// candidates=k: the unvisited ones on the list of the k nearest take part, at their slots; the tabu
// list only says which cities are visited, and its kind changes no tour. wrs and groups with up to
// 32 candidates draw as mmas/wrs. When all candidates are visited the ant goes to the unvisited
// city of greatest weight, with storage=matrix; of equal ones to that with the smallest number.
// With storage=candidates no trails are stored for edges on no list, and the ant goes to the
// nearest unvisited city, as in mmas/wrs.
//
// The paper's kernels add up weights in an order that depends on the block's size, and
// draw from generators by thread; here both are fixed, see [spin].
type rows struct {
	c         *Crew
	selection string

	left []*tabu     // by worker
	mass [][]float32 // by worker: the weights of a choice, by position
}

// Rows is the form of mmas/rows.
func Rows(c *Crew) (constructor, keeper) {
	if c.Selection != Roulette && !c.All && c.t.K <= trail.Width {
		return newClocks(c), newTable(c)
	}
	r := &rows{c: c, selection: c.Selection}
	if c.tourOf = r.tourOfLists; c.All {
		c.tourOf = r.tourOfAll
	}
	return r, newTable(c)
}

func (r *rows) rules(*crew.Rules) {}

func (r *rows) undo() {} // tours change no trails

func (r *rows) construct() {
	for len(r.left) < r.c.pool.Size() {
		r.left = append(r.left, newTabu(r.c.Tabu, r.c.n))
		r.mass = append(r.mass, make([]float32, max(r.c.n, r.c.t.K)))
	}
	r.c.each()
}

// tourOfAll makes the tour of an ant without lists.
func (r *rows) tourOfAll(ant, worker int) (length int64, falls int32, ok bool) {
	c, left, tour := r.c, r.left[worker], r.c.tour(ant)
	left.reset()
	d := newDraws(c.seed, c.it, ant)
	city := int32(arith.Below(d.word(0), c.n))
	tour[0] = city
	left.visit(city)
	for p := 1; p < len(tour); p++ {
		if p%(1+checkEvery/c.n) == 0 && c.stopped() {
			return 0, 0, false
		}
		m := left.gather(r.mass[worker], c.t.Full.Weight[int(city)*c.n:int(city)*c.n+c.n])
		next := left.city(r.draw(m, &d, ant, p))
		length += int64(c.sp.D(city, next))
		city = next
		tour[p] = city
		left.visit(city)
	}
	return length, 0, true
}

// draw chooses a position of m.
func (r *rows) draw(m []float32, d *draws, ant, p int) int {
	if r.selection == Reservoir {
		return reserve(m, r.c.seed, r.c.it, ant, p)
	}
	u := arith.Unit32(d.word(p))
	if r.selection == Groups {
		return sample(m, u, r.c.seed, r.c.it, ant, p)
	}
	return spin(m, u)
}

// tourOfLists makes the tour of an ant with lists.
func (r *rows) tourOfLists(ant, worker int) (length int64, falls int32, ok bool) {
	c, t, left, tour, own := r.c, r.c.t, r.left[worker], r.c.tour(ant), r.c.work[worker]
	clear(own.seen)
	own.unvisited.Reset()
	left.reset()
	d := newDraws(c.seed, c.it, ant)
	city := int32(arith.Below(d.word(0), c.n))
	tour[0], own.seen[city] = city, 1
	left.visit(city)
	m := r.mass[worker][:t.K]
	for p := 1; p < len(tour); p++ {
		if p%(1+checkEvery/t.Stride) == 0 && c.stopped() {
			return 0, 0, false
		}
		at := int(city) * t.Stride
		for s, id := range t.ID[at : at+t.K] {
			switch {
			case left.visited(id):
				m[s] = 0
			default:
				m[s] = t.Weight[at+s]
			}
		}
		if s := r.draw(m, &d, ant, p); s >= 0 {
			city = t.ID[at+s]
			length += int64(t.Dist[at+s])
		} else {
			var far int32
			city, far = c.fallback(city, own, tour[:p])
			length += int64(far)
			falls++
		}
		tour[p], own.seen[city] = city, 1
		left.visit(city)
	}
	return length, falls, true
}
