package exchange

import (
	"maps"
	"math"
	"slices"
	"time"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// A Run is a row of runs.parquet: a unit with its result.
type Run struct {
	Unit     int32    `parquet:"unit"`
	Key      string   `parquet:"key"`
	Label    string   `parquet:"label,dict"`
	Solver   string   `parquet:"solver,dict"`
	Variant  string   `parquet:"variant,dict"`
	Revision int32    `parquet:"revision"`
	Backend  string   `parquet:"backend,dict"`
	Preset   string   `parquet:"preset,dict"`
	Instance string   `parquet:"instance,dict"`
	Kind     string   `parquet:"kind,dict"` // of the problem
	Size     int64    `parquet:"size"`
	SHA256   string   `parquet:"sha256,dict"` // of the instance
	Seed     uint64   `parquet:"seed"`
	Budget   string   `parquet:"budget,dict"`
	State    string   `parquet:"state,dict"`
	Best     *float64 `parquet:"best,optional"`
	Optimum  *float64 `parquet:"optimum,optional"`
	Gap      *float64 `parquet:"gap,optional"` // percent

	Iterations  int64    `parquet:"iterations"`
	Evaluations int64    `parquet:"evaluations"`
	Wall        *float64 `parquet:"wall_s,optional"`
	CPU         *float64 `parquet:"cpu_s,optional"`
	Digest      string   `parquet:"digest"` // 16 hexadecimal digits
	Why         string   `parquet:"why,dict"`
	Error       string   `parquet:"error"`
	Ended       *int64   `parquet:"ended,optional,timestamp(microsecond)"` // UTC
	Machine     string   `parquet:"machine,dict"`
	Device      string   `parquet:"device,dict"`
	Sense       string   `parquet:"sense,dict"` // minimise or maximise
	Own         string   `parquet:"own,dict"`   // the problem's own parameters, as in a CSV file
}

// A Descriptor is a row of descriptors.parquet: a parameter of a unit. A number is in both columns.
type Descriptor struct {
	Unit   int32    `parquet:"unit,delta"`
	Name   string   `parquet:"name,dict"`
	Text   string   `parquet:"text,dict"`
	Number *float64 `parquet:"number,optional"`
	Varied bool     `parquet:"varied"` // whether the plan varies it
}

// A Trace is a row of trace.parquet: the best so far of a unit.
type Trace struct {
	Unit        int32   `parquet:"unit,delta"`
	Iteration   int64   `parquet:"iteration,delta"`
	Evaluations int64   `parquet:"evaluations,delta"`
	Wall        float64 `parquet:"wall_s"`
	CPU         float64 `parquet:"cpu_s"`
	Best        float64 `parquet:"best"`
}

// A Position is a row of positions.parquet: a position of a unit's best solution.
type Position struct {
	Unit     int32 `parquet:"unit,delta"`
	Position int32 `parquet:"position,delta"` // from 0 on

	// Value is what stands there: the city, location or colour, from 0 on; 1 or -1 of a permuted
	// perceptron; the variable of a function.
	Value float64 `parquet:"value"`
}

// known is v, or nothing where it is no number.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// runOf makes a row of a unit.
func runOf(r experiment.Row) Run {
	u := r.Unit
	sense := u.Instance.Sense()
	row := Run{
		Unit: int32(u.Number), Key: u.Key.String(), Label: u.Label, Solver: u.Solver,
		Variant: u.Variant, Revision: int32(u.Revision), Backend: u.Backend, Preset: u.Preset,
		Instance: u.Instance.Name, Kind: u.Instance.Kind, Size: int64(u.Instance.Size),
		SHA256: u.Instance.SHA256, Seed: u.Seed, Budget: u.Budget.String(),
		State: string(r.State), Sense: senseWord(u.Instance.Maximise), Own: ownText(&u),
	}
	if u.Instance.Best != nil {
		row.Optimum = known(sense.Value(*u.Instance.Best))
	}
	if r.State != experiment.Done && r.State != experiment.Failed {
		return row
	}
	v := r.Result
	row.Best, row.Gap = known(sense.Value(v.Best)), known(v.Gap)
	if o := known(sense.Value(v.Optimum)); o != nil {
		row.Optimum = o
	}
	row.Iterations, row.Evaluations = v.Iterations, v.Evaluations
	row.Wall, row.CPU = known(v.Wall), known(v.CPU)
	row.Digest = digest(v.Digest)
	row.Why, row.Error, row.Machine, row.Device = v.Why, v.Error, v.Machine, v.Device
	if !v.Ended.IsZero() {
		at := v.Ended.UTC().UnixMicro()
		row.Ended = &at
	}
	return row
}

// digest writes a digest as records do.
func digest(d uint64) string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for i := range b {
		b[len(b)-1-i] = digits[d>>(4*i)&15]
	}
	return string(b[:])
}

// descriptorsOf makes the rows of a unit's parameters, by name.
func descriptorsOf(u *experiment.Unit) []Descriptor {
	all := maps.Clone(u.Params)
	if all == nil {
		all = record.Values{}
	}
	for n, v := range u.Schedule {
		all[n] = v
	}
	out := make([]Descriptor, 0, len(all))
	for _, n := range slices.Sorted(maps.Keys(all)) {
		d := Descriptor{Unit: int32(u.Number), Name: n, Text: all[n].String()}
		_, d.Varied = u.Varied[n]
		if v, ok := all[n].Float(); ok {
			d.Number = known(v)
		}
		out = append(out, d)
	}
	return out
}

// layout is how times are written in texts.
const layout = time.RFC3339
