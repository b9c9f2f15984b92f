package moves_test

import (
	"math/big"
	"testing"

	"metalab/solvers/moves"

	"pgregory.net/rapid"
)

func TestRanksOfSmallSizes(t *testing.T) {
	t.Parallel()
	for n := int64(0); n < 40; n++ {
		index := int64(0)
		triple := int64(0)
		for i := range n {
			for j := i + 1; j < n; j++ {
				if got := moves.PairIndex(n, i, j); got != index {
					t.Fatalf("pair (%d, %d) of %d has index %d, want %d", i, j, n, got, index)
				}
				if a, b := moves.PairAt(n, index); a != i || b != j {
					t.Fatalf("pair %d of %d is (%d, %d), want (%d, %d)", index, n, a, b, i, j)
				}
				index++
				for k := j + 1; k < n; k++ {
					if got := moves.TripleIndex(n, i, j, k); got != triple {
						t.Fatalf("triple (%d, %d, %d) of %d has index %d, want %d", i, j, k, n, got, triple)
					}
					if a, b, c := moves.TripleAt(n, triple); a != i || b != j || c != k {
						t.Fatalf("triple %d of %d is (%d, %d, %d), want (%d, %d, %d)", triple, n, a, b, c, i, j, k)
					}
					triple++
				}
			}
		}
		if index != moves.Pairs(n) || triple != moves.Triples(n) {
			t.Fatalf(
				"%d things have %d pairs and %d triples, want %d and %d", n, moves.Pairs(n), moves.Triples(n),
				index, triple,
			)
		}
	}
}

// The counts are exact up to the largest sizes, and overflow right after them.
func TestCountsUpToTheLimits(t *testing.T) {
	t.Parallel()
	count := func(n, k int64) *big.Int { return new(big.Int).Binomial(n, k) }
	for _, n := range []int64{moves.MaxPairs, moves.MaxPairs - 1, 94906267, 94906266} {
		if got := moves.Pairs(n); count(n, 2).Cmp(big.NewInt(got)) != 0 {
			t.Errorf("%d things have %d pairs, want %v", n, got, count(n, 2))
		}
	}
	for _, n := range []int64{3810779, moves.MaxTriples, 2097153} {
		if got := moves.Triples(n); count(n, 3).Cmp(big.NewInt(got)) != 0 {
			t.Errorf("%d things have %d triples, want %v", n, got, count(n, 3))
		}
	}
	if !count(3810779, 3).IsInt64() || count(3810780, 3).IsInt64() {
		t.Error("3810779 is not the last size whose triples fit")
	}
	twice := func(n int64) *big.Int { return new(big.Int).Lsh(count(n, 3), 1) }
	if !twice(moves.MaxTriples).IsInt64() || twice(moves.MaxTriples+1).IsInt64() {
		t.Error("MaxTriples is not the last size whose triples fit twice")
	}
	if !count(moves.MaxPairs, 2).IsInt64() || count(moves.MaxPairs+1, 2).IsInt64() {
		t.Error("MaxPairs is not the last size whose pairs fit")
	}
}

