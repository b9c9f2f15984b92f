package bench

import (
	"fmt"

	"metalab/solvers/record"
)

// The sources of the published programs' figures in the table gpu.
const (
	h200   = "one NVIDIA H200 (CUDA 13.0, driver 580), the authors' program and its own event timings"
	kepler = "as published, on a Kepler GK104"
)

func init() {
	var rows []Row
	for _, part := range [][]Row{
		sixWays(), bestWays(), wholeOverWalk(), searched(), antColonies(), scaled(),
	} {
		rows = append(rows, part...)
	}
	Register(Table{
		Name: "gpu", Title: "Ant algorithms on a GPU, times by the device's events",
		Source: "R. Skinderowicz, 2020, Implementing a GPU-based parallel MAX-MIN Ant System, " +
			"doi:10.1016/j.future.2020.01.011, and 2016, The GPU-based parallel Ant Colony System, " +
			"doi:10.1016/j.jpdc.2016.04.014; their programs compiled for the chip that is named with " +
			"each figure",
		Rows: rows,
	})
}

// spanRow completes a row of a device's time.
func spanRow(r Row, published, reach float64) Row {
	r.Backend, r.Preset, r.Stop, r.Seeds = "cuda", "paper", Stop{Iterations: 20}, 3
	r.Measure, r.Reach = Device, reach
	r.Peer = Peer{Name: "published", Figure: published, Where: h200}
	return r
}

// sixWays is the construction of n ants without candidate lists: the published program at its best
// number of warps an ant, in ms.
func sixWays() []Row {
	ways := []struct{ selection, tabu string }{
		{"rwm", "lc"}, {"rwm", "ct"}, {"rwm", "bt"}, {"wrs", "lc"}, {"wrs", "ct"}, {"wrs", "bt"},
	}
	var rows []Row
	for _, v := range []struct {
		name string
		ms   [6]float64
	}{
		{"d198", [6]float64{.175, .184, .185, .131, .140, .156}},
		{"pcb442", [6]float64{.630, .656, .860, .370, .393, .528}},
		{"rat783", [6]float64{1.424, 1.443, 1.954, .909, .962, 1.626}},
		{"pr1002", [6]float64{2.103, 2.120, 2.924, 1.479, 1.539, 2.885}},
		{"pcb1173", [6]float64{2.742, 2.833, 3.779, 2.006, 2.096, 4.319}},
		{"rl1889", [6]float64{8.009, 7.450, 9.559, 7.719, 7.432, 16.699}},
		{"pr2392", [6]float64{16.736, 16.109, 18.975, 13.987, 14.483, 31.44}},
		{"fl3795", [6]float64{59.57, 56.67, 69.02, 53.97, 54.47, 114.2}},
	} {
		for i, w := range ways {
			rows = append(rows, spanRow(Row{
				What:   "construction of n ants, no lists, " + w.selection + " " + w.tabu,
				Solver: "mmas", Variant: "rows", Instance: v.name, Span: "construct", Params: record.Values{
					"candidates": record.Num(0), "selection": record.Text(w.selection),
					"tabu": record.Text(w.tabu),
				},
			}, v.ms[i], v.ms[i]))
		}
	}
	return rows
}

// bestWays is the same by the fastest variants, and with 32 candidates.
func bestWays() []Row {
	var rows []Row
	matrix := record.Values{"candidates": record.Num(32), "storage": record.Text("matrix")}
	for _, v := range []struct {
		name                          string
		all, allTo, few, fewTo, fewNN float64
	}{
		{"pr1002", 1.479, .6, .646, .19, .25},
		{"pr2392", 13.99, 2.5, 1.926, .7, .9},
		{"fl3795", 53.97, 5, 6.168, 1.6, 2.2},
	} {
		rows = append(rows,
			spanRow(Row{
				What: "construction of n ants, no lists, best", Solver: "mmas", Variant: "thin",
				Instance: v.name, Span: "construct",
			}, v.all, v.allTo),
			spanRow(Row{
				What: "construction of n ants, 32 candidates", Solver: "mmas", Variant: "wrs",
				Instance: v.name, Span: "construct",
			}, v.few, v.fewTo),
			spanRow(Row{
				What: "iteration of Ant System, n ants, 32 candidates", Solver: "as", Variant: "wrs",
				Instance: v.name, Span: "iteration",
			}, 0, 0),
			spanRow(Row{
				What: "construction of n ants, 32 candidates, all trails", Solver: "mmas", Variant: "rows",
				Instance: v.name, Span: "construct", Params: matrix,
			}, v.few, v.fewNN))
	}
	return rows
}

