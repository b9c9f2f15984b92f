package record

import (
	"fmt"
	"math"
)

// The kinds of a Form.
const (
	FormBits        = "bits"        // Solution.Bits, each 0 or 1
	FormPermutation = "permutation" // Solution.Perm, each number from 0 to N-1 once
	FormValues      = "values"      // Solution.Perm, each from 0 to K-1
	FormReals       = "reals"       // Solution.Real, each from Low to High
)

// MaxForm is the largest number of entries of a solution.
const MaxForm = 1 << 20

// A Form describes the solutions of a user's problem, and which values are better. A search
// minimises the cost, which is the negative of the value if Maximise is set.
type Form struct {
	Kind      string   `json:"form"`
	N         int      `json:"n"`              // entries of a solution
	K         int      `json:"k,omitempty"`    // values of an entry
	Low       float64  `json:"low,omitempty"`  // of real numbers
	High      float64  `json:"high,omitempty"` // of real numbers
	Maximise  bool     `json:"maximise,omitempty"`
	BestKnown *float64 `json:"best,omitempty"`   // the best published value
	Source    string   `json:"source,omitempty"` // where it is published
}

// Sense returns which values are better.
func (f Form) Sense() Sense { return Sense(f.Maximise) }

// Check returns an error unless solutions of the form exist.
func (f Form) Check() error {
	if f.N < 1 || f.N > MaxForm {
		return fmt.Errorf("solutions of %d entries, want 1 to %d", f.N, MaxForm)
	}
	switch f.Kind {
	case FormBits, FormPermutation:
	case FormValues:
		if f.K < 2 || f.K > MaxForm {
			return fmt.Errorf("%d values of an entry, want 2 to %d", f.K, MaxForm)
		}
	case FormReals:
		if !(f.Low < f.High) || math.IsInf(f.High-f.Low, 0) {
			return fmt.Errorf("real numbers from %v to %v, want a smaller and a greater one", f.Low, f.High)
		}
	default:
		return fmt.Errorf("no form of solutions is called %q: bits, permutation, values and reals are",
			f.Kind)
	}
	if b := f.BestKnown; b != nil && (math.IsNaN(*b) || math.IsInf(*b, 0)) {
		return fmt.Errorf("a best known value of %v", *b)
	}
	return nil
}

// Take returns an error unless s is a solution of the form.
func (f Form) Take(s Solution) error {
	n := len(s.Perm)
	switch f.Kind {
	case FormBits:
		n = len(s.Bits)
	case FormReals:
		n = len(s.Real)
	}
	if n != f.N {
		return fmt.Errorf("a solution of %d entries, want %d", n, f.N)
	}
	switch f.Kind {
	case FormBits:
		for i, x := range s.Bits {
			if x != 0 && x != 1 {
				return fmt.Errorf("bit %d is %d, want 0 or 1", i, x)
			}
		}
	case FormReals:
		for i, x := range s.Real {
			if !(x >= f.Low && x <= f.High) {
				return fmt.Errorf("number %d is %v, want %v to %v", i, x, f.Low, f.High)
			}
		}
	case FormValues:
		for i, x := range s.Perm {
			if x < 0 || int(x) >= f.K {
				return fmt.Errorf("value %d is %d, want 0 to %d", i, x, f.K-1)
			}
		}
	default:
		seen := make([]bool, f.N)
		for i, x := range s.Perm {
			if x < 0 || int(x) >= f.N {
				return fmt.Errorf("entry %d is %d, want 0 to %d", i, x, f.N-1)
			}
			if seen[x] {
				return fmt.Errorf("%d is there twice", x)
			}
			seen[x] = true
		}
	}
	return nil
}

// String describes the form, such as "1000 bits".
func (f Form) String() string {
	var s string
	switch f.Kind {
	case FormBits:
		s = fmt.Sprintf("%d bits", f.N)
	case FormPermutation:
		s = fmt.Sprintf("permutations of %d", f.N)
	case FormValues:
		s = fmt.Sprintf("%d values from 0 to %d", f.N, f.K-1)
	default:
		s = fmt.Sprintf("%d real numbers from %v to %v", f.N, f.Low, f.High)
	}
	if f.Maximise {
		s += ", maximised"
	}
	return s
}
