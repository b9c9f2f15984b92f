package host

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
)

var _ = handle("runs", (*Host).listRuns)

func (h *Host) listRuns(c *Call, q *wire.RunsRequest) (*reply.RunsReply, error) {
	rep := &reply.RunsReply{Verb: "runs", Session: h.o.Session, Runs: []reply.Status{}}
	for _, e := range h.entries() {
		s := e.Status("")
		s.Verb = "runs"
		rep.Runs = append(rep.Runs, s)
	}
	if !q.All {
		return rep, nil
	}
	rep.Autosaves = h.store.autosaves()
	rep.Others = h.Others(c.ctx)
	return rep, nil
}

// Others are the other sessions of this user on this machine, with their runs as far as they
// answer.
func (h *Host) Others(ctx context.Context) (out []reply.Others) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for _, s := range wire.Sessions(ctx) {
		if s.Session == h.o.Session || s.Protocol != protocol {
			continue
		}
		o := reply.Others{Session: s.Session, Runs: []reply.Status{}}
		if other, err := wire.Dial(ctx, s.Session, "runs"); err == nil {
			var r reply.RunsReply
			if other.Do(ctx, "runs", wire.RunsRequest{}, &r) == nil {
				o.Runs = r.Runs
			}
			other.Close()
		}
		out = append(out, o)
	}
	return out
}

var _ = handle("show", (*Host).show)

func (h *Host) show(_ *Call, q *wire.RunRequest) (*reply.ShowReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	p, v, hd, sense := e.run.Last(), e.run.Variant(), e.run.Header(), senseOf(e.run)
	rep := &reply.ShowReply{
		Status: e.Status("show"), Title: v.Title, Source: v.Source, Seed: e.run.Seed(), Preset: hd.Preset,
		Revision: v.Revision, Kind: string(e.run.Instance().Kind()), Size: e.run.Instance().Size(),
		IterBest: value(sense, p.IterBest), Mean: value(sense, p.Mean),
		Digest: fmt.Sprintf("%016x", p.Digest),
		Evals:  p.Evals, Counts: e.run.Counts(),
		Rate: nan, Progress: reply.Num(e.run.Progress()), Measures: hd.Measures, Values: Nums(p.Measures),
		Changes: len(e.run.Journal()), Params: e.Params(),
	}
	if p.Wall > 0 {
		rep.Rate = reply.Num(math.Round(1000*float64(p.Iter)/p.Wall) / 1000)
	}
	for _, s := range e.run.Repeats() {
		if len(s.Seeds) > 0 {
			rep.Repeats = append(rep.Repeats, e.series(&s).Words())
		}
	}
	if err := e.run.Err(); err != nil {
		rep.Failure = err.Error()
	}
	e.mu.Lock()
	rep.Saved, rep.SavedIter, rep.Autosave = e.saved, e.savedAt, e.keep.trouble()
	e.mu.Unlock()
	return rep, nil
}

var _ = handle("params", (*Host).params)

func (h *Host) params(_ *Call, q *wire.ParamsRequest) (*reply.ParamsReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	rep := &reply.ParamsReply{
		Status: e.Status("params"), Params: e.Params(), Named: q.Names != "",
		Full: q.Full,
	}
	if rep.Named {
		if rep.Params, err = e.named("params", wire.NamesOf(q.Names)); err != nil {
			return nil, err
		}
	}
	return rep, nil
}

var _ = handle("best", (*Host).best)

func (h *Host) best(c *Call, q *wire.BestRequest) (*reply.BestReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	b, err := e.run.Best(c.ctx)
	if err != nil {
		return nil, err
	}
	rep := &reply.BestReply{
		Status: e.Status("best"), Found: b.Iter, Value: value(senseOf(e.run), b.Value),
	}
	if q.Solution && rep.Iteration > 0 {
		rep.Solution = &b.Solution
	}
	return rep, nil
}

var _ = handle("history", (*Host).history)

