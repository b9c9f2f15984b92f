package examples

import "metalab/gpu/cuda"

// primes is a table of the package.
var primes = [...]int32{2, 3, 5, 7, 11, 13, 17, 19}

// a step of a walk on a table of structures
var moves = []struct {
	dx, dy int8
	cost   float32
}{{1, 0, 0.5}, {0, 1, 0.25}, {-1, 0, 0.75}, {dy: -1, cost: 1}}

// Warps sums, votes and shuffles within warps; the sums of a block are added in an array whose size
// the launch gives.
func Warps(t cuda.T, x []int64, sum []int64, votes []uint32, near []float64) {
	s := cuda.SharedAtLaunch[int64](t)
	i := t.Thread()
	v := int64(0)
	if i < len(x) {
		v = x[i]
	}
	votes[4*i] = t.Ballot(v > 0)
	if t.Any(v == 7) {
		votes[4*i+1] = 1
	}
	if t.All(v < 50) {
		votes[4*i+2] = 1
	}
	votes[4*i+3] = cuda.Shuffle(t, uint32(i), t.Lane()/2) + 7*cuda.ShuffleXor(t, uint32(v), 3)
	near[i] = cuda.ShuffleUp(t, float64(v)/3, 1) - float64(cuda.ShuffleDown(t, float32(i), 4))
	for d := 16; d > 0; d /= 2 {
		o := cuda.ShuffleDown(t, v, d)
		if t.Lane()+d < 32 && t.Local()+d < t.Dim() {
			v += o
		}
	}
	if t.Lane() == 0 {
		s[t.Warp()] = v
	}
	t.Sync()
	if t.Local() == 0 {
		total := int64(0)
		for k := range (t.Dim() + cuda.WarpSize - 1) / cuda.WarpSize {
			total += s[k]
		}
		sum[t.Block()] = total
	}
}

// Tables walks by tables of the package.
func Tables(t cuda.T, steps int, x, y []int32, cost []float32) {
	for i := t.Thread(); i < len(x); i += t.Threads() {
		c := primes[len(primes)-1]
		for k := range steps {
			m := moves[(int(c)+k)%len(moves)]
			x[i] += int32(m.dx) * primes[(k+i)%8]
			y[i] += int32(m.dy) * primes[k%8]
			cost[i] += m.cost
			c = c*31 + int32(k)
			if c < 0 {
				c = -(c + 1)
			}
		}
		for _, p := range primes {
			y[i] ^= p
		}
	}
}
