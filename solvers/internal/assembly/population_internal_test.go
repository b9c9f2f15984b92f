package assembly

import (
	"context"
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// scatteredTours are tours of random cities at an optimum of 2-opt.
func scatteredTours(t *testing.T, n, count int) (*tours.Space, [][]int32) {
	t.Helper()
	in, err := datasets.DIMACS(false, n, 3)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := tours.NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	search, err := tours.NewSearch(sp, sp.Nearest(10), tours.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	var out [][]int32
	for i := range count {
		r := arith.NewStream(1, 0, uint32(i), 1)
		out = append(out, sp.Random(&r))
		search.Improve(out[i], nil, tours.TwoOpt)
	}
	return sp, out
}

// A block has its own cycle, each cycle once, and together fewer places beside others than cycles
// have alone; and the search leaves its memory as it was.
func TestBlocksAreRegions(t *testing.T) {
	t.Parallel()
	sp, both := scatteredTours(t, 400, 2)
	k := newAssembler(sp, sp.Nearest(10))
	r := arith.NewStream(2, 0, 0, 5)
	k.load(both[0], both[1])
	k.split(&r, math.MaxInt)
	k.owners()
	border := func(set []int32) (n int) {
		in := map[int32]bool{}
		for _, c := range set {
			if in[c] {
				t.Fatalf("cycle %d is in the block twice: %v", c, set)
			}
			in[c] = true
		}
		for _, p := range k.blocks.pairs {
			if in[int32(p>>32)] != in[int32(uint32(p))] {
				n++
			}
		}
		return n
	}
	alone, together := 0, 0
	for c := range int32(k.count()) {
		if one := border([]int32{c}); one != int(k.search.Border[c]) {
			t.Fatalf("cycle %d lies beside others at %d places, counted %d", c, one, k.search.Border[c])
		}
		alone += border([]int32{c})
		k.block(c, &r)
		together += border(k.set)
		found := false
		for _, x := range k.set {
			found = found || x == c
		}
		if !found {
			t.Fatalf("the block round %d is %v", c, k.set)
		}
		for i := range k.search.used {
			if k.search.used[i] || k.search.known[i] || k.search.contact[i] != 0 || k.search.free[i] != 0 {
				t.Fatalf("after the block round %d, cycle %d is still noted", c, i)
			}
		}
	}
	if k.count() < 10 || 3*together > 2*alone {
		t.Errorf("%d blocks have %d places beside others, their cycles alone %d", k.count(), together,
			alone)
	}
}

// population is one of the tours.
func population(sp *tours.Space, tours ...[]int32) *Population {
	p := New(sp, sp.Nearest(10))
	var members []Member
	for _, t := range tours {
		members = append(members, NewMember(sp, slices.Clone(t)))
	}
	p.Fill(members)
	return p
}

// A tour that differs from a shorter one by a move does not become that one.
func TestTheSecondParentIsNoChild(t *testing.T) {
	t.Parallel()
	sp, one := scatteredTours(t, 60, 1)
	made := 0
	for it := range int64(40) {
		longer := slices.Clone(one[0])
		slices.Reverse(longer[1+it : 16+it])
		p := population(sp, longer, one[0])
		if err := p.Generate(
			t.Context(), solvers.NewPool(1), Draws{Seed: 4, Iteration: it, Plan: 2, Children: 5},
			Settings{Children: 30},
		); err != nil {
			t.Fatal(err)
		}
		made += p.Made
		if m := p.Members[0]; m.New && m.Length == p.Members[1].Length {
			t.Fatalf("iteration %d: the child is as long as the second parent", it)
		}
	}
	if made == 0 {
		t.Error("no child was made")
	}
}

// What members say of themselves and how often edges are counted is true after each generation,
// with one cycle or several a child, joined anywhere or near; none becomes longer. With several the
// mean falls faster. The number of workers changes nothing, and a generation that is given up
// leaves all as it was.
func TestGenerationsKeepThePopulationTrue(t *testing.T) {
	t.Parallel()
	sp, all := scatteredTours(t, 600, 12)
	check := func(p *Population) (sum int64) {
		t.Helper()
		var count Edges
		for i, m := range p.Members {
			if err := datasets.CheckPermutation(m.Tour, sp.N); err != nil {
				t.Fatal(err)
			}
			if want := NewMember(sp, m.Tour); m.Length != want.Length || m.Hash != want.Hash {
				t.Fatalf("member %d says length %d, hash %x; it is %d, %x", i, m.Length, m.Hash,
					want.Length, want.Hash)
			}
			count.AddTour(m.Tour)
			sum += m.Length
		}
		got, want := make([]int64, len(p.Members)+1), make([]int64, len(p.Members)+1)
		p.count.Tally(got)
		count.Tally(want)
		if !slices.Equal(got, want) {
			t.Fatalf("edges in 1, 2, ... tours: %v, want %v", got, want)
		}
		return sum
	}
	means := map[[2]int]int64{}
	for _, way := range [][2]int{{0, 0}, {60, 0}, {60, 4}} {
		cities, reach := way[0], way[1]
		one, two := population(sp, all...), population(sp, all...)
		last := check(one)
		for it := range int64(6) {
			set := Settings{
				Children: 10, Cities: cities, Reach: reach, Blocks: it > 3, Greedy: it == 2,
			}
			draws := Draws{Seed: 3, Iteration: it, Plan: 2, Children: 5}
			gone, cancel := context.WithCancel(t.Context())
			one.Progress = func(done, _ int) { // in the middle of the second batch
				if done == 11 {
					cancel()
				}
			}
			if err := one.Generate(gone, solvers.NewPool(1), draws, set); err == nil {
				t.Fatal("a cancelled generation is no error")
			}
			cancel()
			if sum := check(one); sum != last {
				t.Fatalf("the tours are %d long after a cancelled generation, %d before", sum, last)
			}
			one.Progress = nil
			for i, p := range []*Population{one, two} {
				if err := p.Generate(t.Context(), solvers.NewPool(1+3*i), draws, set); err != nil {
					t.Fatal(err)
				}
			}
			sum := check(one)
			if check(two); sum > last {
				t.Fatalf("the tours are %d long, before %d", sum, last)
			}
			for i := range one.Members {
				if one.Members[i].Hash != two.Members[i].Hash {
					t.Fatalf("member %d differs with four workers", i)
				}
			}
			if last = sum; it == 1 {
				means[way] = sum
			}
		}
	}
	one, several, near := means[[2]int{0, 0}], means[[2]int{60, 0}], means[[2]int{60, 4}]
	if several >= one || near >= one || near == several {
		t.Errorf("after two generations %d with several cycles a child, %d with such joined near, %d "+
			"with one", several, near, one)
	}
}
