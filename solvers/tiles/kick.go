package tiles

import "metalab/solvers/arith"

// attempts is how often a kick draws four edges, until they differ.
const attempts = 4

// blocks is how many blocks of draws belong to a kick.
const blocks = 32

// draws are those of a piece in an iteration.
type draws struct {
	seed  uint64
	iter  uint64
	agent uint32
	kick  uint32
}

// agentOf numbers the pieces of all chains.
func agentOf(chain, piece int) uint32 { return uint32(chain)<<24 | uint32(piece) }

func (d *draws) block(b uint32) [4]uint32 {
	return arith.Philox4x32(d.seed, [4]uint32{
		uint32(d.iter), uint32(d.iter>>32) ^ uint32(drawKick)<<24, d.agent, d.kick*blocks + b,
	})
}

// kick makes a double bridge: of a circle a B C D h the paths B, C and D come in the order D C B,
// none of them turned. It returns false, and changes nothing, if no attempt finds four edges.
func (p *piece) kick(job *Job, d *draws, first uint32) bool {
	at := uint16(arith.Below(first, p.m))
	var q [4]int // the edges that go lead from these places to the next
	for try := range uint32(attempts) {
		if job.Kick == Walk {
			for i := range q {
				q[i] = p.loose(p.walk(at, job.Width, d.block(1+4*try+uint32(i))))
			}
		} else {
			size := max(1, min(job.Width, (p.m-2)/3))
			w, c := d.block(1+4*try), int(p.pos[at])
			for i := range q {
				if i > 0 {
					c += 1 + arith.Below(w[i], size)
				}
				q[i] = p.loose(p.order[c%p.m])
			}
		}
		sort4(&q)
		if q[0] < q[1] && q[1] < q[2] && q[2] < q[3] {
			p.bridge(&q)
			return true
		}
	}
	return false
}

// walk is the end of a random walk over the lists of neighbours. A step takes three bits.
func (p *piece) walk(c uint16, steps int, w [4]uint32) uint16 {
	for i := range steps {
		u := w[i/10] >> (3 * (i % 10)) & 7
		if k := min(uint32(p.count[c]), 8); k > 0 {
			c = p.near[int(c)*MaxNeighbours+int(u*k>>3)]
		}
	}
	return c
}

// loose is the place of c, or the next one if a fixed edge leads on from c.
func (p *piece) loose(c uint16) int {
	next := p.step(c, 1)
	if p.mate[c] == next {
		return int(p.pos[next])
	}
	return int(p.pos[c])
}

// sort4 sorts by comparing and exchanging pairs.
func sort4(q *[4]int) {
	for _, e := range [5][2]int{{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}} {
		if q[e[0]] > q[e[1]] {
			q[e[0]], q[e[1]] = q[e[1]], q[e[0]]
		}
	}
}

// bridge makes the double bridge of the edges behind four places. The circle is still the saved
// one.
func (p *piece) bridge(q *[4]int) {
	end := p.saved[0]
	if q[3]+1 < p.m {
		end = p.saved[q[3]+1]
	}
	e := [8]uint16{
		p.saved[q[0]], p.saved[q[0]+1], p.saved[q[1]], p.saved[q[1]+1],
		p.saved[q[2]], p.saved[q[2]+1], p.saved[q[3]], end,
	}
	// a [b .. d] [e .. f] [g .. h] i becomes a [g .. h] [e .. f] [b .. d] i.
	for i := 0; i < 8; i += 2 {
		p.change -= int64(p.dist(e[i], e[i+1]))
		p.marks -= mark(e[i], e[i+1])
	}
	for _, x := range [4][2]int{{0, 5}, {6, 3}, {4, 1}, {2, 7}} {
		p.change += int64(p.dist(e[x[0]], e[x[1]]))
		p.marks += mark(e[x[0]], e[x[1]])
	}
	at := q[0] + 1
	for i := 2; i >= 0; i-- {
		for _, c := range p.saved[q[i]+1 : q[i+1]+1] {
			p.order[at], p.pos[c] = c, uint16(at)
			at++
		}
	}
	for _, c := range e {
		p.push(c)
	}
}

// repair makes moves from the cities in the queue, from each until it has none, until the queue is
// empty, or the circle is again that before the kick, which it tells.
func (p *piece) repair(op Operator) (restored bool) {
	for p.wait > 0 {
		for c := p.pop(); ; {
			gain, m := p.best(c, op)
			if gain <= 0 {
				break
			}
			p.apply(&m)
			p.change -= int64(gain)
			if p.change == 0 && p.marks == 0 {
				for p.wait > 0 {
					p.pop()
				}
				return true
			}
		}
	}
	return false
}

// trial makes a kick and its repair, and keeps the result if it is good enough.
func (p *piece) trial(job *Job, scale float64, d *draws, out *Outcome) {
	w := d.block(0)
	p.change, p.marks = 0, 0
	if !p.kick(job, d, w[0]) {
		return
	}
	limit := int64(0)
	if job.Scale != nil {
		limit = int64(-scale * arith.Log2(arith.Unit64(w[1])))
	}
	if !p.repair(job.Operator) && p.change <= limit*int64(p.scale) {
		if p.paired() {
			copy(p.saved[:p.m], p.order[:p.m])
			out.Kept++
			out.Change += p.change / int64(p.scale)
			if p.change < 0 {
				out.Gained++
			}
			return
		}
		out.Refused++
	}
	for i, c := range p.saved[:p.m] {
		p.order[i], p.pos[c] = c, uint16(i)
	}
}

// search makes all kicks of a loaded piece in a round; over tells that it is to end early.
func (p *piece) search(
	job *Job, seed uint64, chain, piece int, out *Outcome, over func() bool,
) {
	d := draws{seed: seed, iter: uint64(job.Iter), agent: agentOf(chain, piece)}
	scale := 0.0
	if job.Scale != nil {
		scale = job.Scale[chain]
	}
	kicks := (p.m*job.Rate + 500) / 1000
	for i := range kicks {
		if i%64 == 0 && over() {
			return
		}
		d.kick = uint32(i)
		p.trial(job, scale, &d, out)
	}
	out.Kicks = int64(kicks)
	out.Moves = p.moves
}
