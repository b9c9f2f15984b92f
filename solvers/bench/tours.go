package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"metalab/datasets"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// epyc is the machine on which the peers' figures in the tables of tours and ants were measured.
const epyc = "one core of an EPYC with AVX-512, gcc 12 -O3; the machine was shared"

func init() {
	Register(Table{
		Name: "tours", Title: "Iterated local search and its parts, one thread",
		Source: "linkern: Concorde's Chained Lin-Kernighan with its defaults",
		Rows:   append(chained(), parts()...),
	})
	Register(kicked())
}

// chained are the rows against Chained Lin-Kernighan.
func chained() []Row {
	var rows []Row
	for _, v := range []struct {
		name      string
		at1, at10 float64
	}{
		{"pr2392", .28, .25},
		{"fnl4461", .20, .09},
		{"usa13509", .59, .26},
		{"d18512", .47, .17},
		{"pla85900", .82, .29},
	} {
		for i, figure := range []float64{v.at1, v.at10} {
			s := []float64{1, 10}[i]
			rows = append(rows, Row{
				What: fmt.Sprintf("gap after %g s", s), Solver: "ils", Instance: v.name, Stop: Stop{CPU: s},
				Measure: Gap,
				Peer:    Peer{Name: "linkern", Figure: figure, Where: epyc, Program: "linkern"}, Reach: figure,
			})
		}
	}
	return append(rows, Row{
		What: "gap of the first local optimum", Solver: "ils", Instance: "E1M.0",
		Stop: Stop{Iterations: 1}, Seeds: 1, Measure: Gap,
		Peer: Peer{Name: "linkern after 31 s", Figure: 2.0, Where: epyc}, Reach: 1.8,
	}, Row{
		What: "seconds to the first local optimum", Solver: "ils", Instance: "E1M.0",
		Stop: Stop{Iterations: 1}, Seeds: 1, Measure: Seconds,
		Peer: Peer{Name: "linkern", Figure: 31, Where: epyc}, Reach: 9,
	}, Row{
		What: "memory of the first local optimum", Solver: "ils", Instance: "E1M.0",
		Stop: Stop{Iterations: 1}, Seeds: 1, Measure: Memory, Reach: 1000,
	})
}

// parts returns rows for the parts of iterated local search.
func parts() []Row {
	return []Row{
		{
			What: "10 nearest neighbours", Instance: "E1M.0", Seeds: 1, Measure: Own, Unit: "s", Reach: 3,
			Do: func(_ context.Context, inst datasets.Instance, _ uint64) (float64, error) {
				sp, err := space(inst)
				if err != nil {
					return 0, err
				}
				t0 := processCPU()
				sp.Nearest(10)
				return processCPU() - t0, nil
			},
		},
		{
			What: "a kick at a million cities over one at 10,000", Instance: "E1M.0", Seeds: 1, Measure: Own,
			Unit: "times", Reach: 3,
			Do: kickRatio,
		},
	}
}

func space(inst datasets.Instance) (*tours.Space, error) {
	t, ok := inst.(*datasets.TSP)
	if !ok {
		return nil, errors.New("bench: the instance is no travelling salesman's")
	}
	return tours.NewSpace(t)
}

