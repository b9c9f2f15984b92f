package ils

// A phase is what an iteration of queue makes.
type phase int

const (
	glancing   phase = iota // of every chain a quick search from all cities, see glances
	descending              // of every chain a search from all cities
	comparing               // the same from the other start, of which the shorter tour stays
	kicking                 // of every chain some kicks: perturb, search, accept
	filling                 // local optima for the pool
	crossing                // a generation of the pool
)

// schedule says which phase comes next: first the searches that are due, then cycles of kicks, each
// followed by a pool if there are pools. Numbers of it stand in states.
type schedule struct {
	glance  bool  // a quick search from all cities is due
	descend bool  // a search from all cities is due
	other   bool  // after it, one from the other start
	made    int64 // kicks of a chain in the cycle
	poolPlan
}

// Stages of a pool.
const (
	noPool       = iota // kicks are made
	stageFilling        // an iteration adds local optima
	byCycles            // an iteration is a generation
	byBlocks            // the same
	poolStages          // how many there are
)

// poolPlan is how far the pool is.
type poolPlan struct {
	stage      int64
	want       int64 // tours that the pool is to have
	last       int64 // those of the pool before; 0: there was none
	bred, idle int64 // generations in the stage, and those in turn without a better tour
}

// phase is that of the next iteration.
func (s *schedule) phase() phase {
	switch {
	case s.glance:
		return glancing
	case s.descend:
		return descending
	case s.other:
		return comparing
	case s.stage == noPool:
		return kicking
	case s.stage == stageFilling:
		return filling
	}
	return crossing
}

// kicked counts kicks of a chain, and tells whether they end a cycle of so many.
func (s *schedule) kicked(kicks int, cycle float64) (over bool) {
	if s.made += int64(kicks); float64(s.made) < cycle {
		return false
	}
	s.made = 0
	return true
}

// begin begins the next pool, with so many tours if it is the first, else with twice as many as the
// one before, but for the bounds of the pool's size; it has at least two for each chain.
func (p *poolPlan) begin(first, chains, cities int) {
	most := int64(min(poolTours, poolMost/cities))
	p.want = max(int64(first), min(2*p.last, most), 2*int64(chains))
	p.stage, p.bred, p.idle = stageFilling, 0, 0
}

// generation counts a generation that brought a better tour, or none, and tells whether it was the
// last. A stage ends when ten generations in turn, or a tenth of them, brought none.
func (p *poolPlan) generation(better bool) (over bool) {
	p.bred++
	if p.idle++; better {
		p.idle = 0
	}
	if p.idle >= max(poolIdle, p.bred/10) {
		p.stage, p.bred, p.idle = p.stage+1, 0, 0
	}
	return p.stage == poolStages
}

// end ends the pool. The next one is the first again if others are asked for: anew.
func (p *poolPlan) end(anew bool) {
	p.last = p.want
	if anew {
		p.last = 0
	}
	p.stage, p.want = noPool, 0
}
