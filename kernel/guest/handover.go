package guest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"metalab/solvers"
	"metalab/solvers/record"
)

// Amend tells the algorithm of an open run what the latest code of its solver declares: the
// codes that there are, and parameters with their ranges, new ones too. It is called between
// two iterations. The error says why the run cannot have the latest code. Algorithms that
// were not declared are left alone.
func Amend(alg solvers.Algorithm) error {
	a := declaredBy(alg)
	if a == nil {
		return nil
	}
	codes, params, _ := a.of.view()
	if a.on != nil {
		if err := a.on.distinct(a.of.name, params); err != nil {
			return err
		}
	}
	a.table.Amend(codeParamOf(codes))
	latest := codes[len(codes)-1]
	for _, p := range params {
		c := a.cells[p.Name]
		if c == nil {
			a.declare(p)
			continue
		}
		if latest.param(p.Name) == nil {
			continue
		}
		now := a.values()[p.Name]
		if x, ok := now.Float(); ok && (x < p.Min || x > p.Max) {
			return fmt.Errorf("%s is %s, and the new code takes %s: set it first", p.Name, now,
				solvers.RangeOf(p))
		}
		if w, ok := now.Word(); ok && !slices.Contains(p.Options, w) {
			return fmt.Errorf("%s is %s, and the new code takes %s: set it first", p.Name, now,
				solvers.RangeOf(p))
		}
		c.p = p
		a.table.Amend(p)
	}
	return nil
}

// Try brings the worker of an open run to the run's iteration, under the code that its
// parameter names; the error says why that cannot be.
func Try(ctx context.Context, alg solvers.Algorithm) error {
	a := declaredBy(alg)
	if a == nil {
		return nil
	}
	return a.here(ctx)
}

// Missing says in one line what a session lacks to make a record again, nil when it is a
// record of no declared solver, or nothing is lacking.
func (s *Session) Missing(rec *record.Record) error {
	lacking := s.Lacking(rec)
	if len(lacking) == 0 {
		return nil
	}
	name := rec.Header.Solver
	if lacking[0].problem != "" {
		_, err := s.ProblemOf(rec.Header.Instance)
		return err
	}
	if known := s.Known(name); len(known) > 0 {
		return fmt.Errorf("the record was made by code %s of %s, and this session has only %s: declare "+
			"that source, or run the cell that did", lacking[0].ID, name, strings.Join(known, ", "))
	}
	return fmt.Errorf("the record is of %s, a solver that somebody declared (code %s), and this "+
		"session has none of that name: run the cell that declares it", name, lacking[0].ID)
}
