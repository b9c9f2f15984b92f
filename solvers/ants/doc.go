// Package ants holds the ant algorithms for the travelling salesman problem, symmetric
// or not: Ant System (solver as), MAX-MIN Ant System (mmas) and Ant Colony System (acs),
// as algorithms that package solvers steps. Import it for its registrations:
//
//	import _ "metalab/solvers/ants"
//
//	run, err := solvers.Open(solvers.Config{Solver: "mmas", Instance: inst, Seed: 42})
//	err = run.Step(ctx, 100)
//
// # What an ant does
//
// An ant starts in a random city and goes to unvisited cities until it has been to all. From
// city c it chooses among the unvisited cities on c's candidate list (its nearest
// cities) by weights
//
//	w(j) = tau(c,j)^alpha (1 / (d(c,j) + 0.1))^beta
//
// of the trail tau and the visibility; acs has no alpha here, and takes the greatest
// weight with probability q0. A draw is in proportion to w otherwise. The 0.1 is the
// published code's (T. Stuetzle, ACOTSP 1.03) and keeps coincident cities apart from
// infinity. Weights are float32 and kept within 2^-100 and 2^100 of a scale near 1, so
// that no candidate ever has weight 0.
//
// When all candidates are visited, the ant goes to the city of greatest weight among all
// unvisited ones, as in the papers; to the nearest of those with equal weights, and of equally
// near ones to that with the smallest number. Numbers are those of [tours.Space]. The city is
// found exactly, but seldom by looking at all: a longer list of neighbours comes first, then a tree
// of boxes round runs of the Hilbert curve with counts of what is unvisited in them.
//
// # Trails
//
// An edge of a symmetric instance has one trail. All edges that no ant was ever rewarded for
// have the same trail: it evaporates and is kept within the limits like others (as, mmas), or
// stays tau0 (acs). So with storage=candidates, slots for the edges on candidate lists
// and entries for the few others that were rewarded hold what a matrix would hold, in O(n
// candidates) memory. Tours do not depend on the storage, with one exception: as, which rewards
// every ant, forgets at every 8th iteration the edges on no list whose trail is below 1/1024 of
// the initial one. storage=matrix takes 12 n^2 bytes and looks at a whole row when the candidates are
// visited; it is there for comparison, and for colonies that reward nearly all edges.
//
// Trails are float32. as and mmas: tau <- rho tau, then 1/L for the edges of each tour of
// length L that is rewarded, each time in the order of the tour, ants in order.
//
//   - as rewards all tours. Trails begin at 1 / ((1 - rho) Lnn), Lnn being the length of the
//     nearest-neighbour tour from city 0.
//   - mmas rewards one tour, see the parameter deposit, and keeps trails in [lo, hi] with
//     hi = 1 / ((1 - rho) Lbest), lo = hi (1 - p) / (p ((k + 1) div 2)), p = p_best^(1/n), k
//     the length of the lists; they begin at hi. The schedules of deposit=mixed and the
//     resets are those of ACOTSP 1.03.
//   - acs: after a choice that is to be noted tau <- (1 - rho) tau + rho tau0, at once, seen by
//     the next ant; after the iteration, for the edges of the best tour so far, tau <- (1 - alpha)
//     tau + alpha / Lbest; tau0 = 1 / (n Lnn). Trails never fall below tau0. In a step all ants
//     move in turn; the way back of each is noted, in turn, at the end.
//
// # Local search
//
// local_search improves every ant's tour before it is rewarded, by [tours.Search] with 10
// quadrant neighbours. It starts at the cities that have another neighbour than in the best
// tour so far (all, before there is one), which saves most of the work once ants make
// tours like the best. In acs the local updates are those of the tours as the ants walked.
//
// # Results and cores
//
// Ants of as and mmas, and all local searches, are spread over the cores; a tour depends only on
// the trails, the seed, the iteration and the ant's number, so the number of cores changes nothing.
// acs is sequential by nature. Draws are stated in each variant's Layout.
//
// The digest of an iteration chains [arith.HashPerm] of the ants' tours, in internal
// numbers and ant order, and at every 64th iteration a hash of the trails of the listed edges.
//
// # Measures
//
// branching is the mean lambda-branching factor with lambda 0.05, computed at the first and
// every 10th iteration; fallback the share of choices for which all candidates were visited;
// tau_min and tau_max the limits of mmas after the iteration; resets how often its trails
// were set back.
//
// # Comparing with ACOTSP
//
// ACOTSP's rho is 1 minus the rho of as and mmas here, its storage is the matrix, and
// without local search its mmas is deposit=mixed best_period=25 p_best=0.05; its acs is alpha=0.1
// rho=0.1. Its branching factor is half of the one here.
package ants
