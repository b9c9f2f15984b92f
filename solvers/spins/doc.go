// Package spins is anneal/spins: simulated annealing of max-cut, Ising models and QUBO whose walks
// are the bits of words, so that an operation on a word serves 32 or 64 of them; and
// anneal/population, population annealing by the same sweeps.
//
//	open anneal/spins G22 as a walks=256;  step a 10s;  plot a
//	open anneal/population G63 as b walks=256 preset=slow
//
// # The words
//
//   - A walk is a solution that moves; walk w is bit w mod 32 of the words of group w / 32, one
//     word a vertex. The bit is the side of the vertex.
//   - A sweep tries the flip of each vertex once, in all walks.
//   - The temperature t is in units of the scale: the root of the mean, over the vertices, of the
//     squared change of the cost by a flip at random sides. It is the root of the mean degree
//     where the weights are 1 and -1.
//
// # The law
//
// What follows defines the result; backends, words of 32 or 64 bits, blocks and workers do not
// change it.
//
//   - The vertices are coloured so that neighbours differ. A connected part of the graph without
//     odd cycle gets the colours 0 and 1, its smallest vertex 0; this is done where all parts are
//     such. Else the vertices are coloured in the order of falling degree, ties in that of their
//     numbers, each by the smallest colour that no neighbour has. A sweep takes the colours in
//     turn; vertices of a colour do not interact.
//   - The flip of a vertex in a walk makes the cost grow by d. It is made if d <= 0, or if u <
//     q(d). u is a number of 32 bits, uniform, of its own; q(d) = min(2^32 - 1, floor(2^32 2^-y))
//     for y = d / (t scale ln 2) below 32, else 0; 2^-y is arith.Exp2, which all machines compute
//     alike. So every loss has its threshold, however hot it is.
//   - Bit 31-b of u is bit w mod 32 of word b mod 4 of the draw Philox4x32-10 with key = seed and
//     counter = {i low, i high ^ b/4 << 20 ^ 2 << 24, v ^ s << 20, w / 32}, for iteration i, the
//     instance's vertex v and sweep s of the iteration, from 0. So a walk does not depend on how
//     many there are.
//   - At the start the side of v in walk w is bit w mod 32 of word 0 of the draw with counter =
//     {0, 1 << 24, v, w / 32}.
//   - All sweeps of an iteration have one temperature. It starts at temperature, and each
//     iteration leaves cooling of it (schedule=geometric) or takes 1 - cooling of the start away
//     (linear). When it would not be above cold, an iteration at temperature 0 follows instead,
//     which makes only flips that lose nothing; then the next cooling starts at reheat.
//   - The best solution is that of the smallest cost at the end of an iteration, of the first such
//     walk; its cost is computed again from the edges.
//
// # Populations
//
// In anneal/population an iteration that is followed by a colder one, not at temperature 0, ends by
// resampling. Islands are island walks that follow each other. In each, walk i gets the weight 2^-y
// for y = (1/t' - 1/t) / (scale ln 2) times the difference of its cost from the island's least, of
// temperatures t and t'. Of k walks, walk i has as many copies as there are whole numbers m with m
// + u from k times the share of the weights before it to that with its own: systematic resampling,
// in the order of the walks, with one u an island from word 0 of the draw with counter = {i low, i
// high ^ 3 << 24, island, 0}. Islands do not exchange: an island's walks do not depend on others.
//
// So the best of a run is made again by the walks of one island; a run of anneal/spins needs only
// the 32 walks of a word:
//
//	replay b.run best
//
// The cost of islands was measured on one graph: on G35 with 1,024 walks, 8 sweeps and a cooling
// of 341 iterations (seeds 1 to 5), islands of 32 ended at cuts of 7,684 to 7,685, those of 128 at
// 7,685 to 7,686, and one of all walks at 7,686.
//
// # How it is computed
//
// The good edges of a vertex, those that add nothing to the cost, are added up in planes: plane j
// holds bit j of the sum of each walk. Walks with the same loss are one mask (level); random bits
// and bits of the thresholds are compared from the highest on, until all walks of the word are
// decided. Losses beyond 16 levels are compared walk by walk. A field is an edge to a vertex that
// is always on side 1. Weights that differ in size are added bit by bit of the weight, which is
// slower.
//
// # Sources
//
// S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Optimization by simulated annealing, Science 220
// (1983), doi:10.1126/science.220.4598.671. Replicas in the bits of a word (multi-spin coding) are
// from L. Jacobs and C. Rebbi, Multi-spin coding: a very efficient technique for Monte Carlo
// simulations of spin systems, J. Comput. Phys. 41 (1981), doi:10.1016/0021-9991(81)90089-9.
// Population annealing: K. Hukushima and Y. Iba, AIP Conf. Proc. 690 (2003), doi:10.1063/1.1632130;
// W. Wang, J. Machta and H. G. Katzgraber, Phys. Rev. E 92 (2015), doi:10.1103/PhysRevE.92.063307.
// The comparison from the highest bit, the schedule, the scale and the islands are ours; their
// populations may change in size, ours do not.
package spins
