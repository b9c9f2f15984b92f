// Package tours holds the common parts of searches on the travelling salesman problem: the instance
// prepared for search, lists of neighbours, starts, moves and local search. The solvers in packages
// ils, genetic and ants use it.
//
// Begin with a [Space]. It renumbers the cities of an instance along a Hilbert curve, so that
// cities that are close in the plane are close in memory; from a few thousand cities on, that
// decides the speed of everything else. All functions of the package use these internal numbers (0
// to N-1, as int32), and [Space.ToInstance] and [Space.FromInstance] translate whole tours. The
// numbering depends only on the instance, so all backends share it.
//
//	sp, err := tours.NewSpace(instance)
//	near := sp.Quadrant(8)                          // neighbours in all directions, nearest first
//	tour := sp.Greedy(near)                         // or Boruvka, NearestNeighbour, Curve, Random
//	s, err := tours.NewSearch(sp, near, tours.DefaultSettings())
//	gain := s.Improve(tour, nil, tours.OrOpt)       // to a Lin-Kernighan optimum
//
// A tour is a []int32 that holds every city once; the way back from its last city to its first is
// part of it.
//
// # Local search
//
// A [Search] is a workspace: it allocates only at its creation, and works on one tour after the
// other. It keeps a queue of dirty cities, from which moves may start; a move marks the cities at
// the ends of the edges that it changed. So a search can begin from a few cities only, such as
// those with new edges, or the ends of a kick. A [Search.Trial] is a kick and its repair, which is
// undone if the result is not good enough; its cost hardly depends on the number of cities.
//
// There are three operators. [TwoOpt] is the fastest for a single descent, [OrOpt] (chains of
// exchanges as in Lin and Kernighan's search) the best for iterated search, [ThreeOpt] lies
// between. Up to some ten thousand cities the tour is an array with positions, of which a move
// reverses the shorter side; above, a two-level list. A [Best] is 2-opt or 3-opt as published for
// GPUs, with the best move of the whole tour each time.
//
// Everything is a function of its arguments: ties go to the smaller distance and then to the
// smaller city, random draws come from a stream that the caller gives. Searches are for symmetric
// instances; lists and starts also serve asymmetric ones.
package tours