func (h *Host) history(_ *Call, q *wire.HistoryRequest) (*reply.HistoryReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	ps := e.run.HistorySince(q.Since)
	// The last point belongs to a history although thinning would leave it out.
	if last := e.run.Last(); last.Iter > q.Since && (len(ps) == 0 || ps[len(ps)-1].Iter < last.Iter) {
		ps = append(ps, last)
	}
	if q.Last > 0 && len(ps) > q.Last {
		ps = ps[len(ps)-q.Last:]
	}
	rep := &reply.HistoryReply{
		Status: e.Status("history"), Names: e.run.Header().Measures,
		Points: make([]reply.Point, len(ps)),
	}
	for i, p := range ps {
		rep.Points[i] = wirePoint(p, senseOf(e.run))
	}
	return rep, nil
}

var _ = handle("journal", (*Host).journal)

func (h *Host) journal(_ *Call, q *wire.RunRequest) (*reply.JournalReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	rep := &reply.JournalReply{Status: e.Status("journal"), Changes: []reply.Change{}}
	for _, c := range e.run.Journal() {
		rep.Changes = append(rep.Changes, wireChange(c))
	}
	return rep, nil
}

// maxTrails is the greatest number of trails in a picture or an array: the strongest, of equal ones
// some from all parts of the instance. Choosing them from a million takes about 30 ms.
const maxTrails = 1 << 17

// Array is a large array of a run: its type, its shape and its bytes.
func (h *Host) Array(
	ctx context.Context, run, name string,
) (typ string, shape []int, data []byte, err error) {
	e, err := h.Find(run)
	if err != nil {
		return "", nil, nil, err
	}
	return e.array(ctx, name)
}

func (e *Run) array(ctx context.Context,
	name string,
) (typ string, shape []int, data []byte, err error) {
	none := func(why string) (string, []int, []byte, error) {
		return "", nil, nil, wrong(fmt.Sprintf("array: run %s has no %s: %s", e.name, name, why))
	}
	f64 := func(v []float64, shape ...int) (string, []int, []byte, error) {
		b := make([]byte, 0, 8*len(v))
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return "float64", shape, b, nil
	}
	switch name {
	case "tour":
		best, err := e.run.Best(ctx)
		if err != nil {
			return "", nil, nil, err
		}
		b := make([]byte, 0, 4*len(best.Solution.Perm))
		for _, x := range best.Solution.Perm {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
		return "int32", []int{len(best.Solution.Perm)}, b, nil
	case "lengths":
		v, err := e.lengths(ctx)
		if err != nil {
			return "", nil, nil, err
		}
		if v == nil {
			return none("its solver does not show them")
		}
		return f64(senseOf(e.run).Values(v), len(v))
	case "coordinates":
		t, ok := e.run.Instance().(*datasets.TSP)
		if !ok || t.ShowX == nil {
			return none("its instance has none")
		}
		v := make([]float64, 0, 2*t.N)
		for i := range t.ShowX {
			v = append(v, t.ShowX[i], t.ShowY[i])
		}
		return f64(v, len(t.ShowX), 2)
	case "trails":
		ts, _, err := e.trails(ctx, maxTrails)
		if err != nil {
			return "", nil, nil, err
		}
		if ts == nil {
			return none("its solver has no pheromone")
		}
		v := make([]float64, 0, 3*len(ts))
		for _, t := range ts {
			v = append(v, float64(t.From), float64(t.To), float64(t.Strength))
		}
		return f64(v, len(ts), 3)
	}
	return "", nil, nil, wrong(fmt.Sprintf("array: there is no array %q, want one of %s", name,
		strings.Join(wire.Arrays, ", ")))
}

// lengths are the values of the last iteration's solutions; nil when the solver does not
// show them.
func (e *Run) lengths(ctx context.Context) (v []float64, err error) {
	err = e.run.View(ctx, func(a solvers.Algorithm) {
		if l, ok := a.(solvers.LengthReporter); ok && e.run.Last().Iter > 0 {
			v = l.Lengths()
		}
	})
	return v, err
}

// trails are the strongest trails, and how many there are; nil when the solver has none.
func (e *Run) trails(ctx context.Context, limit int) (v []solvers.Trail, all int, err error) {
	err = e.run.View(ctx, func(a solvers.Algorithm) {
		if t, ok := a.(solvers.Trailer); ok {
			v, all = t.Trails(limit)
			v = append([]solvers.Trail{}, v...)
		}
	})
	return v, all, err
}
