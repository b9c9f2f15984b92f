package examples

import (
	"math"
	"math/bits"

	"metalab/gpu/cuda"
)

// MaxCut is the change of the cut with vertex k on the other side; sides are bits.
func MaxCut(t cuda.T, w []int32, side []uint64, delta []int64) {
	n := len(delta)
	for k := t.Thread(); k < n; k += t.Threads() {
		mine, d := side[k>>6]>>(k&63)&1, int64(0)
		for j := range n {
			if side[j>>6]>>(j&63)&1 == mine {
				d += int64(w[k*n+j])
			} else {
				d -= int64(w[k*n+j])
			}
		}
		delta[k] = d
	}
}

// Splitmix draws: a method with a pointer receiver, a structure, products of 128 bits.
type Splitmix struct{ state uint64 }

// Next is the next word.
func (s *Splitmix) Next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := (s.state ^ s.state>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below is a number below n.
func (s *Splitmix) Below(n uint64) uint64 {
	for {
		hi, lo := bits.Mul64(s.Next(), n)
		if lo >= -n%n {
			return hi
		}
	}
}

// Draws shuffles and draws.
func Draws(t cuda.T, seed uint64, out []uint64) {
	for i := t.Thread(); i < len(out); i += t.Threads() {
		s := Splitmix{seed + uint64(i)}
		var p [16]uint8 // a shuffle, in local memory
		for k := range p {
			p[k] = uint8(k)
		}
		for k := len(p) - 1; k > 0; k-- {
			j := s.Below(uint64(k + 1))
			p[k], p[j] = p[j], p[k]
		}
		x := uint32(s.Next()) | 1
		h := uint64(0)
		for k := range p {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
			h = bits.RotateLeft64(h, int(p[k])) ^ uint64(p[k])<<40 ^ uint64(x)
		}
		out[i] = h
	}
}

// BlockMin finds the minimum of a block in shared memory.
func BlockMin(t cuda.T, x []float64, out []float64) {
	s := cuda.Shared[float64](t, 128)
	m := x[0]
	for i := t.Thread(); i < len(x); i += t.Threads() {
		m = min(m, x[i])
	}
	s[t.Local()] = m
	for h := t.Dim() / 2; h > 0; h /= 2 {
		t.Sync()
		if t.Local() < h {
			s[t.Local()] = min(s[t.Local()], s[t.Local()+h])
		}
	}
	if t.Local() == 0 {
		out[t.Block()] = s[0]
	}
}

type pair struct {
	lo, hi int64
	odd    bool
}

func order[N int64 | float64](a, b N, less func(N, N) bool) (N, N) {
	if less(b, a) {
		return b, a
	}
	return a, b
}

func sorted(p pair) pair {
	p.lo, p.hi = order(p.lo, p.hi, func(a, b int64) bool { return a < b })
	return p
}

// Corners are those of Go's arithmetic.
func Corners(t cuda.T, x, y []int64, f []float64, out []uint64, fout []float64) {
	for i := t.Thread(); i < len(x); i += t.Threads() {
		a, b, g := x[i], y[i], f[i]
		o := out[24*i : 24*i+24]
		if b != 0 {
			o[0], o[1] = uint64(a/b), uint64(a%b)
			o[2] = uint64(a) / uint64(b)
		}
		if int32(b) != 0 {
			o[3], o[4] = uint64(int32(a)/int32(b)), uint64(int32(a)%int32(b))
		}
		o[5], o[6], o[7] = uint64(a)<<uint64(b), uint64(a)>>uint64(b), uint64(a>>uint64(b))
		o[8], o[9] = uint64(int32(a)<<uint32(b)), uint64(int32(a)>>uint32(b))
		o[10], o[11] = uint64(int32(g)), uint64(int64(g))
		o[12], o[13] = uint64(uint32(g)), uint64(g)
		o[14], o[15] = uint64(int8(a)*int8(b)), uint64(uint8(a)-uint8(b))
		o[16] = uint64(bits.LeadingZeros64(uint64(a)))<<32 | uint64(bits.TrailingZeros32(uint32(b)))
		p := sorted(pair{a, b, a&1 != 0})
		if p.odd {
			p.lo, p.hi = p.hi, p.lo
		}
		o[17], o[18] = uint64(p.lo), uint64(p.hi)
		u, v, last := uint64(1), uint64(a), uint64(0) // swap and lost copy
		for k := uint64(0); ; k++ {
			u, v = v, u
			last = k ^ v
			if k == uint64(i%7) {
				break
			}
			v += k
		}
		o[19], o[20], o[21] = u, v, last
		o[22] = uint64(int16(b)<<3) ^ uint64(uint16(a)&^uint16(b))
		if g == g && (g > 3) != (b > 3) {
			o[23] = uint64(float32(a)) + uint64(uint32(b)>>(uint64(i)%50))
		}
		fo := fout[6*i : 6*i+6]
		fo[0], fo[1] = min(g, float64(a)), max(g, -g)
		fo[2], fo[3] = math.Floor(g), float64(uint64(a))
		fo[4], fo[5] = float64(float32(g)), math.Sqrt(math.Abs(g))/3
	}
}

// Faulty reads past the end in thread 77.
func Faulty(t cuda.T, x []int32, out []int32) {
	i := t.Thread()
	k := i
	if i == 77 {
		k = len(x)
	}
	out[i] = x[k]
}
