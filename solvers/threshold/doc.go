// Package threshold is a solver that draws random moves on any problem for which package moves has
// moves, like metalab/solvers/anneal, but a threshold, not chance, decides about those that worsen
// a solution.
//
//	open threshold tai50a as a seed=1;  step a 10s;  plot a
//	set a threshold=0.2 lowering=0.9995;  step a 10s
//	fork a as b variant=record threshold=1
//
// It has two variants, which compare the threshold with different values, and whose runs can be
// forked into each other:
//
//   - accepting: the increase of the cost by the move. A move is applied if that is less than the
//     threshold, which falls.
//   - record: the distance of the cost after the move from the least so far, the record. Here the
//     threshold is the paper's deviation, and constant unless lowering is set.
//
// Moves that do not worsen a solution are always applied: in both papers that follows from a
// threshold above 0, and here it also holds if a user has lowered one under a walk.
//
// # The words
//
//   - A threshold is in units of the scale, the mean change of the cost by random moves at the
//     start of the walk. So the same thresholds suit lengths and conflicts.
//   - A descent is the sequence of iterations in which the threshold falls from its start to its
//     end. Then the walk goes back to its best solution, and the threshold rises for the next one.
//
// An iteration draws a stated number of moves (parameter moves) at one threshold, which it then
// multiplies by lowering. Users can change all of it during a run: threshold acts at once,
// lowering, low and rise later. Figures show the threshold and the share of applied moves.
//
// # The papers
//
// G. Dueck and T. Scheuer, Threshold accepting: a general purpose optimization algorithm appearing
// superior to simulated annealing, Journal of Computational Physics 90 (1990),
// doi:10.1016/0021-9991(90)90201-B. G. Dueck, New optimization heuristics: the great deluge
// algorithm and the record-to-record travel, Journal of Computational Physics 104 (1993),
// doi:10.1006/jcph.1993.1010. Scale, schedule and the end of a descent are ours.
package threshold
