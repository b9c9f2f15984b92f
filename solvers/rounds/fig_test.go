package rounds

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"syscall"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// cpuSeconds is the CPU time of the process.
func cpuSeconds(tb testing.TB) float64 {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9
}

// TestFigures prints, when METALAB_FIGURES is set, what the first optimum is worth and what CPU
// time it costs a thread, by moves and starts: greedy is one tour, searched ten times.
func TestFigures(t *testing.T) {
	if os.Getenv("METALAB_FIGURES") == "" {
		t.Skip("METALAB_FIGURES is not set")
	}
	const chains = 10
	for _, name := range []string{"pr1002", "pr2392", "fnl4461"} {
		in, err := datasets.LoadTSP(name)
		if err != nil {
			t.Fatal(err)
		}
		known, _ := in.BestKnown()
		p := table(t, in, 10, Lanes)
		ants := make([][]int32, chains)
		for a := range ants {
			ants[a] = walk(p.Space, uint32(a))
		}
		for _, s := range []struct {
			start string
			tours [][]int32
		}{{"ants", ants}, {"greedy", slices.Repeat([][]int32{p.Space.Greedy(p.Near)}, chains)}} {
			for _, p.Or = range []bool{false, true} {
				b := newBoard(p)
				var length, moves, rounds int64
				began := cpuSeconds(t)
				for _, tour := range s.tours {
					b.load(tour)
					b.length, b.moves, b.rounds = p.Space.Length(tour), 0, 0
					_ = b.descend(context.Background())
					length, moves, rounds = length+b.length, moves+b.moves, rounds+b.rounds
				}
				many := float64(len(s.tours))
				fmt.Printf(
					"%s from %s, insertions %v: gap %.2f %%, %.1f ms, %.0f rounds, %.0f moves\n", name, s.start,
					p.Or, 100*(float64(length)/many/known.Value-1), 1e3*(cpuSeconds(t)-began)/many,
					float64(rounds)/many, float64(moves)/many,
				)
			}
		}
	}
}

// walk is a tour as an ant of a first iteration makes it: the next city is drawn among the 32
// nearest that are left in proportion to 1/d², else it is the nearest of all.
func walk(sp *tours.Space, ant uint32) []int32 {
	near := sp.Nearest(32)
	r := arith.NewStream(77, 0, ant, 9)
	seen := make([]bool, sp.N)
	c := int32(r.IntN(sp.N))
	tour := append(make([]int32, 0, sp.N), c)
	for seen[c] = true; len(tour) < sp.N; seen[c] = true {
		var w [32]float64
		sum := 0.0
		for k, o := range near.Of(c) {
			if !seen[o] {
				d := math.Max(float64(near.DistOf(c)[k]), 0.5)
				w[k] = 1 / (d * d)
				sum += w[k]
			}
		}
		next := int32(-1)
		if x := r.Float64() * sum; sum > 0 {
			for k, o := range near.Of(c) {
				if w[k] > 0 {
					next = o
					if x -= w[k]; x < 0 {
						break
					}
				}
			}
		} else {
			for o := range int32(sp.N) {
				if !seen[o] && (next < 0 || sp.D(c, o) < sp.D(c, next)) {
					next = o
				}
			}
		}
		c = next
		tour = append(tour, c)
	}
	return tour
}
