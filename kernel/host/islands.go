package host

import (
	"context"
	"fmt"
	"os"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

var _ = handle("islands", (*Host).islands)

// islands tells how the islands of a run stand, what one took in, or writes the record of one.
func (h *Host) islands(c *Call, q *wire.IslandsRequest) (*reply.IslandsReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	all, err := e.run.Islands(c.ctx)
	if err != nil {
		return nil, err
	}
	if all == nil {
		return nil, wrong(fmt.Sprintf("islands: %s has none: fork %s as NAME islands=4 makes some of "+
			"it, and open takes islands=, too", e.name, e.name))
	}
	if q.Over != "" {
		if err := e.place(c.ctx, q.Over); err != nil {
			return nil, err
		}
	}
	rep := &reply.IslandsReply{
		Status: e.Status("islands"), Islands: []reply.Island{}, Over: e.placedWith(),
	}
	for i := range all {
		rep.Islands = append(rep.Islands, islandReply(&all[i], bestKnown(e.run), senseOf(e.run)))
	}
	if q.Number == nil {
		if q.To != "" {
			return nil, wrong("islands: the record of which island? as in: islands " + e.name +
				" 3 to a.run")
		}
		return rep, nil
	}
	if *q.Number < 0 || *q.Number >= len(all) {
		return nil, wrong(fmt.Sprintf("islands: %s has no island %d: want 0 to %d", e.name, *q.Number,
			len(all)-1))
	}
	rep.Number = q.Number
	for _, m := range all[*q.Number].Migrants {
		rep.Migrants = append(rep.Migrants, reply.Migrant{
			Iteration: m.Iter, Epoch: m.Epoch, From: m.From, Value: reply.Num(m.Value),
		})
	}
	if q.To == "" {
		return rep, nil
	}
	if err := recordPath("islands", q.To); err != nil {
		return nil, err
	}
	rec, err := e.run.IslandRecord(c.ctx, *q.Number)
	if err == nil && !q.Force {
		if err = rec.Vacant(q.To); err == nil {
			err = h.unchanged(q.To, false)
		}
	}
	if err == nil {
		err = rec.WriteFile(q.To)
	}
	if err != nil {
		return nil, err
	}
	h.wroteRecord(q.To, rec.Header.Run)
	rep.Path = q.To
	if st, err := os.Stat(q.To); err == nil {
		rep.Bytes = st.Size()
	}
	return rep, nil
}

// A Placed has islands of a run made elsewhere, until it is closed.
type Placed interface {
	solvers.RemoteIslands
	String() string // where they are
	Close()
}

// places finds who makes islands elsewhere; nil: no room does.
var places func(ctx context.Context, stateDir, over string) (Placed, error)

// HandleIslands makes f what finds who makes the iterations of islands with over=, but for local. A
// room calls it when it is linked.
func HandleIslands(f func(ctx context.Context, stateDir, over string) (Placed, error)) {
	places = f
}

// place has the islands' iterations made elsewhere, or here again.
func (e *Run) place(ctx context.Context, over string) error {
	var to Placed
	var err error
	switch {
	case over == "local":
		err = e.run.PlaceIslands(ctx, nil)
	case places == nil && whole != nil:
		return e.host.Grow(ctx, "over="+over, "")
	case places == nil:
		return wrong("over is " + over + ", want local: this program knows no other machines")
	default:
		if to, err = places(ctx, e.host.o.StateDir, over); err != nil {
			return wrong("over: " + strings.TrimPrefix(err.Error(), "stream: "))
		}
		if err = e.run.PlaceIslands(ctx, to); err != nil {
			to.Close()
		}
	}
	if err != nil {
		return err
	}
	e.mu.Lock()
	old := e.placed
	e.placed = to
	e.mu.Unlock()
	if old != nil {
		old.Close()
	}
	return nil
}

// placedWith says where remote islands run.
func (e *Run) placedWith() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.placed == nil {
		return ""
	}
	return e.placed.String()
}

// unplace ends what made islands elsewhere, after the run was closed.
func (e *Run) unplace() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.placed != nil {
		e.placed.Close()
		e.placed = nil
	}
}

func islandReply(x *solvers.Island, best *float64, sense record.Sense) reply.Island {
	r := reply.Island{
		Number: x.Number, Seed: x.Seed, Best: value(sense, x.Best),
		Gap: reply.Num(solvers.Gap(x.Best, best)), BestIteration: x.BestIter, Evaluations: x.Evals,
		Migrants: len(x.Migrants), Ended: x.Ended,
	}
	if n := len(x.Migrants); n > 0 {
		last := x.Migrants[n-1]
		r.LastIteration, r.LastFrom = last.Iter, &last.From
	}
	return r
}

// eachIsland adds what figures need of a run's islands.
func (e *Run) eachIsland(ctx context.Context, d *view.Data) error {
	all, err := e.run.Islands(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		d.Islands = append(d.Islands, view.Data{
			Name: fmt.Sprintf("%s/%d", d.Name, i), Objective: d.Objective, Kind: d.Kind,
			Instance: d.Instance, Points: all[i].Points, Measures: d.Measures, Counts: d.Counts,
			Journal: d.Journal, Best: d.Best, Sense: d.Sense,
		})
	}
	return nil
}
