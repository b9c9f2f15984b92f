package rounds

// MaxSegment is the largest number of cities of a segment that is inserted elsewhere.
const MaxSegment = 3

// segment is a stretch of the tour that begins at the proposer and leads away from the neighbour
// whose edge would be removed.
type segment struct {
	end, behind int32 // its last city, and the city after that
	saved       int64 // the gain of removing it and closing the gap
}

// segments returns those of 1 to MaxSegment cities from c, away from left; long is the distance of
// the two. At least two cities must remain outside.
func (b *board) segments(c, left int32, long int64, step int) (out [MaxSegment]segment) {
	for k := range b.longest() {
		s := &out[k]
		s.end, s.behind = b.at(int(b.pos[c])-step*k), b.at(int(b.pos[c])-step*(k+1))
		s.saved = long + int64(b.sp.D(s.end, s.behind)) - int64(b.sp.D(left, s.behind))
	}
	return out
}

// longest returns the number of cities of the longest segment that can be moved in this tour.
func (b *board) longest() int { return max(0, min(MaxSegment, b.n-2)) }

// insert replaces best if an insertion that gives c an edge to near, at distance d, gains more: of
// a segment that begins with c and leads away from left, into either of near's edges.
func (b *board) insert(
	best *proposal, c, near, left int32, d int64, step int, segments *[MaxSegment]segment,
) {
	pc := int(b.pos[c])
	ahead := b.wrap(step * (pc - int(b.pos[near]))) // steps from c to near, along the segment
	inner, outer := b.at(int(b.pos[near])+step), b.at(int(b.pos[near])-step)
	into := [2]int32{inner, outer}
	open := [2]int64{int64(b.sp.D(near, inner)) - d, int64(b.sp.D(near, outer)) - d}
	for k := range segments[:b.longest()] {
		s, size := &segments[k], k+1
		for side := range into {
			// The edge must lie outside the segment.
			if ahead+side <= size || s.saved+open[side] <= best.gain {
				continue // distances are not negative
			}
			gain := s.saved + open[side] - int64(b.sp.D(s.end, into[side]))
			if gain <= best.gain {
				continue
			}
			best.gain = gain
			best.ends = [6]int32{c, near, left, into[side], s.end, s.behind}
			best.segment, best.turned = size, side == 0
			// The segment and the cities between it and the edge change places, on the side where there are
			// fewer.
			past := ahead + side - size
			other := b.n - size - past
			best.high = step > 0
			if past > other {
				past, best.high = other, !best.high
			}
			best.size = size + past
			// low is the first position of the segment.
			low := pc
			if step > 0 {
				low -= size - 1
			}
			best.from = low
			if best.high {
				best.from -= past
			}
		}
	}
}

// apply makes an accepted move.
func (b *board) apply(p *proposal) {
	b.reverse(p.from, p.size)
	if p.segment == 0 {
		return
	}
	// Segment and passed cities have changed places, and both are reversed.
	past := p.size - p.segment
	segment, passed := p.from, p.from+p.segment
	if !p.high {
		segment, passed = p.from+past, p.from
	}
	b.reverse(b.wrap(passed), past)
	if !p.turned {
		b.reverse(b.wrap(segment), p.segment)
	}
}
