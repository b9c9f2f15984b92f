package solvers

import (
	"context"

	"metalab/solvers/record"
)

// A SeedsElsewhere runs cfg once for each seed, each with the budget, outside this process, for
// example on workers on other machines. It calls done with each result as soon as it arrives, one
// at a time. It returns when all are done, or with the reason why they are not. The History of a
// result is that of [Between].
type SeedsElsewhere func(
	ctx context.Context, cfg Config, seeds []uint64, b record.Budget, done func(Result),
) error

// Between rebuilds a curve from the points of new bests and the last point, in the order of their
// iterations: it returns the best so far at the places of a curve, see onCurve. Times between two
// points are interpolated linearly.
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
