package wire

import "strings"

// A Choice is a word that may stand in a place, with its meaning.
type Choice struct {
	Name string
	Doc  string // starts in lower case, without a full stop
}

// OneOf lists the names of choices, such as "cpu, cuda or cuda:all".
func OneOf(choices []Choice) string {
	var b strings.Builder
	for i, c := range choices {
		switch {
		case i > 0 && i == len(choices)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(c.Name)
	}
	return b.String()
}

// Figures lists the figures by name; the measures of a run's solver are figures too. kernel/view,
// which clients do not link, draws them.
var Figures = []Choice{
	{"best", "the best value, or the gap to the best known one, with the changes made"},
	{"band", "the median of a run's seeds and the band between their quartiles"},
	{
		"box", "a box of the best values of each run's seeds, with median, quartiles " +
			"and what lies far out",
	},
	{
		"tour", "the tour over its cities, with edges new since the last picture in " +
			"another colour",
	},
	{"trails", "the strongest pheromone trails over the cities"},
	{"heat", "the pheromone trails as a matrix in the order of the tour"},
	{"branching", "the λ-branching factor"},
	{"islands", "the best value of each of a run's islands"},
	{"lengths", "a histogram of the values of the last iteration's solutions"},
	{
		"spans", "how long a device takes for the parts of an iteration, timed from the first " +
			"such plot on",
	},
	{
		"assignment", "what each pair of facilities costs, with facility i at location i and " +
			"with the best assignment, by flow",
	},
	{
		"multiset", "the products of a perceptron's best vector against the multiset that " +
			"is wanted",
	},
	{
		"slice", "the function along its first coordinate through the best point, with " +
			"the ball of neighbours",
	},
	{"neighbourhood", "how the moves from the best solution change its value, as a histogram"},
	{"solution", "the best solution of a problem of your own, by its method Plot"},
}

// Axes lists the axes of curves.
var Axes = []Choice{
	{"iteration", "iterations made"},
	{"time", "seconds of iterating"},
	{"cpu", "CPU seconds"},
	{"evaluations", "what the solver counts, as tours built"},
}

// Backends lists what can run a search.
var Backends = []Choice{
	{"cpu", "this machine's cores"},
	{"cuda", "the GPU of NVIDIA with the most free memory; cuda:1 is number 1, cuda:0,1 both"},
	{"cuda:all", "all GPUs of this machine"},
}

// Conds lists the beginnings of conditions, for completion.
var Conds = []Choice{
	{"gap<", "percent above the best known value"},
	{"best<=", "value of the best; best>= of an objective that is maximised"},
	{"stall=", "iterations without a better best"},
	{"iteration=", "that iteration"},
	{"time=", "of iterating, as 10s"},
	{"cpu=", "CPU time, as 10s"},
}

func names(of []Choice) []string {
	out := make([]string, len(of))
	for i, c := range of {
		out[i] = c.Name
	}
	return out
}
