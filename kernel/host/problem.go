package host

import (
	"context"
	"fmt"
	"slices"

	"metalab/datasets"
	"metalab/kernel/guest"
	"metalab/kernel/view"
	"metalab/solvers/moves"
	"metalab/solvers/record"
)

// The greatest numbers of neighbours that a figure evaluates: of a slice, which draws each, and of
// a histogram.
const (
	mostDashes = 160
	mostMoves  = 20000
)

// problem returns the data of a run for the figures of problems; it is nil without a solution, or
// if the figure is for another kind of problem; the figure then says so.
func (e *Run) problem(ctx context.Context, figure string) (*view.Problem, error) {
	best, err := e.run.Best(ctx)
	if err != nil {
		return nil, err
	}
	s := best.Solution
	if _, own := e.run.Instance().(*guest.Instance); figure == "solution" && !own {
		return nil, wrong(fmt.Sprintf("plot: solution is a figure of problems of your own that have a "+
			"method Plot, and %s is on %s, of kind %s%s", e.Name(), e.run.Instance().Name(),
			e.run.Instance().Kind(), instead[e.run.Instance().Kind()]))
	}
	if e.run.Last().Iter == 0 {
		return nil, nil
	}
	p := &view.Problem{}
	switch inst := e.run.Instance().(type) {
	case *datasets.QAP:
		if figure == "assignment" && len(s.Perm) == inst.N {
			p.Assignment = assignmentOf(inst, s.Perm)
		}
	case *guest.Instance:
		if figure == "solution" {
			ps, err := e.run.Params(ctx)
			if err != nil {
				return nil, err
			}
			if p.Drawing, err = inst.Draw(ctx, s, ps); err != nil {
				return nil, wrong("plot: " + err.Error())
			}
		}
	case *datasets.PPP:
		if figure == "multiset" && len(s.Bits) == inst.N {
			p.Multiset = multisetOf(inst, s.Bits)
		}
	case *datasets.Weierstrass:
		if figure == "slice" && len(s.Real) == inst.N {
			if p.Slice, err = e.sliceOf(ctx, inst, s); err != nil {
				return nil, err
			}
		}
	}
	if figure == "neighbourhood" {
		if p.Moves, err = e.movesOf(ctx, s); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// instead are figures of solutions, by the kind of the instance.
var instead = map[datasets.Kind]string{
	datasets.KindTSP: ": take tour", datasets.KindATSP: ": take tour",
	datasets.KindQAP: ": take assignment", datasets.KindPPP: ": take multiset",
	datasets.KindWeierstrass: ": take slice",
}

// assignmentOf are the costs of pairs of facilities, those with the most flow first.
func assignmentOf(q *datasets.QAP, best []int32) *view.Assignment {
	n := q.N
	order := make([]int, n)
	flow := make([]int64, n)
	for i := range n {
		order[i] = i
		for j := range n {
			flow[i] += int64(q.A[i*n+j]) + int64(q.A[j*n+i])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(min(max(flow[b]-flow[a], -1), 1)) })
	a := &view.Assignment{N: n, Before: make([]float64, n*n), After: make([]float64, n*n)}
	for x, i := range order {
		for y, j := range order {
			f := float64(q.A[i*n+j])
			a.Before[x*n+y] = f * float64(q.B[i*n+j])
			a.After[x*n+y] = f * float64(q.B[int(best[i])*n+int(best[j])])
			a.BeforeCost += a.Before[x*n+y]
			a.AfterCost += a.After[x*n+y]
		}
	}
	return a
}

// multisetOf counts the products of v, and those that are wanted.
func multisetOf(q *datasets.PPP, v []int8) *view.Multiset {
	lo, hi := 1, 1
	products := make([]int, q.M)
	for j := range products {
		for k, a := range q.A[j*q.N:][:q.N] {
			products[j] += int(a) * int(v[k])
		}
		lo, hi = min(lo, products[j]), max(hi, products[j])
	}
	for i, h := range q.H {
		if h > 0 {
			hi = max(hi, i)
		}
	}
	m := &view.Multiset{First: float64(lo), Step: 2}
	for y := lo; y <= hi; y += 2 { // all are odd
		want := 0
		if y > 0 && y < len(q.H) {
			want = int(q.H[y])
		}
		m.Want, m.Have = append(m.Want, want), append(m.Have, 0)
	}
	for _, y := range products {
		m.Have[(y-lo)/2]++
	}
	return m
}

// sliceOf is the function along its first coordinate, and some neighbours of the best point
// in the ball that the run uses.
func (e *Run) sliceOf(ctx context.Context, w *datasets.Weierstrass,
	s record.Solution,
) (*view.Slice, error) {
	walk, radius, err := e.around(ctx, w)
	if err != nil {
		return nil, err
	}
	value, err := w.Cost(s.Real)
	if err != nil {
		return nil, err
	}
	p := &view.Slice{At: s.Real[0], Value: value, Radius: radius}
	const places = 1200
	for i := range places + 1 {
		x := 2*float64(i)/places - 1
		p.X, p.Y = append(p.X, x), append(p.Y, value+w.Delta(s.Real, 0, x))
	}
	nb := walk.Neighbourhoods()[0]
	for i := range min(nb.Size(), mostDashes) {
		if err := walk.Load(s); err != nil {
			return nil, err
		}
		walk.Apply(nb.Move(i * (nb.Size() / min(nb.Size(), mostDashes))))
		p.NearX, p.NearY = append(p.NearX, walk.Solution().Real[0]), append(p.NearY, walk.Cost())
	}
	return p, nil
}

// around returns a walk with the run's own ball, if it has one.
func (e *Run) around(ctx context.Context, w *datasets.Weierstrass) (moves.Walk, float64, error) {
	neighbours, radius := 10000, 1/float64(w.N)
	ps, err := e.run.Params(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range ps {
		v, ok := p.Value.Float()
		switch {
		case ok && p.Name == "neighbours":
			neighbours = int(v)
		case ok && p.Name == "radius":
			radius = v
		}
	}
	walk, err := moves.Around(w, neighbours, radius)
	return walk, radius, err
}

// movesOf evaluates the moves from the best solution in the neighbourhood that the run uses,
// or in the smallest of the problem; of large ones some that are spread evenly.
func (e *Run) movesOf(ctx context.Context, s record.Solution) (*view.Moves, error) {
	var walk moves.Walk
	var err error
	inst := e.run.Instance()
	if in, ok := inst.(*guest.Instance); ok {
		return nil, wrong(fmt.Sprintf("plot: the neighbourhoods of %s, a problem of your own, are known "+
			"to its own process alone; plot %s best, mean and the measures are drawn", in.Name(), e.name))
	}
	if w, ok := inst.(*datasets.Weierstrass); ok {
		walk, _, err = e.around(ctx, w)
	} else {
		walk, err = moves.On(inst)
	}
	if err != nil {
		return nil, wrong("plot: " + err.Error())
	}
	if err := walk.Load(s); err != nil {
		return nil, wrong("plot: " + err.Error())
	}
	nb := walk.Neighbourhoods()[0]
	ps, err := e.run.Params(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range ps {
		if word, ok := p.Value.Word(); ok && p.Name == "neighbourhood" {
			for _, other := range walk.Neighbourhoods() {
				if other.Name() == word {
					nb = other
				}
			}
		}
	}
	m := &view.Moves{Name: nb.Name(), All: nb.Size()}
	few := min(nb.Size(), mostMoves)
	if _, ok := inst.(*datasets.Weierstrass); ok {
		few = min(few, mostMoves/10) // sines take longer
	}
	for i := range few {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.Deltas = append(m.Deltas,
			walk.Delta(nb.Move(int64(float64(i)/float64(few)*float64(nb.Size())))))
	}
	return m, nil
}
