package genetic

import (
	"context"
	"math"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// A stage goes on while better tours come, and ends a tenth of its generations after the last one,
// but not before 1500 children of a tour.
func TestStagesEndWithoutBetterTours(t *testing.T) {
	t.Parallel()
	var g stage
	g.next(true, 30) // the first population
	step := func(n int, better bool) {
		for range n {
			g.next(better, 30)
		}
	}
	step(900, true)
	step(94, false) // with 950 made, 95 without a better one end the stage
	if want := (stage{number: 1, made: 994, idle: 94, limit: 95}); g != want {
		t.Errorf("%v, want %v", g, want)
	}
	step(1, false)
	if want := (stage{number: 2}); g != want {
		t.Errorf("%v, want %v", g, want)
	}
	step(49, false)
	step(1, true)
	if g.limit != 0 || g.ended() != "" {
		t.Errorf("%v, and the search is over: %q", g, g.ended())
	}
	step(51, false)
	if want := "no better tour in 51 generations with blocks"; g.ended() != want {
		t.Errorf("%v: %q, want %q", g, g.ended(), want)
	}
	after := g
	if step(5, true); g != after {
		t.Errorf("%v after the end, it was %v", g, after)
	}
}

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
	search, err := tours.NewSearch(sp, sp.Nearest(nearest), tours.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	var out [][]int32
	for i := range count {
		r := arith.NewStream(1, 0, uint32(i), drawStart)
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
	k := newAssembler(sp, sp.Nearest(nearest))
	r := arith.NewStream(2, 0, 0, drawChildren)
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
		if one := border([]int32{c}); one != int(k.border[c]) {
			t.Fatalf("cycle %d lies beside others at %d places, counted %d", c, one, k.border[c])
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
		for i := range k.used {
			if k.used[i] || k.known[i] || k.contact[i] != 0 || k.free[i] != 0 {
				t.Fatalf("after the block round %d, cycle %d is still noted", c, i)
			}
		}
	}
	if k.count() < 10 || 3*together > 2*alone {
		t.Errorf("%d blocks have %d places beside others, their cycles alone %d", k.count(), together,
			alone)
	}
}

// A tour that differs from a shorter one by a move does not become that one.
func TestTheSecondParentIsNoChild(t *testing.T) {
	t.Parallel()
	sp, one := scatteredTours(t, 60, 1)
	s := newAssembly(&datasets.TSP{})
	s.space, s.near, s.env = sp, sp.Nearest(nearest), &solvers.Env{Seed: 4}
	s.entropy, s.offspring = entropyTable(2), make([]offspring, 2)
	s.spare = [][]int32{make([]int32, 60), make([]int32, 60)}
	s.stage.number = 1
	k := newAssembler(sp, s.near)
	made := 0
	for it := range int64(40) {
		longer := append([]int32(nil), one[0]...)
		reverse(longer, 1+int(it), 15+int(it))
		s.members = nil
		for _, tour := range [][]int32{longer, one[0]} {
			s.members = append(s.members, individual{
				tour: tour, length: sp.Length(tour), hash: arith.HashPerm(tour),
			})
		}
		s.recount()
		s.couple(context.Background(), it, 0, 1, k)
		o := &s.offspring[0]
		made += o.children
		if o.tour != nil && sp.Length(o.tour) == s.members[1].length {
			t.Fatalf("iteration %d: the child is as long as the second parent", it)
		}
	}
	if made == 0 {
		t.Error("no child was made")
	}
}
