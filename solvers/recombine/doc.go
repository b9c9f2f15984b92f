// Package recombine is the genetic algorithm on any problem that package metalab/solvers/moves has
// moves of, and on problems of somebody's own: the variant generational of the solver ga.
//
//	open ga tai50a variant=generational as g;  step g 10s
//	open ga knapsack as k crossover=two-point mutation=0.5;  step k 500
//
// # A generation
//
// An iteration makes as many children as there are solutions in the population. Each has two
// parents, the best of a few solutions drawn at random (tournament, after D. E. Goldberg and
// K. Deb, 1991). A share of the children (crossover_share) is recombined of both, the others are
// copies of the first; a share of all (mutation) is then changed by random moves. The children take
// the place of the population, but for a few of its best solutions (elite, after K. A. De Jong,
// 1975), which take that of the worst children.
//
// # Crossovers, by how solutions are written
//
//   - bits and values: one-point and two-point (J. H. Holland, 1975; K. A. De Jong, 1975), uniform
//     (G. Syswerda, 1989).
//   - permutations: order (L. Davis, 1985), pmx, partially mapped (D. E. Goldberg and R. Lingle,
//     1985), position, which keeps the entries of half of all positions (G. Syswerda, 1991), and
//     edge recombination (D. Whitley, T. Starkweather and D. Fuquay, 1989).
//   - real numbers: blx, from a box around both parents (L. J. Eshelman and J. D. Schaffer, 1993),
//     and sbx, simulated binary crossover (K. Deb and R. B. Agrawal, 1995).
//
// A crossover is a row of the table in cross.go with its function beside it. Real numbers outside
// the box are put on its side.
//
// # Numbers
//
// Children are evaluated whole, one after the other by a worker's walk, so that the number of
// workers changes no result, and a mutation by its delta where there is one. Real crossovers take
// powers of package metalab/solvers/arith.
package recombine
