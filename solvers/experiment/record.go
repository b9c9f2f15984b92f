package experiment

import (
	"fmt"
	"maps"

	"metalab/solvers"
	"metalab/solvers/record"
)

// Record returns the record of a finished unit: its settings, and the digest of its end, by which a
// replay checks that it is the same. The record has no solution and no points in between; a replay
// computes them again.
func (r *Row) Record(name string) (*record.Record, error) {
	u, x := &r.Unit, &r.Result
	if r.State != Done {
		return nil, fmt.Errorf("experiment %s: unit %d is %s, and a record is of one that is done", name,
			u.Number, r.State)
	}
	if !solvers.Waits(u.Params) {
		return nil, fmt.Errorf("experiment %s: unit %d has islands that do not wait for each other, and "+
			"no journal of the order in which they came: open and save it to have a record that replays",
			name, u.Number)
	}
	h := record.NewHeader()
	h.Run = fmt.Sprintf("unit-%d", u.Number)
	h.Solver, h.Variant, h.Revision, h.Backend = u.Solver, u.Variant, u.Revision, u.Backend
	h.Seed, h.Preset, h.Instance = u.Seed, u.Preset, u.Instance
	h.Params, h.Measures = maps.Clone(u.Params), []string{}
	maps.Copy(h.Params, u.Schedule)
	h.Build, h.Machine, h.StartedAt = "that made experiment "+name, x.Machine, x.Ended
	return &record.Record{Header: h, End: x.Iterations, Digest: x.Digest, Whole: true}, nil
}
