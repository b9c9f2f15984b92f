package rounds

// A Polisher makes the search on single tours of other solvers, such as those of ants. It is for
// one goroutine.
//
// The search begins as one from a whole tour, with the cities that have a gaining move, one of each
// stretch of the tour in turn; but it leaves out cities with the same two neighbours as in a known
// tour, which must be a local optimum. It ends when the queue is empty for the first time.
type Polisher struct{ b *board }

// NewPolisher returns one for p, whose Seed and Env are not used.
func NewPolisher(p *Problem) *Polisher { return &Polisher{newBoard(p)} }

// Polish improves a tour, in internal numbers, and returns the gain in length. next and prev hold
// each city's neighbours in the known tour; nil: there is none. It calls stop, which may be nil,
// from time to time. If that returns true, Polish ends with ok false, and the tour is as before.
func (p *Polisher) Polish(tour, next, prev []int32, stop func() bool) (gain int64, ok bool) {
	b := p.b
	b.load(tour)
	b.length, b.moves, b.rounds, b.head = 0, 0, 0, 0
	b.fillBut(next, prev)
	for b.waiting > 0 {
		b.round()
		if stop != nil && b.rounds%askEvery == 0 && stop() {
			b.empty()
			return 0, false
		}
	}
	if b.moves > 0 {
		copy(tour, b.tour)
	}
	return -b.length, true
}

// Work returns the rounds and moves of the last search.
func (p *Polisher) Work() (rounds, moves int64) { return p.b.rounds, p.b.moves }

// askEvery is how many rounds a search makes between two calls of stop.
const askEvery = 64

// fillBut is fill without the cities whose neighbours are the same as in a known tour, which next
// and prev describe.
func (b *board) fillBut(next, prev []int32) {
	stretch := (b.n + Lanes - 1) / Lanes
	for i := range stretch {
		for p := i; p < b.n; p += stretch {
			c := b.tour[p]
			if next != nil {
				x, y := b.at(p-1), b.at(p+1)
				if prev[c] == x && next[c] == y || prev[c] == y && next[c] == x {
					continue
				}
			}
			if b.propose(c).gain > 0 {
				b.push(c)
			}
		}
	}
}
