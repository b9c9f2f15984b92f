package guest

import (
	"encoding/binary"
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// initOf is the request that makes the first state.
func (a *algorithm) initOf(vs record.Values) ([][]byte, error) {
	if a.on != nil {
		return a.initOn(vs)
	}
	if a.problem == nil {
		return initOf(a.inst, a.env.Seed, vs)
	}
	head, err := wire.AppendHead(nil, wire.WorkerInit{
		Seed: a.env.Seed, Params: vs, Name: a.problem.name, Kind: string(a.problem.Kind()),
		N: a.problem.form.N, Sum: a.problem.sum, Start: a.start,
		Solver: a.variant.Solver, Variant: a.variant.Variant, Backend: a.variant.Backend,
		Devices: a.env.Devices, Source: a.problem.code.Source,
	})
	return [][]byte{head}, err
}

// initOn is the request that makes the first state on a problem that the worker has too.
func (a *algorithm) initOn(vs record.Values) ([][]byte, error) {
	in := wire.WorkerInit{
		Seed: a.env.Seed, Params: vs, Name: a.on.name, Kind: string(a.on.Kind()), N: a.on.form.N,
		Sum: a.on.sum,
	}
	if b, ok := a.on.BestKnown(); ok {
		in.Best = &b.Value
	}
	head, err := wire.AppendHead(nil, in)
	return [][]byte{head}, err
}

// initOf is the request that makes the first state.
func initOf(inst datasets.Instance, seed uint64, vs record.Values) ([][]byte, error) {
	in := wire.WorkerInit{
		Seed: seed, Params: vs, Name: inst.Name(), Kind: string(inst.Kind()),
		N: inst.Size(),
	}
	if b, ok := inst.BestKnown(); ok {
		in.Best = &b.Value
	}
	var arrays [][]byte
	add := func(name string, v any) error {
		b, err := binary.Append(nil, binary.LittleEndian, v)
		in.Arrays, in.Lengths, arrays = append(in.Arrays, name), append(in.Lengths, len(b)),
			append(arrays, b)
		return err
	}
	var err error
	switch t := inst.(type) {
	case *datasets.TSP:
		in.Metric = t.Metric.String()
		err = tspArrays(t, add)
	case *datasets.QAP:
		err = errors.Join(add("a", t.A), add("b", t.B))
	case *datasets.PPP:
		in.Rows = t.M
		err = errors.Join(add("signs", t.A), add("counts", t.H))
	default:
		err = fmt.Errorf("a declared solver does not take instances of kind %s", inst.Kind())
	}
	if err != nil {
		return nil, err
	}
	head, err := wire.AppendHead(nil, in)
	if err != nil {
		return nil, err
	}
	return append([][]byte{head}, arrays...), nil
}

// tspArrays adds coordinates, and distances where a worker does not compute them.
func tspArrays(t *datasets.TSP, add func(string, any) error) error {
	x, y := t.X, t.Y
	computed := t.Matrix == nil && (t.Metric == datasets.Euc2D || t.Metric == datasets.Ceil2D ||
		t.Metric == datasets.Att)
	if !computed {
		if t.N > maxMatrix {
			return fmt.Errorf("%s has %d cities under the metric %v, and a declared solver gets distances "+
				"other than EUC_2D, CEIL_2D and ATT as a matrix, of %d cities at most", t.Name(), t.N,
				t.Metric, maxMatrix)
		}
		m := make([]int32, t.N*t.N)
		for i := range t.N {
			for j := range t.N {
				m[i*t.N+j] = t.Dist(i, j)
			}
		}
		if err := add("matrix", m); err != nil {
			return err
		}
		x, y = t.ShowX, t.ShowY
	}
	if x == nil || y == nil {
		return nil
	}
	return errors.Join(add("x", x), add("y", y))
}
