package experiments

import (
	"fmt"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// tooGood names values that are better than a proven optimum, as those of other programs can be
// that had another instance or metric.
func tooGood(groups []*experiment.Group) string {
	var parts []string
	for _, g := range groups {
		if len(g.Done) == 0 || len(g.Best()) == 0 || g.Sense == record.Maximise {
			continue
		}
		ref := g.Done[0].Unit.Instance
		known, ok := datasets.Published(ref.Name)
		least := slices.Min(g.Best())
		if ok && known.Proven && least < known.Value && (ref.Best == nil || *ref.Best == known.Value) {
			parts = append(parts, fmt.Sprintf("%s of %s on %s is below the proven optimum %s: it is of "+
				"other data or another metric, or wrong", reply.Num(least), g.Label, ref.Name,
				reply.Num(known.Value)))
		}
	}
	return strings.Join(parts, "; ")
}
