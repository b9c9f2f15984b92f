// Package tours holds what searches on the travelling salesman problem share: the
// instance prepared for search, lists of neighbours, starts, and local search.
//
// Begin with a [Space]. It renumbers the cities of an instance along a Hilbert curve,
// so that cities that are close in the plane are close in memory; from a few thousand
// cities on, that decides the speed of everything else. All functions of the package
// speak in these internal numbers (0 to N-1, as int32) and [Space.ToInstance] and
// [Space.FromInstance] translate whole tours. The numbering depends on nothing but the
// instance, so every backend can share it.
//
//	sp, err := tours.NewSpace(instance)
//	near := sp.Quadrant(8)        // neighbours in all directions, nearest first
//
// A tour is a []int32 that holds every city once; the way back from its last city to
// its first is part of it.
package tours
