package cpu

import (
	"math"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/arith"
)

// lap is the number of positions between the updates of acs/spm-sync.
const lap = 32

// selective is the form of acs/spm-sync and acs/spm, and keeps their trails.
//
// Memory. A city stores the trails of spm_slots of its edges, in a ring. All other trails are
// tau_min, which is tau0 if the parameter is 1, as in the published code. A local update of an edge
// applies at each of its cities (on asymmetric instances at the first only). If the trail is
// stored, it is tau <- (1 - rho) tau + rho tau0. Otherwise (1 - rho) tau_min + rho tau0 is stored
// in the ring's next place, and the trail that was there is forgotten: it is tau_min again. After
// the iteration the edges of the best tour are updated, for each city that to the city before it,
// then that to the city after it; those not stored are stored.
//
// Choice. With probability q0 the candidate of the greatest weight, else a race of clocks among
// candidates, as in lockstep. The comparison of weights ignores their low 5 bits, and among equal
// ones the smaller slot wins: so only stored edges and the nearest unvisited candidate need to be
// looked at. Only if all candidates are visited other cities are looked at, as in figure 3 of the
// paper: the ant takes the stored edge of the greatest weight that leads to one of them (among
// equal ones the last in the ring) if its weight is above that of the edge to the nearest unvisited
// city at tau_min; otherwise it goes to that city.
//
// Order. The edge to position p of a tour gets a local update if p is a multiple of local_period;
// the closing edge never gets one, as in the published code. Updates are recorded and applied
// later:
//   - spm-sync: all ants construct 32 positions (0 to 31, 32 to 63, ...) by the memory as it was
//     after the 32 positions before. Then the recorded updates apply, ant by ant, position by
//     position, for an edge first at the city that the ant left.
//   - spm: squads of 16 ants construct whole tours by the memory as it was after the squad before.
//     Then their updates apply, in that order. On a GPU as many ants as fit construct their tours
//     at once, and their updates come in random order, as published.
type selective struct {
	c     *Crew
	m     *trail.Memory
	whole bool // whole tours: spm
	r     stepRules
	slots int

	saved *trail.Memory
	// by place of a ring: the weight's key where the edge leads to a candidate, else 0
	keys  []uint32
	leads []int32 // by place of a ring: where the edge leads, or the city itself
	// by place of a ring: the weight's key where the edge leads beyond the list, else 0
	beyond  []uint32
	outward []uint32  // by city: which places of its ring have such an edge
	slot    []uint8   // by place of a ring: the candidate's, noSlot for an edge beyond the list
	factor  []float32 // by place of a ring: the weight over the trail
	scaled  []float32 // by slot: the weight over the trail

	ants  []mover
	notes [][]int32 // by mover: positions to be updated
	from  int       // the current lap has the positions in [from, to)
	to    int
	first int // the ant that is mover 0
	ring  ring
	move  func(i, worker int)
}

// SpmSync is the form of acs/spm-sync.
func SpmSync(c *Crew) (constructor, keeper) { return newSelective(c, false) }

// Spm is the form of acs/spm.
func Spm(c *Crew) (constructor, keeper) { return newSelective(c, true) }

func newSelective(c *Crew, whole bool) (constructor, keeper) {
	places := len(c.Memory.City)
	s := &selective{
		c: c, m: c.Memory, whole: whole, slots: c.Memory.Slots,
		keys: make([]uint32, places), leads: make([]int32, places), beyond: make([]uint32, places),
		outward: make([]uint32, c.n), slot: make([]uint8, places), factor: make([]float32, places),
		scaled: make([]float32, len(c.t.Eta)),
	}
	s.move = s.steps
	return s, s
}

func (s *selective) rules(r *crew.Rules) {
	s.r = stepRulesOf(r)
	s.c.t.Inv = r.Inv
	for i, e := range s.c.t.Eta {
		s.scaled[i] = crew.Scaled(e, r.Inv)
	}
	s.index()
}

// keep makes a copy of the memory, in case the iteration is cancelled.
func (s *selective) keep() {
	if s.saved == nil {
		s.saved = trail.NewMemory(s.c.sp, s.slots)
	}
	s.saved.Copy(s.m)
}

func (s *selective) undo() {
	s.m.Copy(s.saved)
	s.index()
}

