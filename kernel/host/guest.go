package host

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"metalab/kernel/guest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// boundaryLimit is how long a new declaration waits for the end of an iteration before it pauses
// the run.
const boundaryLimit = 2 * time.Second

// newGuests makes the table of declared solvers.
func (h *Host) newGuests() *guest.Session {
	return guest.NewSession(filepath.Join(h.store.dir, "declared"), func(s string) {
		h.Logf("%s", s)
		h.Publish(wire.Event{Kind: wire.EventNotice, Note: s})
	})
}

var _ = handle("declare", (*Host).declare)

func (h *Host) declare(c *Call, q *wire.DeclareRequest) (*reply.DeclareReply, error) {
	if q.Problem {
		return h.declareProblem(c, q)
	}
	if q.Solver == "" || q.Program == "" {
		return nil, wrong("declare: solver and program are needed, as in: declare walk ./walk")
	}
	if err := Absolute("declare", q.Program); err != nil {
		return nil, err
	}
	t0 := time.Now()
	now, before, err := h.guests.Declare(c.ctx, *q)
	if err != nil {
		return nil, err
	}
	rep := &reply.DeclareReply{
		Verb: "declare", Solver: q.Solver, Code: now.ID, Program: now.SHA256, Whole: now.Source != "",
		StartS: reply.Num(time.Since(t0).Seconds()), Params: wireParams(now.Hello.Params),
		Notes: now.Notes,
	}
	if before == nil {
		return rep, nil
	}
	rep.Before = before.ID
	for _, p := range before.Hello.Params {
		if !hasParam(now.Hello.Params, p.Name) {
			rep.Dropped = append(rep.Dropped, p.Name)
		}
	}
	for _, e := range h.entries() {
		if e.run.Variant().Solver != q.Solver || before.ID == now.ID {
			continue
		}
		after, err := h.handOver(c, e, now.ID)
		if err != nil {
			rep.Notes = append(rep.Notes, fmt.Sprintf("%s keeps its code: %s", e.name,
				FirstLine(err.Error())))
			continue
		}
		rep.Runs = append(rep.Runs, e.name)
		rep.Notes = append(rep.Notes, fmt.Sprintf("%s goes on with code %s from iteration %d", e.name,
			now.ID, after+1))
	}
	return rep, nil
}

func hasParam(ps []record.Param, name string) bool {
	for _, p := range ps {
		if p.Name == name {
			return true
		}
	}
	return false
}

// handOver makes an open run continue with new code of its solver, or leaves it unchanged. It
// returns the last iteration of the old code, as the journal has it.
func (h *Host) handOver(c *Call, e *Run, code string) (after int64, err error) {
	amend := func(alg solvers.Algorithm) { err = guest.Amend(alg) }
	short, cancel := context.WithTimeout(c.ctx, boundaryLimit)
	defer cancel()
	if verr := e.run.View(short, amend); verr != nil {
		// An iteration that takes this long may never end; perhaps that is why there is new code.
		if err := e.run.Pause(c.who + ", who declared " + e.run.Variant().Solver + " anew"); err != nil {
			return 0, err
		}
		if verr := e.run.View(c.ctx, amend); verr != nil {
			return 0, verr
		}
	}
	if err != nil {
		return 0, err
	}
	if ps, perr := e.run.Params(c.ctx); perr == nil {
		e.mu.Lock()
		e.decl = ps
		e.mu.Unlock()
	}
	old := present(e)["code"]
	made, err := e.run.Set(c.ctx, record.Values{"code": record.Text(code)}, c.who)
	if err != nil {
		return 0, err
	}
	after = e.run.Last().Iter
	if len(made) > 0 {
		after = made[0].Iter
	}
	if verr := e.run.View(c.ctx,
		func(alg solvers.Algorithm) { err = guest.Try(c.ctx, alg) }); verr != nil {
		return 0, verr
	}
	if err != nil {
		if _, serr := e.run.Set(c.ctx, record.Values{"code": old}, c.who); serr != nil {
			return 0, serr
		}
	}
	return after, err
}

// printed returns the lines that a declared solver printed and that no step's answer has shown. The
// answer of the next step shows lines that arrive later.
func (h *Host) printed(e *Run) (lines []string) {
	solver := e.run.Variant().Solver
	if h.guests.Known(solver) == nil {
		return nil
	}
	time.Sleep(time.Millisecond)
	e.mu.Lock()
	defer e.mu.Unlock()
	lines, e.printed = h.guests.Printed(solver, e.printed)
	return lines
}
