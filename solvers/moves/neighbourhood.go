package moves

import (
	"fmt"

	"metalab/datasets"
)

// A Move is a small change of a solution. It holds the positions that change, in increasing order,
// with -1 for unused ones.
//
// On bits the entries there change sign. On vectors of values By is added to the entry at At[0],
// modulo the number of values; if By is 0, two entries change places. On real vectors At[0] is the
// number of a crown instead of a position, Back stands for the wide ball and By for a Gaussian
// step. If At[2] is -2, the move belongs to a user's own neighbourhood, and At[0] is its number. On
// permutations two entries change places, or three do in a circle: position At[0] takes the entry
// of At[1], At[1] that of At[2] and At[2] that of At[0], or, with Back, the other way round. Two
// positions with Back are the ends of a part to reverse; two with By, in any order, remove the
// entry at At[0] and insert it so that it is at At[1]. On tours By cities in a row, the first at
// At[0], jump over the At[1] cities behind them, reversed if Back is set.
type Move struct {
	At   [3]int32
	Back bool
	By   int32
}

// none fills the positions that a move does not need.
const none = -1

// arity is the number of positions that m touches.
func (m Move) arity() int {
	switch {
	case m.At[1] == none:
		return 1
	case m.At[2] == none:
		return 2
	}
	return 3
}

// A Neighbourhood is the list of all moves of one sort on solutions of one size. Its moves are
// numbered in lexicographic order of their positions, as by Luong, Melab and Talbi, so that any
// processor can compute its own moves; ties between moves always go to the smaller number.
type Neighbourhood interface {
	// Name is its name in parameters, such as "swap".
	Name() string

	// Size is the number of moves.
	Size() int64

	// Move is the move with the given index, of [0, Size).
	Move(index int64) Move

	// Index is the inverse of Move.
	Index(m Move) int64

	// Next is the move with the index after that of m, found faster than by Move; after
	// the last one it is not a move.
	Next(m Move) Move
}

// NeighbourhoodOf is the neighbourhood of an instance with this number, the smallest first. On real
// vectors it has size moves.
func NeighbourhoodOf(inst datasets.Instance, number int, size int64) (Neighbourhood, error) {
	nbs, err := neighbourhoods(inst)
	if err != nil {
		return nil, err
	}
	if number < 0 || number >= len(nbs) {
		return nil, fmt.Errorf("moves: neighbourhood number %d of %s, want 0 to %d", number,
			inst.Name(), len(nbs)-1)
	}
	if inst.Kind() == datasets.KindWeierstrass {
		return Balls(int(size), number == 1)
	}
	return nbs[number], nil
}

// Flips returns the neighbourhood of Hamming distance k, 1 to 3, on n bits: n, n(n-1)/2 or
// n(n-1)(n-2)/6 moves.
func Flips(n, k int) (Neighbourhood, error) {
	if k < 1 || k > 3 || n < 0 || int64(n) > MaxTriples {
		return nil, fmt.Errorf(
			"moves: flips of %d among %d bits, want 1 to 3 among 0 to %d", k, n, MaxTriples,
		)
	}
	return flips{n: int64(n), k: k}, nil
}

type flips struct {
	n int64
	k int
}

var flipNames = [...]string{"", "hamming1", "hamming2", "hamming3"}

func (f flips) Name() string { return flipNames[f.k] }

func (f flips) Size() int64 {
	switch f.k {
	case 1:
		return f.n
	case 2:
		return Pairs(f.n)
	}
	return Triples(f.n)
}

func (f flips) Move(index int64) Move {
	switch f.k {
	case 1:
		return Move{At: [3]int32{int32(index), none, none}}
	case 2:
		return pairMove(f.n, index)
	}
	i, j, k := TripleAt(f.n, index)
	return Move{At: [3]int32{int32(i), int32(j), int32(k)}}
}