func (s *selective) construct() {
	c := s.c
	if c.givable = c.long(); c.givable {
		s.keep()
	}
	movers := c.ants
	if s.whole {
		movers = min(c.ants, squad)
	}
	s.ants = c.movers(s.ants, movers)
	for len(s.notes) < movers {
		s.notes = append(s.notes, nil)
	}
	c.out.Hits, c.out.Updates = s.m.Hits, s.m.Updates // the global update before
	done := int64(0)
	for s.first = 0; s.first < c.ants; s.first += movers {
		team := min(movers, c.ants-s.first)
		stride := lap
		if s.whole {
			stride = c.n
		}
		for s.from = 0; s.from < c.n; s.from += stride {
			if c.givable && c.stopped() {
				return
			}
			s.to = min(s.from+stride, c.n)
			c.pool.RunOf(team, c.choices(s.to-s.from)*int64(team)/int64(c.ants), s.move)
			if c.cut.Load() {
				return
			}
			for i := range team {
				tour := c.tour(s.first + i)
				for _, p := range s.notes[i] {
					s.touch(tour[p-1], tour[p])
				}
			}
			done += int64(team) * int64(s.to-s.from)
			c.progress(done, int64(c.ants)*int64(c.n))
		}
	}
}

// touch is the local update of an edge.
func (s *selective) touch(i, j int32) {
	s.count(s.m.Touch(i, j, &s.r.Local))
	if !s.c.sp.Asymmetric {
		s.count(s.m.Touch(j, i, &s.r.Local))
	}
}

func (s *selective) count(place int, hit bool) {
	s.c.out.Updates++
	if hit {
		s.c.out.Hits++
		s.rekey(place)
	} else {
		s.indexed(place)
	}
}

// steps constructs the positions of the current lap for mover i.
func (s *selective) steps(i, _ int) {
	c, k := s.c, s.first+i
	a, tour := &s.ants[i], c.tour(k)
	notes := s.notes[i][:0]
	p := s.from
	if p == 0 {
		a.start(c, k)
		p = 1
	}
	period := s.r.Period
	for ; p < s.to; p++ {
		if p%checkEvery == 0 && c.givable && c.stopped() {
			return
		}
		city, d := s.choose(tour, k, p, a)
		if p%period == 0 {
			notes = append(notes, int32(p))
		}
		a.length += int64(d)
		tour[p], a.seen[city] = city, 1
	}
	if s.to == c.n {
		c.out.Lengths[k], c.out.Falls[k] = a.length+c.closing(tour), a.falls
	}
	s.notes[i] = notes
}

// choose returns the city that ant k puts at position p, and its distance.
func (s *selective) choose(tour []int32, k, p int, a *mover) (city, d int32) {
	t := s.c.t
	greedy := s.r.exploits(a.word(p)) // drawn even if not needed: words come in order
	c := tour[p-1]
	at := int(c) * t.Stride
	ids := t.ID[at : at+t.K]
	first := 0
	for first < len(ids) && a.seen[ids[first]] != 0 {
		first++
	}
	if first == len(ids) {
		a.falls++
		city, d = s.c.Nearest.Of(c, a.seen, &a.unvisited, tour[:p])
		if s.outward[c] != 0 {
			place, key := s.outwards(c, a.seen)
			if key > 0 && key > math.Float32bits(float32(s.r.TauMin*s.c.scaledOf(c, d)))&^(trail.Width-1) {
				city = s.leads[place]
				d = s.c.sp.D(c, city)
			}
		}
		return city, d
	}
	eta := s.scaled[at : at+len(ids)]
	if greedy {
		most := weightKey(float32(s.r.TauMin*eta[first]), first)
		from, to := int(c)*s.slots, (int(c)+1)*s.slots
		keys, leads := s.keys[from:to], s.leads[from:to]
		for i, city := range leads[:len(keys)] {
			most = max(most, keys[i]&(uint32(a.seen[city])-1))
		}
		at += int(^most & (trail.Width - 1))
		return t.ID[at], t.Dist[at]
	}
	var row [trail.Width]float32
	s.expand(int(c), row[:len(ids)])
	for x := range ids {
		row[x] = float32(row[x] * eta[x])
	}
	at += s.c.race(ids, row[:len(ids)], a.seen, k, p)
	return t.ID[at], t.Dist[at]
}

// expand writes the trails of a city by slot of its list.
func (s *selective) expand(c int, row []float32) {
	for x := range row {
		row[x] = s.r.TauMin
	}
	for at := c * s.slots; at < (c+1)*s.slots; at++ {
		if slot := s.slot[at]; int(slot) < len(row) {
			row[slot] = s.m.Tau[at]
		}
	}
}

// raceKey returns the key of a slot in a race in which the least key so far is least. If the key is
// certainly greater than that, it returns any greater number.
func raceKey(u uint32, reciprocal float32, slot, least uint32) uint32 {
	// A quick test by a lower bound of the clock, which most slots fail: -log2 U >= (1 - U) / ln 2.
	bound := float32(^u>>8) * (1.43 * 0x1p-24) * reciprocal
	if key := math.Float32bits(bound) &^ (trail.Width - 1); key > least {
		return key
	}
	return arith.RaceKey(arith.Expo32(u), reciprocal, slot)
}
