// Package threshold is a solver which makes moves at random on any problem that package moves has
// moves of, as metalab/solvers/anneal does, but draws no chance for those that make a solution
// worse: a threshold decides.
//
//	open threshold tai50a as a seed=1;  step a 10s;  plot a
//	set a threshold=0.2 lowering=0.9995;  step a 10s
//	fork a as b variant=record threshold=1
//
// It has two variants, which differ in what the threshold is held against, and whose runs can be
// forked into each other:
//
//   - accepting: by how much the move makes the cost worse. A move is made if that is less than the
//     threshold, which falls.
//   - record: by how much the cost after the move is above the least so far, the record. Here the
//     threshold is the paper's deviation, and stays what it is unless lowering is set.
//
// Moves that make a solution no worse are always made: in both papers that follows from a threshold
// above 0, and here it holds also where one was lowered under a walk.
//
// # The words
//
//   - A threshold is in units of the scale, which is by how much random moves change the cost in
//     the mean where the walk starts. So the same thresholds suit lengths and conflicts.
//   - A descent is the iterations in which the threshold falls from its start to its end. Then the
//     walk goes back to its best solution, and the threshold rises for the next one.
//
// An iteration draws a stated number of moves (parameter moves) at one threshold, which it then
// multiplies by lowering. All of it may be turned while the run goes on: threshold acts at once,
// lowering, low and rise on what follows. Figures show the threshold and the share of the moves
// that are made.
//
// # The papers
//
// G. Dueck and T. Scheuer, Threshold accepting: a general purpose optimization algorithm appearing
// superior to simulated annealing, Journal of Computational Physics 90 (1990),
// doi:10.1016/0021-9991(90)90201-B. G. Dueck, New optimization heuristics: the great deluge
// algorithm and the record-to-record travel, Journal of Computational Physics 104 (1993),
// doi:10.1006/jcph.1993.1010. Scale, schedule and what follows a descent are ours.
package threshold
