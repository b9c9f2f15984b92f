package view

import (
	"fmt"
	"math"

	"metalab/solvers/record"
)

// Data is what figures need to know of a run. Fields that a figure does not need
// may be left empty. Figures do not change or keep it, but for X, Y, Tour and
// PrevTour, which plotters of maps read whenever the plot is drawn.
type Data struct {
	Name      string // the run's name, for legends
	Title     string // of the figure; empty: Name
	Objective string // what is optimised, as "tour length"; empty: "value"
	Kind      string // of the problem, as "tsp": values of different kinds have no axis in common
	Instance  string // its name

	Sense    record.Sense    // Points, Best and Seeds hold costs, and their values are drawn
	Points   []record.Point  // the history, by iteration
	Measures []string        // names of Point.Measures
	Counts   string          // what Point.Evals counts, as "tours built"; empty: nothing
	Journal  []record.Change // the changes, by iteration
	Best     *float64        // best known cost of the instance; nil when none is known
	Seeds    *Seeds          // what the run was repeated for; nil when it was not

	X, Y     []float64 // where the cities are drawn, by city
	Names    []string  // what the cities are called; nil: nothing
	Km       float64   // kilometres of a unit of X and Y, where they are a map; else 0
	Tour     []int32   // the best tour; cities from 0
	PrevTour []int32   // the tour of the last picture; edges that it lacks are marked
	Trails   []Trail   // pheromone

	AllTrails int       // how many trails there are, where Trails is a part of them; 0: it is all
	Lengths   []float64 // values of the iteration's solutions
	Spans     []Span    // times of an iteration's parts
	NoSpans   string    // why there are none

	Islands []Data // those of a run of islands, each with a name and points

	Problem *Problem // what figures of other problems need; may be nil

	all bool // nothing is thinned
}

// A Trail is the pheromone on the edge from city I to city J. A trail that is
// given in both directions counts by its larger value.
type Trail struct {
	I, J int32
	V    float32
}

// title is the title of the figure of d.
func (d *Data) title() string {
	if d.Title != "" {
		return d.Title
	}
	return d.Name
}

// objective names what is minimised.
func (d *Data) objective() string {
	if d.Objective != "" {
		return d.Objective
	}
	return "value"
}

// check returns an error where the geometry of d contradicts itself.
func (d *Data) check() error {
	if len(d.X) != len(d.Y) {
		return fmt.Errorf("view: run %q has %d x coordinates and %d y coordinates, want as many", d.Name,
			len(d.X), len(d.Y))
	}
	for _, t := range [...]struct {
		what string
		tour []int32
	}{{"tour", d.Tour}, {"previous tour", d.PrevTour}} {
		if len(d.X) == 0 {
			continue
		}
		for i, c := range t.tour {
			if c < 0 || int(c) >= len(d.X) {
				return fmt.Errorf("view: %s of run %q has city %d at position %d, want 0 to %d", t.what, d.Name,
					c, i, len(d.X)-1)
			}
		}
	}
	n := max(len(d.X), len(d.Tour))
	for i, t := range d.Trails {
		if t.I < 0 || t.J < 0 || int(t.I) >= n || int(t.J) >= n {
			return fmt.Errorf("view: trail %d of run %q joins cities %d and %d, want 0 to %d", i, d.Name,
				t.I, t.J, n-1)
		}
	}
	return nil
}

// finite reports whether v is a number, and neither infinite.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
