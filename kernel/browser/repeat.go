package browser

import (
	"context"
	"fmt"
	"maps"

	"metalab/solvers"
	"metalab/solvers/record"
)

// Seeded is the result of one repeat: the run from iteration 1 with another seed.
type Seeded struct {
	Seed uint64 `json:"seed,string"`
	Iter int64  `json:"iteration"`
	Best number `json:"best"`
	Gap  number `json:"gap"` // in percent; null when no best value is known

	// Recorded is "same" where a repeat in the record has the very same result, "other" where it
	// has another one, and empty where the record does not have this seed with this budget.
	Recorded string `json:"recorded,omitempty"`
}

// atEnd are the variant and the parameters of a record at its end.
func atEnd(rec *record.Record) (variant string, params record.Values) {
	variant, params = rec.Header.Variant, maps.Clone(rec.Header.Params)
	for _, c := range rec.Journal {
		switch c.Kind {
		case record.KindSet:
			params[c.Name] = c.New
		case record.KindFork:
			maps.Copy(params, c.With)
			if c.Variant != "" {
				variant = c.Variant
			}
		}
	}
	return variant, params
}

// repeat makes the run from iteration 1 with the parameters at the record's end and a seed, as the
// prompt's repeat does.
func (e *Engine) repeat(ctx context.Context, q Request, say func(Event)) (*Seeded, error) {
	if q.To < 1 {
		return nil, fmt.Errorf("repeat: to is %d, want 1 or more", q.To)
	}
	h := e.rec.Header
	variant, params := atEnd(e.rec)
	r, err := solvers.Open(solvers.Config{
		Name: h.Run, Solver: h.Solver, Variant: variant, Backend: backend, Instance: e.inst,
		Path: h.Instance.Path, Seed: q.Seed, Params: params, Start: h.Start,
	})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t := e.teller(q.To, say)
	for p, err := range r.Steps(ctx, int(q.To)) {
		if err != nil {
			return nil, err
		}
		t.ev.Done = p.Iter
		t.pace()
	}
	t.flush()
	last := r.Last()
	var known *float64
	if b, ok := e.inst.BestKnown(); ok {
		known = &b.Value
	}
	s := &Seeded{
		Seed: q.Seed, Iter: last.Iter, Best: number(last.Best),
		Gap: number(solvers.Gap(last.Best, known)),
	}
	for _, series := range e.rec.Repeats {
		x := series.Has(q.Seed)
		if x == nil || x.Iter != last.Iter || !sameValues(series.Params, params) {
			continue
		}
		if s.Recorded = "other"; x.Digest == last.Digest && x.Best == last.Best {
			s.Recorded = "same"
		}
	}
	return s, nil
}

// sameValues tells whether those parameters that a series has are these.
func sameValues(series, params record.Values) bool {
	for n, v := range series {
		if params[n] != v {
			return false
		}
	}
	return true
}
