// Package tours holds what searches on the travelling salesman problem share: the
// instance prepared for search, lists of neighbours, starts, and local search. On top of
// them it registers the solver ils, iterated local search.
//
// Begin with a [Space]. It renumbers the cities of an instance along a Hilbert curve,
// so that cities that are close in the plane are close in memory; from a few thousand
// cities on, that decides the speed of everything else. All functions of the package
// speak in these internal numbers (0 to N-1, as int32), and [Space.ToInstance] and
// [Space.FromInstance] translate whole tours. The numbering depends on nothing but the
// instance, so every backend can share it.
//
//	sp, err := tours.NewSpace(instance)
//	near := sp.Quadrant(8)                          // neighbours in all directions, nearest first
//	tour := sp.Greedy(near)                         // or Boruvka, NearestNeighbour, Curve, Random
//	s, err := tours.NewSearch(sp, near, tours.DefaultSettings())
//	gain := s.Improve(tour, nil, tours.OrOpt)       // to a Lin-Kernighan optimum
//
// A tour is a []int32 that holds every city once; the way back from its last city to
// its first is part of it.
//
// # Local search
//
// A [Search] is a workspace: it allocates when it is made and then no more, and works on one tour
// after the other. It keeps a queue of dirty cities, from which moves may start; a
// move marks the cities at the ends of the edges that it changed. So a search can begin
// from a few cities only: those that an ant has placed anew, or the ends of a kick. A
// [Search.Trial] is a kick and its repair, with everything taken back if the result is not wanted;
// its cost hardly depends on the number of cities.
//
// There are three operators. [TwoOpt] is the fastest for a single descent, [OrOpt]
// (chains of exchanges as in Lin and Kernighan's search) the best for iterated search,
// [ThreeOpt] lies between. Up to some ten thousand cities the tour is an array with
// positions, of which a move turns round the shorter side; above, a two-level list.
// [Space.BestTwoOpt] is 2-opt as published for GPUs: always the best move of the whole tour.
//
// Everything is a function of its arguments: ties go to the smaller distance and then to the
// smaller city, random draws come from a stream that the caller gives. Searches are for
// symmetric instances; lists and starts also serve asymmetric ones.
//
// # The solver ils
//
// Its first iteration brings every chain's start to a local optimum; each further one
// makes a block of kicks in every chain. Chains are independent within an iteration, so
// the number of cores changes nothing but the time; between iterations the longest
// may go on from the shortest. The variant queue is the default and has no CUDA twin.
//
// The search from all cities looks from a city along both of its tour edges and follows chains of up
// to first_depth exchanges; after a kick it looks one way, less deep, but also from the cities around the
// kick. Chains grow at either end of the path. Measured on instances of 2,000 to 86,000 cities, both ends
// bring the first optimum from 1.9 to 1.5 % above the optimal tour for 18,512 cities, at half
// again the time; kicks at long edges did not help.
//
// At pla85900 much of the first optimum's excess lies in edges of three times the usual length and above, and
// small changes of the search move its gap by 0.2 %. Also tried, and left out: first steps that exchange four edges round a
// closed circle, the most promising first (1.58 % in place of 1.74 % at the first optimum, but 1.48 in place of 1.47
// after 3 s, and worse at 2,392 cities); and chains of 25 exchanges after a kick, which help pr2392 after 1 s (.32 % in
// place of .38, three seeds) but not pr1002 (.32, .24), rl1889 (.41, .33), u2152 (.81, .57), d2103 (1.98, 1.65).
//
// Nor do wider chains pay on the whole at a few thousand cities. Gaps in percent, after 1 s (six seeds) and 4 s (two)
// of CPU time of one thread, by the exchanges tried at each level:
//
//	          5,3,1       4,3,3,2,1   5,3,2,1
//	pr1002    .27  .17    .34  .26    .16  .08
//	rl1889    .34  .29    .37  .41    .37  .29
//	d2103    1.69 1.05   1.59  .65   1.63 1.36
//	u2152     .63  .43    .40  .19    .34  .25
//	pr2392    .40  .20    .20  .12    .34  .23
//	fnl4461   .19  .13    .28  .12    .18  .10
//
// 4,3,3,2,1 helps pr2392 and u2152, and loses at pr1002 and fnl4461. 5,3,2,1 gains at u2152 and pr1002 after 1 s, but not
// at two instances that were not among these (three seeds: nrw1379 .10 and .10, pcb3038 .21 and .23), and seems to lose at
// d2103 after 4 s (six seeds: .86, 1.22). After 0.7 s (four seeds) both are behind at usa13509 (.63, .87, .77) and d18512 (.64, .65, .68).
package tours
