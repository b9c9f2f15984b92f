package own_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// sums adds up what is chosen; with a factor, which is a parameter.
type sums struct {
	factor float64
	calls  *int
}

func (s *sums) Cost(x []uint8) float64 {
	*s.calls++
	sum := 0.0
	for i, b := range x {
		sum += float64(b) * float64(i+1)
	}
	return sum * s.factor
}

func (s *sums) Delta(x []uint8, i int) float64 {
	return float64(i+1) * s.factor * (1 - 2*float64(x[i]))
}

func newSums(t *testing.T, form record.Form) *own.Problem {
	t.Helper()
	calls := 0
	p, err := own.New("sums", form, func() any { return &sums{1, &calls} })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Costs have the sign by which a smaller one is better, and follow the parameters.
func TestCostOf(t *testing.T) {
	best := 6.0
	form := record.Form{Kind: record.FormBits, N: 3, BestKnown: &best, Source: "a page"}
	s := record.Solution{Bits: []int8{1, 0, 1}}
	for _, maximise := range []bool{false, true} {
		form.Maximise = maximise
		p := newSums(t, form)
		sign := 1.0
		if maximise {
			sign = -1
		}
		if c, err := solvers.Cost(p, s); c != sign*4 || err != nil {
			t.Errorf("%v: %v, %v", form, c, err)
		}
		if b, ok := p.BestKnown(); !ok || b.Value != sign*6 || b.Source != "a page" || b.Proven {
			t.Errorf("%v: best known %+v", form, b)
		}
		p.Prepare(func(v any) { v.(*sums).factor = 10 })
		if c, err := p.CostOf(s); c != sign*40 || err != nil {
			t.Errorf("%v: after a change %v, %v", form, c, err)
		}
		v, err := p.Value()
		if err != nil || v.Bits.Delta([]uint8{1, 0, 1}, 1) != sign*20 || v.Whole || v.Refresh() {
			t.Errorf("%v: a new value does not have the parameters: %v", form, err)
		}
	}
	p := newSums(t, form)
	for _, bad := range []record.Solution{
		{},
		{Bits: []int8{1, 0}},
		{Bits: []int8{1, 0, 2}},
		{Bits: []int8{1, 0, -1}},
		{Perm: []int32{0, 1, 2}},
	} {
		if _, err := p.CostOf(bad); err == nil || !strings.Contains(err.Error(), "sums: ") {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if p.Kind() != datasets.KindOwn || p.Size() != 3 || len(p.SHA256()) != 64 {
		t.Errorf("%s, %d, %s", p.Kind(), p.Size(), p.SHA256())
	}
}

// Costs that are no numbers end an evaluation, and a panic is told with its function.
func TestFaults(t *testing.T) {
	s := record.Solution{Bits: []int8{1, 0, 1}}
	for _, c := range []struct {
		factor float64
		want   string
	}{
		{math.NaN(), "Cost of sums is NaN, want a number"},
		{math.Inf(1), "+Inf"},
		{math.MaxFloat64, "+Inf"},
	} {
		p := newSums(t, record.Form{Kind: record.FormBits, N: 3})
		p.Prepare(func(v any) { v.(*sums).factor = c.factor })
		if _, err := p.CostOf(s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.factor, err, c.want)
		}
	}
	p := newSums(t, record.Form{Kind: record.FormBits, N: 3})
	p.Prepare(func(v any) { v.(*sums).calls = nil })
	_, err := p.CostOf(s)
	f := (*own.Fault)(nil)
	if !errors.As(err, &f) || f.Where != "own_test.(*sums).Cost" || f.Line < 20 || f.Line > 40 ||
		!strings.Contains(f.Text, "nil pointer") {
		t.Errorf("%v: %+v", err, f)
	}
	func() {
		defer func() { _ = recover() }()
		defer p.Keep()
		panic("first")
	}()
	func() {
		defer func() { _ = recover() }()
		defer p.Keep()
		panic("second")
	}()
	if f := p.Fault(); f == nil || f.Text != "panic: first" || p.Fault() != nil {
		t.Errorf("the first fault is %+v", f)
	}
	if _, err := own.New("none", record.Form{Kind: record.FormBits, N: 3},
		func() any { return nil }); err == nil {
		t.Error("nil is a problem")
	}
}

type rows struct{}

func (rows) Cost([]int32) int64                { return 0 }
func (rows) SwappedRow(_ []int32, _, _, _ int) {}

type narrow struct{ rows }

func (narrow) Load([]int32)                   {}
func (narrow) SwappedRow(_ []int32, _, _ int) {}

// SwappedRow has three numbers, stands beside a Load, and is of permutations.
func TestSwappedRow(t *testing.T) {
	for _, c := range []struct {
		form record.Form
		v    any
		want string
	}{
		{record.Form{Kind: record.FormPermutation, N: 3}, rows{}, "method SwappedRow, and no Load"},
		{
			record.Form{Kind: record.FormPermutation, N: 3},
			narrow{},
			"want func([]int32, int, int, int)",
		},
		{record.Form{Kind: record.FormValues, N: 3, K: 2}, rows{}, "which nothing calls on"},
	} {
		_, err := own.New("rows", c.form, func() any { return c.v })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T on %v: %v, want %q", c.v, c.form, err, c.want)
		}
	}
}