// kickRatio compares the cost of a kick and its repair from a local optimum of inst with that of
// E10k.0.
func kickRatio(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error) {
	small, err := datasets.LoadContext(ctx, "E10k.0")
	if err != nil {
		return 0, err
	}
	var cost [2]float64
	for i, in := range []datasets.Instance{small, inst} {
		sp, err := space(in)
		if err != nil {
			return 0, err
		}
		near := sp.Quadrant(8)
		// the default of ils for a million cities
		set := tours.Settings{
			Depth: 12, Breadth: []int{5, 3, 1}, Far: 3, Ends: true, OneWay: true, Around: 10,
		}
		s, err := tours.NewSearch(sp, near, set)
		if err != nil {
			return 0, err
		}
		s.Load(sp.Greedy(near))
		s.PushAll()
		s.Run(tours.OrOpt)
		r := arith.NewStream(seed, 0, 0, 0)
		const kicks = 20_000
		t0 := processCPU()
		for range kicks {
			s.Trial(tours.OrOpt, tours.Walk, int32(r.IntN(sp.N)), 10, 0, &r)
		}
		if cost[i] = processCPU() - t0; ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	if cost[0] <= 0 {
		return math.NaN(), errors.New("bench: the clock is too coarse")
	}
	return cost[1] / cost[0], nil
}

// euclidean are TSPLIB's EUC_2D instances up to 18,512 cities.
var euclidean = []string{
	"eil51", "berlin52", "st70", "eil76", "pr76", "rat99", "kroA100", "kroB100", "kroC100", "kroD100",
	"kroE100", "rd100",
	"eil101", "lin105", "pr107", "pr124", "bier127", "ch130", "pr136", "pr144", "ch150", "kroA150",
	"kroB150", "pr152",
	"u159", "rat195", "d198", "kroA200", "kroB200", "ts225", "tsp225", "pr226", "gil262", "pr264",
	"a280", "pr299", "lin318", "linhp318",
	"rd400", "fl417", "pr439", "pcb442", "d493", "u574", "rat575", "p654", "d657", "u724", "rat783",
	"pr1002", "u1060",
	"vm1084", "pcb1173", "d1291", "rl1304", "rl1323", "nrw1379", "fl1400", "u1432", "fl1577", "d1655",
	"vm1748", "u1817",
	"rl1889", "d2103", "u2152", "u2319", "pr2392", "pcb3038", "fl3795", "fnl4461", "rl5915", "rl5934",
	"rl11849", "usa13509",
	"brd14051", "d15112", "d18512",
}

// passTime makes a function that times a pass of an operator over all cities in milliseconds.
func passTime(
	op tours.BestOperator,
) func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error) {
	return func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error) {
		return timePass(ctx, inst, seed, op)
	}
}

// timePass is the time of a pass at the local optimum of the nearest neighbour's tour: the mean
// over at least ten passes and 0.2 s.
func timePass(
	ctx context.Context, inst datasets.Instance, seed uint64, op tours.BestOperator,
) (float64, error) {
	sp, err := space(inst)
	if err != nil {
		return 0, err
	}
	near := sp.Quadrant(40)
	b := tours.NewBest(sp, near, op)
	draws := arith.NewStream(seed, 0, 0, 0)
	b.Load(sp.NearestListed(int32(draws.IntN(sp.N)), near))
	if _, _, err := b.Run(ctx); err != nil {
		return 0, err
	}
	passes, t0 := 0, processCPU()
	for {
		if _, err := b.Pass(ctx); err != nil {
			return 0, err
		}
		passes++
		if took := processCPU() - t0; passes >= 10 && took > .2 {
			return 1000 * took / float64(passes), nil
		}
	}
}

// kicked is the table of our own iterated search with as many kicks.
func kicked() Table {
	t := Table{
		Name: "kicks", Title: "Our iterated Lin-Kernighan search with as many kicks as the published " +
			"search by 3-opt of the table fosin-3, over the same instances",
		Source: "the table fosin-3",
	}
	for _, v := range []struct {
		what        string
		blocks      int // of 0.1 n kicks
		peer, reach float64
	}{
		{"0.1n kicks", 1, 2.00, 2.0},
		{"1n kicks", 10, .78, .7},
		{"10n kicks", 100, .32, .25},
	} {
		for _, name := range euclidean {
			t.Rows = append(t.Rows, Row{
				What: v.what, Solver: "ils", Variant: "queue", Preset: "best",
				Params:   record.Values{"kicks": record.Num(math.Ceil(size(name) / 10))},
				Instance: name, Stop: Stop{Iterations: 1 + v.blocks}, Seeds: 1, Measure: Gap,
				Peer:  Peer{Name: "Fosin et al., mean", Figure: v.peer, Where: "as published, another search"},
				Reach: v.reach,
			})
		}
	}
	return t
}

// size is the number of cities that an instance of TSPLIB has in its name.
func size(name string) float64 {
	n, err := strconv.Atoi(
		strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
	)
	if err != nil {
		panic("bench: " + name + " has no size")
	}
	return float64(n)
}
