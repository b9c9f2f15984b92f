package host

import (
	"path/filepath"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// replayBest makes the best solution of a record again, by the part of the run that found it.
func (h *Host) replayBest(
	c *Call, q *wire.ReplayRequest, rec *record.Record, inst datasets.Instance,
) (*reply.ReplayReply, error) {
	if q.Seeds {
		return nil, wrong("replay: best makes a part of the run again, and seeds makes its repeats: " +
			"want one of the two")
	}
	h.replaying(1)
	defer h.replaying(-1)
	r, err := solvers.ReplayBest(c.ctx, rec, inst, solvers.ReplayOptions{
		Backend: q.On,
		Progress: c.often(func(done, total int64) {
			c.progress(done, total, "replay "+filepath.Base(q.Path)+" best")
		}),
	})
	if err != nil {
		return nil, wrote(err, q.Path)
	}
	rep := &reply.ReplayReply{
		Status: RecordStatus("replay", rec, inst), Path: q.Path, Identical: r.Difference == nil,
		FirstDifference: wireDifference(r.Difference), Cut: !rec.Whole,
		Alone: &reply.Alone{
			Part: r.Part.Name, First: r.Part.First, Last: r.Part.Last, Of: r.Part.Of,
			Agents: r.Part.Agents, Agent: r.Agent, Iterations: r.Iterations, Value: nan,
		},
	}
	rep.Backend = "cpu"
	if b := r.Best; b.Iter > 0 {
		rep.Alone.Value = value(solvers.SenseOf(inst), b.Value)
		rep.Alone.Spins, rep.Alone.SHA256 = spinsOf(inst, b.Value), solvers.HashSolution(b.Solution)
	}
	return rep, nil
}
