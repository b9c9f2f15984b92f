package bench

import "metalab/solvers/record"

func init() {
	var rows []Row
	rows = append(rows, coloniesGaps()...)
	rows = append(rows, listedGaps()...)
	Register(Table{
		Name: "gpu-gaps", Title: "Gaps of the published ant algorithms on a GPU: ACS-GPU beside " +
			"ACS-SEQ, and the six ways of MMAS with candidate lists",
		Source: "R. Skinderowicz, 2016, The GPU-based parallel Ant Colony System, " +
			"doi:10.1016/j.jpdc.2016.04.014, and 2020, Implementing a GPU-based parallel MAX-MIN Ant " +
			"System, doi:10.1016/j.future.2020.01.011, which find no difference; times are in the " +
			"tables ants-gpu-meeting and ants-gpu-rows-lists",
		Notes: []string{
			"Preset paper: n ants; 1000 iterations of ACS with its period 1, 100 of MMAS with 32 " +
				"candidates and trails of all edges. p is of a test of the rows of an instance, each of " +
				"which has seeds of its own: Mann and Whitney's of acs/seq and acs/gpu, Friedman's of the " +
				"six ways.",
		},
		Rows: rows,
	})
}

// coloniesGaps are ACS-SEQ on a core, ACS-GPU on a device, and the test of the two.
func coloniesGaps() []Row {
	var rows []Row
	for _, name := range []string{"d198", "pcb442", "rat783", "pr1002"} {
		label := "ACS, " + name
		for i, v := range []struct{ variant, backend string }{{"seq", ""}, {"gpu", "cuda"}} {
			rows = append(rows, Row{
				What: "ACS, 1000 iterations", Label: label, Solver: "acs", Variant: v.variant,
				Backend: v.backend, Preset: "paper", Instance: name, Stop: Stop{Iterations: 1000},
				Seeds: 10, First: 1 + 100*i, Measure: Gap,
			})
		}
		rows = append(rows, Row{
			What: "ACS, one distribution", Label: label, Instance: name, Measure: PValue,
		})
	}
	return rows
}

// listedGaps are the six ways with lists on a device, and the test of the six.
func listedGaps() []Row {
	var rows []Row
	for _, name := range []string{"d198", "pcb442", "rat783", "pr1002", "pr2392"} {
		label := "MMAS, " + name
		for i, w := range []string{"rwm lc", "rwm bt", "rwm ct", "wrs lc", "wrs bt", "wrs ct"} {
			rows = append(rows, Row{
				What: "MMAS, 32 candidates, " + w, Label: label, Solver: "mmas", Variant: "rows",
				Backend: "cuda", Preset: "paper", Params: record.Values{
					"candidates": record.Num(32), "storage": record.Text("matrix"),
					"selection": record.Text(w[:3]), "tabu": record.Text(w[4:]),
				},
				Instance: name, Stop: Stop{Iterations: 100}, Seeds: 10, First: 1 + 100*i, Measure: Gap,
			})
		}
		rows = append(rows, Row{
			What: "MMAS, one distribution", Label: label, Instance: name, Measure: PValue,
		})
	}
	return rows
}
