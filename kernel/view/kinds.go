package view

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"
)

// A Kind is a figure by name, as `plot a tour` asks for it.
type Kind struct {
	Name string // as it is typed
	Doc  string // a sentence that starts in lower case
	Many bool   // whether it compares several runs

	// Size returns the size that suits the figure of d in files and notebooks.
	Size func(d Data) Size

	// Draw makes the figure of the runs; one that is not Many draws the first.
	Draw func(runs ...Data) (*plot.Plot, error)
}

// Kinds returns the figures, the usual one first.
func Kinds() []Kind {
	return append([]Kind{
		{Name: "best", Size: usual, Many: true, Draw: Convergence, Doc: "the best value, or the gap to the best known one, against iterations, with the changes made"},
		{Name: "tour", Size: MapSize, Draw: one(TourMap), Doc: "the tour over its cities, with edges new since the last picture in another colour"},
		{Name: "trails", Size: MapSize, Draw: one(PheromoneMap), Doc: "the strongest pheromone trails over the cities"},
		{Name: "heat", Size: square, Draw: one(PheromoneHeat), Doc: "the pheromone trails as a matrix in the order of the tour"},
		{Name: "branching", Size: usual, Many: true, Draw: Branching, Doc: "the λ-branching factor against iterations"},
		{Name: "lengths", Size: usual, Draw: one(Lengths), Doc: "a histogram of the values of the last iteration's solutions"},
	}, problemKinds()...)
}

// usual is the default size.
func usual(Data) Size { return Size{W: defaultW, H: defaultH} }

// square is the size at which a matrix with its axes and its bar is square.
func square(Data) Size { return Size{W: 414, H: 360} }

// one makes a figure of one run take the first of several.
func one(f func(Data) (*plot.Plot, error)) func(...Data) (*plot.Plot, error) {
	return func(runs ...Data) (*plot.Plot, error) {
		if len(runs) == 0 {
			return empty(base(""), "no runs"), nil
		}
		return f(runs[0])
	}
}

// Draw makes the figure that is called kind, or that draws the measure called
// kind. The error for an unknown one lists the known.
func Draw(kind string, runs ...Data) (*plot.Plot, error) {
	var known []string
	for _, k := range Kinds() {
		if k.Name == kind {
			return k.Draw(runs...)
		}
		known = append(known, k.Name)
	}
	for _, d := range runs {
		for _, m := range d.Measures {
			if m == kind {
				return Measure(kind, runs...)
			}
		}
	}
	return nil, fmt.Errorf("view: unknown figure %q, want %s, or a measure (here %s)", kind, strings.Join(known, ", "), measuresOf(runs))
}
