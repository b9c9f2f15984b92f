package browser

import (
	"context"
	"fmt"
	"strings"

	"metalab/solvers"
	"metalab/solvers/record"
)

// fork makes the run again up to an iteration, changes parameters there, and goes on, with the
// record's later changes of other parameters unless it is to be alone.
func (e *Engine) fork(ctx context.Context, q Request, say func(Event)) (*Forked, error) {
	if q.At < 0 || q.At > e.rec.End {
		return nil, fmt.Errorf("fork: at is %d, want 0 to %d, the iterations of %s", q.At, e.rec.End,
			e.rec.Header.Run)
	}
	if q.To <= q.At {
		return nil, fmt.Errorf("fork: to is %d, want more than %d, where it begins", q.To, q.At)
	}
	with := record.Values{}
	for n, v := range q.Set {
		with[n] = record.Parse(v)
	}
	t := e.teller(q.To, say)
	to := solvers.Before(e.rec, q.At)
	past, err := solvers.Back(ctx, e.rec, nil, e.inst, e.rec.Header.Run, to, nil,
		solvers.ReplayOptions{Backend: backend, Better: t.better, Each: t.each})
	if err != nil {
		return nil, err
	}
	name := e.rec.Header.Run + "2"
	later, left, err := past.Later(ctx, e.rec, to, with)
	if err != nil {
		past.Close()
		return nil, err
	}
	r, err := past.Fork(ctx, solvers.Fork{
		Name: name, With: with, Later: later, Alone: q.Alone, Who: "page",
	})
	past.Close()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f := &Forked{At: q.At, Left: left}
	for _, c := range later {
		switch {
		case q.Alone:
			f.Left = append(f.Left, solvers.ChangeText(c))
		case c.Iter < q.To:
			f.Made = append(f.Made, solvers.ChangeText(c))
		}
	}
	for p, err := range r.Steps(ctx, int(q.To-q.At)) {
		if err != nil {
			return nil, err
		}
		if p.Improved {
			b, err := r.Best(ctx)
			if err != nil {
				return nil, err
			}
			t.better(b)
		}
		e.compare(&p, f)
		t.each(&p)
	}
	t.flush()
	rec, err := r.Record(ctx)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	if err := rec.Encode(&text); err != nil {
		return nil, err
	}
	f.End, f.Best, f.Record = rec.End, number(r.Last().Best), text.String()
	return f, nil
}

// compare notes where a fork is first another than the record.
func (e *Engine) compare(p *record.Point, f *Forked) {
	if p.Iter > int64(len(e.trace)) {
		return
	}
	f.Compared = p.Iter
	m := e.trace[p.Iter-1]
	if f.Parts == 0 && m.digest != p.Digest {
		f.Parts = p.Iter
	}
	if f.BestParts == 0 && m.best != p.Best {
		f.BestParts = p.Iter
	}
}
