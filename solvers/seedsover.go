package solvers

import (
	"context"

	"metalab/solvers/record"
)

// A SeedsElsewhere makes the run of cfg once for each seed, each for the budget, in the place of
// this process, as workers on other machines do. It calls done with each result as soon as that is
// there, one at a time, and returns when all are made, or why they are not. The History of a result
// is that of [Between].
type SeedsElsewhere func(
	ctx context.Context, cfg Config, seeds []uint64, b record.Budget, done func(Result),
) error

// Between returns the points of a curve of which only those with a new best and the last are known,
// in the order of their iterations: at the places of a curve, see onCurve, the best until then.
// Times at places between two points lie on the line through these.
func Between(known []record.Point) []record.Point {
	var out []record.Point
	step := int64(1)
	for i, at := int64(1), 0; at < len(known); i += step {
		for at < len(known) && known[at].Iter < i {
			at++
		}
		switch {
		case at == len(known):
		case known[at].Iter == i:
			out = append(out, known[at])
		case at > 0:
			out = append(out, between(&known[at-1], &known[at], i))
		}
		if i == curvePoints*step {
			step *= 2
		}
	}
	if n := len(known); n > 0 && (len(out) == 0 || out[len(out)-1].Iter < known[n-1].Iter) {
		out = append(out, known[n-1])
	}
	return out
}

// between is the point of an iteration between two, before which nothing better was found.
func between(a, b *record.Point, i int64) record.Point {
	part := float64(float64(i-a.Iter) / float64(b.Iter-a.Iter))
	return record.Point{
		Iter: i, Best: a.Best, Evals: a.Evals,
		Wall: a.Wall + float64(part*(b.Wall-a.Wall)), CPU: a.CPU + float64(part*(b.CPU-a.CPU)),
	}
}
