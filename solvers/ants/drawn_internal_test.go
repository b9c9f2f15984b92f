package ants

import (
	"math"
	"testing"

	"metalab/solvers"
	"metalab/solvers/ants/crew"
)

// TestDrawnDeposits: the shares are those of the published program, and the same iteration always
// draws the same tour.
func TestDrawnDeposits(t *testing.T) {
	t.Parallel()
	m := &maxMin{colony: colony{env: &solvers.Env{Seed: 7}}}
	m.deposit, m.out.Lengths, m.bestLength, m.restart.length = depositDrawn, make([]int64, 4), 11, 12
	m.out.Lengths[3] = 13
	const many = 40000
	count := map[crew.Tour]float64{}
	for it := range int64(many) {
		tour, length := m.rewarded(3, it)
		want := map[crew.Tour]int64{3: 13, crew.TheBest: 11, crew.TheRestart: 12}[tour]
		if length != want {
			t.Fatalf("tour %v has the length %v, want %v", tour, length, want)
		}
		if again, _ := m.rewarded(3, it); again != tour {
			t.Fatalf("iteration %d draws %v, then %v", it, tour, again)
		}
		count[tour]++
	}
	for tour, share := range map[crew.Tour]float64{3: 0.1, crew.TheBest: 0.09, crew.TheRestart: 0.81} {
		if sd := math.Sqrt(many * share * (1 - share)); math.Abs(count[tour]-many*share) > 4*sd {
			t.Errorf("tour %v is drawn %v times of %d, want %v", tour, count[tour], many, many*share)
		}
	}
}
