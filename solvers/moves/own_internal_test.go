package moves

import (
	"context"
	"testing"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// held is a problem whose deltas use what Load and Apply keep: the sum of the entries chosen.
type held struct{ sum int64 }

func (h *held) at(sum int64) int64 { return sum*sum%97 + sum%7 }
func (h *held) of(x []uint8) (sum int64) {
	for i, b := range x {
		sum += int64(b) * int64(i*i%31+1)
	}
	return sum
}
func (h *held) Cost(x []uint8) int64 { return h.at(h.of(x)) }
func (h *held) Load(x []uint8)       { h.sum = h.of(x) }
func (h *held) step(x []uint8, i int) int64 {
	return int64(i*i%31+1) * (1 - 2*int64(x[i]))
}
func (h *held) Delta(x []uint8, i int) int64 { return h.at(h.sum+h.step(x, i)) - h.at(h.sum) }
func (h *held) Apply(x []uint8, i int)       { h.sum += h.step(x, i) }

// order is one on permutations without deltas.
type order struct{}

func (order) Cost(p []int32) int64 {
	var sum int64
	for i, a := range p {
		sum += int64(i) * int64(a*a%13)
	}
	return sum
}

// A scan finds the move that is the best by Delta, whoever evaluates which part, after any moves
// and solutions.
func TestOwnScan(t *testing.T) {
	pool := solvers.NewPool(3)
	defer pool.Close()
	for _, c := range []struct {
		form record.Form
		make func() any
	}{
		{record.Form{Kind: record.FormBits, N: 40}, func() any { return &held{} }},
		{record.Form{Kind: record.FormBits, N: 40, Maximise: true}, func() any { return &held{} }},
		{record.Form{Kind: record.FormPermutation, N: 9}, func() any { return order{} }},
		{record.Form{Kind: record.FormValues, N: 12, K: 5}, func() any { return order{} }},
	} {
		p, err := own.New("own", c.form, c.make)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newOwnWalk(p)
		if err != nil {
			t.Fatal(err)
		}
		draws := arith.NewStream(3, 0, 0, 0)
		w.Random(&draws)
		for i := range 60 {
			k := i % len(w.Neighbourhoods())
			nb := w.Neighbourhoods()[k]
			want := noChoice
			for x := range nb.Size() {
				if d := w.Delta(nb.Move(x)); d < want.delta {
					want = choice{d, x}
				}
			}
			in := wave{ctx: context.Background(), pool: pool, block: 7, weight: 1}
			got, err := w.scan(k, in, nil)
			if err != nil || got != want {
				t.Fatalf("%v: scan %d of %s finds %v, %v, want %v", c.form, i, nb.Name(), got, err, want)
			}
			at := int64(draws.IntN(int(nb.Size())))
			first, _, err := firstFrom(k, w, in, at)
			if want.delta >= 0 != (first.index < 0) || err != nil ||
				first.index >= 0 && w.Delta(nb.Move(first.index)) >= 0 {
				t.Fatalf("%v: %s: the first improving move is %v, %v", c.form, nb.Name(), first, err)
			}
			switch i % 10 {
			case 8:
				w.Random(&draws)
			case 9: // two moves, so that the others are more than one behind
				w.Apply(nb.Move(at))
				w.Apply(nb.Move(got.index))
			default:
				w.Apply(nb.Move(at))
			}
		}
	}
}
