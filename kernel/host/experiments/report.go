package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// allPairs is the number of rows up to which a report compares all with all; beyond it compares
// them with the first.
const allPairs = 6

// leastInstances is the least number of instances for a test over instances: with five, no outcome
// of the signed-rank test of two has p below 0.05.
const leastInstances = 6

// reportOf compares the rows of an experiment in words: over instances, by the medians of each,
// where there are enough of them, else over the seeds of each instance.
func (h *room) reportOf(
	ctx context.Context, s experiment.Store, rep *reply.ExperimentReply, name string,
) (*reply.ExperimentReply, error) {
	groups, err := h.groupsOf(ctx, s, rep, name)
	if err != nil {
		return nil, err
	}
	var places, labels []string
	for _, g := range groups {
		if !slices.Contains(places, g.Instance) {
			places = append(places, g.Instance)
		}
		if !slices.Contains(labels, g.Label) {
			labels = append(labels, g.Label)
		}
	}
	if len(labels) < 2 {
		return nil, wrong(fmt.Sprintf("experiment: %s has one row on each instance: nothing to compare",
			name))
	}
	if why := otherObjective(groups); why != "" {
		rep.Report = []string{"No verdict: " + why + "."}
		return rep, nil
	}
	if len(places) >= leastInstances {
		rep.Report, err = overInstances(groups, places, labels)
		return rep, err
	}
	for _, place := range places {
		words, err := overSeeds(groups, place)
		if err != nil {
			return nil, err
		}
		rep.Report = append(rep.Report, "On "+place+":")
		rep.Report = append(rep.Report, words...)
	}
	return rep, nil
}

// kinds says where rows of one solver differ by default in a parameter of words that nobody varied,
// as in whether there is a local search: then that may be what makes them differ.
func kinds(groups []*experiment.Group) string {
	for i, a := range groups {
		for _, b := range groups[:i] {
			if len(a.Done) == 0 || len(b.Done) == 0 || a.Instance != b.Instance {
				continue
			}
			x, y := &b.Done[0].Unit, &a.Done[0].Unit
			if x.Solver != y.Solver || x.Variant == y.Variant || x.Preset == "paper" && y.Preset == "paper" {
				continue
			}
			for _, n := range sortedKeys(x.Params) {
				v, word := x.Params[n].Word()
				w, too := y.Params[n].Word()
				_, varied := a.Varied[n]
				if !word || !too || varied || v == w {
					continue
				}
				out := fmt.Sprintf("%s/%s has %s=%s and %s/%s %s=%s, which may be what makes them differ: "+
					"give one %s=", x.Solver, x.Variant, n, v, y.Solver, y.Variant, n, w, n)
				if published(x) && published(y) {
					out += ", or preset=paper for both as published"
				}
				return out
			}
		}
	}
	return ""
}

// published tells whether a unit's variant has the preset of its paper.
func published(u *experiment.Unit) bool {
	v, err := solvers.Find(u.Solver, u.Variant, u.Backend)
	return err == nil && slices.ContainsFunc(v.Presets, func(p solvers.Preset) bool {
		return p.Name == "paper"
	})
}

// question asks about groups, and names the control where there are many.
func question(groups []stats.Group, paired bool) stats.Question {
	q := stats.Question{Groups: groups, Paired: paired}
	if len(groups) > allPairs {
		q.Control = groups[0].Name
	}
	return q
}

// lines are the sentences of an answer.
func lines(q stats.Question) ([]string, error) {
	r, err := stats.Analyse(q)
	if err != nil {
		return nil, fmt.Errorf("experiment: report: %w", err)
	}
	out := []string{r.Verdict}
	for _, p := range r.Pairs {
		out = append(out, p.Words)
	}
	return append(out, r.Assumed...), nil
}

// overSeeds compares the rows of an instance by the best values of their seeds.
func overSeeds(groups []*experiment.Group, place string) ([]string, error) {
	var gs []stats.Group
	few := math.MaxInt
	for _, g := range groups {
		if g.Instance == place && len(g.Done) > 0 {
			gs = append(gs, stats.Group{Name: g.Label, Values: g.Best()})
			few = min(few, len(g.Done))
		}
	}
	if len(gs) < 2 || few < host.LeastSeeds {
		return []string{
			fmt.Sprintf("no test with fewer than two rows of %d seeds each", host.LeastSeeds),
		}, nil
	}
	q := question(gs, false)
	for _, g := range groups {
		q.Maximise = q.Maximise || g.Instance == place && g.Sense == record.Maximise
	}
	return lines(q)
}

// overInstances compares rows by their median errors on each instance. Instances that a row has no
// result on are left out.
func overInstances(groups []*experiment.Group, places, labels []string) ([]string, error) {
	gs := make([]stats.Group, len(labels))
	for i, l := range labels {
		gs[i].Name = l
	}
	out := 0
	for _, place := range places {
		of := make([]*experiment.Group, len(labels))
		base := math.Inf(1)
		for _, g := range groups {
			if g.Instance == place && len(g.Done) > 0 {
				of[slices.Index(labels, g.Label)] = g
				base = min(base, slices.Min(g.Best()))
			}
		}
		if slices.Contains(of, nil) {
			out++
			continue
		}
		gaps := inGaps(of)
		for i, g := range of {
			costs := g.Best()
			if gaps {
				costs = g.Gaps()
			}
			v := stats.Median(costs)
			if !gaps && base != 0 {
				v = 100 * (v - base) / math.Abs(base)
			}
			gs[i].Values = append(gs[i].Values, v)
		}
	}
	if n := len(places) - out; n < leastInstances {
		return nil, wrong(fmt.Sprintf("experiment: all rows have results on %d instances only, want %d "+
			"for a test over instances", n, leastInstances))
	}
	words, err := lines(question(gs, true))
	if err != nil {
		return nil, err
	}
	words = append(words, "Values are median errors in percent over the seeds of each instance.")
	if out > 0 {
		words = append(words, fmt.Sprintf("%d instances are left out: not all rows have results there.",
			out))
	}
	return words, nil
}
