package ils

import (
	"slices"

	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
)

// From 8000 to 200,000 cities candidates=alpha is the default. After 3.5 s of an H200 (seed 1, from
// the file on) it is at 33,324,664 on C10k.2, near at 33,339,809; on V10k.2 at 23,757 and 23,758,
// on N10k.2 at 4,236,460 and 4,238,459, on E10k.2 at 71,918,500 and 71,975,149; after 8 s on
// C100k.1 at 106,989,187 and 106,973,562. The seven best by alpha, without those of the quadrants,
// are faster, but lead too seldom from one cluster to another: 33,583,309 on C10k.2. Below 8000
// cities near and alpha are each better on some instances.
//
// Lin-Kernighan chains of up to eight exchanges (breadth 5, 3, 1) in pieces, a candidate to replace
// or3opt, lost: on E3k.1 (piece=500, 10 kicks a city) they end at 40,408,653 and or3opt at
// 40,432,913, but a kick takes 6.7 times as long, and or3opt in this time is at 40,391,267; on
// V3k.1 they end at 7714, or3opt at 7700, and in their time at 7671.
//
// The temperature decides most. On E10k.3 (seed 1, piece=250, cooling=200) 200 kicks a city end at
// 72,132,400 with temperature=0.1, 72,040,722 with 0.4, 72,042,401 with 0.7, 72,053,325 with 1.1;
// with 0.7 and piece=1000 they end at 71,998,334. 20 kicks a city (piece=500 kicks=0.3 cooling=20)
// end at 72,167,171 with 0.2 and 72,199,706 with 0.4. At 0.7 narrower walks (width=5) end at
// 72,070,833, kick=segment width=30 at 72,083,417; or2opt at 0.4 at 72,130,900. The defaults have a
// temperature and follow the time of a step (timed); a step by iterations cools within cooling
// kicks a city.

// tilesParams are the parameters of tiles; see table.
type tilesParams struct {
	chains, neighbours, size, cuts, width, exchange, mend, workers int
	kicks, temperature, cooling, polish                            float64
	quadrant, timed                                                bool
	start, descent, operator, kick, accept, candidates             string
}

// tilesDefaults returns the default values for n cities.
func tilesDefaults(n int) tilesParams {
	p := tilesParams{
		chains: 1, candidates: "near", neighbours: 8, quadrant: true, size: 2000, cuts: 32, kicks: 0.5,
		start: "fit", descent: "oropt", polish: 0.5, operator: "or3opt", kick: "walk", width: 10,
		accept: "threshold", temperature: 0.4, cooling: 100, timed: true, exchange: 10, mend: 20,
	}
	if n >= 8000 && n <= alphaUpTo {
		p.candidates = "alpha"
	}
	switch {
	case n < 8000: // one piece or two: many tours
		p.size, p.chains = tiles.MaxPiece, 32
	case n < 130_000: // as many tours as give a GPU's processors half a piece each
		p.chains = max(1, 130_000/n)
	case n >= 500_000: // few kicks a city; chosen on E1M.1 and E10M.1, see bench's ils-tiles-million
		p.size, p.kicks, p.temperature, p.mend = 1000, 0.3, 0.6, 0
	}
	if n > alphaUpTo {
		p.start, p.polish = "parts", 0
	}
	return p
}

func (s *Tiles) Declare(t *solvers.Params) { declare(t, s.table()) }

func (s *Tiles) Changed(names []string) { changed(s, s.table(), names) }

// employ makes room for the goroutines that share the pieces.
func (s *Tiles) employ() { s.p.Env.Pool.Resize(s.param.workers) }

// table lists the parameters in the order in which they are shown.
func (s *Tiles) table() []row[*Tiles] {
	p := &s.param
	return slices.Concat(p.rounds(), p.acceptance(), p.lists(), p.first())
}

// rounds returns the rows of a round: the cut of the plane, and the work in a piece.
func (p *tilesParams) rounds() []row[*Tiles] {
	return []row[*Tiles]{
		{&p.size, nil, record.Param{
			Name: "piece", Min: 8, Max: tiles.MaxPiece, Step: 50, Unit: "cities",
			Doc: "Most cities of a piece, a tile of the plane.",
		}},
		{&p.kicks, nil, record.Param{
			Name: "kicks", Min: 0.01, Max: 100, Step: 0.1, Unit: "kicks a city",
			Doc: "Kicks of an iteration for each city; then the plane is cut in another way.",
		}},
		{&p.cuts, nil, record.Param{
			Name: "cuts", Min: 1, Max: 1024, Step: 1, Unit: "cuts",
			Doc: "How many ways of cutting the plane are used in turn.",
		}},
		{&p.operator, nil, record.Param{
			Name: "operator", Options: []string{"2opt", "or2opt", "or3opt"},
			Doc: "Moves that repair a kick, always the best one of a city: 2opt exchanges two edges; " +
				"or2opt also takes paths of up to three cities out and inserts them elsewhere; or3opt " +
				"exchanges two or three edges.",
		}},
		{&p.kick, nil, record.Param{
			Name: "kick", Options: []string{"walk", "segment"},
			Doc: "Where the four edges of a double bridge lie: walk, close in the plane; segment, close " +
				"on the tour.",
		}},
		{&p.width, nil, record.Param{
			Name: "width", Min: 1, Max: tiles.MaxWidth, Step: 1,
			Doc: "Reach of a kick: steps of the random walks of walk, most cities of each of the three " +
				"paths of segment.",
		}},
	}
}

