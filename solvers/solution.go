package solvers

import (
	"fmt"
	"math"

	"metalab/datasets"
	"metalab/solvers/record"
)

// Solution writes a solution of an instance of this kind, or an empty one if there is none.
func (w *Writer) Solution(name string, kind datasets.Kind, s record.Solution) {
	switch kind {
	case datasets.KindWeierstrass:
		w.Float64s(name+" real", s.Real...)
	case datasets.KindPPP, datasets.KindCut:
		bits := make([]int32, len(s.Bits))
		for i, x := range s.Bits {
			bits[i] = int32(x)
		}
		w.Int32s(name, bits)
	case datasets.KindOwn:
		flags := make([]byte, len(s.Bits))
		for i, x := range s.Bits {
			flags[i] = byte(x)
		}
		w.Bytes(name+" bits", flags)
		w.Float64s(name+" real", s.Real...)
		w.Int32s(name, s.Perm)
	default:
		w.Int32s(name, s.Perm)
	}
}

// Solution reads a solution of the instance and computes its cost, +Inf for an empty one.
func (r *Reader) Solution(
	name string, inst datasets.Instance,
) (s record.Solution, cost float64, err error) {
	switch inst.Kind() {
	case datasets.KindWeierstrass:
		s.Real = r.Float64s(name+" real", -1)
	case datasets.KindPPP, datasets.KindCut:
		for _, x := range r.Int32s(name, -1) {
			bit := int8(x)
			if int32(bit) != x {
				bit = 2 // not a bit: the cost function returns an error
			}
			s.Bits = append(s.Bits, bit)
		}
	case datasets.KindOwn:
		for _, x := range r.Bytes(name+" bits", -1) {
			s.Bits = append(s.Bits, int8(x))
		}
		if x := r.Float64s(name+" real", -1); len(x) > 0 {
			s.Real = x
		}
		if x := r.Int32s(name, -1); len(x) > 0 {
			s.Perm = x
		}
	default:
		s.Perm = r.Int32s(name, -1)
	}
	if err := r.Err(); err != nil {
		return record.Solution{}, 0, err
	}
	if len(s.Real)+len(s.Bits)+len(s.Perm) == 0 {
		return record.Solution{}, math.Inf(1), nil
	}
	if cost, err = Cost(inst, s); err != nil {
		return s, 0, fmt.Errorf("%s of the state: %w", name, err)
	}
	return s, cost, nil
}
