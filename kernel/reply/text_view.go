package reply

import (
	"fmt"
	"slices"
)

// An ExperimentView holds the costs at which the units of an experiment reach targets, or their
// results within budgets.
type ExperimentView struct {
	What  string              `json:"what"` // targets or budgets
	By    string              `json:"by"`   // iterations, evaluations, wall or cpu
	At    []Num               `json:"at"`   // targets as gaps in percent, or budgets
	Found bool                `json:"found,omitempty"`
	Rows  []ExperimentViewRow `json:"rows"`
}

// An ExperimentViewRow is a row of a view.
type ExperimentViewRow struct {
	Instance string `json:"instance"`
	Label    string `json:"label"`
	Seeds    int    `json:"seeds"`
	Values   []Num  `json:"values"`            // expected running times, or median gaps in percent
	Reached  []int  `json:"reached,omitempty"` // targets: number of seeds that reach them
}

// amount is a cost in words.
func (v *ExperimentView) amount(n Num) string {
	switch {
	case !n.Known():
		return "-"
	case v.By == "wall" || v.By == "cpu":
		return n.seconds()
	}
	return fmt.Sprintf("%.0f", float64(n))
}

// Spent describes the i-th budget.
func (v *ExperimentView) Spent(i int) string {
	out := v.amount(v.At[i])
	switch v.By {
	case "wall":
		return out
	case "cpu":
		return out + " of CPU time"
	}
	return out + " " + v.By
}

// head is the heading of a target or budget.
func (v *ExperimentView) head(n Num) string {
	if v.What == "targets" {
		return n.String() + " %"
	}
	return v.amount(n)
}

// less are the headings of columns that a narrow table leaves out: the number of seeds, and then
// every other target or budget.
func (v *ExperimentView) less() []string {
	out := []string{"seeds"}
	for _, first := range []int{1, 2} {
		for i := first; i < len(v.At)-1; i += 2 {
			out = append(out, v.head(v.At[i]))
		}
	}
	return out
}

// table is the table, with a heading.
func (v *ExperimentView) table() [][]string {
	out := [][]string{{"instance", "", "seeds"}}
	for _, n := range v.At {
		out[0] = append(out[0], v.head(n))
	}
	for i := range v.Rows {
		r := &v.Rows[i]
		row := []string{r.Instance, r.Label, fmt.Sprint(r.Seeds)}
		for k, n := range r.Values {
			cell := percent(n)
			if v.What == "targets" {
				cell = v.amount(n)
				if got := r.Reached[k]; got > 0 && got < r.Seeds {
					cell += fmt.Sprintf(" (%d)", got)
				}
			}
			row = append(row, cell)
		}
		out = append(out, row)
	}
	return out
}

// words say what the table shows.
func (v *ExperimentView) words() string {
	above := "the best known value"
	if v.Found {
		above = "the best known value, or the best one found here"
	}
	what := map[string]string{
		"iterations": "iterations", "evaluations": "evaluations", "wall": "time", "cpu": "CPU time",
	}[v.By]
	if v.What == "targets" {
		return fmt.Sprintf("expected running times (ERT) in %s until a value so many percent above %s: "+
			"what all seeds spend until there or their end, over the seeds that get there, whose number "+
			"is in brackets where it is not all", what, above)
	}
	return fmt.Sprintf("medians within equal %s, in percent above %s", what, above)
}

// evaluations is the row of what a run has looked at, and a measure of some solvers, which has that
// of an iteration.
const evaluations = "evaluations"

// evals tells of a run's evaluations and, where the solver measures them, of the last iteration's.
func (r *ShowReply) evals() string {
	text := fmt.Sprintf("%d %s", r.Evals, r.Counts)
	if i := slices.Index(r.Measures, evaluations); i >= 0 && i < len(r.Values) {
		text += fmt.Sprintf(", %s in the last iteration", r.Values[i])
	}
	return text
}
