package bench

import "metalab/solvers/record"

func init() {
	Register(Table{
		Name: "tabu-gpu", Title: "Robust tabu search with 396 walks on a GPU, on assignments",
		Source: "E. D. Taillard's own C++ of robust tabu search, with the tenure and the aspiration " +
			"of 2006, one walk on a core",
		Notes: []string{
			"A tenure of 4 n at most and an exchange of the worst walk's solution each 1000 scans were " +
				"chosen on tai50a and tai60a. A run ends at the best known value. Each new best is " +
				"computed again on the host. tai50b and tai100b have flows from 0 to hundreds of " +
				"thousands, which the kernels keep in 64 bits.",
		},
		Rows: manyWalks(),
	})
}

// manyWalks are the gaps of many walks after 10 and 60 seconds, and how many scans they make.
func manyWalks() []Row {
	peer := map[string]float64{ // after 10 s, means of two seeds
		"tai50a": .83, "tai60a": .92, "tai80a": 1.23, "tai100a": 1.09, "tai50b": .06, "tai100b": .57,
	}
	rate := map[string]float64{"tai50a": 65e3, "tai100a": 15.8e3}
	var rows []Row
	for _, name := range []string{
		"tai50a", "tai60a", "tai80a", "tai100a",
		"bur26a", "kra30b", "ste36a", "sko81", "tai50b", "tai100b",
	} {
		row := Row{
			Solver: "tabu", Variant: "robust", Backend: "cuda", Instance: name, Seeds: 3,
			Params: record.Of("walks", 396, "scans", 1000, "exchange", 1),
			Sized:  []Sized{{Name: "tenure", Factor: 4}},
		}
		const published = "Taillard's C++"
		gap := row
		gap.What, gap.Measure, gap.Stop = "gap after 10 s, 396 walks", Gap, Stop{CPU: 10, Gap: 1e-9}
		if figure, ok := peer[name]; ok {
			gap.Peer = Peer{Name: published, Figure: figure, Where: epyc}
		}
		rows = append(rows, gap)
		gap.What, gap.Stop.CPU, gap.Peer = "gap after 60 s, 396 walks", 60, Peer{}
		rows = append(rows, gap)
		row.What, row.Measure, row.Units = "scans a second, 396 walks", PerSecond, scans
		row.Unit, row.Stop = "scans/s", Stop{CPU: 3}
		if figure, ok := rate[name]; ok {
			row.Peer = Peer{Name: published, Figure: figure, Where: epyc}
		}
		rows = append(rows, row)
	}
	return rows
}
