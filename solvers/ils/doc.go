// Package ils is the solver ils, iterated local search on the travelling salesman problem: a
// tour is brought to a local optimum, then kicked and repaired again and again, and what is
// not longer is kept. It has two variants:
//
//   - queue, the default, repairs a kick from a queue of the cities that it touched, by the
//     moves of package tours up to Lin-Kernighan chains. It runs on the CPU.
//   - 2opt-rounds makes many 2-opt moves, and segment insertions if wanted, at once, in
//     rounds that a CPU and a GPU walk alike; package rounds defines them, and
//     [metalab/kernels/rounds] makes them on a GPU. It is for many chains side by side.
//
// The words: a kick is a random change of four edges (a double bridge); a chain is one tour
// with its kicks; an iteration is a block of kicks in every chain.
//
// # The variant queue
//
// Its first iteration brings every chain's start to a local optimum; each further one
// makes a block of kicks in every chain. Chains are independent within an iteration, so
// the number of cores changes nothing but the time; between iterations the longest
// may go on from the shortest.
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
package ils
