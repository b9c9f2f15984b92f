package host

import (
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// The limits of a scrub.
const (
	scrubCities = 60_000 // of all its tours together
	scrubFrames = 60     // tours
	scrubMarks  = 400    // steps of the curve
	scrubLarge  = 20_000 // cities that a tour may have
)

var _ = handle("scrub", (*Host).scrub)

// scrub makes a run again, from its record, and keeps best solutions on the way.
func (h *Host) scrub(c *Call, q *wire.RunRequest) (*reply.ScrubReply, error) {
	rec, err := h.RecordOf(c, q.Run)
	if err != nil {
		return nil, err
	}
	inst, err := h.InstanceOf(c, rec.Header.Instance)
	if err != nil {
		return nil, err
	}
	if rec.End == 0 {
		return nil, wrong(fmt.Sprintf("scrub: %s has made no iterations yet; step %s 1", q.Run, q.Run))
	}
	rep := &reply.ScrubReply{Status: RecordStatus("scrub", rec, inst)}
	frames := thin[reply.Frame]{most: scrubFrames}
	t, drawn := inst.(*datasets.TSP)
	switch {
	case !drawn || t.ShowX == nil:
		drawn, rep.Note = false, "there is no map: "+rec.Header.Instance.Name+" has no places"
	case t.N > scrubLarge:
		drawn, rep.Note = false, fmt.Sprintf("there is no map: %d cities, and up to %d are shown",
			t.N, scrubLarge)
	default:
		frames.most = max(min(scrubFrames, scrubCities/t.N), 2)
		for i := range t.N {
			rep.X, rep.Y = append(rep.X, reply.Num(t.ShowX[i])), append(rep.Y, reply.Num(t.ShowY[i]))
		}
	}
	marks, sense := thin[reply.Mark]{most: scrubMarks}, solvers.SenseOf(inst)
	h.replaying(1)
	defer h.replaying(-1)
	d, err := solvers.Replay(c.ctx, rec, inst, solvers.ReplayOptions{
		Progress: c.often(func(done, total int64) { c.progress(done, total, "scrub "+q.Run) }),
		Better: func(b record.Best) {
			marks.add(reply.Mark{Iter: b.Iter, Best: value(sense, b.Value)})
			f := reply.Frame{Iter: b.Iter, Best: value(sense, b.Value)}
			if drawn {
				f.Tour = append([]int32(nil), b.Solution.Perm...)
			}
			frames.add(f)
		},
	})
	if errors.Is(err, solvers.ErrNothing) {
		err = nil
	}
	if err == nil && d != nil {
		err = fmt.Errorf("made again, it differs from the record, first at %s", d)
	}
	if err != nil {
		return nil, fmt.Errorf("scrub: %w", err)
	}
	rep.Frames, rep.Curve = frames.all(), marks.all()
	for _, x := range record.Acts(rec.Journal) {
		rep.Changes = append(rep.Changes, wireChange(x))
	}
	return rep, nil
}

// thin keeps some of many that come one after the other, the first and the last among them: each
// 2^k-th, with the least k for which they are no more than most, which is at least 2.
type thin[T any] struct {
	most  int
	kept  []T
	every int
	n     int
	last  T
	odd   bool // the last one is not among those kept
}

func (s *thin[T]) add(x T) {
	s.every = max(s.every, 1)
	s.last, s.odd = x, true
	if s.n%s.every == 0 {
		s.kept, s.odd = append(s.kept, x), false
	}
	s.n++
	if len(s.kept) < s.most || len(s.kept) == s.most && !s.odd {
		return
	}
	half := s.kept[:0]
	for i := 0; i < len(s.kept); i += 2 {
		half = append(half, s.kept[i])
	}
	s.odd = s.odd || len(s.kept)%2 == 0
	clear(s.kept[len(half):])
	s.kept, s.every = half, 2*s.every
}

// all returns the kept items.
func (s *thin[T]) all() []T {
	if s.odd {
		return append(s.kept, s.last)
	}
	return s.kept
}
