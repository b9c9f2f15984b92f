package solvers

import (
	"context"
	"fmt"
	"slices"

	"metalab/solvers/record"
)

// Later returns the changes of a record after a boundary, which a fork at that boundary applies at
// the same iterations; see [Fork]. left names those that it omits: changes of the parameters in
// with, which belong to the fork, and all that follows a later fork with other structural
// parameters, another variant or another seed. r stands at the boundary.
func (r *Run) Later(ctx context.Context, rec *record.Record, to Boundary, with record.Values) (
	later []record.Change, left []string, err error,
) {
	err = r.do(ctx, func() {
		var why string
		later, why = r.laterOf(rec, to)
		own := r.params.renamed(with)
		for _, c := range later {
			if own.Has(c.Name) {
				left = append(left, ChangeText(c))
			}
		}
		if later = without(later, own); why != "" {
			left = append(left, why)
		}
	})
	return later, left, err
}

// ChangeText describes a change: what was set, and when.
func ChangeText(c record.Change) string {
	return fmt.Sprintf("%s=%s after iteration %d", c.Name, c.New, c.Iter)
}

// laterOf returns the changes of a record after a boundary, up to a fork that no existing run can
// repeat, which left names.
func (r *Run) laterOf(rec *record.Record, to Boundary) (later []record.Change, left string) {
	later = []record.Change{}
	for _, c := range rec.Journal[to.Changes:] {
		switch c.Kind {
		case record.KindSet:
			if c.Name != DevicesName {
				later = append(later, c)
			}
		case record.KindFork:
			if why := r.apart(c); why != "" {
				return later, fmt.Sprintf("the fork after iteration %d (%s) and what follows it", c.Iter, why)
			}
			for _, n := range sortedNames(c.With) {
				later = append(later, record.Change{
					Iter: c.Iter, Kind: record.KindSet, Name: n, New: c.With[n], Sources: c.Sources, Who: c.Who,
				})
			}
		}
	}
	return append(later, pending(rec.Journal, rec.End)...), ""
}

// apart names what a fork has changed that no existing run can change; empty: nothing.
func (r *Run) apart(c record.Change) string {
	switch {
	case c.Variant != "":
		return "variant=" + c.Variant
	case c.Seed != nil:
		return fmt.Sprintf("seed=%d", *c.Seed)
	}
	for _, n := range sortedNames(c.With) {
		if e := r.params.find(n); e == nil || e.Class == record.Structural {
			return n + "=" + c.With[n].String()
		}
	}
	return ""
}

// Changes returns the changes of live parameters since iteration 0, for a run that repeats them
// from iteration 1 on. why names what no run can repeat; empty: it can repeat all.
func (r *Run) Changes(ctx context.Context) (changes []record.Change, why string, err error) {
	err = r.do(ctx, func() {
		at := &record.Record{Journal: r.journal, End: r.last.Iter}
		if changes, why = r.laterOf(at, Boundary{}); why != "" {
			changes = nil
			return
		}
		changes = slices.DeleteFunc(changes, func(c record.Change) bool {
			e := r.params.find(c.Name)
			return e != nil && e.Class == record.Schedule
		})
		for i, c := range changes {
			changes[i] = record.Change{Iter: c.Iter, Kind: c.Kind, Name: c.Name, New: c.New}
		}
	})
	return changes, why, err
}

// without leaves the changes of some parameters out.
func without(later []record.Change, with record.Values) []record.Change {
	return slices.DeleteFunc(later, func(c record.Change) bool { return with.Has(c.Name) })
}

// pending returns the changes that a run still has to apply at iteration end: those of its last
// fork, without those that it has applied and those of parameters that somebody has set since.
func pending(journal []record.Change, end int64) (out []record.Change) {
	for _, c := range journal {
		switch c.Kind {
		case record.KindFork:
			out = slices.Clone(c.Later)
		case record.KindSet:
			made := slices.IndexFunc(out, func(p record.Change) bool {
				return p.Iter == c.Iter && p.Name == c.Name && p.New == c.New
			})
			if made >= 0 {
				out = slices.Delete(out, made, made+1)
				continue
			}
			out = without(out, record.Values{c.Name: c.New})
		}
	}
	return slices.DeleteFunc(out, func(c record.Change) bool { return c.Iter < end })
}

// Pending returns the changes that the run will apply at later iterations, because the run that it
// was forked from applied them; see [Fork].
func (r *Run) Pending() []record.Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.later)
}

// setPending replaces the changes still to apply.
func (r *Run) setPending(later []record.Change) {
	r.mu.Lock()
	r.later = later
	r.mu.Unlock()
}

// claim leaves later changes of parameters out that somebody sets now.
func (r *Run) claim(vs record.Values) {
	if len(r.later) > 0 {
		r.setPending(without(slices.Clone(r.later), r.params.renamed(vs)))
	}
}

// makeLater makes the changes that are due before the next iteration; false, where the run has
// ended.
func (r *Run) makeLater() bool {
	for len(r.later) > 0 && r.later[0].Iter <= r.latest().Iter {
		if !r.show() {
			return false
		}
		c := r.later[0]
		r.setPending(r.later[1:])
		if _, err := r.set(record.Values{c.Name: c.New}, c.Who); err != nil {
			r.tell(fmt.Sprintf("%s: the change of %s after iteration %d was not made again: %v", r.name,
				c.Name, c.Iter, err))
		}
	}
	return true
}

// inherit says which changes a fork of from has still to make, in the entry of its journal too.
func (r *Run) inherit(from *Run, f Fork, c *record.Change) error {
	later := slices.Clone(f.Later)
	if f.Later == nil {
		later = slices.Clone(from.later)
	}
	if f.Alone {
		later = nil
	}
	later = without(later, r.params.renamed(f.With))
	for _, x := range later {
		if _, err := r.params.Check(x.Name, x.New); err != nil {
			return fmt.Errorf("its later change of %s after iteration %d cannot be made again: %w", x.Name,
				x.Iter, err)
		}
	}
	if r.later = later; len(later) > 0 {
		c.Later = later
	}
	return nil
}
