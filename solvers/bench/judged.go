package bench

import (
	"math"
	"slices"
	"strings"
)

// judged lists the published results of a table that a verdict can be had on, gaps, lengths,
// iterations, shares of optima and tests, by name, and whether each is judged: whether a figure of
// at least five seeds by today's version of the algorithm stands beside it, on whichever machine.
// A mean over instances is one result.
func (t Table) judged(out []Outcome) (names []string, judged []bool) {
	if t.Margin == (Margin{}) {
		return nil, nil
	}
	add := func(name string, is bool) {
		at := slices.Index(names, name)
		if at < 0 {
			names, judged, at = append(names, name), append(judged, false), len(names)
		}
		judged[at] = judged[at] || is
	}
	old := map[string]bool{} // groups with figures of an earlier version
	for i := range out {
		o := &out[i]
		switch r := &o.Row; {
		case r.Group != "" && r.runs():
			add(r.Group, false)
			old[r.Group] = old[r.Group] || o.stale()
		case !r.Peer.Known || r.Not != "":
		case r.Apart != "": // there is none
		case r.Measure == PValue, r.Measure == Least && r.Published > 0, r.runs() && r.Measure.quality():
			name := anyMachine(r.What)
			if r.Instance != "" && !strings.Contains(name, r.Instance) {
				name += ", " + r.Instance
			}
			add(name, o.Verdict.N >= leastSeeds && !o.stale())
		}
	}
	for _, m := range Means(t, out) {
		if !math.IsNaN(m.From) {
			continue // of ratios
		}
		add(m.Group, m.Verdict.N >= leastSeeds && !old[m.Group])
	}
	return names, judged
}

// anyMachine is the name of a row without the words CPU and GPU between its commas, which tell of
// rows beside the same published result.
func anyMachine(what string) string {
	parts := slices.DeleteFunc(strings.Split(what, ", "), func(p string) bool {
		return p == "CPU" || p == "GPU"
	})
	return strings.Join(parts, ", ")
}

// stale tells whether the kept figures are of an earlier version of the algorithm.
func (o *Outcome) stale() bool {
	now := o.Row.Revision()
	return o.Made > 0 && now != 0 && now != o.Revision
}
