// Package ants makes tours of ants on a GPU: the variants as/wrs, mmas/wrs, mmas/rows, mmas/thin, acs/lockstep and acs/spm of
// package metalab/solvers/ants, whose results these kernels have bit for bit, and acs/alt and acs/spm-alt, whose
// ants race. Import it, in
// a program built with the tag cuda, for its registrations under the backend cuda.
//
// # One iteration
//
// Trails and tours live on the device. What is to be done is written to a job in pinned
// memory; then come, in one stream and for as/wrs and mmas/wrs as one graph:
//
//	note     keeps the tours that the host decided to keep, checks a new best one, and writes
//	         the rewarded tour as neighbours of cities
//	prepare  rewards and evaporates, and makes what choices need, one thread per slot
//	walk     makes the tours, one warp per ant, and of each its length, its hash and the
//	         number of choices that its candidates could not make
//
// then, with local_search=2opt-rounds or oropt-rounds, the search of package kernels/tours on the tours where they
// are, or on the share of them that is shortest; it brings lengths and hashes up to date. Note runs before, so
// the best tour that it is told is that of all iterations before, as on the CPU. Other local searches (of acs/alt, spm and
// spm-alt) are made on the host's cores, to which the tours are copied.
//
// At last the numbers of the ants, 24 bytes each, are copied back. So the reward of an iteration
// is made at the start of the next one, or as soon as somebody asks for the trails.
//
// # The deposits of as/wrs
//
// All ants reward, so before prepare comes deposit: a warp takes 128 positions of a tour, its lanes compare the list of each
// city with the cities before and behind it, and those that find one add the tour's share to the slot's sum, 64 bits, by an atomic
// addition. Shares are whole numbers (walkers.Shares), so the order of additions does not count; prepare_all turns
// a sum into a trail once and leaves 0 behind. The walk is that of mmas/wrs. m ants in n cities take m n reads of a list, 64
// bytes each, and up to 2 m n additions. Computed, not measured: at the 41 G rows a second that L2 was measured to give
// (below), n ants' reads take 0.024 ms on pr1002 and 0.14 ms on pr2392, beside walks of 0.257 and 0.943 ms (below; of rows with wrs);
// prepare_all moves 32 bytes a slot, 1.03 and 2.45 MB.
//
// # The walks
//
// Lane s of a warp looks at slot s of the list of the ant's city. In mmas/wrs a lane has the
// Philox block of four steps, its rounds are made while the next row is on its way, and one
// reduction over the warp gives the winner's slot. The lists are copied to shared memory where
// they fit, up to some 1150 cities on a device with 227 KiB. In acs/lockstep all ants are
// resident, the grid has a barrier in each step, and an ant that falls back arrives there
// before it looks for the nearest city. The last four lanes of a row are for edges beyond the list that a best tour had, so
// that a step reads no more for them; a kernel after prepare finds their ways back.
//
// mmas/rows with lists walks as mmas/wrs does; rwm takes two sums over the warp in place of
// the reduction. Without lists a warp, or with warps above 1 a block, is an ant: a row of the
// weights' matrix is read at the places of the unvisited, which lie in shared memory, eight of a lane
// at a time, all loads under way together, four bytes a city. In wrs a lane has one key for these eight, so one block of
// draws does for 32 places, and one reduction, one shuffle and a list's entry follow the loads; up to some 230 cities
// the matrix is in shared memory, of bt a lane does not read four neighbours that are visited.
// There are up to 8192 cities, for in rwm a lane holds the sum of a segment of 256; the three matrices
// take 12 n^2 bytes.
//
// # How walks are launched
//
// Where the parameter warps is 0, the first iterations try the shapes that the device allows, each timed by
// its events: how many ants share a block, and in mmas/rows without lists how many warps share an ant. The
// program's own choice comes first; each has trials iterations, or two where it is a fifth slower than the best;
// a launch that fails is skipped, and the walk of the iteration is made under the next. Then the fastest stays.
// solvers.Run.Waves shows the table. While shapes are tried an iteration is no graph. No shape changes a result.
//
// # Figures of mmas/rows
//
// Construction in ms of n ants, a warp each (*: four warps), preset paper, on an H200 (CUDA 13.0, driver 580, November 2026):
// medians by events over iterations 1 to 20 of seeds 0, 1 and 2. Behind the stroke the
// published program (R. Skinderowicz, doi:10.1016/j.future.2020.01.011), compiled for the same
// chip and run in the same minutes, 20 iterations at its best number of warps an ant.
//
//	          rwm lc        rwm ct        rwm bt        wrs lc        wrs ct        wrs bt
//	d198      0.128/0.170   0.134/0.179   0.131/0.180   0.189/0.131   0.198/0.138   0.262/0.155
//	pcb442    0.378/0.610   0.399/0.639   0.572/0.837*  0.530/0.366   0.547/0.386   0.772/0.515*
//	rat783    0.941/1.30    0.976/1.38    1.17/1.92*    1.34/0.891    1.38/0.939    1.79/1.58*
//	pr1002    1.35/2.09     1.40/2.01     1.69/2.81*    1.95/1.47     1.99/1.51     3.19/2.82*
//	pcb1173   1.86/2.72     1.90/2.74     2.82/3.72     2.79/1.99     2.83/2.05     4.86/4.17
//	rl1889    4.29/13.7     4.37/7.27     6.75/9.39     6.98/7.63     7.05/7.35     12.8/16.5
//	pr2392    7.46/15.7     7.53/17.7     11.0/18.8     12.2/14.0     12.3/14.2     22.6/30.4
//	fl3795    44.7/83.8     44.7/61.1     37.3/85.8     44.7/55.0     44.8/55.6     79.3/115
//
// rwm is faster in all cells, wrs from 1889 cities on: that is wrs of revision 1, which had a draw and a clock for each
// city. Revision 2, with a key for eight, is to be measured. Its floor is that of rwm.
// The floor of rwm lc is its reads, 2 n^3 bytes at the 41 G rows of 128 bytes a second that L2 was
// measured to give: 0.38, 5.2 and 21 ms for pr1002, pr2392 and fl3795, whose matrix it does not hold. A whole iteration over its
// construction is 1.01 from pr1002 on.
//
// With 32 candidates, storage candidates: pr1002 0.337 rwm and 0.257 wrs, pr2392 1.05 and
// 0.943, fl3795 1.99 and 1.98 ms; the published 0.65, 1.96 and 12.4 ms (wrs lc).
// compute-sanitizer's racecheck and memcheck (with --report-api-errors no) found nothing in these; they have not seen
// revision 2, nor the walk over lists whose draws are made a step ahead.
//
// # The walk of mmas/thin
//
// A warp is an ant: its lanes have the clocks of the near cities, then race for what is far. All lanes
// that may win propose at once, which cannot change who does: a proposal that one of the same
// round beats has lost. An entry of the guide narrows a proposal to some four places of the running
// sums, which are read at once. The sums of a row are made in shared memory, in the order of the CPU:
// since rounding keeps order, the greatest of base + x is base + the greatest x, so each tile of 32
// costs the chain one addition. With few ants for a multiprocessor walk_ahead draws the first proposals before it is
// known that they are needed. The four matrices take 16 n^2 bytes, and a row must fit in shared memory.
//
// Construction in ms of n ants on an H200 (CUDA 13.0, driver 580, November 2026), preset paper, iterations 1 to 10 and
// 41 to 50; in brackets the whole iteration: pr1002 0.76 and 0.69 (0.83, 0.81), pr2392 2.70 and 2.59 (2.75, 2.68), fl3795 4.96
// and 6.03 (5.14, 6.21). The published program's best way takes 1.47, 14.0 and 55.0 ms. What
// the walk reads, some 256 bytes a step of an ant, takes 0.06, 0.34 and 0.9 ms at the speed of a copy; it was not profiled.
// memcheck and racecheck find nothing.
//
// # The walks of acs/alt, acs/spm and acs/spm-alt
//
// Lane s of a warp has the trail and the weight of slot s, read past the multiprocessor's own
// cache, in which others' updates would not show. The row of the next city is asked for before the
// local update of the edge that leads there is made. Each city has a ring of places for what is stored: in
// spm and spm-alt the slots and cities of spm_slots edges, in alt four rewarded edges beyond the list; without those
// ants cannot learn the long edges that good tours have, and pr2392 stayed at 16 %. Slots
// that are not stored hold tau_min, so a choice is one read. The places of the ring that lead beyond the list come with
// the row: after some iterations of spm and spm-alt most cities have one. In spm-alt the row also tells what is stored, so the local update of
// an edge on both cities' lists reads nothing: it is made of the row that is left and, a step later, of the row of the
// other city. In spm all blocks meet after each 32 positions, and a
// warp makes the updates of the cities whose numbers end in its own, in the order that the CPU has.
//
// # Figures of acs/alt, acs/spm and acs/spm-alt
//
// On an H200 (CUDA 13.0, driver 580, November 2026), 256 ants, local_period 4, preset paper: whole iterations by
// events in ms, and gaps in percent after 1000 iterations, medians of seeds 1 to 5 (gaps of spm, and of alt on pr2392: seed
// 1 of the version before); in brackets the published program (its selective memory made to read past L1, without which it
// ends at 8 to 21 %) on the same kind of chip, measured at another time.
//
//	          spm-alt ms   spm-alt gap    spm ms   spm gap   alt ms   alt gap
//	d198      0.24 (0.49)  3.36 (3.3)     -        -         -        -
//	pcb442    0.50 (1.02)  2.29 (2.4)     -        -         -        -
//	pr1002    1.10 (2.25)  3.67 (3.8)     2.36     4.45      0.55     5.06
//	pr2392    2.58 (5.37)  6.13 (6.1)     5.44     5.58      1.31     7.22
//
// These, and what follows, are of the version before places came with the row and updates were made of rows.
//
// spm-alt with local_period 16 on pr2392: 2.30 ms, 7.59 %. alt with n ants: 0.67 ms on pr1002, 1.79 ms on pr2392.
//
// spm-alt, seed 1: rl5915 5.09 % after 2000 iterations, 13.2 s (38,700 tours a second); brd14051 13.98 % after 1500,
// 23.4 s (16,400); d18512 takes 18 ms an iteration; usa13509 had 14.8 % after 2000 iterations of the version before, 40 s. The
// paper has 8.5 % in 1345 s, 14.1 % in 11,730 s and 18.3 % in 11,863 s for rl5915, brd14051 and usa13509. compute-sanitizer's
// memcheck finds nothing in the three; racecheck found nothing in them before their last change, and in spm after it.
//
// # Many cities
//
// City numbers have 16 bits up to 65536 cities. For more, as/wrs, mmas/wrs, acs/alt, acs/spm and acs/spm-alt have images of
// the same sources with numbers of 32 bits (26 in a link, beside which stands a slot), up to 2^26 - 1 cities; rows, thin and
// lockstep refuse them and say what to use. Candidate lists are the storage; there is no matrix. On the device they take
//
//	                       bytes a city    an ant                                   E1M.0, 256 ants
//	mmas/wrs, 16 bits      668             2 n + 24
//	acs/alt, 16 bits       857             2 n + 24
//	acs/spm, -alt, 16      809 + 12 slots  2 n + 24
//	mmas/wrs, 32 bits      677             4 n + 24, and n / 8 for what is visited   1.73 GB
//	acs/alt, 32 bits       865             the same                                  1.92 GB
//	acs/spm, -alt, 32      817 + 12 slots  the same                                  1.97 GB with 8 slots
//
// (as/wrs 256 more than mmas/wrs for a city), computed from the arrays' lengths; the lists beyond the candidates have 96 entries with 16 bits and 32
// with 32.
//
// What an ant has visited lies in shared memory where the bits of a block's ants fit, a bit for each city (with
// 227 KiB that is one ant of 1.8 million cities, or 20 of 85900), else in global memory, where they are mostly found in the
// multiprocessor's cache, for ants stay near. The tuner finds out which number of ants for a block is best.
//
// With numbers of 32 bits there is a word over each 32 words of visited bits, which says which of them are full, and so on up
// to at most 32 words, and a rectangle for each word. An ant whose candidates and their list beyond are visited looks
// upwards from its own word, and down into what may hold a city as near. In the first iteration of mmas/wrs, paper's
// parameters, 2.2 % of the choices find no candidate, and 1.0 % no city of the lists beyond; these 10171 searches of an ant of
// E1M.0 looked at 5.3 rows of 32 rectangles and 3.6 words of cities each (at most 17 rows), those of pla85900, 867, at 5.2
// and 3.6: it does not grow with the number of cities. A look at all words would be 977 rows.
//
// TestFiguresWide prints seconds, gaps and bytes of d18512, pla85900 and E1M.0.
//
// Distances are those of EUC_2D, CEIL_2D and ATT. lockstep takes as
// many ants as the device holds warps at once: 32 for each multiprocessor.
package ants
