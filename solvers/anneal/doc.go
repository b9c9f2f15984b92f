// Package anneal is simulated annealing, the solver anneal: it makes moves at random, those that
// make a solution better always and those that make it worse by chance, less and less often as the
// temperature falls. It takes any problem that package moves has moves of, and is also the solver
// to copy for one of your own: anneal.go is all of it, but for GPUs.
//
//	open anneal tai50a as a seed=1;  step a 10s;  plot a
//	set a temperature=0.2 cooling=0.9995;  step a 10s
//	open anneal E1k.0 as b walks=4 preset=slow
//
// # The words
//
//   - A move is a small change of a solution, and a neighbourhood is the list of all moves of one
//     sort; see package metalab/solvers/moves. On tours whose two directions are alike the moves
//     are those of 2-opt (neighbourhood=reverse), unless another sort is asked for.
//   - A walk is a solution that moves. Several (parameter walks) run side by side, each on one
//     core, with the same schedule.
//   - The temperature t is in units of the scale, which is by how much random moves change the cost
//     in the mean where a walk starts. A move that makes the cost worse by d is made with the
//     probability exp(-d / (t scale)). So the same temperatures suit lengths and conflicts.
//   - A cooling is the iterations in which the temperature falls from its start to its end. Then
//     the walk goes back to its best solution, and is heated for the next one.
//
// An iteration draws a stated number of moves (parameter moves) at one temperature, which it then
// multiplies by cooling. So a record says all of the schedule, and each part of it can be turned
// while the run goes on: temperature acts at once, cooling, cold and reheat on what follows.
// Figures show the temperature and the share of the moves that are made.
//
// # On a GPU
//
// With on=cuda it runs on problems of somebody's own (metalab/solvers/own), on bits, values and
// permutations, by kernels that are compiled of the problem's methods: remote.go has an engine make
// the moves, which are the same.
//
// # To copy
//
// [solvers.Algorithm] says what each method must do. This one shows what most searches need: live,
// structural and schedule parameters, draws that follow from seed, iteration, walk and place,
// a pool of goroutines that cannot change a result, an iteration that can be given up, a state that
// is saved and forked with other values, and a start at a given solution. Leave out what yours does
// not need: without StartAt, Changed, Counts and Trace it is still an algorithm.
//
// What decides a result calls no math.Exp and no math.Log, whose last bits are not the same on all
// machines: whether a move is made is decided by the logarithm of package metalab/solvers/arith,
// and products that feed sums would be wrapped in float64().
//
// What it reaches beside hill and tabu says the table anneal of package
// metalab/solvers/bench/figures.
//
// # The paper
//
// S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Optimization by simulated annealing, Science 220
// (1983), doi:10.1126/science.220.4598.671. The schedule, its scale and the heating are ours.
package anneal
