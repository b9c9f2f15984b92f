package examples

import (
	"math"

	"metalab/gpu/cuda"
)

// Cities are places in the plane.
type Cities struct{ X, Y []float64 }

func (c Cities) dist(a, b int32) int32 {
	dx, dy := c.X[a]-c.X[b], c.Y[a]-c.Y[b]
	return int32(math.Sqrt(float64(dx*dx)+float64(dy*dy)) + 0.5)
}

// Scan finds the best exchange of two edges of a tour: the smallest word of change, i and j. It is
// written as one writes Go, with int.
func Scan(t cuda.T, c Cities, tour []int32, best []uint64) {
	mine, n := uint64(math.MaxUint64), len(tour)
	for i := t.Block(); i < n-2; i += t.Blocks() {
		a, b := tour[i], tour[i+1]
		ab := c.dist(a, b)
		for j := i + 2 + t.Local(); j < n; j += t.Dim() {
			k := j + 1
			if k == n {
				k = 0
			}
			f, e := tour[j], tour[k]
			change := c.dist(a, f) + c.dist(b, e) - ab - c.dist(f, e)
			mine = min(mine, uint64(uint32(change+1<<30))<<32|uint64(i)<<16|uint64(j))
		}
	}
	cuda.AtomicMin(&best[0], mine)
}

// Scan32 is the same with indices of 32 bits, as in the CUDA C.
func Scan32(t cuda.T, c Cities, tour []int32, best []uint64) {
	mine, n := uint64(math.MaxUint64), int32(len(tour))
	blocks, dim := int32(t.Blocks()), int32(t.Dim())
	for i := int32(t.Block()); i < n-2; i += blocks {
		a, b := tour[i], tour[i+1]
		ab := c.dist(a, b)
		for j := i + 2 + int32(t.Local()); j < n; j += dim {
			k := j + 1
			if k == n {
				k = 0
			}
			f, e := tour[j], tour[k]
			change := c.dist(a, f) + c.dist(b, e) - ab - c.dist(f, e)
			mine = min(mine, uint64(uint32(change+1<<30))<<32|uint64(i)<<16|uint64(j))
		}
	}
	cuda.AtomicMin(&best[0], mine)
}

// swapDelta is the change of the cost of QAP when facilities r and s change places.
func swapDelta(a, b, p []int32, n, r, s int32) int32 {
	pr, ps := p[r], p[s]
	d := (a[r*n+r]-a[s*n+s])*(b[ps*n+ps]-b[pr*n+pr]) + (a[r*n+s]-a[s*n+r])*(b[ps*n+pr]-b[pr*n+ps])
	for k := int32(0); k < n; k++ {
		if k == r || k == s {
			continue
		}
		pk := p[k]
		d += (a[k*n+r]-a[k*n+s])*(b[pk*n+ps]-b[pk*n+pr]) + (a[r*n+k]-a[s*n+k])*(b[ps*n+pk]-b[pr*n+pk])
	}
	return d
}

// QAP finds the best swap of each of many walks, O(n) each; n is even; a block takes a walk.
func QAP(t cuda.T, a, b, perms []int32, n int32, best []int64) {
	w := t.Block()
	p := perms[w*int(n) : (w+1)*int(n)]
	mine := int64(math.MaxInt64)
	for k := int32(t.Local()); k < n/2*(n-1); k += int32(t.Dim()) {
		r, s := k/(n-1), k%(n-1)+1
		if s <= r {
			r, s = n-1-r, n-s
		}
		mine = min(mine, int64(swapDelta(a, b, p, n, r, s))<<32|int64(r)<<16|int64(s))
	}
	cuda.AtomicMin(&best[w], mine)
}

// cosTurns is the cosine of x turns.
func cosTurns(x float64) float64 {
	x = math.Abs(x - math.Floor(x+0.5)) // 0 to 0.5
	sign := 1.0
	if x > 0.25 {
		x, sign = 0.5-x, -1
	}
	z := float64(x * x)
	z = float64(z * (4 * math.Pi * math.Pi))
	s := 1.0
	for k := 22.0; k > 0; k -= 2 {
		s = 1 - float64(s*z)/float64(k*(k-1))
	}
	return float64(sign * s)
}

