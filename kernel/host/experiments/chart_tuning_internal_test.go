package experiments

import (
	"strings"
	"testing"

	"metalab/kernel/view"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// Settings of two solvers, each with a parameter that the other lacks, are refused by figures that
// draw all varied parameters; those of one solver are drawn.
func TestVariedByAll(t *testing.T) {
	t.Parallel()
	group := func(solver, name string, value, cost float64) *experiment.Group {
		v := record.Values{name: record.Num(value)}
		u := experiment.Unit{Solver: solver, Variant: "v", Params: v, Varied: v}
		return &experiment.Group{
			Varied: v, Done: []experiment.Row{{Unit: u, Result: experiment.Result{Best: cost}}},
		}
	}
	one := []*experiment.Group{group("acs", "q0", .5, 3), group("acs", "q0", .9, 2)}
	two := append(one[:2:2], group("mmas", "rho", .9, 1))
	for name, f := range map[string]func([]*experiment.Group) error{
		"parallel": func(gs []*experiment.Group) error {
			_, err := parallelChart(view.Look{}, view.Labels{}, gs)
			return err
		},
		"importance": func(gs []*experiment.Group) error {
			_, err := importanceChart(view.Look{}, view.Labels{}, gs)
			return err
		},
	} {
		if err := f(one); err != nil {
			t.Errorf("%s of one solver: %v", name, err)
		}
		if err := f(two); err == nil || !strings.Contains(err.Error(), "/v has no ") {
			t.Errorf("%s of two solvers: %v", name, err)
		}
	}
}
