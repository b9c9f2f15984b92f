package bench

import "fmt"

func init() {
	Register(Table{
		Name: "eax-gpu",
		Title: "Edge assembly crossover on a GPU, couples side by side: seconds of the wall from the " +
			"file to the shortest tour known, and the gap after a time",
		Source: "GA-EAX 1.0, the program of Y. Nagata and S. Kobayashi, 2013, " +
			"doi:10.1287/ijoc.1120.0506, on a core of the host, population 100, 30 children; its " +
			"arguments hold no seed",
		Rows: assembledOnGPU(),
	})
}

// assembledOnGPU are the rows of ga/eax-rounds on a GPU.
func assembledOnGPU() []Row {
	row := func(what, name string, stop Stop, m Measure, reach float64) Row {
		return Row{
			What: what, Solver: "ga", Variant: "eax-rounds", Backend: "cuda", Instance: name, Stop: stop,
			Measure: m, Seeds: 5, Reach: reach,
		}
	}
	var rows []Row
	for _, v := range []struct {
		name    string
		seconds float64
	}{{"pr2392", 2}, {"fnl4461", 8}} {
		stop := Stop{Wall: 5 * v.seconds, Gap: 1e-5} // less than one unit of either length
		ended := row("gap at the end", v.name, Stop{Wall: 60}, Gap, 0)
		ended.Peer, ended.FullOnly = Peer{Name: "GA-EAX", Program: "eax"}, true
		rows = append(rows, row("seconds to the optimum", v.name, stop, Seconds, v.seconds), ended)
	}
	for _, seconds := range []float64{30, 100, 600} {
		r := row("gap", "usa13509", Stop{Wall: seconds}, Gap, 0)
		r.What, r.Seeds, r.FullOnly = fmt.Sprintf("gap after %g s", seconds), 1, true
		if seconds == 600 {
			r.Reach = .01
		}
		rows = append(rows, r)
	}
	return rows
}
