package spins

import (
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
)

func init() { solvers.Register(population) }

// population is the variant with resampling on the CPU.
var population = func() solvers.Variant {
	v := spins
	v.Name = "population"
	v.Title = "Population annealing: as spins, and where it gets colder walks are copied or dropped " +
		"by their weights, within islands"
	v.Source = "K. Hukushima, Y. Iba, 2003, Population annealing and its application to a spin " +
		"glass, doi:10.1063/1.1632130; W. Wang, J. Machta, H. G. Katzgraber, 2015, Population " +
		"annealing: theory and application in spin glasses, doi:10.1103/PhysRevE.92.063307"
	v.Layout += " Purpose 3, counter = {iteration low, iteration high ^ 3 << 24, island, 0}: word 0 " +
		"begins the resampling."
	v.New = func(inst datasets.Instance) (solvers.Algorithm, error) {
		return newPopulation(inst, onCores)
	}
	return v
}()

// drawResample is the purpose of draws for resampling.
const drawResample uint8 = 3

// newPopulation returns a search that resamples.
func newPopulation(
	inst datasets.Instance, open func(*Problem) (Engine, error),
) (*search, error) {
	s, err := newSearch(inst, open)
	if err != nil {
		return nil, err
	}
	s.resampling = &resampling{island: 128}
	s.walks = 128
	return s, nil
}

// resampling is what a population has beside its walks.
type resampling struct {
	island int // walks

	costs   []int64
	weights []float64
	parents []int32
}

func (r *resampling) declare(t *solvers.Params) {
	t.Int(&r.island, record.Param{
		Name: "island", Class: record.Structural, Min: 1, Max: mostWalks, Step: 32, Unit: "walks",
		Doc: "Walks that follow each other and are resampled together; 1: none is.",
	})
}

// resample copies and drops walks after an iteration, where the next is colder. It returns the
// share of walks that have descendants, of 1.
func (s *search) resample(it int64, before, after float64) (share float64, err error) {
	r := s.resampling
	if !(after > 0) || !(after < before) || r.island < 2 {
		return 1, nil
	}
	// The difference of the inverse temperatures, for powers of 2.
	rise := (1/(after*s.p.Net.Scale) - 1/(before*s.p.Net.Scale)) / math.Ln2
	r.costs, r.parents = r.costs[:0], r.parents[:0]
	for w := range s.p.Walks {
		r.costs = append(r.costs, s.p.Net.Cost(s.out[w/32].Good[w%32]))
	}
	for w := range s.p.Skip {
		r.parents = append(r.parents, int32(w))
	}
	for first := s.p.Skip; first < s.p.Walks; first += r.island {
		island := uint32((32*s.p.First + first) / r.island)
		draw := arith.NewStream(s.p.Seed, uint64(it), island, drawResample)
		r.choose(first, r.costs[first:min(first+r.island, s.p.Walks)], rise, draw.Float64())
	}
	survive, last := 0, int32(-1)
	moved := false
	for w := s.p.Skip; w < s.p.Walks; w++ {
		p := r.parents[w]
		if p != last {
			survive++
		}
		last = p
		moved = moved || int(p) != w
	}
	share = float64(survive) / float64(s.p.Walks-s.p.Skip)
	if !moved {
		return share, nil
	}
	return share, s.engine.Choose(r.parents)
}

// choose appends the parents of an island whose walks begin at first: systematic resampling, which
// makes of a walk as many copies as expected, rounded down or up. u is from 0 to 1.
func (r *resampling) choose(first int, costs []int64, rise, u float64) {
	least := costs[0]
	for _, c := range costs {
		least = min(least, c)
	}
	r.weights = r.weights[:0]
	var sum float64
	for _, c := range costs {
		w := arith.Exp2(-float64(rise * float64(c-least)))
		r.weights = append(r.weights, w)
		sum += w
	}
	made, reached := 0, 0.0
	for i, w := range r.weights {
		reached += w
		for made < len(costs) && float64((float64(made)+u)*sum) < float64(reached*float64(len(costs))) {
			r.parents = append(r.parents, int32(first+i))
			made++
		}
	}
	for ; made < len(costs); made++ { // by rounding
		r.parents = append(r.parents, int32(first+len(costs)-1))
	}
}
