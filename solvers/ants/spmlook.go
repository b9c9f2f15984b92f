package ants

import (
	"errors"

	"metalab/solvers"
	"metalab/solvers/record"
)

// look is what trails.look computes, of all trails by slot.
func (s *selective) look() (branches int64, hash uint64) {
	row := make([]float32, s.t.k)
	i := uint64(0)
	for c := range s.n {
		s.expand(c, row)
		b, h := lookRow(row, i)
		branches += b
		hash += h
		i += uint64(len(row))
	}
	return branches, hash
}

// Measures implements solvers.Algorithm.
func (s *selective) Measures() []string { return []string{"branching", "fallback", "hit_ratio"} }

// Solution implements solvers.Algorithm.
func (s *selective) Solution() record.Solution {
	s.fetchBest(&s.hired, nil)
	return s.sequence.Solution()
}

// Trace implements solvers.Tracer.
func (s *selective) Trace() [][]int32 {
	if !s.atHome() {
		s.fetchTours(&s.hired)
	}
	return s.sequence.Trace()
}

// fetchMemory brings the trails here.
func (s *selective) fetchMemory() {
	if s.crew != nil && s.pull {
		s.lost = errors.Join(s.lost, s.gang.Memory(s.mem))
		s.pull = false
	}
}

// Trails implements solvers.Trailer.
func (s *selective) Trails(limit int) ([]solvers.Trail, int) {
	if limit < 1 {
		return nil, 0
	}
	s.fetchMemory()
	top := topTrails{limit: limit}
	for c := range int32(s.n) {
		for i := int(c) * s.slots; i < (int(c)+1)*s.slots; i++ {
			// An edge that both cities store is shown once, by the one with the smaller number.
			if j := s.mem.City[i]; j >= 0 && (s.sp.Asymmetric || c < j || s.mem.find(j, c) < 0) {
				top.offer(c, j, s.mem.Tau[i])
			}
		}
	}
	top.cut()
	for k := range top.list {
		e := &top.list[k]
		e.From, e.To = s.sp.Orig[e.From], s.sp.Orig[e.To]
	}
	return top.list, top.all
}
