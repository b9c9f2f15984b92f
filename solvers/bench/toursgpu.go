package bench

import (
	"fmt"
	"slices"

	"metalab/solvers/record"
)

// besideGPU is the machine of the peers' figures in the table tours-gpu.
const besideGPU = "one core of a Xeon beside H200s, in the same minutes; CPU seconds, seed 1"

func init() {
	rows := againstLinkern()
	rows = append(rows, unnamed()...)
	rows = append(rows, inRows()...)
	rows = append(rows, tenMillion()...)
	rows = append(rows, growth()...)
	Register(Table{
		Name: "tours-gpu",
		Title: "Iterated local search on a GPU, as ils alone makes it there, seconds of the " +
			"wall from the file to the verified tour",
		Source: "linkern: Concorde's Chained Lin-Kernighan with its defaults on one core, CPU seconds",
		Rows:   rows,
	})
}

// tiled is a row of ils/tiles on a GPU.
func tiled(what, instance string, stop Stop, m Measure) Row {
	return Row{
		What: what, Solver: "ils", Variant: "tiles", Backend: "cuda", Preset: tilesPreset,
		Instance: instance, Stop: stop, Measure: m, Seeds: 3,
	}
}

// tilesPreset is the preset of the rows; empty: the defaults.
const tilesPreset = ""

// besides are linkern's gaps by instance and seconds, seed 1; 0: not known.
var besides = map[string][2]float64{ // after 10 and 60 s
	"pr2392":        {0.0198, 0.0198},
	"fnl4461":       {0.124, 0.0805},
	"xmc10150":      {0.412, 0.31},
	"usa13509":      {0.311, 0.197},
	"d18512":        {0.215, 0.123},
	"bbz25234":      {0.489, 0.346},
	"pla85900":      {0.363, 0.194},
	"E100k.0":       {0.693, 0.299},
	"mona-lisa100K": {0.268, 0.117},
	"C100k.0":       {2.78, 1.35},
	"E1M.0":         {1.91, 1.26},
}

// pooled are the instances for which ils alone is ils/pools.
var pooled = []string{
	"pr2392", "fnl4461", "xqc2175", "xmc10150", "usa13509", "d18512", "bbz25234", "pla85900",
	"V3k.1", "V10k.1", "V31k.1", "C31k.0",
}

// gaps are the rows of an instance after 10 and, if late is not negative, 60 s, with the figures to
// reach.
func gaps(what, name string, early, late float64) []Row {
	var rows []Row
	for i, reach := range []float64{early, late} {
		if reach < 0 {
			break
		}
		seconds := []float64{10, 60}[i]
		r := tiled(fmt.Sprintf("%sgap after %g s", what, seconds), name, Stop{Wall: seconds}, Gap)
		if r.Reach, r.FullOnly = reach, i > 0; slices.Contains(pooled, name) {
			r.Variant = "pools"
		}
		r.Peer = Peer{Name: "linkern", Figure: besides[name][i], Program: "linkern"}
		if r.Peer.Figure > 0 {
			r.Peer.Where = besideGPU
		}
		rows = append(rows, r)
	}
	return rows
}

// againstLinkern are the instances for which gaps to reach were set.
func againstLinkern() []Row {
	return slices.Concat(
		gaps("", "pr2392", .05, -1),
		gaps("", "fnl4461", .08, -1),
		gaps("", "usa13509", .2, .1),
		gaps("", "d18512", .15, .08),
		gaps("", "pla85900", .35, .15),
		gaps("", "E100k.0", 0, .15),
		gaps("", "mona-lisa100K", 0, .15),
		gaps("", "E1M.0", 1.2, .5),
	)
}

// unnamed are instances of families on which nothing was chosen.
func unnamed() []Row {
	return slices.Concat(
		gaps("held out: ", "xmc10150", 0, 0),
		gaps("held out: ", "bbz25234", 0, 0),
		gaps("held out: ", "C100k.0", 0, 0),
	)
}

// inRows are circuits and clusters on which nothing was chosen, most of them without a shortest
// tour that is known: the figure is the length then.
func inRows() []Row {
	rows := gaps("held out: ", "xqc2175", 0, -1)
	for _, name := range []string{"V3k.1", "V10k.1", "V31k.1", "C31k.0"} {
		for _, r := range gaps("held out: ", name, 0, -1) {
			r.What, r.Measure = "held out: length after 10 s", Best
			rows = append(rows, r)
		}
	}
	return rows
}

// tenMillion is how far ten million cities come.
func tenMillion() []Row {
	var rows []Row
	for _, seconds := range []float64{30, 60} {
		r := tiled(fmt.Sprintf("length after %g s", seconds), "E10M.0", Stop{Wall: seconds}, Best)
		r.Seeds, r.FullOnly = 1, true
		rows = append(rows, r)
	}
	return rows
}

// growth is how time and memory grow with the number of cities.
func growth() []Row {
	var rows []Row
	const long = 600 // more seconds than any of them takes
	for _, name := range []string{
		"E1k.0", "E3k.0", "E10k.0", "E31k.0", "E100k.0", "E316k.0", "E1M.0", "E3M.0", "E10M.0",
	} {
		first := tiled("seconds to the first kick", name, Stop{Wall: long, Iterations: 1}, Seconds)
		rounds := tiled("seconds of 10 rounds of half a kick a city, and what is before them", name,
			Stop{Wall: long, Iterations: 11}, Seconds)
		memory := tiled("memory of the host", name, Stop{Wall: long, Iterations: 3}, Memory)
		rate := tiled("kicks a second", name, Stop{Wall: long, Iterations: 81}, PerSecond)
		rate.Before = 41 // all cuts of the plane exist by then
		rounds.Params = record.Values{"kicks": record.Num(0.5)}
		if name == "E1M.0" {
			memory.Reach, rate.Reach = 4000, 8e6
		}
		for _, r := range []Row{first, rounds, memory, rate} {
			r.Seeds, r.FullOnly = 1, true
			rows = append(rows, r)
		}
	}
	return rows
}
