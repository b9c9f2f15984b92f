package view

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
)

// A Kind is a figure with a name, as in `plot a tour`.
type Kind struct {
	Name string // as users type it
	Many bool   // it shows several runs in one plot

	// Curves reports whether it draws curves against an axis that a Look chooses.
	Curves bool

	// Size returns a size for the figure of d in files and notebooks.
	Size func(d Data) Size

	// Draw returns the figure of the runs; a figure that is not Many draws the first.
	Draw func(l Look, runs ...Data) (*plot.Plot, error)
}

// Kinds returns the figures, the usual one first.
func Kinds() []Kind {
	return append([]Kind{
		{Name: "best", Size: usual, Many: true, Curves: true, Draw: Look.Convergence},
		{Name: "band", Size: usual, Many: true, Curves: true, Draw: Look.Band},
		{Name: "box", Size: usual, Many: true, Draw: Look.Box},
		{Name: "tour", Size: MapSize, Draw: one(TourMap)},
		{Name: "trails", Size: MapSize, Draw: one(PheromoneMap)},
		{Name: "heat", Size: square, Draw: one(PheromoneHeat)},
		{Name: "branching", Size: usual, Many: true, Curves: true, Draw: Look.Branching},
		{Name: "islands", Size: usual, Curves: true, Draw: Look.Islands},
		{Name: "lengths", Size: usual, Draw: one(Lengths)},
		{Name: "spans", Size: usual, Draw: one(Spans)},
	}, problemKinds()...)
}

// usual is the default size.
func usual(Data) Size { return Size{W: float64(defaultW), H: float64(defaultH)} }

// square is the size at which a matrix with its axes and its bar is square.
func square(Data) Size { return Size{W: 414, H: 360} }

// one makes a figure of one run, which has no curves, take the first of several.
func one(f func(Data) (*plot.Plot, error)) func(Look, ...Data) (*plot.Plot, error) {
	return func(l Look, runs ...Data) (*plot.Plot, error) {
		if len(runs) == 0 {
			return empty(base(""), "no runs"), nil
		}
		d := runs[0]
		d.all = l.All
		p, err := f(d)
		if err == nil {
			p.Title.Text = l.base(p.Title.Text).Title.Text
		}
		return p, err
	}
}

// find returns the kind of figure, or of the measure, that is called name.
func find(name string, runs []Data) (Kind, error) {
	var known []string
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
		known = append(known, k.Name)
	}
	for _, d := range runs {
		if slices.Contains(d.Measures, name) {
			return Kind{
				Name: name, Size: usual, Many: true, Curves: true,
				Draw: func(l Look, runs ...Data) (*plot.Plot, error) {
					return l.Measure(name, runs...)
				},
			}, nil
		}
	}
	return Kind{}, fmt.Errorf("view: unknown figure %q, want %s, or a measure (here %s)", name,
		strings.Join(known, ", "), measuresOf(runs))
}

// Draw returns a sheet with the figures in kinds, names of a [Kind] or of a measure separated by
// commas. It has several plots beside each other for several kinds, for several runs if a kind
// shows only one, and for runs whose values share no axis. The error for an unknown name lists the
// known ones.
func Draw(kinds string, l Look, runs ...Data) (*Sheet, error) {
	type panel struct {
		kind Kind
		runs []Data
	}
	if len(l.Legend) > 0 && len(runs) > 1 {
		if len(l.Legend) != len(runs) {
			return nil, fmt.Errorf("view: legend has %d names, and there are %d runs",
				len(l.Legend), len(runs))
		}
		runs = slices.Clone(runs)
		for i, name := range l.Legend {
			runs[i].Name = name
		}
		l.Legend = nil
	}
	var panels []panel
	curves := false
	var names []string
	for name := range strings.SplitSeq(kinds, ",") {
		k, err := find(strings.TrimSpace(name), runs)
		if err != nil {
			return nil, err
		}
		names = append(names, k.Name)
		curves = curves || k.Curves
		switch {
		case len(runs) == 0:
			panels = append(panels, panel{k, nil})
		case k.Many:
			for _, group := range together(runs) {
				panels = append(panels, panel{k, group})
			}
		default:
			for _, d := range runs {
				panels = append(panels, panel{k, []Data{d}})
			}
		}
	}
	if !curves {
		if what := l.ofCurves(); what != "" {
			return nil, fmt.Errorf("view: %s has no %s: that is of curves, as best, branching and measures",
				strings.Join(names, ","), what)
		}
	}
	s := &Sheet{Columns: l.Columns}
	l.narrow = len(panels) > 1 && s.columns(len(panels)) > 1
	if l.narrow && l.Title != "" {
		s.Title, l.Title = l.Title, ""
	}
	for _, p := range panels {
		q, err := p.kind.Draw(l, p.runs...)
		if err != nil {
			return nil, err
		}
		var d Data
		if len(p.runs) > 0 {
			d = p.runs[0]
		}
		s.Plots, s.Sizes = append(s.Plots, q), append(s.Sizes, p.kind.Size(d))
	}
	s.share()
	return s, nil
}

// ofCurves names the first choice of l that concerns curves alone; empty when there is none.
func (l Look) ofCurves() string {
	switch {
	case l.X != "":
		return "x axis"
	case l.Range.given():
		return "range"
	case l.NoLegend || len(l.Legend) > 0:
		return "legend"
	}
	return ""
}

// together returns the runs in groups whose values have an axis in common: those of one kind
// of problem, if the gap is known of all, else those of one instance.
func together(runs []Data) [][]Data {
	by := func(key func(d Data) string, runs []Data) (groups [][]Data) {
		var keys []string
		for _, d := range runs {
			i := slices.Index(keys, key(d))
			if i < 0 {
				i = len(keys)
				keys, groups = append(keys, key(d)), append(groups, nil)
			}
			groups[i] = append(groups[i], d)
		}
		return groups
	}
	var out [][]Data
	for _, g := range by(func(d Data) string { return d.Kind }, runs) {
		if hasGap(g) {
			out = append(out, g)
			continue
		}
		out = append(out, by(func(d Data) string { return d.Instance }, g)...)
	}
	return out
}
