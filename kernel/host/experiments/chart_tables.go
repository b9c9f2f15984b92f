package experiments

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"metalab/kernel/view"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// put adds the values at x to the response of a name. Values at one place are joined.
func put(out *[]view.Response, name string, x float64, values []float64) {
	i := slices.IndexFunc(*out, func(r view.Response) bool { return r.Name == name })
	if i < 0 {
		i, *out = len(*out), append(*out, view.Response{Name: name})
	}
	r := &(*out)[i]
	at, there := slices.BinarySearch(r.X, x)
	if there {
		r.Values[at] = append(r.Values[at], values...)
		return
	}
	r.X = slices.Insert(r.X, at, x)
	r.Values = slices.Insert(r.Values, at, values)
}

// varied are the parameters that have several values among the groups, and these in order.
func varied(gs []*experiment.Group) (names []string, values map[string][]record.Value) {
	values = map[string][]record.Value{}
	for _, g := range gs {
		for n, v := range g.Varied {
			if !slices.Contains(values[n], v) {
				values[n] = append(values[n], v)
			}
		}
	}
	for _, n := range sortedKeys(values) {
		if len(values[n]) < 2 {
			continue
		}
		names = append(names, n)
		slices.SortStableFunc(values[n], func(a, b record.Value) int {
			x, first := a.Float()
			y, second := b.Float()
			if first && second {
				return cmp.Compare(x, y)
			}
			return 0
		})
	}
	return names, values
}

// heatChart draws medians over the first two varied parameters.
func heatChart(c *chartOf) (*plot.Plot, error) {
	names, values := varied(c.groups)
	if len(names) < 2 {
		return nil, errors.New("heat needs two varied parameters")
	}
	x, y := names[0], names[1]
	var grid view.Grid
	for _, v := range values[x] {
		grid.X = append(grid.X, v.String())
	}
	gaps := inGaps(c.groups)
	for _, v := range values[y] {
		grid.Y = append(grid.Y, v.String())
		row := make([]float64, len(values[x]))
		for i, u := range values[x] {
			var all []float64 // of all that is varied besides
			for _, g := range c.groups {
				if g.Varied[x] == u && g.Varied[y] == v {
					all = append(all, valuesOf(g, gaps)...)
				}
			}
			row[i] = math.NaN()
			if len(all) > 0 {
				row[i] = float64(median(all))
			}
		}
		grid.Values = append(grid.Values, row)
	}
	c.Title += ": median, " + c.Labels.Y
	c.Labels.X, c.Labels.Y = x, y
	return c.look.Heat(c.Labels, grid)
}

// medians are the labels of the groups, and their medians on each instance that all have.
func (c *chartOf) medians() (labels, places []string, blocks [][]float64) {
	at := map[[2]string]*experiment.Group{}
	for _, g := range c.groups {
		if !slices.Contains(labels, g.Label) {
			labels = append(labels, g.Label)
		}
		at[[2]string{g.Label, g.Instance}] = g
	}
	seen := map[string]bool{}
	for _, g := range c.groups {
		if seen[g.Instance] {
			continue
		}
		seen[g.Instance] = true
		var block []float64
		for _, l := range labels {
			if g := at[[2]string{l, g.Instance}]; g != nil && len(g.Done) > 0 {
				block = append(block, float64(median(g.Best())))
			}
		}
		if len(block) == len(labels) {
			places, blocks = append(places, g.Instance), append(blocks, block)
		}
	}
	return labels, places, blocks
}

// seeds are the results of the groups of one instance for each seed that all have.
func (c *chartOf) seeds() (blocks [][]float64) {
	by := map[uint64][]float64{}
	var order []uint64
	for _, g := range c.groups {
		for i := range g.Done {
			seed := g.Done[i].Unit.Seed
			if by[seed] == nil {
				order = append(order, seed)
			}
			by[seed] = append(by[seed], g.Done[i].Result.Best)
		}
	}
	for _, s := range order {
		if len(by[s]) == len(c.groups) {
			blocks = append(blocks, by[s])
		}
	}
	return blocks
}

// ranksChart draws mean ranks over the instances, or over the seeds of one.
func ranksChart(c *chartOf) (*plot.Plot, error) {
	labels, _, blocks := c.medians()
	over := "instances"
	if len(blocks) == 1 {
		over, blocks = "seeds", c.seeds()
	}
	if len(labels) < 2 || len(blocks) < 2 {
		return nil, errors.New("ranks needs two rows of the table, and two instances or seeds that all " +
			"have")
	}
	r, err := stats.Friedman(blocks)
	if err != nil {
		return nil, err
	}
	const alpha = 0.05
	c.Title += fmt.Sprintf(": mean ranks over %d %s, Nemenyi at %v", len(blocks), over, alpha)
	c.size = view.RanksSize(len(labels))
	return c.look.Ranks(c.Labels, view.Ranking{
		Names: labels, Ranks: r.Ranks,
		Distance: stats.CriticalDifference(alpha, len(labels), len(blocks)),
	})
}

// profileChart draws performance profiles of the medians.
func profileChart(c *chartOf) (*plot.Plot, error) {
	labels, places, blocks := c.medians()
	if len(blocks) == 0 {
		return nil, errors.New("profile needs an instance that all rows of the table have results of")
	}
	out := make([]view.Sample, len(labels))
	for i, b := range blocks {
		best := slices.Min(b)
		if best <= 0 {
			return nil, fmt.Errorf("profile needs values above 0, and the best median on %s is %v",
				places[i], best)
		}
		for j, v := range b {
			out[j].Name = labels[j]
			out[j].Values = append(out[j].Values, v/best)
		}
	}
	c.Title += fmt.Sprintf(": performance profile over %d instances", len(blocks))
	c.Labels.X, c.Labels.Y = "median, times the best one", "share of instances"
	return c.look.Profile(c.Labels, out...)
}
