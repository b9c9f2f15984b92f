package ils

import (
	"fmt"
	"runtime"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/genetic"
	"metalab/solvers/record"
	"metalab/solvers/rounds"
	"metalab/solvers/tiles"
	"metalab/solvers/tours"
)

// queuePresets lists the presets of the variant queue; the default is best.
var queuePresets = []solvers.Preset{
	{
		Name: "best",
		Doc: "Ours: Lin-Kernighan style chains with reduced costs, kicks that are repaired locally, " +
			"and up to 200,000 cities pools of tours that are crossed.",
	},
}

// tilesPresets lists the presets of the variant tiles; the default is best.
var tilesPresets = []solvers.Preset{
	{
		Name: "best",
		Doc: "Ours, by the size of the instance, for steps limited by time on a GPU: the temperature " +
			"falls to 0 as the time goes by, and small instances have many tours.",
	},
}

// bestPresets lists the presets of the variant best; its defaults are paper-iterated.
var bestPresets = []solvers.Preset{
	{
		Name: "paper",
		Doc: "As published for GPUs (Fosin, Davidovic, Caric): 3-opt in the order of the tour, always " +
			"the best move of all, 40 quadrant neighbours, a nearest neighbour start, kicks of four " +
			"random edges, each to the tour that the last one led to (Algorithm 1); 0.1, 1 or 10 kicks " +
			"a city are its runs.",
		Values: publishedBest("3opt-ordered", "always"),
	},
	{
		Name: "paper-iterated",
		Doc: "As paper, with all reconnections of three edges, and kicks that go on from the better " +
			"tour: then the iterated search comes near its published gaps, and 3-opt alone is stronger " +
			"than published. The same as default.",
		Values: publishedBest("3opt", "better"),
	},
}

// publishedBest returns the published parameters with an operator and an acceptance rule.
func publishedBest(operator, accept string) func(datasets.Instance) record.Values {
	return solvers.Fixed(record.Of(
		"operator", operator, "neighbours", 40, "quadrant", true, "start", "nn", "accept", accept,
		"chains", 1,
	))
}

// counts names what ils counts as evaluations: a search from all cities for each of the first
// tours, and one after each kick from the cities at its edges.
const counts = "local searches"

// searches returns the number of local searches of an iteration.
func searches(descend bool, chains, kicks int) int64 {
	if descend {
		return int64(chains)
	}
	return int64(chains) * int64(kicks)
}

func init() {
	solvers.Register(solvers.Variant{
		Solver: "ils", Name: "queue", Backend: "cpu", Revision: 12, Default: true, Deterministic: true,
		KeepsFixed: true,
		Kinds:      []datasets.Kind{datasets.KindTSP},
		Presets:    queuePresets,
		Title: "Iterated local search; a kick is repaired from a queue of the cities that it " +
			"touched; a chain uses one core, so chains=8 uses eight, and ils/pools uses all",
		Source: "O. Martin, S. W. Otto, E. W. Felten, 1991, Large-step Markov chains for the " +
			"traveling salesman problem, Complex Systems 5; pools: Y. Nagata, S. Kobayashi, 2013, A " +
			"powerful genetic algorithm using edge assembly crossover for the traveling salesman " +
			"problem, doi:10.1287/ijoc.1120.0506",
		Layout: "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ purpose << 24, " +
			"chain, block}; purpose 1 shuffles random starts (iteration 0) and the cities of those of a " +
			"pool (the iteration that makes them, their number in it), purpose 2 makes the kicks of an " +
			"iteration one after the other: place, cities, and with accept=threshold or annealing one " +
			"draw for the limit, before the cities (none while it is 0); purpose 4 those of mend " +
			"(iteration 0 along the lists, 1 along those without weights; chain 0), 5 shuffles the ring " +
			"of a pool (chain 0), 6 makes the children of its couples (chain = the first parent)",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, ok := inst.(*datasets.TSP)
			if !ok {
				return nil, fmt.Errorf("ils: ils searches on tours, not on %T", inst)
			}
			return newQueue(t), nil
		},
	})
	solvers.Register(BestOn("cpu", NewBestCPU))
	solvers.Register(RoundsOn("cpu", rounds.NewCPU))
	solvers.Register(TilesOn("cpu", tiles.NewCPU))
	solvers.Register(PoolsOn("cpu", PoolEngines{tiles.NewCPU, genetic.NewRoundsCPU}))
	solvers.Offer("cuda", "ils", "2opt-rounds", "best", "pools", "tiles")
}

