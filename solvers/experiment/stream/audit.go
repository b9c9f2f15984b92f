package stream

import (
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"metalab/solvers"
	"metalab/solvers/experiment"
)

// unread handles a result that could not be fetched. Another coordinator that wanted the same unit
// may have removed it, key first. If the key is there and the object is missing or different, its
// worker is false. If fetching fails again and again, the unit runs again.
func (a *coordinator) unread(s *sent, key string, m *made, why error) error {
	e, err := a.p.results.Get(a.ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil // the next look sends the unit again
	}
	if err != nil {
		return err
	}
	if now, err := readMade(e.Value()); err != nil || now != *m {
		return nil // it is another result by now, which is seen by itself
	}
	if !isFalse(why) {
		if a.tries[key]++; a.tries[key] < 3 {
			a.note("a result cannot be fetched yet: " + why.Error())
			return nil
		}
		delete(a.tries, key)
		return a.refuse(s, key, "", why)
	}
	return a.refuse(s, key, m.Worker, why)
}

// isFalse reports whether an error says that an object is not what it should be.
func isFalse(err error) bool {
	return errors.Is(err, errObject) || errors.Is(err, jetstream.ErrObjectNotFound) ||
		errors.Is(err, jetstream.ErrDigestMismatch) || errors.Is(err, jetstream.ErrBadObjectMeta) ||
		errors.Is(err, jetstream.ErrCantGetBucket)
}

// audit compares a result that came later than the one that is stored.
func (a *coordinator) audit(
	unit string, e jetstream.KeyValueEntry, object, worker string, r *experiment.Result,
) error {
	a.forget(e, object)
	have := a.sums[unit]
	if sum(r) == have.sum {
		a.audits++
		return nil
	}
	if !have.exact {
		return nil // it depends on the clock, or on an order of threads
	}
	a.faults = append(a.faults, fmt.Errorf("unit %s was made twice with different results, the "+
		"second time by worker %s (best %v): a search is not deterministic, or a worker is false",
		have.text, worker, r.Best))
	a.note(a.faults[len(a.faults)-1].Error())
	return nil
}

// exact reports whether every result of a unit is the same.
func exact(u *experiment.Unit) bool {
	v, err := solvers.Find(u.Solver, u.Variant, u.Backend)
	return err == nil && v.Deterministic && solvers.Waits(u.Params) && u.Budget.Wall == 0 &&
		u.Budget.CPU == 0
}

// unitOf is the unit of a key of the results, and whether it came later than another result.
func unitOf(key string) (unit string, later, ok bool) {
	switch {
	case len(key) == 6+64 && key[:6] == "first.":
		return key[6:], false, true
	case len(key) > 6+64+1 && key[:6] == "later.":
		return key[6 : 6+64], true, true
	}
	return "", false, false
}

// refuse takes a result away that cannot be the unit's, trusts its worker no more, and sends the
// unit again.
func (a *coordinator) refuse(s *sent, key, worker string, why error) error {
	switch {
	case why != nil && worker == "":
		a.note(fmt.Sprintf("a result is refused: %v", why))
	case why != nil:
		a.bad[worker] = true
		a.notify(worker, why)
		a.note(fmt.Sprintf("a result of worker %s is refused, and all that follow: %v", worker, why))
	}
	if err := a.p.results.Purge(a.ctx, key); err != nil || s == nil {
		return err
	}
	return a.send(s)
}
