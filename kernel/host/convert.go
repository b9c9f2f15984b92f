package host

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"syscall"

	"metalab/kernel/reply"
	"metalab/solvers"
	"metalab/solvers/record"
)

var nan = reply.Num(math.NaN())

func wireParams(ps []record.Param) []reply.Param {
	out := make([]reply.Param, len(ps))
	for i, p := range ps {
		out[i] = reply.Param{
			Name: p.Name, Class: string(p.Class), Type: string(p.Type), Value: p.Value, Default: p.Default,
			Min: reply.Num(p.Min), Max: reply.Num(p.Max), Step: reply.Num(p.Step), Unit: p.Unit,
			Options: p.Options,
			Range:   solvers.RangeOf(p), Doc: p.Doc, Effect: p.Effect,
		}
	}
	return out
}

// Nums are numbers of an answer.
func Nums(v []float64) []reply.Num {
	out := make([]reply.Num, len(v))
	for i, x := range v {
		out[i] = reply.Num(x)
	}
	return out
}

func wirePoint(p record.Point, s record.Sense) reply.Point {
	p = s.Point(p)
	return reply.Point{
		Iter: p.Iter, Best: reply.Num(p.Best), IterBest: reply.Num(p.IterBest), Mean: reply.Num(p.Mean),
		Measures: Nums(p.Measures),
		Digest:   fmt.Sprintf("%016x", p.Digest), Improved: p.Improved, Evals: p.Evals,
		WallS: reply.Num(p.Wall), CPUS: reply.Num(p.CPU),
	}
}

func wireChange(c record.Change) reply.Change {
	c.Sources, c.Revision = nil, 0
	return reply.Change{Change: c}
}

func wireChanges(cs []record.Change) []reply.Change {
	var out []reply.Change
	for _, c := range cs {
		out = append(out, wireChange(c))
	}
	return out
}

func wireDifference(d *solvers.Difference) *reply.Difference {
	if d == nil {
		return nil
	}
	w := &reply.Difference{Seed: d.Seed, Iter: d.Iter, What: d.What, A: d.A, B: d.B}
	if d.Agent >= 0 {
		w.Agent = &d.Agent
	}
	if d.Position >= 0 {
		w.Position = &d.Position
	}
	return w
}

func quartiles(v []float64) reply.Quartiles {
	for _, x := range v {
		if math.IsNaN(x) {
			v = nil
			break
		}
	}
	if len(v) == 0 {
		return reply.Quartiles{Min: nan, Lower: nan, Median: nan, Upper: nan, Max: nan}
	}
	q := solvers.Quartiles(v)
	return reply.Quartiles{
		Min: reply.Num(q[0]), Lower: reply.Num(q[1]), Median: reply.Num(q[2]),
		Upper: reply.Num(q[3]), Max: reply.Num(q[4]),
	}
}

// isFileError reports whether err is about a file.
func isFileError(err error) bool {
	var p *fs.PathError
	var n syscall.Errno
	return errors.As(err, &p) || errors.As(err, &n) || errors.Is(err, record.ErrFormat)
}
