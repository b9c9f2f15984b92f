package ils

import (
	"slices"

	"metalab/solvers"
	"metalab/solvers/internal/assembly"
	"metalab/solvers/record"
	"metalab/solvers/tiles"
)

// poolsParams are the parameters of pools that tiles lacks, or whose form is another.
type poolsParams struct {
	tours, piece, workers     int
	cities, reach             int
	ripen, round, temperature float64
	descent, crossing         string
}

// What decides is measured with the stages' own clock (an H100 and 14 cores, seed 1). On E10k.1 the
// cores make 128 tours at an optimum of 2-opt within .1 s, 4 % above the shortest tour; a GPU makes
// 4 kicks a city in each of them within .4 s, 1.3 % above; 1000 to 1700 generations of 1.6 ms end
// .02 % above, and the next pool, with that tour in it, at .0007 %. Tours at an optimum of
// Lin-Kernighan chains (descent=oropt) take 1.8 s and begin 1.4 % above: with them the first pool
// of V10k.0 was over after 3.5 s at 23,764, with 2-opt after 1.8 s at 23,760. Ten kicks a city in
// place of four end E10k.1 after 10 s at 72,031,630 in place of 72,032,106, on smaller instances
// they take time alone. With crossing=several a pool of 32 tours ends after a quarter of the
// generations, on the cores, but farther off: E3k.1 (CPU) at 40,324,060 after 130 generations, with
// rounds at 40,315,929 after 246, and 128 tours at 40,315,929 too. So it is for instances for which
// 10 s are too short otherwise: V31k.0 ends at 74,266 with rounds and 74,142 with several (64
// tours), C31k.1 at 60,307,908 and 59,349,575 (64 and 32), E31k.1 at 127,573,453 and 127,512,377;
// d18512 at 645,254 and 645,391. A temperature of 0.3 changed nothing (E31k.1: 127,520,646). On a
// CPU the kicks take too long: ripen=0 descent=oropt is better there.
//
// With a cycle for so many as 1000 cities, and joints where they cost least, a couple of tours of
// 100,000 cities takes a core .1 s, with cities=100 reach=100 .03 to .05: table ils-pools-several.
// The variant queue is not better off with reach=100: after 10 CPU seconds E31k.0 and pla33810 were
// ahead by .04 and .11 %, C31k.0, V31k.1, bbz25234 and N31k.1 behind by .22, .13, .05 and .04.

// From fewerFrom cities on a pool has fewer tours, which get more kicks, so that it ends within
// some seconds of a GPU. From severalFrom on a generation with one cycle per child would gain too
// little. Above manyFrom cities a child has more cycles, joined near.
const (
	fewerFrom   = 15_000
	severalFrom = 20_000
	manyFrom    = 50_000
)

// poolsDefaults returns the default values for n cities.
func poolsDefaults(n int) poolsParams {
	p := poolsParams{
		tours: 128, piece: 500, ripen: 4, round: 1, descent: "2opt", crossing: "rounds",
		cities: assembly.PoolCities,
	}
	if n >= fewerFrom {
		p.tours, p.ripen = 64, 10
	}
	if n >= severalFrom {
		p.tours, p.crossing = 48, "several"
	}
	if n > manyFrom {
		p.cities, p.reach = 100, 100
	}
	return p
}

func (s *Pools) Declare(t *solvers.Params) { declare(t, s.table()) }

func (s *Pools) Changed(names []string) {
	s.tune()
	changed(s, s.table(), names)
}

// employ makes room for the goroutines.
func (s *Pools) employ() { s.on.p.Env.Pool.Resize(s.param.workers) }

// table lists the parameters in the order in which they are shown.
func (s *Pools) table() []row[*Pools] {
	p := &s.param
	own := []row[*Pools]{
		{&p.tours, nil, record.Param{
			Name: "tours", Class: record.Structural, Min: 2, Max: tiles.MaxChains, Step: 1, Unit: "tours",
			Doc:    "Tours of a pool.",
			Effect: "In a fork the last are dropped, more are copies of the best.",
		}},
		{&p.ripen, nil, record.Param{
			Name: "ripen", Min: 0, Max: 1e5, Step: 0.5, Unit: "kicks a city",
			Doc: "Kicks that the tours of a pool get before they are crossed.",
		}},
		{&p.temperature, nil, record.Param{
			Name: "temperature", Min: 0, Max: 100, Step: 0.01, Unit: "mean edges",
			Doc: "Mean of the random limit up to which a tour that became longer by a kick is kept; it " +
				"falls evenly to 0 within the kicks of a pool. 0: no longer one is kept.",
		}},
		{&p.descent, nil, record.Param{
			Name: "descent", Options: []string{"none", "2opt", "3opt", "oropt"},
			Doc: "Local search that the tours of a pool begin with, by the cores of the CPU: as operator " +
				"of the variant queue.",
		}},
		{&p.crossing, nil, record.Param{
			Name: "crossing", Class: record.Structural, Options: []string{"rounds", "several"},
			Doc: "How tours are crossed: rounds as in ga/eax-rounds, by the GPU if there is one, a child " +
				"takes over one cycle or block; several as in the pools of the variant queue, by the cores " +
				"of the CPU, a child takes over several.",
		}},
		{&p.cities, nil, record.Param{
			Name: "cities", Min: 1, Max: 1e6, Step: 50, Unit: "cities",
			Doc: "Of crossing=several: a child takes over one of the cycles, or blocks, that gain for so " +
				"many cities of the instance.",
		}},
		{&p.reach, nil, record.Param{
			Name: "reach", Max: 1e6, Step: 10, Unit: "cities",
			Doc: "Of crossing=several: so far from the edges that a child lacks a subtour is joined to " +
				"another at most; 0: where that costs least.",
		}},
		{&p.piece, nil, record.Param{
			Name: "piece", Min: 8, Max: tiles.MaxPiece, Step: 50, Unit: "cities",
			Doc: "Most cities of a piece, a tile of the plane.",
		}},
		{&p.round, nil, record.Param{
			Name: "kicks", Min: 0.01, Max: 100, Step: 0.1, Unit: "kicks a city",
			Doc: "Kicks of an iteration for each city; then the plane is cut in another way.",
		}},
	}
	leave := []string{"piece", "kicks", "chains"}
	for _, r := range slices.Concat(s.on.param.rounds(), s.on.param.lists()) {
		if !slices.Contains(leave, r.Name) {
			own = append(own, row[*Pools]{r.field, nil, r.Param})
		}
	}
	return append(own, row[*Pools]{&p.workers, (*Pools).employ, record.Param{
		Name: "workers", Class: record.Schedule, Min: 0, Max: 1024, Unit: "goroutines",
		Doc: "Goroutines that make the tours of a pool, and on the cpu backend all else; 0 means one " +
			"for each core.",
	}})
}
