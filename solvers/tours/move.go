package tours

// A move is an exchange of two to four edges of the tour. t1 and t2 are tour
// neighbours, so are t3, t4 and t5, t6; the edges between them go, and (t2, t3), (t4, t5)
// and (t6, t1), or (t2, t3) and (t4, t1), come, or of four edges (t2, t3), (t4, t5), (t6, t7) and
// (t8, t1): the names of Lin and Kernighan.
type move struct {
	kind                   kind
	t1, t2, t3, t4, t5, t6 int32
	t7, t8                 int32
}

// kind tells where the ends of a move's edges are on the path from t2 to t1.
type kind uint8

const (
	noMove    kind = iota
	exchange2      // t2 .. t4 t3 .. t1: reverses t2 .. t4
	exchange3      // exchange2, and then the same with t5, t6 on the path from t4
	swapParts      // t2 .. t5 t6 .. t3 t4 .. t1: the parts t2 .. t5 and t6 .. t3 change places
	turnParts      // t2 .. t6 t5 .. t3 t4 .. t1: both parts are reversed in place
	fourOn         // t2 .. t7 t8 .. t3 t4 .. t6 t5 .. t1: t8 .. t3 t2 .. t7 t6 .. t4 t5 .. t1
	fourBack       // t2 .. t8 t7 .. t3 t4 .. t6 t5 .. t1: t8 .. t2 t3 .. t7 t6 .. t4 t5 .. t1
	done2          // stands for the further levels of a chain whose first has more than two edges
)

// apply carries out m and marks the ends of its edges.
func (s *Search) apply(m *move) {
	r := s.ring
	switch m.kind {
	case exchange2:
		r.exchange(m.t1, m.t2, m.t3, m.t4)
	case exchange3:
		r.exchange(m.t1, m.t2, m.t3, m.t4)
		r.exchange(m.t1, m.t4, m.t5, m.t6)
	case swapParts:
		r.exchange(m.t1, m.t2, m.t4, m.t3)
		r.exchange(m.t1, m.t3, m.t5, m.t6)
		r.exchange(m.t5, m.t3, m.t2, m.t4)
	case turnParts:
		r.exchange(m.t1, m.t2, m.t5, m.t6)
		r.exchange(m.t5, m.t2, m.t3, m.t4)
	case fourOn:
		r.exchange(m.t1, m.t2, m.t5, m.t6)
		r.exchange(m.t1, m.t6, m.t7, m.t8)
		r.exchange(m.t3, m.t4, m.t5, m.t2)
	case fourBack:
		r.exchange(m.t1, m.t2, m.t7, m.t8)
		r.exchange(m.t2, m.t7, m.t4, m.t3)
		r.exchange(m.t7, m.t4, m.t5, m.t6)
	case noMove, done2:
		return
	}
	s.Push(m.t1)
	s.Push(m.t2)
	s.Push(m.t3)
	s.Push(m.t4)
	if m.kind != exchange2 {
		s.Push(m.t5)
		s.Push(m.t6)
	}
	if m.kind == fourOn || m.kind == fourBack {
		s.Push(m.t7)
		s.Push(m.t8)
	}
}
