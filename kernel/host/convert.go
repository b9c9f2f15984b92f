package host

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"syscall"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

var nan = wire.Num(math.NaN())

func wireParams(ps []record.Param) []wire.Param {
	out := make([]wire.Param, len(ps))
	for i, p := range ps {
		out[i] = wire.Param{
			Name: p.Name, Class: string(p.Class), Type: string(p.Type), Value: p.Value, Default: p.Default,
			Min: wire.Num(p.Min), Max: wire.Num(p.Max), Step: wire.Num(p.Step), Unit: p.Unit, Options: p.Options,
			Range: solvers.RangeOf(p), Doc: p.Doc, Effect: p.Effect,
		}
	}
	return out
}

func nums(v []float64) []wire.Num {
	out := make([]wire.Num, len(v))
	for i, x := range v {
		out[i] = wire.Num(x)
	}
	return out
}

func wirePoint(p record.Point) wire.Point {
	return wire.Point{
		Iter: p.Iter, Best: wire.Num(p.Best), IterBest: wire.Num(p.IterBest), Mean: wire.Num(p.Mean), Measures: nums(p.Measures),
		Digest: fmt.Sprintf("%016x", p.Digest), Improved: p.Improved, Evals: p.Evals, WallS: wire.Num(p.Wall), CPUS: wire.Num(p.CPU),
	}
}

func wireChange(c record.Change) wire.Change {
	return wire.Change{
		Iter: c.Iter, Kind: c.Kind, Name: c.Name, Old: c.Old, New: c.New, With: c.With, On: c.On, Seed: c.Seed, Who: c.Who, At: c.At,
	}
}

func wireDifference(d *solvers.Difference) *wire.Difference {
	if d == nil {
		return nil
	}
	w := &wire.Difference{Seed: d.Seed, Iter: d.Iter, What: d.What, A: d.A, B: d.B}
	if d.Agent >= 0 {
		w.Agent = &d.Agent
	}
	if d.Position >= 0 {
		w.Position = &d.Position
	}
	return w
}

func quartiles(v []float64) wire.Quartiles {
	for _, x := range v {
		if math.IsNaN(x) {
			v = nil
			break
		}
	}
	if len(v) == 0 {
		return wire.Quartiles{Min: nan, Lower: nan, Median: nan, Upper: nan, Max: nan}
	}
	q := solvers.Quartiles(v)
	return wire.Quartiles{Min: wire.Num(q[0]), Lower: wire.Num(q[1]), Median: wire.Num(q[2]), Upper: wire.Num(q[3]), Max: wire.Num(q[4])}
}

// isFileError reports whether err is about a file.
func isFileError(err error) bool {
	var p *fs.PathError
	var n syscall.Errno
	return errors.As(err, &p) || errors.As(err, &n) || errors.Is(err, record.ErrFormat)
}
