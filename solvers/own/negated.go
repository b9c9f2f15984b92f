package own

// negated are the functions with the other sign, for a search that makes costs small. The other
// sign of 0 is 0, as sums of costs and deltas have it: -0 would be another number in a digest.
func (f Functions) negated() Functions {
	b, x := &f.Bits, &f.Vector
	if g := b.Cost; g != nil {
		b.Cost = func(x []uint8) float64 { return 0 - g(x) }
	}
	if g := b.Delta; g != nil {
		b.Delta = func(x []uint8, i int) float64 { return 0 - g(x, i) }
	}
	if g := b.Delta2; g != nil {
		b.Delta2 = func(x []uint8, i, j int) float64 { return 0 - g(x, i, j) }
	}
	if g := b.Delta3; g != nil {
		b.Delta3 = func(x []uint8, i, j, k int) float64 { return 0 - g(x, i, j, k) }
	}
	if g := b.ByMove; g != nil {
		b.ByMove = func(x []uint8, k int) float64 { return 0 - g(x, k) }
	}
	if g := x.ByMove; g != nil {
		x.ByMove = func(p []int32, k int) float64 { return 0 - g(p, k) }
	}
	if g := x.Cost; g != nil {
		x.Cost = func(p []int32) float64 { return 0 - g(p) }
	}
	if g := x.Delta; g != nil {
		x.Delta = func(p []int32, i int, v int32) float64 { return 0 - g(p, i, v) }
	}
	if g := x.Swap; g != nil {
		x.Swap = func(p []int32, i, j int) float64 { return 0 - g(p, i, j) }
	}
	if g := x.Insert; g != nil {
		x.Insert = func(p []int32, i, j int) float64 { return 0 - g(p, i, j) }
	}
	if g := x.Reverse; g != nil {
		x.Reverse = func(p []int32, i, j int) float64 { return 0 - g(p, i, j) }
	}
	if g := x.Cycle; g != nil {
		x.Cycle = func(p []int32, i, j, k int) float64 { return 0 - g(p, i, j, k) }
	}
	if g := f.Cost; g != nil {
		f.Cost = func(p []float64) float64 { return 0 - g(p) }
	}
	return f
}
