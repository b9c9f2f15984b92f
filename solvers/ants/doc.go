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
// In as/scan and mmas/scan, with lists of up to 64 candidates and up to 65536 cities, a draw is in proportion to
// whole numbers: weights over the list's greatest one, times 2^30 over the power of 2 not below
// the list's length, rounded down, at least 1. as/wrs and mmas/wrs, and mmas/rows by wrs with lists, let exponential clocks race. With up to
// 8192 cities these are compared to 23 - b bits, b being those of a city's number, at least 5, and 1/w is rounded to as many: a
// probability is then by at most 2^-(23-b) of it another one, 0.1 % with 8192 cities and 0.01 % with 1024, and by 0.03 % for the
// clocks. The other choices add up float32 weights.
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
// as/wrs, which a GPU makes too, chooses as mmas/wrs does, and gives trails to the edges on candidate lists only: a
// deposit on another edge is lost, and an ant whose candidates are visited goes to the nearest city. All deposits
// of an iteration are added up as whole numbers, so that they have no order; a deposit is rounded by less than
// 2^-31 of it, see [Shares]. It does not lose by that: best tours of 100 iterations of n ants, lists of 32, preset paper, seeds
// of their own, mean gaps in percent of 10 runs and the probability of the Mann-Whitney test:
//
//	         eil51  eil101  kroA100  d198
//	as/scan  6.43   10.46   8.54     8.31
//	as/wrs   6.08   10.57   9.00     8.61
//	p        0.49   0.75    0.20     0.74
//
//	METALAB_TABLE_AS="10 100 eil51 eil101 kroA100 d198" go test ./solvers/ants -run SystemTable -v
//
// # Local search
//
// local_search improves every ant's tour, or with local_share below 1 the shortest ones of the
// iteration, before they are rewarded, by [tours.Search] with 10
// quadrant neighbours. It starts at the cities that have another neighbour than in the best
// tour so far (all, before there is one), which saves most of the work once ants make
// tours like the best. On asymmetric instances 3opt makes the exchanges of three edges that turn no path
// round, with 10 neighbours of the way there and of the way back; 2opt and oropt refuse them. In acs the local updates are those of the tours as the ants walked.
//
// local_search=2opt-rounds is the search of package [metalab/solvers/rounds]: many disjoint 2-opt moves at
// once; oropt-rounds also inserts segments of up to three cities elsewhere. They begin at the same cities, and
// make their moves in an order that a block of a GPU's threads can keep, so there the tours stay where the ants
// walked. All variants but focused take them; the other searches need tours on the host.
//
// How fast 800 ants come near the optimum with a search in rounds: gaps in percent after so many iterations of mmas/scan,
// preset paper-2opt where nothing else is said, seed 1, on a CPU. What is few there, iterations, is what a GPU is short of: it
// improves 800 tours in hardly more time than 200.
//
//	lin318                                   3      6     12     24     48
//	2opt-rounds, rho 0.8                    4.34   3.24   2.52   1.34   0.00
//	2opt-rounds, rho 0.8, deposit best      4.34   3.18   3.00   0.71   0.13
//	2opt-rounds, rho 0.6, best_period 2     4.11   3.03   1.50   0.28   0.28
//	2opt-rounds, rho 0.5, best_period 3     3.41   2.79   0.46   0.19   0.15
//	oropt-rounds, rho 0.8                   1.35   1.33   1.25   0.17   0.15
//	oropt-rounds, rho 0.6, best_period 2    1.84   1.56   0.39   0.30   0.30
//	rat783                                   4      8     16     32     64
//	2opt-rounds, rho 0.8, best_period 3     8.00   7.78   5.84   2.88   1.64
//	2opt-rounds, rho 0.6, best_period 2     7.26   5.64   3.32   1.34   0.39
//	oropt-rounds, rho 0.8, best_period 3    4.19   3.86   3.00   1.86   0.50
//
// A small rho is there sooner and stays where it is, so with time to spare it wants resets; segment insertion halves
// the first gap and more. Preset best-local of mmas/wrs, rows and thin is oropt-rounds with rho 0.8 and a reset after 100
// iterations without a better tour. On an H200 (22 November 2026, wrs, backend cuda, medians of 5, 5 and 3 seeds) it reached, without opening the run, the gap that a published
// program has after 3.4, 8.4 and 17.9 s on pr1002, pr2392 and fnl4461 (0.2, 0.43 and 0.48 %) in 0.11, 0.34 and 1.6 s; see package
// metalab/kernels/ants. With the same number of tours in all, few ants are better: lin318, 48,000 tours, rho 0.9, means
// of two seeds after 12,000 and after all: 800 ants 3.31 and 0.43, 400 ants 2.81 and 0.15, 200 ants 1.08 and 0.00, 100 ants 0.22 and 0.15.
//
// # Large instances
//
// An ant of mmas/focused does not make a tour city by city: it takes a good one, changes a few
// edges where trails lead, and improves it from their ends. Its cost does not grow with the
// number of cities, so name that variant from some two thousand cities on:
//
//	solvers.Config{Solver: "mmas", Variant: "focused", Instance: inst}
//
// (The default is mmas/scan whatever the size: a variant's trajectory is part of its name.)
// All ants of an iteration begin with the same tour; afterwards it goes on by all their
// changes that were accepted and still fit, so an iteration may shorten it in a hundred places.
// accepted and taken are the shares of such ants. The preset best takes temperature > 0 below
// 25000 cities, where the tour otherwise soon has no improvement left that an ant can find; it
// falls to 0 in cycles that grow.
//
// # The six choices of mmas
//
// mmas/rows has the algorithms of R. Skinderowicz's paper on the GPU: selection=rwm, a
// roulette wheel, or wrs, weighted reservoir sampling with a key for each eight places; tabu=lc, ct or bt, how the unvisited are known;
// lists of any length or none (candidates=0). Sums are added in an order that a warp can keep,
// so that backend cuda makes the same tours. Without lists lc and ct make the same tours too, for
// their lists have the same order, and with lists all three do: what the tabu list changes is time.
//
// The paper's table 8 finds no difference in quality between the six. Made again at reduced
// repetitions: mean gaps in percent, n ants, 100 iterations, no lists, preset paper, 5 seeds,
// each algorithm with seeds of its own:
//
//	           rwm lc  ct    bt    wrs lc  ct    bt
//	eil51      4.23   2.58  4.41   4.08   4.27  3.10
//	berlin52   4.93   4.63  6.06   5.34   6.71  3.00
//	st70       4.41   3.79  5.04   3.11   2.99  4.24
//	eil76      4.87   8.33  7.14   6.25   5.61  4.20
//	pr76       3.86   3.82  3.91   4.05   3.14  4.69
//	kroA100    5.14   3.85  5.11   6.03   5.25  4.90
//	eil101     6.93   8.68  8.93   8.20   6.90  7.06
//
// Friedman's test over the 35 blocks of an instance and a seed gives p = 0.25, mean ranks from
// 3.06 (wrs bt) to 4.06 (rwm bt): no difference either, as it must be where the six draw from one
// distribution (chi-square tests hold each to it). The means differ by as much as 5 seeds do:
// lc and ct, one algorithm, are 3.5 apart on eil76. After 100 iterations without lists and without
// a local search all are some 5 % above the optimum.
//
//	METALAB_TABLE="5 eil51 berlin52 st70 eil76 pr76 kroA100 eil101" go test ./solvers/ants -run RowsTable -v
//
// mmas/thin makes the same choices without looking at all that is unvisited: the
// nearest and the heaviest cities have clocks, the others arrive in a Poisson process, and visited ones are
// thinned out. With 20 ants on a CPU it takes a third to a quarter of wrs's time from 1000 to 3000
// cities, and one and a half times that of rwm (a part of it for tables, which are made once an
// iteration). The fast ways on a CPU are mmas/scan and mmas/focused.
//
// # The variants of acs
//
// In acs/seq each ant sees every local update before its choice. The others let many ants work
// at once, on many cores and on a GPU: lockstep counts the visits of a step; in alt ants make whole tours
// and see the updates of others late; spm and spm-alt store the trails of a few edges a city
// and forget the oldest, which also widens the search: tours of good edges that were forgotten are
// found anew. hit_ratio is the share of local updates that found their trail stored.
//
// With more ants an edge is worn down more often between two global updates, and what counts only now and
// then wears it too little: of 32000 tours of pcb442, preset paper, the gap in percent after (one seed)
//
//	ants  local_period   seq  lockstep   alt   spm  spm-alt
//	  64             1   4.6       5.6   4.7   3.7      3.9
//	  64             4     -         -   7.8   6.9      4.0
//	 256             1     -         -   5.5     -        -
//	 256             4     -         -     -   7.2      6.4
//
// So the preset best of alt, spm and spm-alt has 64 ants and local_period 1; lockstep's has other exponents. On a GPU 256 ants take hardly longer than 64, and there the paper's 256 with local_period 4 are the
// better use of a second. TestTableACS makes such tables.
//
// The paper's figure 6, re-made: pcb442, spm, preset paper, 100 iterations of 256 ants, seed 1. The share of updates that
// find their trail rises steeply up to 4 slots, as published (two for the good tour's
// edges, two for what ants try beside them), and hardly after 8; the tours profit up to 16.
//
//	spm_slots     1      2      4      8      16     32
//	hit ratio     0.381  0.780  0.966  0.983  0.993  0.994
//	gap in %      19.1   17.2   11.1   8.1    4.8    7.2
//
// Its comparisons of variants and of local_period, reduced: d198, preset paper, 256 ants, 500 iterations, medians of
// three seeds, and for the periods 1, 16 and 64 seed 1. spm is not behind seq, as published; a rarer update
// costs spm-alt nothing here and saves some time. lockstep had 5.9 before it had trails for edges beyond the lists, which
// join the groups of cities of d198.
//
//	          seq   lockstep  alt   spm   spm-alt    alt, period 1, 16, 64    spm-alt, 1, 16, 64
//	gap in %  3.0   1.5       2.3   1.4   1.9        4.8, 3.3, 3.7            2.2, 2.7, 1.7
//	CPU s     1.9   7.4       1.9   4.2   4.5        2.4, 1.8, 1.7            5.1, 4.6, 4.4
//
// The preset best of seq and of lockstep, equal numbers of tours: medians of the gap in percent over seeds 1 to 10 and p of
// Mann-Whitney's test. Both have the local search oropt; without one lockstep is ahead on two of three.
//
//	                    d198                   pcb442                 pr1002
//	                    seq   lockstep  p      seq   lockstep  p      seq   lockstep  p
//	best, 3200 tours    0.00  0.00      0.37   0.15  0.00      0.01   0.19  0.20      0.73
//	oropt-rounds, 3200  -     0.00      0.12   -     0.44      0.0002 -     1.09      0.0002
//	none                4.56  1.77      0.014  5.13  4.81      0.34   14.5  11.2      0.0002
//	    tours           32000                  32000                  16000
//
// (In the second line lockstep has the search in rounds, and p is against best of seq.) Since its revision 3 an ant of lockstep that falls back
// wears no trail, so that none has to wait for it. That changed little: with revision 2 the three of the last line were 2.2, 5.3
// and 10.3 (p 0.97, 0.24 and 0.03).
//
// spm-alt with 256 ants and local_period 4 gains by more slots and more local evaporation: pr1002, preset paper, 200 iterations, gaps
// of seeds 1 to 4: 8.0, 10.6, 7.5, 9.8; with spm_slots=16 rho=0.03: 5.9, 7.6, 6.7, 6.8.
//
// E1M.0 with spm and 64 ants, preset paper: 17.5 CPU seconds an iteration, 1.54 GB, 22.3 % after the second.
//
// # Results and cores
//
// Ants of as and mmas, and all local searches, are spread over the cores; a tour depends only on
// the trails, the seed, the iteration and the ant's number, so the number of cores changes nothing.
// acs/seq is sequential by nature. Draws are stated in each variant's Layout.
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
// Evaluations are tours built, one an ant and iteration; those of mmas/focused are tours
// changed, for its ants change a part of a tour. What a local search tries is not counted.
//
// # Comparing with ACOTSP
//
// ACOTSP's rho is 1 minus the rho of as and mmas here, its storage is the matrix, and
// without local search its mmas is deposit=mixed best_period=25 p_best=0.05; its acs is alpha=0.1
// rho=0.1. Its branching factor is half of the one here.
package ants