// BestOn describes best on a backend with engines from engine, for solvers.Register.
func BestOn(backend string, engine func(*BestProblem) (BestEngine, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "ils", Name: "best", Backend: backend, Revision: 1, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: bestPresets,
		Title: "Iterated local search as published for GPUs: 2-opt or 3-opt that always makes the best " +
			"move of the whole tour",
		Source: "J. Fosin, D. Davidovic, T. Caric, 2013, A GPU implementation of local search " +
			"operators for symmetric travelling salesman problem, doi:10.7307/ptt.v25i3.300",
		Layout: "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ purpose << 24, " +
			"chain, block}; purpose 1 makes starts (iteration 0: the first city, or the shuffle), " +
			"purpose 2 the kicks of an iteration one after the other: four cities, drawn again while two " +
			"are the same",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, ok := inst.(*datasets.TSP)
			if !ok {
				return nil, fmt.Errorf("ils: best searches on tours, not on %T", inst)
			}
			return newBestSearch(t, engine), nil
		},
	}
}

// RoundsOn describes 2opt-rounds on a backend with engines from engine, for solvers.Register.
func RoundsOn(backend string, engine func(*rounds.Problem) (rounds.Engine, error)) solvers.Variant {
	return solvers.Variant{
		Solver: "ils", Name: "2opt-rounds", Backend: backend, Revision: 1, Deterministic: true,
		Kinds: []datasets.Kind{datasets.KindTSP},
		Title: "Iterated local search by 2-opt, with segment insertion if wanted, whose moves are " +
			"made many at once, in rounds; many chains side by side, alike on cpu and cuda",
		Source: "O. Martin, S. W. Otto, E. W. Felten, 1991, Large-step Markov chains for the " +
			"traveling salesman problem, Complex Systems 5; " +
			"J. L. Bentley, 1992, Fast algorithms for geometric traveling salesman problems, " +
			"doi:10.1287/ijoc.4.4.387 (neighbour lists, don't-look bits); " +
			"I. Or, 1976, Traveling salesman-type combinatorial problems and their relation to the " +
			"logistics of regional blood banking, PhD thesis, Northwestern University (segment " +
			"insertion); the rounds are our own",
		Layout: roundsLayout,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, ok := inst.(*datasets.TSP)
			if !ok {
				return nil, fmt.Errorf("ils: 2opt-rounds searches on tours, not on %T", inst)
			}
			return NewRounds(t, engine), nil
		},
	}
}

// TilesOn describes tiles on a backend with engines from engine, for solvers.Register.
func TilesOn(backend string, engine func(*tiles.Problem) (tiles.Engine, error)) solvers.Variant {
	v := solvers.Variant{
		Solver: "ils", Name: "tiles", Backend: backend, Revision: 6, Deterministic: true,
		Fallback: backend != "cpu",
		Kinds:    []datasets.Kind{datasets.KindTSP},
		Presets:  tilesPresets,
		Title: "Iterated local search on one tour in many pieces at once: tiles of the plane, cut " +
			"anew in every iteration",
		Source: "O. Martin, S. W. Otto, E. W. Felten, 1991, Large-step Markov chains for the " +
			"traveling salesman problem, Complex Systems 5; " +
			"J. L. Bentley, 1992, Fast algorithms for geometric traveling salesman problems, " +
			"doi:10.1287/ijoc.4.4.387 (neighbour lists); R. M. Karp, 1977, Probabilistic analysis of " +
			"partitioning algorithms for the traveling-salesman problem in the plane, " +
			"doi:10.1287/moor.2.3.209 (cuts of the plane); the pieces of a tour and what is kept of " +
			"them are our own",
		Layout: tilesLayout,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, ok := inst.(*datasets.TSP)
			if !ok {
				return nil, fmt.Errorf("ils: tiles searches on tours, not on %T", inst)
			}
			return NewTiles(t, engine), nil
		},
	}
	if v.Fallback {
		v.Instead, v.Advice = insteadTiles, func(inst datasets.Instance, _ record.Values) string {
			if name, _ := insteadTiles(inst); name != "" {
				return "ils/pools comes nearer the optimum in the same time (bench ils-pools-gpu)"
			}
			if inst.Size() <= tilesFrom {
				return fmt.Sprintf("up to %d cities a core of the CPU comes nearer the optimum in the same "+
					"time, by ils without on=cuda (bench ils-pools-gpu)", tilesFrom)
			}
			return ""
		}
	}
	return v
}

