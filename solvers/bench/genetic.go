package bench

import (
	"fmt"

	"metalab/datasets"
	"metalab/solvers/record"
)

func init() {
	Register(Table{
		Name: "eax", Title: "Edge assembly crossover: seconds to the optimum, one thread",
		Source: "GA-EAX 1.0, the program of Y. Nagata and S. Kobayashi, 2013, " +
			"doi:10.1287/ijoc.1120.0506, population 100, 30 kids, one run each",
		Rows: assemblies(),
	})
	Register(Table{
		Name: "ga", Title: "Genetic search with constructive crossovers",
		Source: "S. Kang, S.-S. Kim, J. Won, Y.-M. Kang, 2016, GPU-based parallel genetic approach to " +
			"large-scale travelling salesman problem, " +
			"doi:10.1007/s11227-016-1748-1: tables 2 to 4 and the time of a generation",
		Rows: append(append(crossings(), minima()...), generations()...),
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

// crossings are the gaps after 100 generations from random tours.
func crossings() []Row {
	var rows []Row
	for _, population := range []float64{2048, 128} {
		for _, v := range []struct {
			name   string
			hybrid float64
		}{{"xqf131", 1.9}, {"xql662", 2.1}, {"xmc10150", 0}} {
			for _, cross := range []string{"scx", "bcscx", "arx", "hybrid"} {
				r := Row{
					What: fmt.Sprintf("gap after 100 generations of %g, %s", population, cross), Solver: "ga",
					Variant: "rivals", Preset: "paper", Instance: v.name,
					Params: record.Values{"crossover": record.Text(cross), "population": record.Num(population)},
					Stop:   Stop{Iterations: 101}, Measure: Gap,
				}
				if cross == "hybrid" && population == 2048 && v.hybrid > 0 {
					r.Reach, r.Peer = v.hybrid, Peer{
						Name: "Kang et al., hybrid", Figure: v.hybrid, Where: "their table 2",
					}
				}
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// minima are the gaps after 100 generations from 128 local minima, with random moves as the only
// mutation.
func minima() []Row {
	var rows []Row
	for _, size := range []struct{ population, groups float64 }{
		{128, 1}, {256, 1}, {2048, 1}, {2048, 8},
	} {
		for _, cross := range []string{"bcscx", "arx", "hybrid"} {
			rows = append(rows, Row{
				What: fmt.Sprintf(
					"gap from 128 local minima, %g in %g groups, %s", size.population, size.groups, cross,
				),
				Solver: "ga", Variant: "rivals", Preset: "paper", Instance: "xql662",
				Params: record.Values{
					"crossover": record.Text(cross), "start": record.Text("minima"),
					"population": record.Num(size.population), "groups": record.Num(size.groups),
					"move": record.Text("random"), "moves": record.Num(1), "mutation": record.Num(0.1),
				},
				Stop: Stop{Iterations: 101}, Measure: Gap,
			})
		}
	}
	return rows
}

// generations are the costs of a generation of 2048 tours in eight groups, for each tour and city.
func generations() []Row {
	var rows []Row
	for _, cross := range []string{"scx", "bcscx", "arx", "hybrid"} {
		rows = append(rows, Row{
			What: "a gene element of a generation, " + cross, Solver: "ga", Variant: "rivals",
			Preset: "paper", Instance: "xmc10150",
			Params: record.Values{
				"crossover": record.Text(cross), "move": record.Text("random"), "moves": record.Num(1),
				"mutation": record.Num(0.1),
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