// wholeOverWalk is what an iteration takes beside its construction.
func wholeOverWalk() []Row {
	var rows []Row
	for _, v := range []struct {
		name string
		over float64
	}{{"pr1002", 1.166}, {"pr2392", 1.136}, {"fl3795", 1.075}} {
		for _, variant := range []string{"wrs", "thin"} {
			r := spanRow(Row{
				What: "iteration over construction", Solver: "mmas", Variant: variant,
				Instance: v.name, Span: "iteration/construct",
			}, v.over, 1.05)
			r.Unit = "times"
			rows = append(rows, r)
		}
	}
	return rows
}

// searched is MMAS with local search, 800 ants: 2-opt in rounds, and the preset with segment
// insertion, beside the published program, which has another 2-opt.
func searched() []Row {
	var rows []Row
	for _, v := range []struct {
		name         string
		seconds, gap float64
	}{{"pcb442", 1.5, .3}, {"pr1002", 3.4, .2}, {"pr2392", 8.4, .43}, {"fnl4461", 17.9, .48}} {
		for _, preset := range []string{"best-2opt", "best-local"} {
			r := Row{
				Solver: "mmas", Variant: "wrs", Backend: "cuda", Preset: preset, Instance: v.name, Seeds: 3,
			}
			r.What, r.Stop, r.Measure = "seconds to the published gap, 800 ants, "+preset, Stop{
				CPU: v.seconds, Gap: v.gap,
			}, Seconds
			r.Peer, r.Reach = Peer{Name: "published", Figure: v.seconds, Where: h200}, v.seconds/3
			rows = append(rows, r)
			r.What, r.Stop, r.Measure = "gap in a third of the published time, 800 ants, "+preset, Stop{
				CPU: v.seconds / 3,
			}, Gap
			r.Peer, r.Reach = Peer{Name: "published", Figure: v.gap, Where: h200}, v.gap
			rows = append(rows, r)
		}
	}
	for _, v := range []struct {
		name      string
		ms, reach float64
	}{{"usa13509", 96, 20}, {"d18512", 331, 30}} {
		r := spanRow(Row{
			What: "iteration, 2-opt, 800 ants", Solver: "mmas", Variant: "wrs",
			Instance: v.name, Span: "iteration",
		}, v.ms, v.reach)
		r.Preset = "best-2opt"
		rows = append(rows, r)
	}
	return rows
}