// On a GPU ils alone is pools up to mostPools cities where the host has coresFor cores for the
// crossing; else up to fewCores, and up to mostRows where many stand in rows: where more than
// rowsShare of them have their two nearest equally far. On circuits and drilling patterns that
// share is 0.29 to 0.67, on other instances at most 0.06. On 16 cores pools were ahead of tiles on
// E100k.1, C100k.1 and V100k.0 after 10 s and a minute; E316k.1 had 0.34 % to what is expected of
// such instances after 35 s, and tiles ends E1M.0 at less after 10 s.
const (
	mostPools = 150_000
	coresFor  = 12
	fewCores  = 50_000
	mostRows  = 100_000
	rowsShare = 0.2
)

// Sizes below which a GPU is no better than a core of the CPU. After 10 s a core was ahead of tiles
// on four of five instances of 3,162 and 10,000 cities, by up to 0.8 %, and behind on larger ones.
// Below poolsFrom cities it was at most 0.004 % above the shortest tour known after 10 s, on each
// of six instances, so there is little to gain (tables ils-pools-gpu and ils-test).
const (
	tilesFrom = 10_000
	poolsFrom = 2000
)

// insteadTiles returns the variant that ils without a variant means on a GPU of this host.
func insteadTiles(inst datasets.Instance) (variant, why string) {
	return insteadOn(inst, runtime.NumCPU())
}

// insteadOn is insteadTiles on a host with that many cores.
func insteadOn(inst datasets.Instance, cores int) (variant, why string) {
	t, ok := inst.(*datasets.TSP)
	if !ok || !planar(t.Metric) {
		return "", ""
	}
	if cores < coresFor && (t.N > mostRows || t.N > fewCores && !inRows(t)) || t.N > mostPools {
		return "", ""
	}
	return "pools", "up to 150,000 cities where the host has 12 cores or more, and else to 50,000, " +
		"or 100,000 where many stand in rows, ils alone on a GPU is ils/pools, which came nearer the " +
		"optimum than ils/tiles after 10 s (bench ils-pools-gpu, ils-pools-several)"
}

// inRows tells whether many cities stand in rows.
func inRows(t *datasets.TSP) bool {
	sp, err := tours.NewSpace(t)
	return err == nil && sp.Even() > rowsShare
}

// poolsPresets lists the presets of the variant pools; the default is best.
var poolsPresets = []solvers.Preset{{
	Name: "best",
	Doc:  "Ours, by the size of the instance.",
}}

// PoolsOn describes pools on a backend that has these engines, for solvers.Register.
func PoolsOn(backend string, engines PoolEngines) solvers.Variant {
	v := solvers.Variant{
		Solver: "ils", Name: "pools", Backend: backend, Revision: 2, Deterministic: true,
		Kinds:   []datasets.Kind{datasets.KindTSP},
		Presets: poolsPresets,
		Title: "Many tours, each improved by kicks in tiles of the plane, then crossed by edge " +
			"assembly; for GPUs",
		Source: "kicks as in ils/tiles, ours; crossing: Y. Nagata, S. Kobayashi, 2013, A powerful " +
			"genetic algorithm using edge assembly crossover for the traveling salesman problem, " +
			"doi:10.1287/ijoc.1120.0506, in rounds as in ga/eax-rounds",
		Layout: poolsLayout,
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, ok := inst.(*datasets.TSP)
			if !ok {
				return nil, fmt.Errorf("ils: pools searches on tours, not on %T", inst)
			}
			return NewPools(t, engines), nil
		},
	}
	if backend == "cpu" {
		v.Advice = func(datasets.Instance, record.Values) string {
			return "made for GPUs: on a CPU its kicks take nearly all the time, and ils/queue comes " +
				"nearer the optimum (bench ils-pools-gpu)"
		}
		return v
	}
	v.Advice = func(inst datasets.Instance, _ record.Values) string {
		if inst.Size() >= poolsFrom {
			return ""
		}
		return fmt.Sprintf("below %d cities a core of the CPU needs seconds, by ils without on=cuda: "+
			"after 10 s it was at most 0.004 %% above the shortest tour known (bench ils-test)", poolsFrom)
	}
	return v
}
