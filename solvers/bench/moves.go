package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

func init() {
	Register(Table{
		Name: "moves", Title: "Tabu search and climbing over numbered neighbourhoods, one thread but " +
			"where it says two",
		Source: "E. D. Taillard's own C++ of robust tabu search, with the tenure and the aspiration " +
			"of 2006; " +
			"T. V. Luong, N. Melab, E.-G. Talbi, 2013, doi:10.1109/TC.2011.206",
		Rows: append(append(robust(), assignments()...), landscapes()...),
	})
}

// scans counts the scans of an iteration, of each walk.
func scans(_ datasets.Instance, p record.Values) float64 {
	s, _ := p["scans"].Float()
	w, _ := p["walks"].Float()
	return s * max(w, 1)
}

// neighbours counts the neighbours that an iteration's scans look at, where a scan looks at
// as many as the parameter says.
func neighbours(inst datasets.Instance, p record.Values) float64 {
	n, _ := p["neighbours"].Float()
	return n * scans(inst, p)
}

// entries counts the entries of a perceptron's matrix that the neighbours of an iteration's
// scans stand for: for each pair of flipped columns, both columns' entries in every row.
func entries(inst datasets.Instance, p record.Values) float64 {
	q, ok := inst.(*datasets.PPP)
	if !ok {
		return 0
	}
	n := float64(q.N)
	return scans(inst, p) * n * (n - 1) / 2 * 2 * float64(q.M)
}

// robust are the rows against the published program: scans a second, and what equally many
// scans find.
func robust() []Row {
	var rows []Row
	for _, v := range []struct {
		name  string
		rate  float64
		scans int
	}{{"tai30a", 191e3, 300e3}, {"tai50a", 65e3, 300e3}, {"tai100a", 15.8e3, 50e3}} {
		rows = append(rows, Row{
			What: "scans a second", Solver: "tabu", Variant: "robust", Instance: v.name, Stop: Stop{CPU: 5},
			Measure: PerSecond, Units: scans, Unit: "scans/s",
			Peer: Peer{Name: "Taillard's C++", Figure: v.rate, Where: epyc}, Reach: 3 * v.rate,
		}, Row{
			What: fmt.Sprintf("gap after %d scans", v.scans), Solver: "tabu", Variant: "robust",
			Instance: v.name, Seeds: 20, Measure: Gap,
			Params: record.Values{"scans": record.Num(1000)}, Stop: Stop{Iterations: v.scans / 1000},
		})
	}
	return rows
}

// assignments are the gaps after ten seconds on published instances. The peer's are means of
// two seeds, where they were measured.
func assignments() []Row {
	peer := map[string]float64{
		"tai30a": 0, "tai50a": .83, "tai60a": .92, "tai80a": 1.23, "tai100a": 1.09, "tai50b": .06,
		"tai100b": .57,
	}
	var rows []Row
	for _, name := range []string{
		"nug20", "nug21", "nug22", "nug24", "nug25", "nug27", "nug28", "nug30", "sko100b", "sko100c",
		"sko100d",
		"sko100e", "sko100f", "sko49", "sko64", "sko81", "ste36a", "ste36b", "ste36c", "tai100a",
		"tai100b",
		"tai15a", "tai15b", "tai17a", "tai20a", "tai20b", "tai25a", "tai25b", "tai30a", "tai30b",
		"tai35a",
		"tai40a", "tai40b", "tai50a", "tai50b", "tai60a", "tai80a",
	} {
		row := Row{
			What: "gap after 10 s", Solver: "tabu", Variant: "robust", Instance: name,
			Stop: Stop{CPU: 10, Gap: 1e-9}, Seeds: 3, Measure: Gap,
		}
		if figure, ok := peer[name]; ok {
			row.Peer = Peer{Name: "Taillard's C++", Figure: figure, Where: epyc}
		}
		rows = append(rows, row)
	}
	return rows
}

