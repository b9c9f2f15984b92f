package view

import (
	"fmt"
	"math"

	"metalab/solvers/record"
)

// Data is a run's data for figures. A figure needs only some of the fields. Figures neither change
// nor keep it, except for X, Y, Tour and PrevTour, which plotters of maps read whenever the plot is
// drawn.
type Data struct {
	Name      string // the run's name, for legends
	Title     string // of the figure; empty: Name
	Objective string // the objective, such as "tour length"; empty: "value"
	Kind      string // of the problem, such as "tsp": values of different kinds share no axis
	Instance  string // its name

	Sense    record.Sense   // Points, Best and Seeds hold costs; figures show their values
	Points   []record.Point // the history, by iteration
	Measures []string       // names of Point.Measures
	// the name of what Point.Evals counts, such as "tours built"; empty: nothing
	Counts  string
	Journal []record.Change // the changes, by iteration
	Best    *float64        // best known cost of the instance; nil if none is known
	Seeds   *Seeds          // results of the run's repeats; nil if there are none

	X, Y     []float64 // the cities' places in the picture, by city
	Names    []string  // names of the cities; nil: they have none
	Km       float64   // kilometres per unit of X and Y, if they are a map; else 0
	Tour     []int32   // the best tour; cities from 0
	PrevTour []int32   // the tour of the last picture; figures mark edges that it lacks
	Trails   []Trail   // pheromone

	AllTrails int       // the number of all trails, if Trails is a part of them; 0: it is all
	Lengths   []float64 // values of the iteration's solutions
	Spans     []Span    // times of an iteration's parts
	NoSpans   string    // why there are none

	Islands []Data // the islands of a run, each with a name and points

	Problem *Problem // data for figures of other problems; may be nil

	all bool // nothing is thinned
}

// A Trail is the pheromone on the edge from city I to city J. If both directions occur, the larger
// value counts.
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
