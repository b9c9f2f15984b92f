// Package view draws runs: it makes figures as plots of gonum.org/v1/plot from
// plain data, and renders them into terminals, notebooks and files.
//
// A figure is made from [Data], which holds what was recorded of one run:
//
//	var l view.Look                      // the axis of curves, its range, title and legend
//	p, err := l.Convergence(a, b)        // curves of two runs, with their changes
//	p, err := l.Measure("branching", a, b)
//	p, err := l.Band(a, b)               // median and quartiles of the seeds of repeats
//	p, err := l.Box(a, b)                // a box of each run's seeds
//	p, err := view.TourMap(a)            // the tour over its cities
//	p, err := view.PheromoneMap(a)       // trails over the cities
//	p, err := view.PheromoneHeat(a)      // trails as a matrix sorted by the tour
//	p, err := view.Lengths(a)            // histogram of an iteration's tours
//
// Figures of experiments are made from plain values, a group of them each; they are methods of
// [Look] too:
//
//	l.BoxPlot(labels, samples...)     // also ViolinPlot: the values of groups side by side
//	l.Medians(labels, series...)      // the median of each group's curves with its quartiles
//	l.ECDF(labels, samples...)        // run lengths: the share of runs within a budget
//	l.Profile(labels, samples...)     // performance profiles
//	l.Ranks(labels, ranking)          // a critical-distance diagram, of Nemenyi or of p-values
//	l.Heat(labels, grid)              // values over two parameters
//	l.Response(labels, responses...)  // values against a parameter
//	l.Speedup(labels, responses...)   // ratios against a size
//	l.Parallel(labels, trials)        // a tuning's configurations in parallel coordinates
//	l.Importance(labels, shares...)   // what its parameters matter
//
// [Kinds] lists the figures by name for prompts, and [Draw] makes a [Sheet] of one or of
// several beside each other. A figure is an ordinary *plot.Plot, to which more plotters may be
// added; [Tour], [Trails], [Curve], [Matrix], [Bars], [Boxes] and [Marks] are plotters for
// figures of one's own. A figure does not fail for want of data: an empty history is an empty
// plot that says so. Errors mean that the data contradict themselves, as a tour that visits a
// city that does not exist.
//
// A sink says where the picture goes:
//
//	view.Render(file, p, view.Sink{Graphics: view.SVG})       // also PNG and PDF
//	view.Render(os.Stdout, p, view.Terminal(os.Getenv, true, 100, 30))
//
// [Format] knows the kind of picture from a file's name.
//
// In a terminal a figure is made of braille dots, half blocks and real text
// (package cells), of ASCII where the locale has no more, or of pixels where the terminal
// says that it speaks the protocol of kitty, of iTerm2, or sixel: see [Detect], [Query] and
// [ParseReply].
//
// Figures stay fast when the data are large. Curves are drawn by the extremes of
// each column of the picture, never by all points. Tours of many cities are drawn
// into pixels by package raster, with lines so thin that dense regions show their
// density; where a picture is made of vectors or of cells, a tour is simplified
// until the picture stays small, and then shows its course, not its every edge. Thousands of
// cities without a tour are a picture made of pixels inside one made of vectors.
//
// Where there are no colours, curves have letters. Where there can be no picture at all, as in
// a dumb terminal, figures say in words what they would show; an SVG has these words as its
// text for screen readers.
//
// The colours are those of M. Okabe and K. Ito, "Color Universal Design" (2008),
// which people with any common colour vision can tell apart.
package view
