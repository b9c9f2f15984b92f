// Package assembly crosses tours by edge assembly: the step that the genetic search ga/eax, the
// iterated search ils/queue and the ants of mmas/focused have in common. It is after Y. Nagata and
// S. Kobayashi, A powerful genetic algorithm using edge assembly crossover for the traveling
// salesman problem, INFORMS J. Computing 25(2), 2013, doi:10.1287/ijoc.1120.0506; package genetic
// lists the differences from the paper.
//
// It splits the edges of two tours A and B into cycles that alternate between edges of A and B. A
// child is A with the edges of one cycle, or of a block of neighbouring cycles, exchanged. 2-opt
// moves to listed neighbours join the resulting subtours, the shortest first. All that takes time
// in proportion to the changes.
//
// A [Population] computes generations: its tours stand in a ring in random order, each is A once,
// with the next one as B, and the best of its children takes its place if it is shorter.
//
//	p := assembly.New(space, space.Nearest(10))
//	p.Fill(members)
//	err := p.Generate(ctx, pool, draws, assembly.Settings{Children: 30})
//
// A [Pool] is a population that is filled over several iterations, crossed, and left for its best,
// again and again; a [Plan] says how far it is. The pools of ils/queue and mmas/focused are such.
//
// Long tours have many cycles, which gain independently, but with one of them a generation the
// number of generations grows with the number of cities. With [Settings.Cities] a child has several
// of those that gain, one for so many cities.
package assembly