func TestRanksOfAnySize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(2, moves.MaxPairs).Draw(t, "n")
		x := rapid.Int64Range(0, moves.Pairs(n)-1).Draw(t, "index")
		i, j := moves.PairAt(n, x)
		if i < 0 || i >= j || j >= n || moves.PairIndex(n, i, j) != x {
			t.Fatalf("pair %d of %d is (%d, %d), whose index is %d", x, n, i, j, moves.PairIndex(n, i, j))
		}
		n = rapid.Int64Range(3, 3810779).Draw(t, "n for triples")
		x = rapid.Int64Range(0, moves.Triples(n)-1).Draw(t, "index of a triple")
		i, j, k := moves.TripleAt(n, x)
		if i < 0 || i >= j || j >= k || k >= n || moves.TripleIndex(n, i, j, k) != x {
			t.Fatalf(
				"triple %d of %d is (%d, %d, %d), whose index is %d", x, n, i, j, k,
				moves.TripleIndex(n, i, j, k),
			)
		}
	})
	// The ends of the first rows, where a root that is off by one would show.
	for _, n := range []int64{moves.MaxPairs, moves.MaxPairs - 1, 3810779, 1 << 27, 94906267} {
		for _, i := range []int64{0, 1, 2, n / 3, n / 2, n - 3, n - 2} {
			for _, j := range []int64{i + 1, n - 1} {
				if a, b := moves.PairAt(n, moves.PairIndex(n, i, j)); a != i || b != j {
					t.Errorf("pair (%d, %d) of %d comes back as (%d, %d)", i, j, n, a, b)
				}
			}
		}
	}
	for _, n := range []int64{3810779, moves.MaxTriples, 2097153, 10007} {
		for _, i := range []int64{0, 1, n / 3, n - 3} {
			for _, j := range []int64{i + 1, n - 2} {
				for _, k := range []int64{j + 1, n - 1} {
					if a, b, c := moves.TripleAt(n, moves.TripleIndex(n, i, j, k)); a != i || b != j || c != k {
						t.Errorf("triple (%d, %d, %d) of %d comes back as (%d, %d, %d)", i, j, k, n, a, b, c)
					}
				}
			}
		}
	}
}

// Every neighbourhood lists each of its moves once, in the order of their indices.
func TestNeighbourhoodsEnumerate(t *testing.T) {
	t.Parallel()
	for n := range 12 {
		var all []moves.Neighbourhood
		for k := 1; k <= 3; k++ {
			f, err := moves.Flips(n, k)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, f)
		}
		s, err := moves.Swaps(n)
		if err != nil {
			t.Fatal(err)
		}
		c, err := moves.Cycles(n)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s, c)
		for k := 1; k < 5; k++ {
			v, err := moves.Changes(n, k)
			if err != nil {
				t.Fatal(err)
			}
			if want := int64(n * (k - 1)); v.Size() != want {
				t.Errorf("%d changes of %d entries of %d values, want %d", v.Size(), n, k, want)
			}
			all = append(all, v)
		}
		for _, wide := range []bool{false, true} {
			b, err := moves.Balls(n+1, wide)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, b)
		}
		for _, nb := range all {
			seen := map[moves.Move]bool{}
			var m moves.Move
			for x := range nb.Size() {
				if x == 0 {
					m = nb.Move(0)
				}
				if got := nb.Move(x); got != m || nb.Index(m) != x || seen[m] {
					t.Fatalf(
						"%s of %d: move %d is %v with index %d, want %v; seen before: %v", nb.Name(), n, x, got,
						nb.Index(m), m, seen[m],
					)
				}
				seen[m] = true
				m = nb.Next(m)
			}
		}
	}
	if _, err := moves.Flips(5, 4); err == nil {
		t.Error("flips of four bits are accepted")
	}
	if _, err := moves.Changes(5, 0); err == nil {
		t.Error("changes without values are accepted")
	}
	if _, err := moves.Balls(0, false); err == nil {
		t.Error("a ball without crowns is accepted")
	}
}

// Changes of any size up to the largest: an index and its move are each other's.
func TestChangesOfAnySize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, moves.MaxTriples).Draw(t, "n")
		k := rapid.IntRange(2, moves.MaxTriples).Draw(t, "k")
		c, err := moves.Changes(n, k)
		if err != nil {
			t.Fatal(err)
		}
		x := rapid.Int64Range(0, c.Size()-1).Draw(t, "index")
		m := c.Move(x)
		if m.At[0] < 0 || int(m.At[0]) >= n || m.By < 1 || int(m.By) >= k || c.Index(m) != x {
			t.Fatalf("move %d of %d x %d is %+v with index %d", x, n, k, m, c.Index(m))
		}
		if x+1 < c.Size() && c.Next(m) != c.Move(x+1) {
			t.Fatalf("after %+v comes %+v, want %+v", m, c.Next(m), c.Move(x+1))
		}
	})
}
