package cuda_test

import (
	"strings"
	"testing"

	"metalab/gpu/cuda"

	"pgregory.net/rapid"
)

func TestThreadNumbers(t *testing.T) {
	t.Parallel()
	out := make([][6]int, 3*70)
	err := cuda.Run(cuda.Shape{Blocks: 3, Threads: 70}, func(t cuda.T) {
		out[t.Thread()] = [6]int{t.Block(), t.Local(), t.Warp(), t.Lane(), t.Threads(), t.Dim()}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range out {
		l := i % 70
		if want := [6]int{i / 70, l, l / 32, l % 32, 210, 70}; got != want {
			t.Fatalf("thread %d: %v, want %v", i, got, want)
		}
	}
}

func TestBlockSum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.IntRange(1, 5).Draw(t, "blocks")
		dim := 1 << rapid.IntRange(0, 7).Draw(t, "log2 of the threads")
		x := rapid.SliceOfN(rapid.Int32(), 0, 500).Draw(t, "x")
		total, want := make([]int64, 1), int64(0)
		for _, v := range x {
			want += int64(v)
		}
		err := cuda.Run(cuda.Shape{Blocks: blocks, Threads: dim, Shared: 8 * dim}, func(t cuda.T) {
			s, mine := cuda.SharedAtLaunch[int64](t), int64(0)
			for i := t.Thread(); i < len(x); i += t.Threads() {
				mine += int64(x[i])
			}
			s[t.Local()] = mine
			for h := t.Dim() / 2; h > 0; h /= 2 {
				t.Sync()
				if t.Local() < h {
					s[t.Local()] += s[t.Local()+h]
				}
			}
			if t.Local() == 0 {
				cuda.AtomicAdd(&total[0], s[0])
			}
		})
		if err != nil || total[0] != want {
			t.Fatalf("sum is %d, want %d (%v)", total[0], want, err)
		}
	})
}

func TestWarp(t *testing.T) {
	t.Parallel()
	const dim = 70 // the last warp has 6 threads
	var ballot [dim]uint32
	var down, up, xor, idx [dim]float64
	var anyOf, allOf [dim]bool
	err := cuda.Run(cuda.Shape{Blocks: 1, Threads: dim}, func(t cuda.T) {
		l := t.Local()
		ballot[l] = t.Ballot(l%3 == 0)
		v := float64(l) + 0.25
		down[l], up[l] = cuda.ShuffleDown(t, v, 2), cuda.ShuffleUp(t, v, 2)
		xor[l], idx[l] = cuda.ShuffleXor(t, v, 5), cuda.Shuffle(t, v, 3)
		anyOf[l], allOf[l] = t.Any(l == 40), t.All(l < 64)
	})
	if err != nil {
		t.Fatal(err)
	}
	for l := range dim {
		base, width := l/32*32, min(32, dim-l/32*32)
		lane, want := l-base, uint32(0)
		for k := range width {
			if (base+k)%3 == 0 {
				want |= 1 << k
			}
		}
		at := func(k int) float64 {
			if k < 0 || k >= width {
				k = lane
			}
			return float64(base+k) + 0.25
		}
		if ballot[l] != want || down[l] != at(lane+2) || up[l] != at(lane-2) || xor[l] != at(lane^5) ||
			idx[l] != at(3) || anyOf[l] != (base == 32) || allOf[l] != (base < 64) {
			t.Errorf("thread %d: %x %v %v %v %v %v %v", l, ballot[l], down[l], up[l], xor[l], idx[l],
				anyOf[l], allOf[l])
		}
	}
}

func TestSharedIsNotZero(t *testing.T) {
	t.Parallel()
	err := cuda.Run(cuda.Shape{Blocks: 2, Threads: 1}, func(t cuda.T) {
		if s := cuda.Shared[int32](t, 3); s[1] == 0 || len(s) != 3 {
			panic("zero")
		}
		if s := cuda.Shared[struct{ a, b bool }](t, 3); s[0].a {
			panic("a bool that is none")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFailure(t *testing.T) {
	t.Parallel()
	x := make([]int32, 77)
	err := cuda.Run(cuda.Shape{Blocks: 2, Threads: 64}, func(t cuda.T) {
		x[t.Thread()]++ // the place that the error names
		t.Sync()        // those that have failed are not waited for
	})
	if err == nil || !strings.Contains(err.Error(), "cuda_test.go:") ||
		!strings.Contains(err.Error(), "index out of range [77] with length 77 (thread 77)") {
		t.Errorf("%v", err)
	}
	err = cuda.Run(cuda.Shape{Blocks: 1, Threads: 3}, func(t cuda.T) {
		if t.Thread() > 0 {
			panic("own words")
		}
	})
	if err == nil || !strings.HasSuffix(err.Error(), "panic: own words (thread 1)") {
		t.Errorf("%v", err)
	}
}

// Threads that wait for one another at different places are told of, by the line of the lowest, and
// not waited for; a thread that fails is told of first.
func TestWaitsInVain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		sync   func(cuda.T) bool // waits in Sync, the others in a vote
		fails  int
		want   string
		blocks int
	}{
		{"lower in Sync", func(t cuda.T) bool { return t.Lane() < 5 }, -1, "Sync waits in vain", 3},
		{"lower in a vote", func(t cuda.T) bool { return t.Lane() > 5 }, -1, "a vote or a shuffle", 1},
		{"one warp votes", func(t cuda.T) bool { return t.Warp() != 1 }, -1, "", 2},
		{"one thread fails", func(t cuda.T) bool { return t.Lane() < 5 }, 40, "panic: 40 (thread 40)", 2},
	} {
		err := cuda.Run(cuda.Shape{Blocks: c.blocks, Threads: 70}, func(t cuda.T) {
			if t.Thread() == c.fails {
				panic(c.fails)
			}
			if c.sync(t) {
				t.Sync()
			} else {
				t.Any(true)
			}
		})
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "cuda_test.go:") ||
			c.fails < 0 && !strings.HasSuffix(err.Error(), "(thread 0)") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s    cuda.Shape
		want string
	}{
		{cuda.Shape{Blocks: 0, Threads: 1}, "0 blocks, want 1 to 2147483647"},
		{cuda.Shape{Blocks: 1, Threads: 1025}, "1025 threads a block, want 1 to 1024"},
		{cuda.Shape{Blocks: 1, Threads: 1, Shared: -1}, "-1 bytes of shared memory"},
	} {
		err := cuda.Run(c.s, func(cuda.T) { panic("it ran") })
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.s, err)
		}
	}
}

func TestAtomics(t *testing.T) {
	t.Parallel()
	w := []uint32{0, 1 << 31, 0, ^uint32(0), 0, 0, 7, 5}
	err := cuda.Run(cuda.Shape{Blocks: 4, Threads: 8}, func(t cuda.T) {
		k := uint32(t.Thread())
		cuda.AtomicAdd(&w[0], k)
		cuda.AtomicMin(&w[1], k+3)
		cuda.AtomicMax(&w[2], k)
		cuda.AtomicAnd(&w[3], ^(uint32(1) << k))
		cuda.AtomicOr(&w[4], 1<<k)
		cuda.AtomicXor(&w[5], k)
		cuda.AtomicCompareSwap(&w[6], 7, 9)
		if k == 0 {
			cuda.AtomicSwap(&w[7], 1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint32{496, 3, 31, 0, ^uint32(0), 0, 9, 1} {
		if w[i] != want {
			t.Errorf("%d: %d, want %d", i, w[i], want)
		}
	}
}
