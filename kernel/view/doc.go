// Package view draws runs: it builds figures from plain data as plots of gonum.org/v1/plot, and
// renders them into terminals, notebooks and files. May change: api.txt does not promise its
// declarations.
//
// Figures of runs use [Data], the recorded data of one run:
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
// Figures of experiments use plain values, in groups; they are methods of [Look] too:
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
// [Kinds] lists the figures by name for prompts, and [Draw] returns a [Sheet] of one or of several
// beside each other. A figure is an ordinary *plot.Plot, which accepts more plotters; [Tour],
// [Trails], [Curve], [Matrix], [Bars], [Boxes] and [Marks] are plotters for your own figures. A
// figure without data is no error: it is an empty plot that says so. Errors mean that the data
// contradict themselves, such as a tour with a city that does not exist.
//
// A sink is the target of a picture:
//
//	view.Render(file, p, view.Sink{Graphics: view.SVG})       // also PNG and PDF
//	view.Render(os.Stdout, p, view.Terminal(os.Getenv, true, 100, 30))
//
// [Format] derives the kind of picture from a file's name.
//
// In a terminal a figure consists of braille dots, half blocks and text (package cells), of ASCII
// if the locale has no more, or of pixels if the terminal supports the protocol of kitty, of
// iTerm2, or sixel: see [Detect], [Query] and [ParseReply].
//
// Figures of large data stay fast. Curves draw the extremes of each column of the picture, never
// all points. Package raster draws tours of many cities into pixels, with lines so thin that dense
// regions show their density. Pictures of vectors or cells simplify a large tour until the picture
// is small, and then show its course instead of every edge. Thousands of cities without a tour are
// a picture of pixels inside one of vectors.
//
// Without colours, curves have letters. Without pictures, as in a dumb terminal, figures describe
// their contents in words; an SVG has these words as its text for screen readers.
//
// The colours are those of M. Okabe and K. Ito, "Color Universal Design" (2008), which people with
// any common colour vision can tell apart.
package view
