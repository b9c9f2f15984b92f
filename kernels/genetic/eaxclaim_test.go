package genetic

import (
	"errors"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/internal/emulate"
	"metalab/solvers/genetic"
)

// TestEaxClaims holds what an engine of ga/eax-rounds reserves against what it allocates then, and
// looks at what is said where a population has no room. The driver is none.
func TestEaxClaims(t *testing.T) {
	if !emulate.OnFake(t) {
		return
	}
	eaxImage = func() ([]byte, error) { return emulate.FakeImage, nil }
	for _, c := range []trial{{601, datasets.Euc2D, 1}, {602, datasets.Geo, 0.1}} {
		p, first := c.eaxProblem(t, 40)
		p.Population, p.Entropy = 1<<15, genetic.Entropy(1<<15)
		_, err := NewRounds(p)
		if !errors.Is(err, gpu.ErrNoRoom) ||
			!strings.Contains(err.Error(), "there is room for population=") {
			t.Errorf("opened with a population that does not fit: %v", err)
		}
		p.Population = 40
		made, err := NewRounds(p)
		if err != nil {
			t.Fatal(err)
		}
		e := made.(*Rounds)
		load := func(m int) error {
			list := make([][]int32, m)
			for i := range list {
				list[i] = first[i%len(first)]
			}
			return e.Load(list, make([]int64, m+1))
		}
		for _, m := range []int{7, 40, 1 << 15, 12} {
			err := load(m)
			if m == 1<<15 {
				if !errors.Is(err, gpu.ErrNoRoom) ||
					!strings.Contains(err.Error(), "there is room for population=") {
					t.Errorf("a population that does not fit: %v", err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if h := e.Dev.Holding(); h.Held > h.Claimed || h.Held < h.Claimed-(4<<10) {
				t.Errorf("%d tours: %d bytes were asked for, and %d are held", m, h.Claimed, h.Held)
			}
		}
		e.Close()
	}
}
