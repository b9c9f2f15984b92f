// Package ants holds the ant algorithms for the travelling salesman problem, symmetric or not: Ant
// System (solver as), MAX-MIN Ant System (mmas) and Ant Colony System (acs), as algorithms that
// package solvers steps. Import it for its registrations:
//
//	import _ "metalab/solvers/ants"
//
//	run, err := solvers.Open(solvers.Config{Solver: "mmas", Instance: inst, Seed: 42})
//	err = run.Step(ctx, 100)
//
// # How it is built
//
// A policy decides; a crew does the heavy work. The three policies are as.go, mmas.go and acs.go:
// each has an Iterate that reads like its paper's pseudocode, and decides which tour is rewarded,
// by how much, within which limits, and when trails are reset. A crew constructs the tours,
// improves them and stores the trails, behind the interface of package crew. There is one on the
// CPU (package cpu) and one on GPUs (metalab/kernels/ants), and a Backend chooses between them. The
// policy is the same code, so both have the same history.
//
//	policy      as.go mmas.go acs.go, and colony.go, which they share
//	  crew      the interface: Setup, Rules, Update, Crew
//	    cpu     the crew on the host's cores: a file a form of construction
//	      local the local search
//	      trail candidate lists, trails by slot or by edge, memories, their states
//
// Every run opens colonies.go: as many colonies as the parameter colonies says, each a policy with
// a crew, which exchange their best tours (exchange.go).
//
// variants.go is the table of variants, params.go has the parameters, presets.go the presets.
// mmas/focused, whose ants change a tour instead of constructing one, is apart: focused*.go.
//
// # The words
//
//	construct        to make a tour, city by city
//	candidate list   a city's nearest cities, among which an ant chooses; its entries are slots
//	fall back        to go where no candidate is unvisited
//	trail            the pheromone of an edge, tau; visibility is 1 / (distance + 0.1),
//	                 or 1 / distance in the systems of R. Skinderowicz
//	evaporate        tau <- rho tau on all edges (as, mmas)
//	deposit          to add to the trails of a tour's edges: to reward the tour
//	local update     what an ant of acs does to the trail of an edge that it takes
//	best so far      the shortest tour of the run; mmas also has that since trails were set back
//	store            where trails are: a Table, an Extended one or a Memory, of package trail
//	form             how a crew constructs the tours of a variant
//
// # The way of a parameter: q0
//
//	params.go                 declareSteps names q0, its range and what it does
//	colonies.go               Changed tells each colony that it changed
//	acs.go                    Changed calls rules, which puts it into crew.Steps
//	crew/crew.go              Steps.Threshold makes it a number that a random word is compared with
//	cpu/seq.go ...            a form's rules keeps stepRules; exploits makes the choice
//	metalab/kernels/ants      rulesOf (args.go) packs it as Greedy of rulesArg, which the method
//	                          rules of rings.go and lockstep.go uploads; TestLayout holds it to
//	                          struct rules of acs.cuh, where draw_explore compares
//
// # How to add a variant
//
// Write its form in package cpu: a type with three methods, construct (makes all tours of an
// iteration, by c.each or by its own loop), undo and rules. If it stores trails like other
// variants, use newTable. Then add a line to the table of variants.go: names, title and source, the
// policy, the form, presets and parameters. The line's layout states how random numbers are drawn.
// A test calls conform.Check, which checks the laws. For a form on GPUs see the doc of
// metalab/kernels/ants; nothing changes here.
//
// # What an ant does
//
// An ant starts in a random city and goes to unvisited cities until it has been to all. From city c
// it chooses among the unvisited cities on c's candidate list by weights
//
//	w(j) = tau(c,j)^alpha v(c,j)^beta
//
// of the trail tau and the visibility v; acs has no alpha here, and takes the greatest weight with
// probability q0. Otherwise it draws a city with a probability in proportion to w. v is 1 / (d(c,j)
// + 0.1) as in T. Stuetzle's ACOTSP 1.03, where the 0.1 keeps weights finite between cities at the
// same place. In mmas/rows, acs/gpu, alt, spm and spm-sync it is 1 / d(c,j), as R. Skinderowicz has
// it; he says nothing of cities at one place, and a distance of 0 counts as 0.1 here. Weights are
// float32 and kept within 2^-100 and 2^100 of a scale near 1, so that no candidate ever has weight
// 0. Package cpu says at each form exactly how it draws.
//
// When all candidates are visited, the ant goes to the city of greatest weight among all unvisited
// ones, as in the papers; to the nearest of those with equal weights, and of equally near ones to
// that with the smallest number. Numbers are those of [tours.Space]. The search for this city is
// exact, but seldom has to look at all cities.
//
// # Trails
//
// An edge of a symmetric instance has one trail. All edges that were never rewarded have the same
// trail: it evaporates and stays within the limits like the others (as, mmas), or remains tau0
// (acs). So with storage=candidates, slots for the edges on candidate lists and entries for the few
// others that were rewarded hold what a matrix would hold, in O(n candidates) memory. Tours do not
// depend on the storage, with one exception: as, which rewards every ant, forgets at every 8th
// iteration the edges on no list whose trail is below 1/1024 of the initial one. storage=matrix
// takes 12 n^2 bytes and looks at a whole row when the candidates are visited. The variants that
// also run on a GPU have trails for listed edges only: a deposit on another edge is lost.
//
// Trails are float32. as and mmas: tau <- rho tau, then 1/L for the edges of each tour of length L
// that is rewarded, each time in the order of the tour, ants in order.
//
//   - as rewards all tours. Trails begin at 1 / ((1 - rho) Lnn), Lnn being the length of the
//     nearest-neighbour tour from city 0.
//   - mmas rewards one tour, see the parameter deposit, and keeps trails in [lo, hi] with hi = 1 /
//     ((1 - rho) Lbest), lo = hi (1 - p) / (p c), p = p_best^(1/n); they begin at hi. c is n / 2 -
//     1 with choices=n/2 (T. Stuetzle, H. H. Hoos, 2000, equation 11), (k + 1) div 2 with
//     choices=list (ACOTSP 1.03), k the length of the lists. The schedules of deposit=mixed and its
//     resets are those of ACOTSP 1.03. The deposit first raises trails below lo, tau <- max(rho
//     tau, lo), as in R. Skinderowicz, 2020, section 2.1.
//   - acs: after each local_period-th choice tau <- (1 - rho) tau + rho tau0; after the iteration,
//     for the edges of the best tour so far, tau <- (1 - alpha) tau + alpha / Lbest; tau0 = 1 / (n
//     Lnn). Trails never fall below tau0. In seq a choice sees all updates before it: in a step all
//     ants move in turn; at the end comes the local update of each ant's closing edge, in turn. In
//     gpu and alt that edge counts as choice n, so it is updated only where n is a multiple of
//     local_period, in spm and spm-sync never: so does the program of R. Skinderowicz, 2016, whose
//     text only says that every k-th edge is updated.
//
// R. Skinderowicz, 2016, has four systems: ACS-SEQ is seq, ACS-GPU is gpu, ACS-GPU-Alt is alt, ACS-
// GPU-SPM is spm. In the variants other than seq many ants work at once. In gpu they wait for one
// another after each step, and update trails within the step by atomic operations, in random order.
// Two runs may differ, also on the CPU, so compare its results by statistics; on the CPU each
// worker lets 16 ants choose before they update, so that one worker is no acs/seq. In alt and spm
// ants make whole tours and see the updates of others late; spm stores the trails of a few edges a
// city and forgets the oldest, which also widens the search: an edge whose trail is forgotten
// attracts ants no more than one that was never taken. lockstep, which counts the visits of a step,
// and spm-sync, whose updates come at stated steps, are ours: they have one history on all devices.
// hit_ratio is the share of updates that found their trail stored, in spm and spm-sync and on all
// devices of local and global updates, as in the paper's figure 6. An update of an edge counts at
// each of its cities. An iteration counts the local updates of its ants, and the global update
// after the previous iteration.
//
// # Local search
//
// local_search improves every ant's tour, or with local_share below 1 the shortest ones of the
// iteration, before they are rewarded, by [tours.Search] with the neighbours that local_neighbours
// and local_lists name (10, from all quadrants). It starts at the cities that have another
// neighbour than in the best tour so far (all, before there is one), which saves most of the work
// once ants make tours like the best. On asymmetric instances 3opt makes the exchanges of three
// edges that turn no path round, with neighbours of the way there and of the way back; the others
// refuse them. In acs the local updates are those of the tours as the ants constructed them.
//
// 2opt-plain is the 2-opt of R. Skinderowicz, 2020, section 5.7: exchanges of two edges with an
// array of don't-look bits, here a queue, none of which is set when a tour comes from its ant. The
// paper leaves open which of several exchanges applies, as groups of threads search at once: here
// it is the first one from the queue's cities in turn. On a GPU groups of threads search from the
// cities at the head of the queue at once, and the first of them with an exchange applies it, so
// the tours are the same. The preset paper-2opt has it with the 32 nearest neighbours.
//
// 2opt-best is that of the published program, which the preset program-2opt has: cities come into
// the queue in the order of the tour, and of a city's exchanges, of the edges on both sides and all
// its neighbours, the one that gains most applies. On d198 the program, on an H200, found the
// optimum in 19 of 20 runs; changed to take the first exchange that gains, in 10. One condition of
// its variant with lists was moved for these runs: a vote of a part of a warp hangs on that chip.
//
// local_search=2opt-rounds is the search of package [metalab/solvers/rounds]: many disjoint 2-opt
// moves at once; oropt-rounds also inserts segments of up to three cities elsewhere. They begin at
// the same cities, and make their moves in an order that a block of a GPU's threads can follow too.
// So on a GPU the tours stay in its memory, as with 2opt-plain and 2opt-best. All variants but
// focused take them; the other searches need the tours on the host.
//
// local_search=tiles brings a tour to a local optimum as oropt does, on the host's cores, and then
// makes local_kicks kicks for each city as the variant ils/tiles does (package
// [metalab/solvers/tiles]), 16 tours at once, on a GPU where the ants are on one. It is the one for
// many cities and few ants: a tour of 100,000 cities does not fit into the shared memory that the
// searches in rounds, 2opt-plain and 2opt-best need. The improved tours are copied back to the
// ants' device.
//
// # Large instances
//
// An ant of mmas/focused does not build a tour city by city: it copies a good one, changes a few
// edges where trails lead, and improves it from their ends. Its cost does not grow with the number
// of cities, so mmas means mmas/focused above two thousand cities in the plane if a configuration
// names nothing else:
//
//	solvers.Config{Solver: "mmas", Instance: inst}
//
// With parameters or a preset but best, and in experiments, mmas without a variant is mmas/scan at
// every size, and the name of a variant always says what it computes. All ants of an iteration of
// mmas/focused begin with the same tour. Afterwards the tour receives all accepted changes that
// still fit together, so an iteration may shorten it in a hundred places. The measures accepted and
// taken are the shares of ants whose changes were accepted, and applied.
//
// Such ants hardly change the decisions of the first tour. So after each cycle some ants build
// whole tours, by flattened trails and visibility, and a local search improves each to an optimum.
// These and the tour that ants change form a pool, and edge assembly combines its better parts.
// This is ours, after the pools of ils/queue, and so are the lists of alpha-near neighbours. pool=0
// disables pools. The measure pool is the number of tours in the pool.
//
// mmas/thin chooses among all unvisited cities without looking at each. The nearest and the
// heaviest cities have a random clock each; the others arrive in a Poisson process, from which
// visited cities are thinned out. The fast variants on a CPU are mmas/scan and mmas/focused.
//
// # Results and cores
//
// Ants of as and mmas, and all local searches, are spread over the cores; a tour depends only on
// the trails, the seed, the iteration and the ant's number, so the number of cores changes nothing.
// acs/seq is sequential by nature: one core constructs, however many there are, and all of them
// make the local search. So its speed-up is at most 1 / (1 - p), where p is the part of the local
// search in an iteration; colonies are made side by side. Draws are stated in each variant's
// Layout.
//
// The digest of an iteration chains [arith.HashPerm] of the ants' tours, in internal numbers and
// ant order, and at every 64th iteration a hash of the trails of the listed edges.
//
// # Measures
//
// branching is the mean lambda-branching factor with lambda 0.05, computed at the first and every
// 10th iteration; fallback is the share of choices for which all candidates were visited; tau_min
// and tau_max are the limits of mmas after the iteration; resets is the number of resets of its
// trails.
//
// Evaluations are tours built, one an ant and iteration; those of mmas/focused are tours changed,
// for its ants change a part of a tour, and those that they build for a pool. The tours of a local
// search do not count.
//
// # Comparing with ACOTSP
//
// ACOTSP's rho is 1 minus the rho of as and mmas here, its storage is the matrix, and without local
// search its mmas is deposit=mixed best_period=25 p_best=0.05; its acs is alpha=0.1 rho=0.1. Its
// branching factor is half of the one here.
//
// # Figures
//
// The verb bench prints the results of variants and presets, in the tables whose names begin with
// ants-; solvers/bench/figures/README.md shows them too.
package ants
