package genetic

import (
	"math"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// Children makes a child of each kind with one worker's memory.
type Children struct{ x *crossing }

// NewChildren makes the memory.
func NewChildren(sp *tours.Space) Children { return Children{newCrossing(sp)} }

// Make makes a child and returns its length; with arx the parents change over at from and to.
func (c Children) Make(cross string, child, a, b []int32, first int32, from, to int) int64 {
	switch cross {
	case crossSCX:
		return c.x.scx(child, a, b, first)
	case crossBCSCX:
		return c.x.bcscx(child, a, b, first)
	default:
		return c.x.arx(child, a, b, first, from, to)
	}
}

// Switches draws the places at which arx changes over.
var Switches = switches

// NewMutator makes a mutator.
func NewMutator(sp *tours.Space) *Mutator {
	return &Mutator{mutator{sp: sp, near: sp.Nearest(nearest)}}
}

// Mutator makes 2-opt moves.
type Mutator struct{ mutator }

// Random and Gaining are the moves.
var (
	Random  = (*Mutator).random
	Gaining = (*Mutator).gaining
	Improve = (*Mutator).improve
)

// Plan is a tour that a generation plans: where it goes, of which places of the new order, how,
// and where arx changes over.
type Plan struct {
	Place, A, B int
	Cross       string
	From, To    int
}

// Planned sets a search up with tours of given lengths and lets them compete once, in iteration 2:
// it returns which tour stands at each place before the children come, the places of losers that
// are to hold a copy of the winner, and the plan.
func Planned(
	inst *datasets.TSP, vs record.Values, lengths []int64,
) (order []int, copies map[int]int, plan []Plan) {
	g := newTournament(inst)
	g.population = len(lengths)
	g.groups, g.mutation = 1, 0
	g.pairing, _ = vs["pairing"].Word()
	g.crossover, _ = vs["crossover"].Word()
	if m, ok := vs["mutation"].Float(); ok {
		g.mutation, g.mutants = m, mutantsAll
	}
	if e, ok := vs["elite"].Word(); ok {
		g.elite = e
	}
	if c, ok := vs["couples"].Word(); ok {
		g.couples = c
	}
	if t, ok := vs["ties"].Word(); ok {
		g.ties = t
	}
	g.env = &solvers.Env{Seed: 5}
	var err error
	if g.space, err = tours.NewSpace(inst); err != nil {
		panic(err)
	}
	for i, l := range lengths {
		g.members = append(g.members, individual{length: l, hash: uint64(i)})
	}
	g.compete(2)
	for i := range g.next {
		order = append(order, int(g.next[i].hash))
	}
	copies = map[int]int{}
	for _, t := range g.copies {
		copies[t[0]] = t[1]
	}
	for _, b := range g.plan {
		plan = append(plan, Plan{b.place, b.a, b.b, b.cross, b.from, b.to})
	}
	return order, copies, plan
}

// Crossover makes children of eax-rounds.
type Crossover struct{ k *crossover }

// NewCrossover makes the memory.
func NewCrossover(sp *tours.Space) Crossover {
	return Crossover{newCrossover(sp, sp.Nearest(nearest))}
}

// All splits two tours into cycles and calls do for the child of each, and of the block round each,
// that is shorter than A: with its tour, its gain and the edges that it lacks and has new.
func (m Crossover) All(
	a, b []int32, r *arith.Stream, do func(tour []int32, gain int64, cut, new [][2]int32),
) (cycles [][]int32) {
	k := m.k
	k.load(a, b)
	k.split(r, math.MaxInt, math.MaxInt)
	k.survey()
	for i := range 2 * (len(k.start) - 1) {
		c := int32(i / 2)
		if k.set = append(k.set[:0], c); i%2 == 0 {
			cycles = append(cycles, k.cycle(c))
		} else {
			k.block(c, r)
		}
		if k.make(); k.gain > 0 {
			t := make([]int32, len(a))
			cut, new := k.changes(nil, nil)
			k.write(t)
			do(t, k.gain, cut, new)
		}
		k.undo()
	}
	return cycles
}
