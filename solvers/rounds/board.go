package rounds

import (
	"context"

	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// board is a tour during a search. It makes the rounds exactly as the package's documentation
// defines them.
type board struct {
	sp    *tours.Space
	near  *tours.Neighbours
	n     int
	width int
	or    bool

	tour, pos []int32 // tour[pos[c]] == c

	queue   []int32 // a ring of n places
	head    int     // place of the first city that waits
	waiting int     // cities that wait
	queued  []bool  // by city

	length        int64
	moves, rounds int64

	slots [Lanes]proposal
	ends  [8]int32
	moved []int32 // of kick
}

// proposal is the best move of a city.
type proposal struct {
	city int32
	gain int64 // 0: it has none
	// the city, its new neighbour, the old neighbour of the city, the old neighbour of the new
	// neighbour; of an insertion also the segment's other end and its old neighbour
	ends [6]int32
	from int // position of the first city of the stretch that changes
	size int // cities of the stretch
	won  bool

	segment int  // cities of the segment that is inserted, 0: it is a 2-opt move
	high    bool // the segment moves from the stretch's end to its beginning; else the other way
	turned  bool // the segment is reversed too
}

func newBoard(p *Problem) *board {
	n := p.Space.N
	return &board{
		sp: p.Space, near: &p.Near, n: n, width: p.Width, or: p.Or,
		tour: make([]int32, n), pos: make([]int32, n), queue: make([]int32, n), queued: make([]bool, n),
	}
}

// load sets the tour; no city is queued.
func (b *board) load(tour []int32) {
	copy(b.tour, tour)
	for i, c := range tour {
		b.pos[c] = int32(i)
	}
}

// wrap returns a position from [-n, 2n) modulo n.
func (b *board) wrap(p int) int {
	if p < 0 {
		return p + b.n
	}
	if p >= b.n {
		return p - b.n
	}
	return p
}

func (b *board) at(p int) int32 { return b.tour[b.wrap(p)] }

// push queues a city unless it waits already.
func (b *board) push(c int32) {
	if !b.queued[c] {
		b.queued[c] = true
		b.queue[b.wrap(b.head+b.waiting)] = c
		b.waiting++
	}
}

// fill queues the cities that have a gaining move, one of each stretch of the tour in turn.
func (b *board) fill() {
	stretch := (b.n + Lanes - 1) / Lanes
	for i := range stretch {
		for p := i; p < b.n; p += stretch {
			if c := b.tour[p]; b.propose(c).gain > 0 {
				b.push(c)
			}
		}
	}
}

// descend searches from all cities until none has a gaining move; see repair for ctx.
func (b *board) descend(ctx context.Context) error {
	for b.fill(); b.waiting > 0; b.fill() {
		if err := b.repair(ctx); err != nil {
			return err
		}
	}
	return nil
}

// repair makes rounds until no city waits. When ctx ends it returns ctx's error and empties the
// queue; the tour is then useless.
func (b *board) repair(ctx context.Context) error {
	for i := 1; b.waiting > 0; i++ {
		b.round()
		if i%askEvery == 0 && ctx.Err() != nil {
			b.empty()
			return ctx.Err()
		}
	}
	return nil
}

// empty takes all cities out of the queue.
func (b *board) empty() {
	for ; b.waiting > 0; b.waiting-- {
		b.queued[b.queue[b.head]] = false
		b.head = b.wrap(b.head + 1)
	}
}

// round is one round.
func (b *board) round() {
	b.rounds++
	slots := b.slots[:min(b.width, b.waiting)]
	for s := range slots {
		c := b.queue[b.head]
		b.head = b.wrap(b.head + 1)
		slots[s] = b.propose(c)
	}
	b.waiting -= len(slots)
	b.accept(slots)
	for s := range slots {
		p := &slots[s]
		switch {
		case p.won:
			b.apply(p)
			b.length -= p.gain
			b.moves++
			b.queued[p.city] = false
		case p.gain == 0:
			b.queued[p.city] = false
		}
	}
	for s := range slots {
		if p := &slots[s]; p.gain > 0 && !p.won {
			b.queued[p.city] = false
			b.push(p.city)
		}
	}
	for end := range len(proposal{}.ends) {
		for s := range slots {
			if slots[s].won && (end < 4 || slots[s].segment > 0) {
				b.push(slots[s].ends[end])
			}
		}
	}
}

// propose finds the best move of city c.
func (b *board) propose(c int32) proposal {
	best := proposal{city: c}
	pc := int(b.pos[c])
	// The edges of c that may be removed: to its successor, to its predecessor.
	sides := [2]int{1, -1}
	left := [2]int32{b.at(pc + 1), b.at(pc - 1)}
	long := [2]int64{int64(b.sp.D(c, left[0])), int64(b.sp.D(c, left[1]))}
	var segments [2][MaxSegment]segment
	known := [2]bool{}
	for _, near := range b.near.Of(c) {
		d := int64(b.sp.D(c, near))
		if d >= long[0] && d >= long[1] {
			break // neighbours farther away are no better
		}
		for s, step := range sides {
			if d >= long[s] {
				continue
			}
			beyond := b.at(int(b.pos[near]) + step)
			gain := long[s] - d + int64(b.sp.D(near, beyond)) - int64(b.sp.D(left[s], beyond))
			if gain > best.gain {
				best.gain = gain
				best.ends = [6]int32{c, near, left[s], beyond}
				best.segment = 0
				// The positions from .. from+size-1 are between the two removed edges.
				i, j := min(pc, int(b.pos[near])), max(pc, int(b.pos[near]))
				if step == 1 {
					best.from, best.size = i+1, j-i
				} else {
					best.from, best.size = i, j-i
				}
			}
		}
		for s, step := range sides {
			if b.or && d < long[s] {
				if !known[s] {
					segments[s], known[s] = b.segments(c, left[s], long[s], step), true
				}
				b.insert(&best, c, near, left[s], d, step, &segments[s])
			}
		}
	}
	if best.segment == 0 && 2*best.size > b.n {
		best.from, best.size = b.wrap(best.from+best.size), b.n-best.size
	}
	best.from = b.wrap(best.from)
	return best
}

// atOdds tells whether the stretches of two moves, each with the cities beside it, share a
// position.
func (b *board) atOdds(p, q *proposal) bool {
	ahead := b.wrap(q.from - p.from) // from p's stretch to q's, forward along the tour
	return ahead < p.size+2 || ahead+q.size+2 > b.n
}

// accept chooses the moves of the round, in the order of their gains, the largest first, ties by
// slot.
func (b *board) accept(slots []proposal) {
	for {
		first := -1
		for s := range slots {
			p := &slots[s]
			if p.gain == 0 || p.won || b.beaten(slots, p) {
				continue
			}
			if first < 0 || p.gain > slots[first].gain {
				first = s
			}
		}
		if first < 0 {
			return
		}
		slots[first].won = true
	}
}

// beaten tells whether an accepted move is at odds with p.
func (b *board) beaten(slots []proposal, p *proposal) bool {
	for s := range slots {
		if slots[s].won && b.atOdds(&slots[s], p) {
			return true
		}
	}
	return false
}

// reverse reverses the stretch of size cities that begins at the position from.
func (b *board) reverse(from, size int) {
	for k := range size / 2 {
		i, j := b.wrap(from+k), b.wrap(from+size-1-k)
		b.tour[i], b.tour[j] = b.tour[j], b.tour[i]
		b.pos[b.tour[i]], b.pos[b.tour[j]] = int32(i), int32(j)
	}
}

// kick puts three consecutive paths of 1 to size cities into the opposite order, without reversing
// any (a double bridge), and queues the ends of the four new edges.
func (b *board) kick(seed uint64, iter int64, chain, number, size int) {
	size = min(size, (b.n-2)/3)
	u := arith.Philox4x32(
		seed,
		[4]uint32{uint32(iter), uint32(iter>>32) ^ uint32(drawKick)<<24, uint32(chain), uint32(number)},
	)
	p := arith.Below(u[0], b.n)
	x, y, z := 1+arith.Below(u[1], size), 1+arith.Below(u[2], size), 1+arith.Below(u[3], size)
	// The paths are a [p+1 .. d] [e .. f] [g .. h] i.
	b.ends = [8]int32{
		b.at(p), b.at(p + 1), b.at(p + x), b.at(p + x + 1),
		b.at(p + x + y), b.at(p + x + y + 1), b.at(p + x + y + z), b.at(p + x + y + z + 1),
	}
	a, c, d, e := b.ends[0], b.ends[1], b.ends[2], b.ends[3]
	f, g, h, i := b.ends[4], b.ends[5], b.ends[6], b.ends[7]
	dist := func(i, j int32) int64 { return int64(b.sp.D(i, j)) }
	b.length += dist(a, g) + dist(h, e) + dist(f, c) + dist(d, i) -
		dist(a, c) - dist(d, e) - dist(f, g) - dist(h, i)
	b.moved = b.moved[:0]
	for k := range z {
		b.moved = append(b.moved, b.at(p+1+x+y+k))
	}
	for k := range y {
		b.moved = append(b.moved, b.at(p+1+x+k))
	}
	for k := range x {
		b.moved = append(b.moved, b.at(p+1+k))
	}
	for k, city := range b.moved {
		at := b.wrap(p + 1 + k)
		b.tour[at], b.pos[city] = city, int32(at)
	}
	for _, city := range b.ends {
		b.push(city)
	}
}