// antColonies is ACS: relaxed, selective and in lock step.
func antColonies() []Row {
	var rows []Row
	for _, v := range []struct {
		name                       string
		n, alt, altTo, spm, spmTo  float64
		spmGap, spmGapTo, step, to float64
	}{
		{"pr1002", 1002, 1.075, .4, 2.245, .5, 3.8, 3.1, 33.3, 2},
		{"pr2392", 2392, 3.03, 1.1, 5.37, 1.2, 6.1, 4.1, 147, 6},
	} {
		all := record.Values{"ants": record.Num(v.n)}
		few := record.Values{"ants": record.Num(256), "local_period": record.Num(4)}
		gap := Row{
			What: "gap after 1000 iterations, 256 ants, k = 4", Solver: "acs", Variant: "spm",
			Backend: "cuda", Preset: "paper", Params: few, Instance: v.name,
			Stop: Stop{Iterations: 1000}, Seeds: 5, Measure: Gap,
			Peer: Peer{Name: "published", Figure: v.spmGap, Where: h200}, Reach: v.spmGapTo,
		}
		rows = append(rows,
			spanRow(Row{
				What: "iteration of alt, n ants", Solver: "acs", Variant: "alt",
				Instance: v.name, Span: "iteration", Params: all,
			}, v.alt, v.altTo),
			spanRow(Row{
				What: "iteration of spm, 256 ants, k = 4", Solver: "acs", Variant: "spm",
				Instance: v.name, Span: "iteration", Params: few,
			}, v.spm, v.spmTo),
			gap,
			spanRow(Row{
				What: "iteration of lockstep, n ants, 28 candidates", Solver: "acs", Variant: "lockstep",
				Instance: v.name, Span: "iteration", Params: record.Values{
					"ants": record.Num(v.n), "candidates": record.Num(28),
				},
			}, v.step, v.to))
	}
	return append(rows, Row{
		What: "gap after 1000 iterations, 256 ants, k = 16", Solver: "acs", Variant: "spm",
		Backend: "cuda", Preset: "paper",
		Params:   record.Values{"ants": record.Num(256), "local_period": record.Num(16)},
		Instance: "pr2392", Stop: Stop{Iterations: 1000}, Seeds: 5, Measure: Gap,
		Peer: Peer{Name: "paper", Figure: 4.66, Where: kepler}, Reach: 4.66,
	})
}

// scaled is what is large: table 10 of the paper, "1000 n iterations" of 256 ants. That is read as
// 1000 n tours. As iterations they would be 306,700 tours a second of brd14051, which is the
// "over 300000 solutions per second" of section 4.4, on a device that by table 3 makes 13,700 a
// second of pr2392; as tours they are 1200 a second, as 13,700 are for six times the cities.
func scaled() []Row {
	few := record.Values{"ants": record.Num(256), "local_period": record.Num(4)}
	var rows []Row
	for _, v := range []struct {
		name         string
		gap, seconds float64
	}{{"rl5915", 8.5, 1345}, {"usa13509", 18.3, 11863}, {"brd14051", 14.1, 11730}} {
		rows = append(rows, Row{
			What: fmt.Sprintf("seconds to a gap of %v %%, spm, 256 ants", v.gap), Solver: "acs",
			Variant: "spm", Backend: "cuda", Preset: "paper", Params: few,
			Instance: v.name, Stop: Stop{CPU: v.seconds / 20, Gap: v.gap}, Seeds: 1, Measure: Seconds,
			Peer: Peer{Name: "paper", Figure: v.seconds, Where: kepler}, Reach: v.seconds / 20,
		}, Row{
			What: "tours a second, spm, 256 ants", Solver: "acs", Variant: "spm", Backend: "cuda",
			Preset: "paper", Params: few,
			Instance: v.name, Stop: Stop{Iterations: 40}, Seeds: 1, Measure: PerSecond, Units: Ants,
			Unit: "tours/s",
			Peer: Peer{Name: "paper", Figure: 1000 * size(v.name) / v.seconds, Where: kepler},
		})
	}
	rows = append(
		rows,
		spanRow(Row{
			What: "iteration of spm, 256 ants, k = 4", Solver: "acs", Variant: "spm",
			Instance: "d18512", Span: "iteration", Params: few,
		}, 0, 0),
	)
	for _, v := range []struct {
		name       string
		ants       float64
		iterations int
	}{{"pla85900", 800, 50}, {"E1M.0", 256, 10}} {
		params := record.Values{"ants": record.Num(v.ants), "trials": record.Num(0)}
		r := Row{
			Solver: "mmas", Variant: "wrs", Backend: "cuda", Preset: "paper", Params: params,
			Instance: v.name, Stop: Stop{Iterations: v.iterations}, Seeds: 1,
		}
		r.What, r.Measure = fmt.Sprintf(
			"seconds of %d iterations, %v ants", v.iterations, v.ants,
		), Seconds
		rows = append(rows, r)
		r.What, r.Measure = fmt.Sprintf("gap after %d iterations, %v ants", v.iterations, v.ants), Gap
		rows = append(rows, r)
	}
	return rows
}
