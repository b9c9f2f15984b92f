package bench

import (
	"fmt"
	"strings"
)

// A suite is a set of instances of five kinds on which iterated search is compared with linkern.
// Settings are chosen on the table tours-dev; tours-test, which has no instance in common with it,
// is for reports.
type suite struct {
	kind    string
	gaps    string // instances with a published best value
	lengths string // instances without one: the figure is the length of the tour
}

var developed = []suite{
	{"VLSI", "xmc10150", "V1k.0 V3k.0 V10k.0 V31k.0 V100k.0"},
	{"clustered", "", "C1k.1 C3k.1 C10k.1 C10k.3 C31k.1 C100k.1"},
	{"uniform", "", "E1k.1 E3k.1 E10k.1 E10k.3 E31k.1 E100k.1"},
	{"drilling", "pr2392 pcb3038 rl5915 pla7397 rl11849 pla33810", ""},
	{"national", "fnl4461 usa13509 d18512", "N1k.0 N31k.0 N100k.0"},
}

var tested = []suite{
	{"VLSI", "xqc2175 bbz25234", "V1k.1 V10k.1 V31k.1 V100k.1"},
	{"clustered", "C1k.0 C10k.0 C100k.0", "C3k.0 C10k.2 C31k.0"},
	{"uniform", "E1k.0 E3k.0 E10k.0 E100k.0", "E10k.2 E31k.0"},
	{"drilling", "pr1002 pcb1173 d2103 fl3795 rl5934 pla85900", ""},
	{"national", "nrw1379 brd14051 d15112", "N3k.1 N31k.1 N100k.1"},
}

func init() {
	for _, t := range []struct {
		name, title string
		suites      []suite
	}{
		{"tours-dev", "on instances for choosing settings", developed},
		{"tours-test", "on instances that no setting but the start was chosen on", tested},
	} {
		Register(Table{
			Name: t.name, Title: "Iterated local search beside linkern, one thread, " + t.title,
			Source: "Concorde's Chained Lin-Kernighan with its defaults, run beside it",
			Rows:   suiteRows(t.suites),
		})
	}
}

// suiteRows are two rows an instance: after 1 and 10 s of CPU.
func suiteRows(suites []suite) []Row {
	var rows []Row
	for _, s := range suites {
		for _, part := range []struct {
			what, names string
			measure     Measure
		}{{"gap", s.gaps, Gap}, {"length", s.lengths, Best}} {
			for name := range strings.FieldsSeq(part.names) {
				for _, cpu := range []float64{1, 10} {
					rows = append(rows, Row{
						What:   fmt.Sprintf("%s, %s after %g s", s.kind, part.what, cpu),
						Solver: "ils", Variant: "queue", Instance: name, Stop: Stop{CPU: cpu}, Seeds: 8,
						Measure: part.measure, Peer: Peer{Name: "linkern", Program: "linkern"},
					})
				}
			}
		}
	}
	return rows
}
