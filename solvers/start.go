package solvers

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/solvers/record"
)

// HashSolution returns the SHA-256 of a solution, in hexadecimal. It covers the kind and the
// entries alone, so it does not depend on how a file spelt the solution.
func HashSolution(s record.Solution) string {
	h := sha256.New()
	var b []byte
	switch {
	case s.Perm != nil:
		b = append(b, "perm"...)
		for _, x := range s.Perm {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
	case s.Bits != nil:
		b = append(b, "bits"...)
		for _, x := range s.Bits {
			b = append(b, byte(x))
		}
	default:
		b = append(b, "real"...)
		for _, x := range s.Real {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

// begin checks the start of a run and fills in its hash and value. A start from a record must match
// its recorded hash.
func begin(s *record.Start, inst datasets.Instance) (*record.Start, error) {
	if s == nil {
		return nil, nil
	}
	v, err := Cost(inst, s.Solution)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	out := &record.Start{
		SHA256: HashSolution(s.Solution), Value: v, Path: s.Path, Solution: s.Solution.Clone(),
	}
	if s.SHA256 != "" && s.SHA256 != out.SHA256 {
		return nil, fmt.Errorf("start: the solution has the SHA-256 %.12s…, and the record says "+
			"%.12s…: it was changed: %w",
			out.SHA256, s.SHA256, record.ErrFormat)
	}
	return out, nil
}

// starter is an algorithm as one that can begin at a given solution.
func starter(alg Algorithm) (Starter, bool) {
	if a, ok := alg.(*archipelago); ok {
		_, ok := a.lead.(Starter)
		return a, ok
	}
	s, ok := alg.(Starter)
	return s, ok
}

// noStart says why a variant takes no start, and which do.
func noStart(v Variant, inst datasets.Instance) error {
	why := v.NoStart
	var others []string
	for _, o := range Variants() {
		if o.Solver == v.Solver && o.Name == v.Name {
			why = cmp.Or(why, o.NoStart) // of the other backend
		}
		if o.Backend != hostBackend || !o.takes(inst.Kind()) {
			continue
		}
		if alg, err := o.Make(inst); err == nil {
			if _, ok := alg.(Starter); ok {
				others = append(others, o.Solver+"/"+o.Name)
			}
			alg.Close()
		}
	}
	why = cmp.Or(why, "it makes its first solutions itself")
	hint := ""
	if len(others) > 0 {
		hint = "; those that take a start: " + strings.Join(slices.Compact(others), ", ")
	}
	return fmt.Errorf("start: %s/%s takes none: %s%s", v.Solver, v.Name, why, hint)
}