func (f flips) Index(m Move) int64 {
	switch f.k {
	case 1:
		return int64(m.At[0])
	case 2:
		return PairIndex(f.n, int64(m.At[0]), int64(m.At[1]))
	}
	return TripleIndex(f.n, int64(m.At[0]), int64(m.At[1]), int64(m.At[2]))
}

func (f flips) Next(m Move) Move {
	n := int32(f.n)
	switch f.k {
	case 1:
		m.At[0]++
	case 2:
		m = nextPair(n, m)
	default:
		m = nextTriple(n, m)
	}
	return m
}

func pairMove(n, index int64) Move {
	i, j := PairAt(n, index)
	return Move{At: [3]int32{int32(i), int32(j), none}}
}

func nextPair(n int32, m Move) Move {
	if m.At[1]++; m.At[1] == n {
		m.At[0]++
		m.At[1] = m.At[0] + 1
	}
	return m
}

func nextTriple(n int32, m Move) Move {
	if m.At[2]++; m.At[2] < n {
		return m
	}
	if m.At[1]++; m.At[1] < n-1 {
		m.At[2] = m.At[1] + 1
		return m
	}
	m.At[0]++
	m.At[1], m.At[2] = m.At[0]+1, m.At[0]+2
	return m
}

// Swaps returns the 2-exchange neighbourhood of permutations of n entries: n(n-1)/2 moves.
func Swaps(n int) (Neighbourhood, error) {
	if n < 0 || int64(n) > MaxTriples {
		return nil, fmt.Errorf("moves: swaps among %d entries, want 0 to %d", n, MaxTriples)
	}
	return swaps{int64(n)}, nil
}

type swaps struct{ n int64 }

func (s swaps) Name() string          { return "swap" }
func (s swaps) Size() int64           { return Pairs(s.n) }
func (s swaps) Move(index int64) Move { return pairMove(s.n, index) }
func (s swaps) Index(m Move) int64    { return PairIndex(s.n, int64(m.At[0]), int64(m.At[1])) }
func (s swaps) Next(m Move) Move      { return nextPair(int32(s.n), m) }

// Cycles returns the 3-exchange neighbourhood of permutations of n entries: the
// n(n-1)(n-2)/3 ways to move three entries in a circle; the two directions of a triple
// follow each other.
func Cycles(n int) (Neighbourhood, error) {
	if n < 0 || int64(n) > MaxTriples {
		return nil, fmt.Errorf("moves: 3-exchanges among %d entries, want 0 to %d", n, MaxTriples)
	}
	return cycles{int64(n)}, nil
}

type cycles struct{ n int64 }

func (c cycles) Name() string { return "3exchange" }
func (c cycles) Size() int64  { return 2 * Triples(c.n) }

func (c cycles) Move(index int64) Move {
	i, j, k := TripleAt(c.n, index/2)
	return Move{At: [3]int32{int32(i), int32(j), int32(k)}, Back: index%2 == 1}
}

func (c cycles) Index(m Move) int64 {
	x := 2 * TripleIndex(c.n, int64(m.At[0]), int64(m.At[1]), int64(m.At[2]))
	if m.Back {
		x++
	}
	return x
}

func (c cycles) Next(m Move) Move {
	if !m.Back {
		m.Back = true
		return m
	}
	m.Back = false
	return nextTriple(int32(c.n), m)
}

// reversals are the pairs of positions between which a part is turned round: on tours the moves of
// 2-opt.
type reversals struct{ swaps }

func (r reversals) Name() string { return "reverse" }

func (r reversals) Move(index int64) Move {
	m := r.swaps.Move(index)
	m.Back = true
	return m
}

// reversal tells whether m turns a part of a tour round.
func (m Move) reversal() bool { return m.Back && m.By == 0 && m.At[1] != none && m.At[2] == none }

