package bench

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers/record"
)

// The throughput of an H200 per second: 132 multiprocessors at 1.98 GHz, each with 128 lanes that
// start an instruction in a clock, 64 of them an integer one; 128 bytes of shared memory in a
// clock; and 16 sines by its function units.
const (
	h200Clocks   = 132 * 1.98e9
	h200Lanes    = 128 * h200Clocks
	h200Integers = 64 * h200Clocks
	h200Bytes    = 128 * h200Clocks
	h200Sines    = 16 * h200Clocks
)

// bound is the least time in seconds that a scan of a tabu search can take on an H200, of one walk
// and the neighbourhood of its published table, if nothing but the counted work took time:
//
//   - assignments in n steps a swap: 6 integer instructions a step;
//   - permuted perceptrons: a byte of the matrix from shared memory for each row and flipped bit;
//   - swaps of tours: 28 instructions each, a distance (it serves four swaps) and the sum of eight;
//   - Weierstrass functions: 101 sines a coordinate, made by the function units.
func bound(inst datasets.Instance, p record.Values) (float64, error) {
	n := float64(inst.Size())
	pairs := n * (n - 1) / 2
	neighbourhood, _ := p["neighbourhood"].Word()
	switch inst.Kind() {
	case datasets.KindQAP:
		if e, _ := p["evaluation"].Word(); e == "linear" && neighbourhood == "swap" {
			return pairs * n * 6 / h200Integers, nil
		}
	case datasets.KindPPP:
		q, ok := inst.(*datasets.PPP)
		switch {
		case ok && neighbourhood == "hamming1":
			return n * float64(q.M) / h200Bytes, nil
		case ok && neighbourhood == "hamming2":
			return pairs * 2 * float64(q.M) / h200Bytes, nil
		}
	case datasets.KindTSP, datasets.KindATSP:
		if neighbourhood == "swap" {
			return pairs * 28 / h200Lanes, nil
		}
	case datasets.KindWeierstrass:
		count, _ := p["neighbours"].Float()
		return count * n * 101 / h200Sines, nil
	}
	return 0, fmt.Errorf("bench: no bound is known for %s on %s", neighbourhood, inst.Name())
}
