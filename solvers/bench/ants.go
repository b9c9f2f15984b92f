package bench

import "metalab/solvers/record"

func init() {
	Register(Table{
		Name: "ants", Title: "Ant algorithms on the travelling salesman problem, one thread",
		Source: "ACOTSP 1.03 (T. Stuetzle, C) and Focused ACO (R. Skinderowicz, C++), one thread",
		Rows:   append(construction(), withSearch()...),
	})
}

// construction are the rows without local search: as many ants as cities, 20 candidates.
func construction() []Row {
	var rows []Row
	for _, v := range []struct {
		name string
		n    float64
		rate float64
	}{{"pr1002", 1002, 6120}, {"pr2392", 2392, 1450}} {
		rows = append(rows, Row{
			What: "tours a second", Solver: "mmas", Instance: v.name, Stop: Stop{CPU: 5}, Seeds: 5,
			Measure: PerSecond, Units: Ants, Unit: "tours/s",
			Params: record.Values{
				"ants": record.Num(v.n), "candidates": record.Num(20), "beta": record.Num(2),
				"rho":          record.Num(0.98),
				"local_search": record.Text("none"),
			},
			Peer: Peer{Name: "ACOTSP", Figure: v.rate, Where: epyc}, Reach: 5 * v.rate,
		})
	}
	return rows
}

// withSearch are the rows with local search.
func withSearch() []Row {
	var rows []Row
	acotsp := []string{"-z", "-m", "10", "-g", "20", "-l", "3"}
	for _, v := range []struct {
		name    string
		peer    string
		figure  float64
		reach   float64
		program string
		args    []string
	}{
		{
			"pr1002", "ACOTSP, MMAS and 3-opt", .20, .1, "acotsp",
			[]string{"-x", "-m", "25", "-g", "20", "-l", "3"},
		},
		{"pr2392", "ACOTSP, ACS and 3-opt", .22, .2, "acotsp", acotsp},
		{"fnl4461", "ACOTSP, ACS and 3-opt", 1.3, .1, "acotsp", acotsp},
		{"usa13509", "Focused ACO", 2.6, .3, "", nil},
		{"d18512", "Focused ACO", 3.6, .3, "", nil},
		{"pla33810", "Focused ACO", 4.0, .5, "", nil},
	} {
		rows = append(rows, Row{
			What: "gap after 10 s", Solver: "mmas", Variant: "focused", Preset: "best", Instance: v.name,
			Stop: Stop{CPU: 10}, Measure: Gap,
			Peer:  Peer{Name: v.peer, Figure: v.figure, Where: epyc, Program: v.program, Args: v.args},
			Reach: v.reach,
		})
	}
	return rows
}