// reverse turns p round between the positions i and j, i < j, or, where that is shorter, outside
// of them, which makes the same tour.
func reverse(p []int32, i, j int) {
	n := len(p)
	steps := (j - i + 1) / 2
	if 2*(j-i+1) > n {
		i, j = j+1, i-1
		steps = (n - (i - j - 1)) / 2
	}
	for steps > 0 {
		if i == n {
			i = 0
		}
		if j < 0 {
			j = n - 1
		}
		run := min(steps, n-i, j+1) // without a test for the ends
		there, back := p[i:i+run], p[j-run+1:j+1]
		for x := range there {
			y := len(back) - 1 - x
			there[x], back[y] = back[y], there[x]
		}
		i, j, steps = i+run, j-run, steps-run
	}
}

// insertion tells whether m puts an entry of a permutation elsewhere.
func (m Move) insertion() bool { return m.By != 0 && m.At[1] != none }

// moved returns the number of positions whose entries count as moved in a tabu search, without
// those that an insertion shifts.
func (m Move) moved() int {
	if m.insertion() {
		return int(m.By)
	}
	return m.arity()
}

// place is the position of the entry with number x of those that m moves, among n.
func (m Move) place(x, n int) int32 {
	if !m.insertion() {
		return m.At[x]
	}
	if at := int(m.At[0]) + x; at < n {
		return int32(at)
	} else {
		return int32(at - n)
	}
}

// Insertions returns the neighbourhood of insertions of permutations of n entries: n(n-1) moves,
// ordered by the position of the entry and then by its new position.
func Insertions(n int) (Neighbourhood, error) {
	if n < 0 || int64(n) > MaxTriples {
		return nil, fmt.Errorf("moves: insertions among %d entries, want 0 to %d", n, MaxTriples)
	}
	return insertions{int64(n)}, nil
}

type insertions struct{ n int64 }

func (s insertions) Name() string { return "insertion" }
func (s insertions) Size() int64  { return s.n * (s.n - 1) }

func (s insertions) Move(index int64) Move {
	if s.n < 2 {
		return Move{At: [3]int32{0, 0, none}, By: 1} // there are none
	}
	i, j := index/(s.n-1), index%(s.n-1)
	if j >= i {
		j++
	}
	return Move{At: [3]int32{int32(i), int32(j), none}, By: 1}
}

func (s insertions) Index(m Move) int64 {
	i, j := int64(m.At[0]), int64(m.At[1])
	if j > i {
		j--
	}
	return i*(s.n-1) + j
}

func (s insertions) Next(m Move) Move {
	if m.At[1]++; m.At[1] == m.At[0] {
		m.At[1]++
	}
	if int64(m.At[1]) >= s.n {
		m.At[0]++
		m.At[1] = 0
	}
	return m
}

// Reversals returns the neighbourhood of parts of permutations of n entries that are turned round:
// n(n-1)/2 moves, by their ends.
func Reversals(n int) (Neighbourhood, error) {
	if n < 0 || int64(n) > MaxTriples {
		return nil, fmt.Errorf("moves: reversals among %d entries, want 0 to %d", n, MaxTriples)
	}
	return reversals{swaps{int64(n)}}, nil
}

// insert takes the entry at i out of p and puts it in again so that it stands at j.
func insert(p []int32, i, j int) {
	x := p[i]
	if i < j {
		copy(p[i:j], p[i+1:j+1])
	} else {
		copy(p[j+1:i+1], p[j:i])
	}
	p[j] = x
}

// permute applies m to the permutation p.
func permute(p []int32, m Move) {
	i, j := m.At[0], m.At[1]
	if m.At[2] == none {
		p[i], p[j] = p[j], p[i]
		return
	}
	k := m.At[2]
	if m.Back {
		p[i], p[j], p[k] = p[k], p[i], p[j]
	} else {
		p[i], p[j], p[k] = p[j], p[k], p[i]
	}
}

// number returns the index of the neighbourhood with this name.
func number(nbs []Neighbourhood, name string) int {
	for i, nb := range nbs {
		if nb.Name() == name {
			return i
		}
	}
	return 0
}

// names lists the neighbourhoods.
func names(nbs []Neighbourhood) []string {
	var out []string
	for _, nb := range nbs {
		out = append(out, nb.Name())
	}
	return out
}
