package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/kernel/host"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// apart says why results of two groups on an instance do not compare; empty: they do.
func apart(a, b *experiment.Group) string {
	x, y := dataOf(a), dataOf(b)
	switch {
	case x != y && x != "" && y != "":
		return fmt.Sprintf("%s is not the same in all rows: its data (SHA-256) is %.10s… in %s and "+
			"%.10s… in %s; their values do not compare, so there is no test between them", a.Instance, x,
			a.Label, y, b.Label)
	case a.Objective == b.Objective:
		return ""
	case a.Objective == "" || b.Objective == "": // a run of another program says nothing of it
		told := a
		if a.Objective == "" {
			told = b
		}
		return fmt.Sprintf("rows of %s do not all say their objective, as %s does with %s: their values "+
			"may not compare, so there is no test between them", a.Instance, told.Label, told.Objective)
	case a.Guessed || b.Guessed:
		return fmt.Sprintf("%s and %s may be two objectives of %s: which parameters are its own was not "+
			"kept with these rows, and this session has not its code; there is no test between them "+
			"until what declares it was run", a.Objective, b.Objective, a.Instance)
	}
	return host.OtherObjectives(a.Instance, a.Objective, b.Objective)
}

// dataOf is the hash of what the results of a group are on; empty: it is not known, for it has
// none, or they are of another program on an instance that was not to be had.
func dataOf(g *experiment.Group) string {
	if len(g.Done) == 0 || strings.HasPrefix(g.Done[0].Unit.Instance.SHA256, "name:") {
		return ""
	}
	return g.Done[0].Unit.Instance.SHA256
}

// otherObjective says why groups cannot be compared that have different objectives of an instance.
func otherObjective(groups []*experiment.Group) string {
	first := map[string]*experiment.Group{}
	for _, g := range groups {
		f := first[g.Instance]
		switch {
		case len(g.Done) == 0:
		case f == nil:
			first[g.Instance] = g
		default:
			if why := apart(f, g); why != "" {
				return why
			}
		}
	}
	return ""
}

// grouped are the rows of an experiment by group, with their objectives.
func (h *room) grouped(
	ctx context.Context, s experiment.Store, name string,
) ([]*experiment.Group, error) {
	groups, err := experiment.Groups(s.Rows(ctx, name))
	byProblem := map[string][]*experiment.Group{} // of one's own, by the hash of its code
	for _, g := range groups {
		if len(g.Done) > 0 && g.Done[0].Unit.Instance.Kind == string(datasets.KindOwn) {
			sum := g.Done[0].Unit.Instance.SHA256
			byProblem[sum] = append(byProblem[sum], g)
		}
	}
	for _, of := range byProblem {
		names, known := h.ownOf(ctx, of)
		if !known {
			names = differing(of)
		}
		for _, g := range of {
			g.Objective = host.ObjectiveBy(names, g.Done[0].Unit.Params)
			g.Guessed = !known
		}
	}
	return groups, err
}

// ownOf returns the parameters that belong to the problem of groups: as a row has them, or as the
// session knows them, if it has that code.
func (h *room) ownOf(
	ctx context.Context, groups []*experiment.Group,
) (names []string, known bool) {
	for _, g := range groups {
		for i := range g.Done {
			if own := g.Done[i].Unit.Instance.Own; own != nil {
				return own, true
			}
		}
	}
	u := &groups[0].Done[0].Unit
	inst, err := h.Loader("")(ctx, u.Where())
	if err != nil || inst.SHA256() != u.Instance.SHA256 {
		return nil, false
	}
	return host.ObjectivesOf(inst), true
}

// differing are the parameters of groups on a problem that may be the problem's, and in which some
// groups differ: all solvers have those of the problem.
func differing(groups []*experiment.Group) (names []string) {
	var of []record.Values
	for _, g := range groups {
		if p := g.Done[0].Unit.Params; len(p) > 0 { // runs of other programs have none
			of = append(of, p)
		}
	}
	if len(of) == 0 {
		return nil
	}
	for _, n := range sortedKeys(of[0]) {
		everywhere := !slices.ContainsFunc(of, func(v record.Values) bool { return v[n].IsZero() })
		other := slices.ContainsFunc(of, func(v record.Values) bool { return v[n] != of[0][n] })
		if everywhere && other {
			names = append(names, n)
		}
	}
	return names
}

// objectiveOf tells the objective of units in the rows of an experiment, and whether it is known.
func (h *room) objectiveOf(
	ctx context.Context, s experiment.Store, name string,
) (func(*experiment.Unit) (objective string, known bool), error) {
	groups, err := h.grouped(ctx, s, name)
	if err != nil {
		return nil, err
	}
	type at struct{ label, data string }
	of := map[at]*experiment.Group{}
	for _, g := range groups {
		for i := range g.Done {
			of[at{g.Done[i].Unit.Label, g.Done[i].Unit.Instance.SHA256}] = g
		}
	}
	return func(u *experiment.Unit) (string, bool) {
		if g := of[at{u.Label, u.Instance.SHA256}]; g != nil {
			return g.Objective, !g.Guessed
		}
		return "", true
	}, nil
}
