package experiment

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"metalab/solvers/record"
)

// A Group holds the results of units that differ only in their seeds: a row of a table.
type Group struct {
	Label    string // with the budget, if the experiment has several
	Instance string
	Backend  string
	Optimum  float64 // the best known cost; NaN if none is known
	Sense    record.Sense
	Varied   record.Values

	// Objective names the parameters of a user's problem that choose its objective; results with
	// different objectives do not compare. Code that knows the problem sets it. With Guessed it is
	// unknown which parameters those are, and Objective covers all candidates.
	Objective string
	Guessed   bool

	Left, Failed int   // units without a result
	Done         []Row // by seed
	Devices      []string
}

// Groups gathers rows into groups, by instance and then by label, in the order of the plan.
func Groups(rows iter.Seq2[Row, error]) ([]*Group, error) {
	type at struct {
		label, sha string
		budget     record.Budget
	}
	found := map[at]*Group{}
	budgets := map[record.Budget]bool{}
	var order []at
	var places []string // of the instances
	for r, err := range rows {
		if err != nil {
			return nil, err
		}
		u := &r.Unit
		k := at{u.Label, u.Instance.SHA256, u.Budget}
		g := found[k]
		if g == nil {
			g = &Group{
				Label: u.Label, Instance: u.Instance.Name, Backend: u.Backend, Varied: u.Varied,
				Optimum: math.NaN(), Sense: u.Instance.Sense(),
			}
			if u.Instance.Best != nil {
				g.Optimum = *u.Instance.Best
			}
			found[k] = g
			order = append(order, k)
			budgets[u.Budget] = true
			if !slices.Contains(places, u.Instance.SHA256) {
				places = append(places, u.Instance.SHA256)
			}
		}
		g.add(r)
	}
	slices.SortStableFunc(order, func(a, b at) int {
		return cmp.Compare(slices.Index(places, a.sha), slices.Index(places, b.sha))
	})
	out := make([]*Group, len(order))
	for i, k := range order {
		out[i] = found[k]
		if len(budgets) > 1 {
			out[i].Label += ", " + k.budget.String()
		}
		slices.SortFunc(out[i].Done, func(a, b Row) int { return cmp.Compare(a.Unit.Seed, b.Unit.Seed) })
	}
	return out, nil
}

func (g *Group) add(r Row) {
	where := cmp.Or(r.Result.Device, r.Result.Machine)
	switch r.State {
	case Done:
		g.Done = append(g.Done, r)
	case Failed:
		g.Failed++
	default:
		g.Left++
	}
	if where != "" && !slices.Contains(g.Devices, where) {
		g.Devices = append(g.Devices, where)
	}
}

// Values returns of for all results, by seed.
func (g *Group) Values(of func(*Result) float64) []float64 {
	out := make([]float64, len(g.Done))
	for i := range g.Done {
		out[i] = of(&g.Done[i].Result)
	}
	return out
}

// Best returns the costs of the best solutions, by seed.
func (g *Group) Best() []float64 { return g.Values(func(r *Result) float64 { return r.Best }) }

// Gaps returns the gaps in percent, by seed.
func (g *Group) Gaps() []float64 { return g.Values(func(r *Result) float64 { return r.Gap }) }
