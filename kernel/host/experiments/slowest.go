package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
)

// mostSlow is the number of units that slowest lists.
const mostSlow = 10

// spender is how much time the units of a setting on an instance took.
type spender struct {
	label, instance string
	spent           float64 // seconds
}

// slowestOf adds to a reply the units that took the most time, the longest first, and what share of
// all time they and the most expensive setting took. Units that failed count with what they took.
func (h *room) slowestOf(
	ctx context.Context, s experiment.Store, rep *reply.ExperimentReply, q *wire.ExperimentRequest,
) (*reply.ExperimentReply, error) {
	by := cmp.Or(q.By, "wall")
	if by != "wall" && by != "cpu" {
		return nil, wrong(fmt.Sprintf("experiment: slowest: by is %q, want wall or cpu", by))
	}
	info, err := s.Info(ctx, q.Name)
	if err != nil {
		return nil, err
	}
	rep.ExperimentInfo, rep.Listed, rep.By = h.infoOf(info), true, by
	rep.Of = []reply.ExperimentUnit{}
	var all []spender
	total := 0.0
	for r, err := range s.Rows(ctx, q.Name) {
		if err != nil {
			return nil, err
		}
		u := unitOf(&r, rep.Going || rep.Elsewhere)
		t := u.Spent(by)
		if r.State != experiment.Done && r.State != experiment.Failed || !(t > 0) {
			continue
		}
		rep.Of = append(rep.Of, u)
		total += t
		i := slices.IndexFunc(all, func(a spender) bool {
			return a.label == r.Unit.Label && a.instance == r.Unit.Instance.Name
		})
		if i < 0 {
			i, all = len(all), append(all, spender{r.Unit.Label, r.Unit.Instance.Name, 0})
		}
		all[i].spent += t
	}
	if len(rep.Of) == 0 {
		rep.Note = fmt.Sprintf("no unit has a %s time yet", by)
		return rep, nil
	}
	slices.SortStableFunc(rep.Of, func(a, b reply.ExperimentUnit) int {
		return cmp.Compare(b.Spent(by), a.Spent(by))
	})
	units := len(rep.Of)
	rep.Of = rep.Of[:min(units, mostSlow)]
	listed := 0.0
	for i := range rep.Of {
		listed += rep.Of[i].Spent(by)
	}
	most := slices.MaxFunc(all, func(a, b spender) int { return cmp.Compare(a.spent, b.spent) })
	said := fmt.Sprintf("%s took %s of %s time in all", counted(units, "unit"), seconds(total), by)
	if units > len(rep.Of) {
		said += fmt.Sprintf("; the %d listed took %.0f %% of it", len(rep.Of), 100*listed/total)
	}
	rep.Report = []string{said}
	if len(all) > 1 {
		rep.Report = append(rep.Report, fmt.Sprintf("the most went to %s on %s: %s, %.0f %%", most.label,
			most.instance, seconds(most.spent), 100*most.spent/total))
	}
	return rep, nil
}

// seconds are seconds in few digits.
func seconds(s float64) string {
	switch {
	case s < 1:
		return fmt.Sprintf("%.3g ms", 1000*s)
	case s < 100:
		return fmt.Sprintf("%.3g s", s)
	}
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}
