package bench

import (
	"fmt"

	"metalab/solvers/record"
)

// besideGPU is the machine of the peers' figures in the table tours-gpu.
const besideGPU = epyc + "; CPU seconds"

func init() {
	rows := againstLinkern()
	rows = append(rows, unnamed()...)
	rows = append(rows, growth()...)
	Register(Table{
		Name: "tours-gpu",
		Title: "Iterated local search in tiles on a GPU, seconds of the wall from the file to the " +
			"verified tour",
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

// tilesPreset is what the rows are made with; empty: the defaults.
const tilesPreset = ""

// againstLinkern are the gaps after 10 and 60 s.
func againstLinkern() []Row {
	var rows []Row
	for _, v := range []struct {
		name    string
		seconds float64
		reach   float64
		peer    string
		figure  float64
	}{
		{"pr2392", 10, .05, "linkern", .25},
		{"fnl4461", 10, .08, "linkern", .12},
		{"usa13509", 10, .2, "linkern", .30},
		{"usa13509", 60, .1, "", 0},
		{"d18512", 10, .15, "linkern", .20},
		{"d18512", 60, .08, "", 0},
		{"pla85900", 10, .35, "linkern", .40},
		{"pla85900", 60, .15, "", 0},
		{"E100k.0", 10, 0, "", 0},
		{"E100k.0", 60, .15, "ils/queue, 41 s", .33},
		{"mona-lisa100K", 10, 0, "", 0},
		{"mona-lisa100K", 60, .15, "", 0},
		{"E1M.0", 10, 1.2, "ils/queue", 1.69},
		{"E1M.0", 60, .5, "linkern, 31 s", 2.0},
	} {
		r := tiled(fmt.Sprintf("gap after %g s", v.seconds), v.name, Stop{Wall: v.seconds}, Gap)
		r.Reach, r.FullOnly = v.reach, v.seconds > 10
		r.Peer = Peer{Name: v.peer, Figure: v.figure, Program: "linkern"}
		if v.figure > 0 {
			r.Peer.Where = besideGPU
		}
		rows = append(rows, r)
	}
	return rows
}

// unnamed are instances of families on which nothing was chosen.
func unnamed() []Row {
	var rows []Row
	for _, name := range []string{"xmc10150", "bbz25234", "C100k.0"} {
		for _, s := range []float64{10, 60} {
			r := tiled(fmt.Sprintf("held out: gap after %g s", s), name, Stop{Wall: s}, Gap)
			r.FullOnly, r.Peer.Program = s > 10, "linkern"
			rows = append(rows, r)
		}
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
		rate := tiled("kicks a second", name, Stop{Wall: long, Iterations: 31}, PerSecond)
		rate.Before = 21
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