func weierstrass1(x float64) float64 {
	s, a, b := 0.0, 1.0, 1.0
	for range 21 {
		s += float64(a * (cosTurns(float64(b*(x+0.5))) - cosTurns(float64(b*0.5))))
		a *= 0.5
		b *= 3
	}
	return s
}

// Weierstrass evaluates neighbours of x: number i has coordinate i%n moved by some steps.
func Weierstrass(t cuda.T, x []float64, step float64, out []float64) {
	for i := t.Thread(); i < len(out); i += t.Threads() {
		s := 0.0
		for j := range len(x) {
			v := x[j]
			if j == i%len(x) {
				v += float64(step * float64(i/len(x)-8))
			}
			s += weierstrass1(v)
		}
		out[i] = s
	}
}

// PPP is the cost of the permuted perceptron problem with bit j turned; 73 columns at most.
func PPP(t cuda.T, a []int8, y []int32, v []int8, goal []int32, out []int32) {
	n := len(v)
	for j := t.Thread(); j < n; j += t.Threads() {
		var hist [74]int32
		cost := int32(0)
		for i := range y {
			x := y[i] - 2*int32(a[i*n+j]*v[j])
			if x < 0 {
				cost += -30 * 2 * x
			} else {
				hist[x]++
			}
		}
		for k := range goal {
			d := goal[k] - hist[k]
			cost += max(d, -d)
		}
		out[j] = cost
	}
}

// PPP2 finds the best pair of bits to turn: the smallest word of cost and pair. Row i of the matrix
// lies at a[i*n]; y is the product with v.
func PPP2(t cuda.T, a []int8, y []int32, v []int8, goal []int32, best []uint64) {
	n := int32(len(v))
	mine := uint64(math.MaxUint64)
	for k := int32(t.Thread()); k < n*(n-1)/2; k += int32(t.Threads()) {
		j := (int32(math.Sqrt(float64(8*k+1))) + 1) / 2
		if j*(j-1)/2 > k {
			j--
		}
		i := k - j*(j-1)/2
		var hist [128]int32
		cost := int32(0)
		for r := range int32(len(y)) {
			x := y[r] - 2*(int32(a[r*n+i])*int32(v[i])+int32(a[r*n+j])*int32(v[j]))
			if x < 0 {
				cost -= 30 * 2 * x
			} else {
				hist[x&127]++
			}
		}
		for h := range goal {
			d := goal[h] - hist[h]
			cost += max(d, -d)
		}
		mine = min(mine, uint64(uint32(cost))<<32|uint64(k))
	}
	cuda.AtomicMin(&best[0], mine)
}

// Knapsack evaluates the flip of each item for many walks: the value with a penalty for weight
// above the capacity; word is its best, a block takes a walk.
func Knapsack(t cuda.T, weight, value []int32, x []uint8, capacity, penalty int64, best []int64) {
	n, w := len(weight), t.Block()
	s := cuda.Shared[int64](t, 2)
	mine := x[w*n : (w+1)*n]
	if t.Local() == 0 {
		s[0], s[1] = 0, 0
	}
	t.Sync()
	sumW, sumV := int64(0), int64(0)
	for i := t.Local(); i < n; i += t.Dim() {
		if mine[i] != 0 {
			sumW += int64(weight[i])
			sumV += int64(value[i])
		}
	}
	cuda.AtomicAdd(&s[0], sumW)
	cuda.AtomicAdd(&s[1], sumV)
	t.Sync()
	top := int64(math.MinInt64)
	for i := t.Local(); i < n; i += t.Dim() {
		sign := 1 - 2*int64(mine[i])
		over := s[0] + sign*int64(weight[i]) - capacity
		v := s[1] + sign*int64(value[i]) - penalty*max(over, 0)
		top = max(top, v<<20|int64(i))
	}
	cuda.AtomicMax(&best[w], top)
}
