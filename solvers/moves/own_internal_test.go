package moves

import (
	"context"
	"math"
	"sync/atomic"
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
	pool.Worth = 1 // every loop is dealt out
	defer pool.Close()
	for _, c := range []struct {
		form record.Form
		make func() any
	}{
		{record.Form{Kind: record.FormBits, N: 40}, func() any { return &held{} }},
		{record.Form{Kind: record.FormBits, N: 40, Maximise: true}, func() any { return &held{} }},
		{record.Form{Kind: record.FormPermutation, N: 9}, func() any { return order{} }},
		{record.Form{Kind: record.FormValues, N: 12, K: 5}, func() any { return order{} }},
		{
			record.Form{Kind: record.FormPermutation, N: 9},
			func() any { return quick{made: &atomic.Int64{}} },
		},
		{
			record.Form{Kind: record.FormPermutation, N: 9, Maximise: true},
			func() any { return quick{made: &atomic.Int64{}} },
		},
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

// scaled keeps a rounded sum, which depends on the way on which it was made.
type scaled struct{ sum float64 }

func (s *scaled) at(x []uint8, i int) float64 { return (1 - 2*float64(x[i])) / float64(i+3) }
func (s *scaled) Cost(x []uint8) float64 {
	s2 := scaled{}
	s2.Load(x)
	return s2.sum * s2.sum
}

func (s *scaled) Load(x []uint8) {
	s.sum = 0
	for i, b := range x {
		s.sum += float64(float64(b) / float64(i+3))
	}
}
func (s *scaled) Apply(x []uint8, i int) { s.sum += s.at(x, i) }
func (s *scaled) Delta(x []uint8, i int) float64 {
	after := s.sum + s.at(x, i)
	return float64(after*after) - float64(s.sum*s.sum)
}

func (s *scaled) entry(x []int32) []uint8 {
	b := make([]uint8, len(x))
	for i, v := range x {
		b[i] = uint8(v)
	}
	return b
}

// scaledValues is the same on entries of two values.
type scaledValues struct{ scaled }

func (s *scaledValues) Cost(x []int32) float64          { return s.scaled.Cost(s.entry(x)) }
func (s *scaledValues) Load(x []int32)                  { s.scaled.Load(s.entry(x)) }
func (s *scaledValues) Apply(x []int32, i int, _ int32) { s.scaled.Apply(s.entry(x), i) }
func (s *scaledValues) Delta(x []int32, i int, _ int32) float64 {
	return s.scaled.Delta(s.entry(x), i)
}

// What is rounded does not depend on the way: a walk that has come to a solution evaluates as one
// that was loaded with it, as after save and load, and on other goroutines.
func TestOwnRounded(t *testing.T) {
	for _, c := range []struct {
		form record.Form
		make func() any
	}{
		{record.Form{Kind: record.FormBits, N: 40}, func() any { return &scaled{} }},
		{record.Form{Kind: record.FormValues, N: 40, K: 2}, func() any { return &scaledValues{} }},
	} {
		p, err := own.New("own", c.form, c.make)
		if err != nil {
			t.Fatal(err)
		}
		var ws [2]*ownWalk
		for i := range ws {
			w, err := newOwnWalk(p)
			if err != nil {
				t.Fatal(err)
			}
			ws[i] = w.(*ownWalk)
		}
		draws := arith.NewStream(3, 0, 0, 0)
		ws[0].Random(&draws)
		nb := ws[0].Neighbourhoods()[0]
		for range 500 {
			ws[0].Apply(nb.Move(int64(draws.IntN(int(nb.Size())))))
		}
		if err := ws[1].Load(ws[0].Solution()); err != nil {
			t.Fatal(err)
		}
		for x := range nb.Size() {
			if a, b := ws[0].Delta(nb.Move(x)), ws[1].Delta(nb.Move(x)); a != b {
				t.Fatalf("%v: move %d changes the cost by %v, loaded by %v", c.form, x, a, b)
			}
		}
	}
}

// balance is 0 where as many bits are set as not.
type balance struct{}

func (balance) Cost(x []uint8) (sum int64) {
	for _, b := range x {
		sum += 2*int64(b) - 1
	}
	return sum
}
func (balance) Delta(x []uint8, i int) int64 { return 2 - 4*int64(x[i]) }

// A cost of 0 has one sign, whether it is made by moves or of the whole solution: digests are of
// the bits.
func TestOwnZero(t *testing.T) {
	p, err := own.New("own", record.Form{Kind: record.FormBits, N: 2, Maximise: true},
		func() any { return balance{} })
	if err != nil {
		t.Fatal(err)
	}
	w, err := newOwnWalk(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Load(record.Solution{Bits: []int8{1, 1}}); err != nil {
		t.Fatal(err)
	}
	w.Apply(w.Neighbourhoods()[0].Move(0))
	moved := w.Cost()
	if err := w.Load(w.Solution()); err != nil {
		t.Fatal(err)
	}
	if math.Float64bits(moved) != math.Float64bits(w.Cost()) || moved != 0 {
		t.Errorf("%v after a move, and loaded %v", moved, w.Cost())
	}
}

// bowl is one on real numbers.
type bowl struct{}

func (bowl) Cost(x []float64) (sum float64) {
	for _, v := range x {
		sum += float64(v * v)
	}
	return sum
}

// All neighbours lie in the box, also where its middle less half a side is rounded to what lies
// outside.
func TestOwnBox(t *testing.T) {
	for _, box := range [][2]float64{{1000000.1, 1000000.2}, {-1000000.2, -1000000.1}} {
		form := record.Form{Kind: record.FormReals, N: 1, Low: box[0], High: box[1]}
		p, err := own.New("own", form, func() any { return bowl{} })
		if err != nil {
			t.Fatal(err)
		}
		w, err := newOwnBall(p)
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, 1)
		for _, at := range box {
			if err := w.Load(record.Solution{Real: []float64{at}}); err != nil {
				t.Fatal(err)
			}
			w.shape(300, 1e-8, false)
			w.Renew(1, 0, 0)
			for i := range int64(300) {
				w.point(w.Neighbourhoods()[0].Move(i), y)
				if err := form.Take(record.Solution{Real: y}); err != nil {
					t.Fatalf("%v: neighbour %d: %v", box, i, err)
				}
			}
		}
	}
}

// Gaussian steps have the mean 0 and the standard deviation that the radius says, in each
// coordinate; the box holds them.
func TestGaussians(t *testing.T) {
	t.Parallel()
	form := record.Form{Kind: record.FormReals, N: 3, Low: -4, High: 12}
	p, err := own.New("plane", form, func() any { return plane{} })
	if err != nil {
		t.Fatal(err)
	}
	w, err := newOwnBall(p)
	if err != nil {
		t.Fatal(err)
	}
	const n = 20000
	w.shape(n, 0.05, false)
	nb := w.Neighbourhoods()[2]
	if nb.Name() != "gauss" || nb.Size() != n {
		t.Fatalf("%s of %d moves", nb.Name(), nb.Size())
	}
	at := []float64{4, 4, 11.9}
	if err := w.Load(record.Solution{Real: at}); err != nil {
		t.Fatal(err)
	}
	w.Renew(3, 1, 0)
	var sum, square [3]float64
	product := 0.0 // of the first two coordinates' steps
	y := make([]float64, 3)
	for i := range int64(n) {
		w.point(nb.Move(i), y)
		product += (y[0] - at[0]) * (y[1] - at[1])
		for k, v := range y {
			sum[k] += v - at[k]
			square[k] += (v - at[k]) * (v - at[k])
			if v < form.Low || v > form.High {
				t.Fatalf("step %d leads to %v", i, y)
			}
		}
	}
	if r := product / n / (0.4 * 0.4); math.Abs(r) > 0.03 {
		t.Errorf("the steps of two coordinates have the correlation %v, want 0", r)
	}
	for k := range 2 { // the third is reflected at the side
		mean, deviation := sum[k]/n, math.Sqrt(square[k]/n)
		if math.Abs(mean) > 0.01 || math.Abs(deviation-0.4) > 0.01 {
			t.Errorf("coordinate %d: mean %v and deviation %v, want 0 and 0.4", k, mean, deviation)
		}
	}
}

type plane struct{}

func (plane) Cost(x []float64) float64 { return x[0] }
