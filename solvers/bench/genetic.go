package bench

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers/record"
)

func init() {
	Register(Table{
		Name: "eax", Title: "Edge assembly crossover: seconds to the optimum, and the gap where the " +
			"search ends, one thread",
		Source: "GA-EAX 1.0, the program of Y. Nagata and S. Kobayashi, 2013, " +
			"doi:10.1287/ijoc.1120.0506, population 100, 30 children, one run each; its arguments " +
			"hold no seed",
		Rows: append(assemblies(), ended()...),
	})
	Register(Table{
		Name:  "ga",
		Title: "Genetic search with constructive crossovers: the cost of a generation, one thread",
		Source: "S. Kang, S.-S. Kim, J. Won, Y.-M. Kang, 2016, GPU-based parallel genetic approach to " +
			"large-scale travelling salesman problem, doi:10.1007/s11227-016-1748-1; its tables " +
			"are kang-2 and so on",
		Rows: generations(),
	})
}

// assemblies are the rows against the program of the authors of EAX.
func assemblies() []Row {
	var rows []Row
	for _, v := range []struct {
		name string
		gap  float64
		cpu  float64
	}{{"rat783", 0, .92}, {"pr1002", 0, 1.46}, {"pr2392", 0, 4.47}, {"fnl4461", .0044, 32.5}} {
		// The smallest gap above none: less than one unit of any of the lengths.
		stop := Stop{Gap: max(v.gap, 1e-5), Iterations: 1000, CPU: 120}
		rows = append(rows, Row{
			What: fmt.Sprintf("to a gap of %g %%", v.gap), Solver: "ga", Variant: "eax", Instance: v.name,
			Stop: stop, Measure: Seconds,
			Peer: Peer{Name: "GA-EAX", Figure: v.cpu, Where: epyc}, Reach: 2 * v.cpu,
		})
	}
	return rows
}

// ended are rows of searches that end by themselves, beside the authors' program, on instances of
// which no setting was chosen but on u1060 and pcb1173.
func ended() []Row {
	var rows []Row
	for _, name := range []string{
		"u1060", "pcb1173", "rat783", "pr1002", "vm1084", "d1291", "nrw1379", "xqc2175", "pr2392",
	} {
		rows = append(rows, Row{
			What: "gap at the end", Solver: "ga", Variant: "eax", Instance: name, Seeds: 13,
			Stop: Stop{CPU: 300}, Measure: Gap,
			Peer: Peer{Name: "GA-EAX", Program: "eax"},
		})
	}
	return rows
}

// generations are the costs of a generation of 2048 tours in eight groups, for each tour and city.
func generations() []Row {
	var rows []Row
	for _, cross := range []string{"scx", "bcscx", "arx", "hybrid"} {
		rows = append(rows, Row{
			What: "a tour's city in a generation, " + cross, Solver: "ga", Variant: "tournament",
			Preset: "paper", Instance: "xmc10150",
			Params: record.Values{
				"crossover": record.Text(cross), "groups": record.Num(8),
			},
			Stop: Stop{Iterations: 21}, Seeds: 3, Measure: NsPerUnit,
			Units: func(inst datasets.Instance, p record.Values) float64 {
				m, _ := p["population"].Float()
				return m * float64(inst.Size())
			},
			Peer: Peer{
				Name: "Kang et al., CPU", Figure: 115, Where: "2398 ms a generation, crossover not named",
			},
			Reach: 15,
		})
	}
	return rows
}