// landscapes are the rows of the other problems.
func landscapes() []Row {
	rows := []Row{
		{
			What: "matrix entries a second, two flips", Solver: "tabu", Variant: "robust",
			Instance: "ppp-1301x1317-1", Stop: Stop{CPU: 5}, Seeds: 3,
			Measure: PerSecond, Units: entries, Unit: "entries/s", Reach: 1.5e9,
			Params: record.Values{"scans": record.Num(1)},
		},
		{
			What: "tries until solved", Instance: "ppp-73x73-1", Seeds: 3, Measure: Own,
			Unit: "tries of 10 s", Do: tries(10),
		},
		{
			What: "tries until solved", Instance: "ppp-101x117-1", Seeds: 1, Measure: Own,
			Unit: "tries of 30 s", Do: tries(30),
		},
	}
	for _, name := range []string{"weierstrass-1", "weierstrass-2", "weierstrass-10"} {
		for _, precision := range []string{"double", "single"} {
			rows = append(rows, Row{
				What: "neighbours a second, " + precision, Solver: "tabu", Instance: name, Stop: Stop{CPU: 3},
				Seeds:   3,
				Measure: PerSecond, Units: neighbours, Unit: "neighbours/s",
				Params: record.Values{"precision": record.Text(precision)},
			})
		}
	}
	rows = append(rows, Row{
		What: "terms a second of the function alone", Instance: "weierstrass-1", Seeds: 3,
		Measure: OwnRate, Unit: "terms/s", Do: terms,
	})
	for _, name := range []string{"queen8_8", "queen9_9", "gnp-125-50-1-k17", "gnp-250-50-1-k29"} {
		rows = append(
			rows,
			Row{
				What: "conflicts after 10 s", Solver: "tabu", Instance: name, Stop: Stop{CPU: 10, Gap: 1e-9},
				Seeds: 5, Measure: Best, Unit: "conflicts",
			},
		)
	}
	for _, v := range []struct {
		what, instance string
		params         record.Values
	}{
		{"two workers over one, 499,500 swaps", "tai1000a", nil},
		{
			"two workers over one, 260,130 triples of flips", "ppp-101x117-1",
			record.Values{"neighbourhood": record.Text("hamming3")},
		},
		{
			"two workers over one, 866,586 pairs of flips", "ppp-1301x1317-1",
			record.Values{"neighbourhood": record.Text("hamming2")},
		},
		{
			"two workers over one, 200,000 points", "weierstrass-4",
			record.Values{"neighbours": record.Num(200000)},
		},
	} {
		rows = append(rows, Row{
			What: v.what, Instance: v.instance, Seeds: 3, Measure: OwnRate, Unit: "times", Reach: 1.8,
			Do: speedUp(v.params),
		})
	}
	return rows
}

// terms returns how many weighted sines a CPU second evaluates: the floor of a neighbour, which
// has as many as there are coordinates times terms.
func terms(ctx context.Context, inst datasets.Instance, _ uint64) (float64, error) {
	w, ok := inst.(*datasets.Weierstrass)
	if !ok {
		return 0, fmt.Errorf("bench: %s has no terms", inst.Name())
	}
	const calls = 400000
	var sum float64
	t0 := processCPU()
	for i := range calls {
		sum += w.At(float64(i) / calls)
	}
	took := processCPU() - t0
	if sum != sum || took <= 0 {
		return 0, errors.New("bench: the function took no time")
	}
	return calls * float64(w.Terms) / took, ctx.Err()
}

// tries returns how many runs of so many CPU seconds each, from seeds that follow each other,
// it takes until one solves the instance.
func tries(cpu float64) func(context.Context, datasets.Instance, uint64) (float64, error) {
	return func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error) {
		for try := range 100 {
			r, err := solvers.Open(solvers.Config{
				Solver: "tabu", Instance: inst, Seed: 1000*seed + uint64(try),
				Params: record.Values{"workers": record.Num(1)},
			})
			if err != nil {
				return 0, err
			}
			for r.Last().CPU < cpu && (r.Last().Iter == 0 || r.Last().Best > 0) {
				if err := r.Step(ctx, 1); err != nil {
					r.Close()
					return 0, err
				}
			}
			solved := r.Last().Best == 0
			r.Close()
			if solved {
				return float64(try + 1), nil
			}
		}
		return 0, errors.New("bench: not solved in 100 tries")
	}
}

// speedUp returns the wall time of some seconds of tabu search with one worker, divided by
// that of the same scans with two.
func speedUp(
	params record.Values,
) func(context.Context, datasets.Instance, uint64) (float64, error) {
	return func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error) {
		if runtime.NumCPU() < 2 {
			return 0, errors.New("bench: two workers want two cores, here is one")
		}
		var wall [3]float64
		n := 0
		for _, workers := range []int{1, 2} {
			// Without the tuner of waves: its trials would be timed too.
			with := record.Values{
				"workers": record.Num(float64(workers)), "scans": record.Num(1), "trials": record.Num(0),
			}
			for name, v := range params {
				with[name] = v
			}
			r, err := solvers.Open(solvers.Config{Solver: "tabu", Instance: inst, Seed: seed, Params: with})
			if err != nil {
				return 0, err
			}
			err = r.Step(ctx, 3) // warm
			from := r.Last()
			if err == nil && n == 0 {
				n = max(int(2*3/from.Wall), 2)
			}
			if err == nil {
				err = r.Step(ctx, n)
			}
			wall[workers] = r.Last().Wall - from.Wall
			r.Close()
			if err != nil {
				return 0, err
			}
		}
		return wall[1] / wall[2], nil
	}
}
