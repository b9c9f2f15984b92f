package moves

import "math/bits"

// stretches is a permutation for reversals of long parts: an array of the entries, and the list of
// the stretches of it that are read one after the other, forwards or backwards. A reversal changes
// the list alone. A list that has cost as much as writing the array anew is followed by that, so
// that a reversal costs O(sqrt n), and reading an entry O(log n). Where changes are rare among the
// entries that are read, they change the array.
//
// It holds at each position what the array of reverse and jump would hold there.
type stretches struct {
	cells []int32
	parts []stretch
	owed  int // what the list has cost since the array was written, in about ns

	looked int // entries and pairs since the last change
	rare   int // a mean of that over the last changes

	held      []int32 // the array of the mark; nil: there is none
	heldParts []stretch

	spare   [][]int32 // arrays that nobody reads
	scratch [2][]stretch
}

// stretch is a run of cells in the order in which they are read.
type stretch struct {
	at   int32 // position of its first entry
	cell int32 // where that is
	step int32 // 1, or -1: the cells are read backwards
}

// longFrom is the number of cities from which stretches are faster than an array.
const longFrom = 5000

func newStretches(cells []int32) *stretches {
	return &stretches{cells: cells, parts: []stretch{{0, 0, 1}}}
}

// find returns the index of the stretch with position i.
func (o *stretches) find(i int32) int {
	lo, hi := 0, len(o.parts)
	for hi-lo > 1 {
		if mid := int(uint(lo+hi) / 2); o.parts[mid].at <= i {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func (o *stretches) read(q *stretch, i int32) int32 { return o.cells[q.cell+q.step*(i-q.at)] }

// entry returns the entry at position i.
func (o *stretches) entry(i int32) int32 {
	o.look()
	return o.read(&o.parts[o.find(i)], i)
}

// look counts a search for a stretch.
func (o *stretches) look() {
	o.looked++
	o.owed += 4 * bits.Len(uint(len(o.parts)-1))
}

// seldom counts a change, and tells whether changes are so rare that a change of the array takes
// less time than the searches for stretches after one of the list.
func (o *stretches) seldom() bool {
	o.rare += (o.looked - o.rare) / 4
	o.looked = 0
	return o.rare > len(o.cells)/200
}

// pair returns the entries at position i and at the next one, in the circle.
func (o *stretches) pair(i int32) (a, b int32) {
	o.look()
	x := o.find(i)
	a = o.read(&o.parts[x], i)
	if i++; int(i) == len(o.cells) {
		i, x = 0, 0
	} else if x+1 < len(o.parts) && o.parts[x+1].at == i {
		x++
	}
	return a, o.read(&o.parts[x], i)
}

// reverse is the function reverse on these entries.
func (o *stretches) reverse(i, j int) {
	n := len(o.cells)
	if o.seldom() {
		reverse(o.own(), i, j)
	} else if l := j - i + 1; 2*l > n {
		o.turn((j+1)%n, n-l)
	} else {
		o.turn(i, l)
	}
}

// jump is the function jump on these entries.
func (o *stretches) jump(m Move) {
	if o.seldom() {
		jump(o.own(), m)
		return
	}
	n, part, far := len(o.cells), int(m.By), int(m.At[1])
	at, shifted := int(m.At[0]), far
	if rest := n - part - far; rest < far { // the part goes the other way
		at, shifted = (at-rest+n)%n, rest
		o.turn(at, rest+part) // part, rest
		o.turn((at+part)%n, shifted)
	} else {
		o.turn(at, far+part) // far, part
		o.turn(at, shifted)
		at += far
	}
	if !m.Back {
		o.turn(at%n, part)
	}
}

// turn reverses the l entries from position i on, in the circle.
func (o *stretches) turn(i, l int) {
	if l < 2 {
		return
	}
	if o.owed > len(o.cells) {
		o.write()
	}
	if i+l <= len(o.cells) {
		from := o.cut(int32(i))
		to := o.cut(int32(i + l))
		o.flip(o.parts[from:to], int32(i), int32(l))
	} else {
		o.turnAcross(int32(i), int32(l))
	}
	o.owed += 30 + len(o.parts)
}

// flip reverses the stretches of l positions from i on.
func (o *stretches) flip(parts []stretch, i, l int32) {
	for k := range parts {
		end := i + l
		if k+1 < len(parts) {
			end = parts[k+1].at
		}
		q := &parts[k]
		q.cell += q.step * (end - q.at - 1)
		q.step = -q.step
		q.at = 2*i + l - end
	}
	for a, b := 0, len(parts)-1; a < b; a, b = a+1, b-1 {
		parts[a], parts[b] = parts[b], parts[a]
	}
}

// turnAcross is turn where the entries lie across the end of the array.
func (o *stretches) turnAcross(i, l int32) {
	n := int32(len(o.cells))
	o.cut(i + l - n)
	o.cut(i)
	// What comes to stand before the end of the array, and what behind it, are stretches of their
	// own.
	if at := 2*i + l - n; at < n {
		o.cut(at)
	} else {
		o.cut(at - n)
	}
	left, right := o.find(i+l-n), o.find(i)
	turned := append(o.scratch[0][:0], o.parts[right:]...)
	for _, q := range o.parts[:left] {
		q.at += n
		turned = append(turned, q)
	}
	o.flip(turned, i, l)
	over := 0
	for over < len(turned) && turned[over].at < n {
		over++
	}
	all := o.scratch[1][:0]
	for _, q := range turned[over:] {
		q.at -= n
		all = append(all, q)
	}
	all = append(append(all, o.parts[left:right]...), turned[:over]...)
	o.scratch[0], o.scratch[1], o.parts = turned, o.parts, all
}

// cut makes a stretch begin at position i, and returns its index.
func (o *stretches) cut(i int32) int {
	if int(i) == len(o.cells) {
		return len(o.parts)
	}
	x := o.find(i)
	q := o.parts[x]
	if q.at == i {
		return x
	}
	o.parts = append(o.parts, stretch{})
	copy(o.parts[x+2:], o.parts[x+1:])
	o.parts[x+1] = stretch{i, q.cell + q.step*(i-q.at), q.step}
	return x + 1
}

// write writes the array anew, so that there is one stretch.
func (o *stretches) write() {
	if o.owed = 0; len(o.parts) == 1 {
		return // an only stretch is read forwards: a reversal of all entries is none of half of them
	}
	dst := o.fresh()
	o.copyTo(dst, o.cells, o.parts)
	o.replace(dst)
}

// own returns the array, in the order of the positions, for changes.
func (o *stretches) own() []int32 {
	o.write()
	if o.holds(o.cells) {
		dst := o.fresh()
		copy(dst, o.cells)
		o.replace(dst)
	}
	return o.cells
}

// replace makes dst the array.
func (o *stretches) replace(dst []int32) {
	if !o.holds(o.cells) {
		o.spare = append(o.spare, o.cells)
	}
	o.cells, o.parts = dst, append(o.parts[:0], stretch{0, 0, 1})
}

// holds tells whether the mark reads this array.
func (o *stretches) holds(cells []int32) bool {
	return len(o.held) > 0 && &o.held[0] == &cells[0]
}

// fresh returns an array that nobody reads.
func (o *stretches) fresh() []int32 {
	if k := len(o.spare) - 1; k >= 0 {
		out := o.spare[k]
		o.spare = o.spare[:k]
		return out
	}
	return make([]int32, len(o.cells))
}

func (o *stretches) copyTo(dst, cells []int32, parts []stretch) {
	for k, q := range parts {
		end := int32(len(dst))
		if k+1 < len(parts) {
			end = parts[k+1].at
		}
		out := dst[q.at:end]
		if q.step > 0 {
			copy(out, cells[q.cell:])
			continue
		}
		in := cells[int(q.cell)+1-len(out):][:len(out)]
		for x := range out {
			out[x] = in[len(in)-1-x]
		}
	}
}

// mark remembers the entries.
func (o *stretches) mark() {
	o.drop()
	o.held, o.heldParts = o.cells, append(o.heldParts[:0], o.parts...)
	o.owed += len(o.parts)
}

// marked returns the entries as they were at the last mark, and drops it.
func (o *stretches) marked() []int32 {
	out := make([]int32, len(o.held))
	o.copyTo(out, o.held, o.heldParts)
	o.drop()
	return out
}

// drop forgets the mark.
func (o *stretches) drop() {
	if len(o.held) > 0 && !o.holds(o.cells) {
		o.spare = append(o.spare, o.held)
	}
	o.held = nil
}
