package moves

import (
	"metalab/datasets"
	"metalab/solvers/record"
)

// A Renewer is a walk whose neighbours are drawn at random, as those on real vectors are: Renew
// draws others, which follow from the seed and the two numbers. Without it they stay the same.
type Renewer interface {
	Renew(seed uint64, clock int64, walk int)
}

// SampledNeighbourhoods returns the neighbourhoods of the walks from Sampled for the instance:
// those of the problem; on a symmetric tour reverse, which turns any part of it, replaces 2opt.
func SampledNeighbourhoods(inst datasets.Instance) ([]Neighbourhood, error) {
	nbs, err := neighbourhoods(inst)
	if t, ok := inst.(*datasets.TSP); ok && err == nil && !t.Asymmetric {
		nbs[published] = reversals{swaps{int64(t.N)}}
	}
	return nbs, err
}

// Sampled returns walks for searches that draw single moves at random, such as annealing: Delta
// evaluates a move from the solution alone, and the walk maintains no data for whole scans.
func Sampled(inst datasets.Instance, walks int) ([]Walk, error) {
	nbs, err := SampledNeighbourhoods(inst)
	if err != nil {
		return nil, err
	}
	out := make([]Walk, walks)
	for i := range out {
		if out[i], err = On(inst); err != nil {
			return nil, err
		}
		switch t := out[i].(type) {
		case *qapWalk:
			t.evaluate(true)
		case *pppWalk:
			t.evaluate(true)
		case *tspWalk:
			if i > 0 {
				t.share(walks, out[0].(*tspWalk))
			}
			t.evaluate(true)
			t.dist.made.Do(t.dist.make)
			t.nbs = nbs
			if t.inst.N >= longFrom {
				t.lengthen()
			}
		}
	}
	return out, nil
}

// A Marker is a walk that remembers a solution without a copy of it: Mark remembers the present
// one, Marked returns the one remembered last and forgets it.
type Marker interface {
	Mark()
	Marked() record.Solution
}

// MarkerOf returns w as a Marker; nil if copies of its solutions are as fast.
func MarkerOf(w Walk) Marker {
	if t, ok := w.(*tspWalk); ok && t.long != nil {
		return t
	}
	return nil
}
