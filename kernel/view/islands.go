package view

import "gonum.org/v1/plot"

// Islands draws a curve for each island of the first run: its best value, against iterations or
// evaluations. Islands have no times of their own.
func (l Look) Islands(runs ...Data) (*plot.Plot, error) {
	if len(runs) == 0 {
		return empty(base(""), "no runs"), nil
	}
	d := runs[0]
	if len(d.Islands) == 0 {
		return empty(l.base(d.title()), "it has no islands: open or fork it with islands=4"), nil
	}
	if l.X != Evaluations {
		l.X = Iterations
	}
	p, err := l.Convergence(d.Islands...)
	if err == nil && l.Title == "" && !l.NoTitle {
		p.Title.Text = d.title()
	}
	return p, err
}
