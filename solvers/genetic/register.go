package genetic

import (
	"fmt"
	"maps"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// tournamentPresets lists the presets of the variant tournament; the default is best.
var tournamentPresets = []solvers.Preset{
	{Name: "best", Doc: "Ours: 256 tours in 4 groups, for the time of a CPU."},
	{
		Name: "paper",
		Doc: "Kang et al., Figs. 5 and 6 and Table 2: 2048 random tours in one group; crossover=bcscx, " +
			"arx and hybrid are compared.",
		Values: published(record.Of("population", 2048, "groups", 1, "start", "random")),
	},
	{
		Name: "paper-literal",
		Doc: "As paper, with mutations to the letter of section 4: one random pair of edges of a tour, " +
			"whether it gains or not.",
		Values: func(inst datasets.Instance) record.Values {
			vs := published(record.Of("population", 2048, "groups", 1, "start", "random"))(inst)
			maps.Copy(vs, record.Of("move", moveRandom, "moves", 1))
			return vs
		},
	},
	{
		Name: "paper-algorithm",
		Doc: "As paper, with the couples of the published loop, Algorithm 1: each winner and the next " +
			"one, a child each; ties of scx go to the second parent. Section 3.3 and Fig. 4 have " +
			"disjoint couples, as the other presets.",
		Values: published(record.Of(
			"population", 2048, "groups", 1, "start", "random", "couples", couplesNeighbours,
			"ties", tiesSecond,
		)),
	},
	{
		Name: "paper-minima",
		Doc:  "Kang et al., Table 3: 128 local minima in one group.",
		Values: published(record.Of(
			"population", 128, "groups", 1, "start", "minima", "minima", 128, "minima_generations", 100,
		)),
	},
	{
		Name: "paper-groups",
		Doc: "Kang et al., the last column of Table 4: 128 local minima, 16 times each, in 8 groups; " +
			"population=128, 256 and 2048 with groups=1 are its other columns.",
		Values: published(record.Of(
			"population", 2048, "groups", 8, "start", "minima", "minima", 128, "minima_generations", 70,
		)),
	},
}

// published are values with what all experiments of Kang et al. share: rivals half a group apart,
// tours that begin at the first city, and in a tenth of all tours exchanges of pairs of edges that
// gain, one for ten cities. The paper has a small fraction; a tenth is the authors' program's. How
// many pairs, and that they gain, is a reading; doc.go has it.
func published(own record.Values) func(datasets.Instance) record.Values {
	return func(inst datasets.Instance) record.Values {
		vs := record.Of(
			"pairing", "half", "origin", "same", "elite", "none", "hybrid_share", 0.5,
			"couples", couplesDisjoint, "ties", tiesFirst,
			"mutants", "all", "mutation", 0.1, "move", moveGaining, "moves", pairs(inst.Size()),
		)
		maps.Copy(vs, own)
		return vs
	}
}

// pairs are the pairs of edges of a mutation in the published experiments: a tenth of the cities,
// rounded, and one at least.
func pairs(n int) int { return max(1, (n+5)/10) }

// assemblyPresets lists the presets of the variant eax; the default is best.
var assemblyPresets = []solvers.Preset{
	{Name: "best", Doc: "Ours: 100 tours, a third of the published number, 30 children of a couple."},
	{
		Name:   "paper",
		Doc:    "The published size: 300 tours, 30 children of a couple.",
		Values: solvers.Fixed(record.Of("population", 300)),
	},
}

// counts names the evaluations of ga.
const counts = "tours made"

// tournamentVariant is ga/tournament on the CPU.
var tournamentVariant = solvers.Variant{
	Solver: "ga", Name: "tournament", Formerly: []string{"rivals"}, Backend: "cpu", Revision: 4,
	Default: true, Deterministic: true,
	Kinds:   []datasets.Kind{datasets.KindTSP, datasets.KindATSP},
	Presets: tournamentPresets,
	Title: "Genetic search with constructive crossovers between fixed partners in groups; " +
		"children are spread over all cores",
	Source: "S. Kang, S.-S. Kim, J. Won, Y.-M. Kang, 2016, GPU-based parallel genetic approach to " +
		"large-scale travelling salesman problem, doi:10.1007/s11227-016-1748-1; " +
		"Z. H. Ahmed, 2010, Genetic algorithm for the traveling salesman problem using sequential " +
		"constructive crossover operator, Int. J. Biometrics and Bioinformatics 3(6)",
	Layout: "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ purpose << 24, " +
		"agent, block}; purpose 1 makes the first population (iteration 0, agent = place), " +
		"2 tells the crossovers of a couple and the places where arx changes over (agent = place " +
		"of the first parent), 3 a child's first city, whether a tour mutates and its moves (agent = " +
		"its place), 4 the group that a best " +
		"goes to (agent = its group)",
	New: func(inst datasets.Instance) (solvers.Algorithm, error) {
		t, err := asTSP(inst)
		if err != nil {
			return nil, err
		}
		return newTournament(t), nil
	},
}

func init() {
	solvers.Register(tournamentVariant)
	solvers.Offer("cuda", "ga", "tournament")
	solvers.Offer("cuda", "ga", "eax-rounds")
	solvers.Register(RoundsOn("cpu", NewRoundsCPU))
	solvers.Register(solvers.Variant{
		Solver: "ga", Name: "eax", Backend: "cpu", Revision: 3, Deterministic: true,
		KeepsFixed: true,
		Kinds:      []datasets.Kind{datasets.KindTSP},
		Presets:    assemblyPresets,
		Title: "Genetic search with edge assembly crossover (EAX): children take over single A-B " +
			"cycles, later blocks of them, until neither brings a better tour; couples are spread over " +
			"all cores",
		Source: "Y. Nagata, S. Kobayashi, 2013, A powerful genetic algorithm using edge assembly " +
			"crossover for the traveling salesman problem, doi:10.1287/ijoc.1120.0506",
		Layout: "Philox4x32-10, key = seed, counter = {iteration low, iteration high ^ purpose << 24, " +
			"agent, block}; purpose 1 makes the first population (iteration 0, agent = tour), " +
			"2 the ring of an iteration (agent 0), 5 the A-B cycles of a couple, 32 choices of edges a " +
			"word, and then the order of single cycles, or for each block a choice among the cycles " +
			"beside its own, 32 a word, and how long cycles stay (agent = the first parent)",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			t, err := asTSP(inst)
			if err != nil {
				return nil, err
			}
			return newEAX(t), nil
		},
	})
}

var (
	_ solvers.Algorithm      = (*rounds)(nil)
	_ solvers.Changer        = (*rounds)(nil)
	_ solvers.Tracer         = (*rounds)(nil)
	_ solvers.LengthReporter = (*rounds)(nil)
	_ solvers.Counter        = (*rounds)(nil)
	_ solvers.Algorithm      = (*eax)(nil)
	_ solvers.Changer        = (*eax)(nil)
	_ solvers.Tracer         = (*eax)(nil)
	_ solvers.LengthReporter = (*eax)(nil)
	_ solvers.Counter        = (*eax)(nil)
	_ solvers.Algorithm      = (*tournament)(nil)
	_ solvers.Sized          = (*tournament)(nil)
	_ solvers.Changer        = (*tournament)(nil)
	_ solvers.Tracer         = (*tournament)(nil)
	_ solvers.LengthReporter = (*tournament)(nil)
	_ solvers.Counter        = (*tournament)(nil)
)

func asTSP(inst datasets.Instance) (*datasets.TSP, error) {
	t, ok := inst.(*datasets.TSP)
	if !ok {
		return nil, fmt.Errorf("genetic: ga searches on tours, not on %T", inst)
	}
	return t, nil
}