// acceptance returns the rows of the parameters of acceptance, and of exchange between chains.
func (p *tilesParams) acceptance() []row[*Tiles] {
	return []row[*Tiles]{
		{&p.accept, nil, record.Param{
			Name: "accept", Options: []string{"better", "threshold"},
			Doc: "Which repaired tours are kept: better, those that are not longer; threshold, also " +
				"longer ones up to a random limit.",
		}},
		{&p.temperature, nil, record.Param{
			Name: "temperature", Min: 0, Max: 100, Step: 0.01, Unit: "mean edges",
			Doc: "Mean of the limit of accept=threshold, which is distributed exponentially (the rule of " +
				"Metropolis).",
		}},
		{&p.cooling, nil, record.Param{
			Name: "cooling", Min: 0, Max: maxCooling, Step: 10, Unit: "kicks a city",
			Doc: "Kicks after which the temperature, which falls evenly, is 0; 0: it does not fall.",
		}},
		{&p.timed, nil, record.Param{
			Name: "timed",
			Doc: "Whether a step that is limited by time sets cooling as it goes on, so that the " +
				"temperature falls evenly to 0 at its end. The changes are recorded.",
		}},
		{&p.exchange, nil, record.Param{
			Name: "exchange", Min: 0, Max: 1e6, Step: 1, Unit: "iterations",
			Doc: "After so many iterations the chain with the longest tour goes on from the shortest; 0: " +
				"never.",
		}},
	}
}

// lists are the number of tours and where new edges come from.
func (p *tilesParams) lists() []row[*Tiles] {
	return []row[*Tiles]{
		{&p.chains, nil, record.Param{
			Name: "chains", Class: record.Structural, Min: 1, Max: tiles.MaxChains, Step: 1, Unit: "tours",
			Doc:    "Tours that are searched side by side.",
			Effect: "In a fork new chains begin with the best tour; the last are dropped.",
		}},
		{&p.neighbours, nil, record.Param{
			Name: "neighbours", Class: record.Structural, Min: 1, Max: tiles.MaxNeighbours, Step: 1,
			Unit: "cities", Doc: "Length of the lists of neighbours that new edges come from.",
		}},
		{&p.candidates, nil, record.Param{
			Name: "candidates", Class: record.Structural, Options: []string{"near", "alpha", "weighted"},
			Doc: "Which neighbours are listed: near, those close by; alpha, five whose edges are almost " +
				"in a minimum spanning tree of reduced costs, with which the search then works, and the " +
				"nearest of each quadrant; weighted, those close by, but reduced costs.",
		}},
		{&p.quadrant, nil, record.Param{
			Name: "quadrant", Class: record.Structural,
			Doc: "Whether a quarter of the neighbours is taken from each quadrant round a city, or all " +
				"are the nearest; not for candidates=alpha.",
		}},
	}
}

// first returns the rows of the first iteration, and the goroutines.
func (p *tilesParams) first() []row[*Tiles] {
	return []row[*Tiles]{
		{&p.start, nil, record.Param{
			Name: "start", Class: record.Structural,
			Options: []string{"fit", "whole", "parts", "greedy", "boruvka", "nn", "curve", "random"},
			Doc: "The first tour: fit whole on lattices, where the two nearest cities of most are equally " +
				"far, and in clusters, else parts; whole the shortest of four that are each searched in the " +
				"whole plane, side by side: by short edges overall, and by Quick-Boruvka in three " +
				"directions; parts by short edges in parts of the plane, on all cores (below 32768 cities in " +
				"the whole); greedy by short edges overall; boruvka by short edges city by city; nn by the " +
				"nearest neighbour (from city 0, 1, ... in the chains); curve along the space-filling curve; " +
				"random (each chain its own).",
		}},
		{&p.descent, nil, record.Param{
			Name: "descent", Class: record.Structural, Options: []string{"none", "2opt", "3opt", "oropt"},
			Doc: "Local search of the first iteration, from all cities, by the cores of the CPU: as " +
				"operator of the variant queue. From 32768 cities on it is made in parts of the plane that " +
				"are then joined, if the start is parts, greedy, boruvka or curve.",
		}},
		{&p.polish, nil, record.Param{
			Name: "polish", Class: record.Structural, Min: 0, Max: 1000, Step: 0.1, Unit: "kicks a city",
			Doc: "Kicks of the first iteration where edges are long, in tiles, repaired by chains of " +
				"exchanges, by the cores of the CPU; only from start=whole and with descent=oropt.",
		}},
		{&p.mend, nil, record.Param{
			Name: "mend", Class: record.Structural, Min: 0, Max: 1000, Step: 10, Unit: "kicks",
			Doc: "Kicks of the first iteration at each edge that is long for its tile, repaired by chains " +
				"of exchanges in the whole tour, by the cores of the CPU: hardly any tile has both ends of " +
				"such an edge.",
		}},
		{&p.workers, (*Tiles).employ, record.Param{
			Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
			Doc: "Goroutines that share the pieces on the cpu backend; 0 means one for each core.",
		}},
	}
}
