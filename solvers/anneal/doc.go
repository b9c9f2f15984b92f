// Package anneal is simulated annealing, the solver anneal: it draws random moves, applies those
// that improve a solution always, and those that worsen it with a probability that falls with the
// temperature. It runs on any problem for which package moves has moves, and is also the solver to
// copy for your own: anneal.go is all of it, except for GPUs.
//
//	open anneal tai50a as a seed=1;  step a 10s;  plot a
//	set a temperature=0.2 cooling=0.9995;  step a 10s
//	open anneal E1k.0 as b walks=4 preset=slow
//
// # The words
//
//   - A move is a small change of a solution, and a neighbourhood is the list of all moves of one
//     sort; see package metalab/solvers/moves. On tours whose two directions are alike the moves
//     are those of 2-opt (neighbourhood=reverse), unless you choose another sort.
//   - A walk is a solution that moves. Several (parameter walks) run in parallel, each on one core,
//     with the same schedule.
//   - The temperature t is in units of the scale, the mean change of the cost by random moves at
//     the start of a walk. A move that worsens the cost by d is applied with the probability exp(-d
//     / (t scale)). So the same temperatures suit lengths and conflicts.
//   - A cooling is the sequence of iterations in which the temperature falls from its start to its
//     end. Then the walk returns to its best solution, and heats up for the next one.
//
// On max-cut, spin glasses and QUBO an iteration tries the moves in turn (order=sweep), and draws a
// number only for those that are worse; order=random draws moves, too, as elsewhere.
//
// An iteration draws a stated number of moves (parameter moves) at one temperature, which it then
// multiplies by cooling. So a record contains the whole schedule, and users can change each part
// during a run: temperature acts at once, cooling, cold and reheat later. Figures show the
// temperature and the share of applied moves.
//
// # On a GPU
//
// With on=cuda it runs on users' problems (metalab/solvers/own), on bits, values and permutations,
// with kernels compiled from the problem's methods: remote.go lets an engine apply the moves, which
// are the same.
//
// # To copy
//
// [solvers.Algorithm] says what each method must do. This one shows what most searches need: live,
// structural and schedule parameters, draws that follow from seed, iteration, walk and place, a
// pool of goroutines that cannot change a result, an iteration that can be abandoned, a state that
// is saved and forked with other values, and a start at a given solution. Omit what yours does not
// need: without StartAt, Changed, Counts and Trace it is still an algorithm.
//
// Code that decides a result calls no math.Exp and no math.Log, whose last bits differ between
// machines: the acceptance uses the logarithm of package metalab/solvers/arith. Wrap products that
// feed sums in float64().
//
// The table anneal of package metalab/solvers/bench/figures compares it with hill and tabu.
//
// # The paper
//
// S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Optimization by simulated annealing, Science 220
// (1983), doi:10.1126/science.220.4598.671. The schedule, its scale and the heating are ours.
package anneal
