package ants

import (
	"context"
	"math"

	"metalab/solvers/arith"
)

// keep keeps the memory as it is, for an iteration that is given up.
func (s *selective) keep() {
	if s.saved == nil {
		s.saved = NewMemory(s.n, s.slots)
	}
	s.saved.copy(s.mem)
}

// undo brings the memory back to where keep saw it.
func (s *selective) undo(ctx context.Context) error {
	s.mem.copy(s.saved)
	s.index()
	return ctx.Err()
}

// march makes all tours here; false when it was given up.
func (s *selective) march() bool {
	movers := s.ants
	if s.tours {
		movers = min(s.ants, squad)
	}
	for len(s.ant) < movers {
		s.ant = append(s.ant, mover{seen: make([]uint8, s.n)})
		s.notes = append(s.notes, nil)
	}
	s.hits, s.updates = 0, 0
	r := s.rules()
	done := int64(0)
	for s.first = 0; s.first < s.ants; s.first += movers {
		team := min(movers, s.ants-s.first)
		stride := lap
		if s.tours {
			stride = s.n + 1
		}
		for s.from = 0; s.from <= s.n; s.from += stride {
			if s.givable && s.stopped() {
				return false
			}
			s.to = min(s.from+stride, s.n+1)
			if team >= crowd/4 {
				s.env.Pool.Run(team, s.step)
			} else {
				for i := range team {
					s.step(i, 0)
				}
			}
			if s.cut.Load() {
				return false
			}
			for i := range team {
				tour := s.tour(s.first + i)
				for _, p := range s.notes[i] {
					s.touch(tour[p-1], tour[int(p)%s.n], &r)
				}
			}
			done += int64(team) * int64(s.to-s.from)
			s.progress(done, int64(s.ants)*int64(s.n+1))
		}
	}
	return true
}

// touch is the local update of an edge.
func (s *selective) touch(i, j int32, r *rules) {
	place, hit := s.mem.touch(i, j, r)
	s.count(place, hit)
	if !s.sp.Asymmetric {
		place, hit = s.mem.touch(j, i, r)
		s.count(place, hit)
	}
}

func (s *selective) count(place int, hit bool) {
	s.updates++
	if hit {
		s.hits++
		s.rekey(place)
	} else {
		s.indexed(place)
	}
}

// advance lets mover i make the positions of the lap under way.
func (s *selective) advance(i, _ int) {
	k := s.first + i
	a, tour := &s.ant[i], s.tour(k)
	notes := s.notes[i][:0]
	p := s.from
	if p == 0 {
		clear(a.seen)
		a.rest.done, a.length, a.falls = 0, 0, 0
		a.draws = newDraws(s.env.Seed, s.it, k)
		city := int32(arith.Below(a.word(0), s.n))
		tour[0], a.seen[city] = city, 1
		p = 1
	}
	period := s.localPeriod
	for ; p < min(s.to, s.n); p++ {
		if p%glance == 0 && s.givable && s.stopped() {
			return
		}
		city, d := s.choose(tour, k, p, a)
		if p%period == 0 {
			notes = append(notes, int32(p))
		}
		a.length += int64(d)
		tour[p], a.seen[city] = city, 1
	}
	if s.to > s.n {
		if s.n > 1 {
			notes = append(notes, int32(s.n)) // the way back
		}
		s.lengths[k], s.falls[k] = a.length+s.closing(tour), a.falls
	}
	s.notes[i] = notes
}

// choose is the city that ant k goes to for position p, and how far that is.
func (s *selective) choose(tour []int32, k, p int, a *mover) (city, d int32) {
	greedy := uint64(a.word(p)) < s.greedy // in any case: words are drawn four at a time
	c := tour[p-1]
	at := int(c) * s.t.stride
	ids := s.t.id[at : at+s.t.k]
	first := 0
	for first < len(ids) && a.seen[ids[first]] != 0 {
		first++
	}
	if first == len(ids) {
		a.falls++
		city, d = s.far.nearest(s.t.lists, c, a.seen, &a.rest, tour[:p], false)
		if s.outward[c] != 0 {
			place, key := s.outwards(c, a.seen)
			if key > 0 && key > math.Float32bits(float32(s.tauMin*s.visible(c, d)))&^(Width-1) {
				city = s.leads[place]
				d = s.sp.D(c, city)
			}
		}
		return city, d
	}
	eta := s.scaled[at : at+len(ids)]
	if greedy {
		most := weightKey(float32(s.tauMin*eta[first]), first)
		from, to := int(c)*s.slots, (int(c)+1)*s.slots
		keys, leads := s.keys[from:to], s.leads[from:to]
		for i, city := range leads[:len(keys)] {
			most = max(most, keys[i]&(uint32(a.seen[city])-1))
		}
		if s.outward[c] != 0 {
			if place, key := s.outwards(c, a.seen); key > most&^(Width-1) {
				city = s.leads[place]
				return city, s.sp.D(c, city)
			}
		}
		at += int(^most & (Width - 1))
		return s.t.id[at], s.t.dist[at]
	}
	var row [Width]float32
	s.expand(int(c), row[:len(ids)])
	least := ^uint32(0)
	for x, id := range ids {
		if a.seen[id] != 0 {
			continue
		}
		u := arith.Philox4x32(s.env.Seed, [4]uint32{
			uint32(s.it), uint32(s.it>>32) ^ purposeExplore<<24, uint32(k*Width + x), uint32(p),
		})[0]
		least = min(least, raceKey(u, 1/float32(row[x]*eta[x]), uint32(x), least))
	}
	at += int(least & (Width - 1))
	return s.t.id[at], s.t.dist[at]
}

// expand writes the trails of a city by slot of its list.
func (s *selective) expand(c int, row []float32) {
	for x := range row {
		row[x] = s.tauMin
	}
	for at := c * s.slots; at < (c+1)*s.slots; at++ {
		if slot := s.slot[at]; int(slot) < len(row) {
			row[slot] = s.mem.Tau[at]
		}
	}
}

// raceKey is the key of a slot in a race in which the least so far is least; where it is certainly
// greater, some greater one.
func raceKey(u uint32, reciprocal float32, slot, least uint32) uint32 {
	// The clock is -log2 U >= (1 - U) / ln 2, of which this is less: most have lost by that.
	if key := math.Float32bits(float32(^u>>8)*(1.43*0x1p-24)*reciprocal) &^ (Width - 1); key > least {
		return key
	}
	return arith.RaceKey(arith.Expo32(u), reciprocal, slot)
}
