// Package ants makes tours of ants on a GPU: the variants mmas/wrs and acs/lockstep of
// package metalab/solvers/ants, whose results these kernels have bit for bit. Import it, in
// a program built with the tag cuda, for its registrations under the backend cuda.
//
// # One iteration
//
// Trails and tours live on the device. What is to be done is written to a job in pinned
// memory; then come, in one stream and for mmas/wrs as one graph:
//
//	note     keeps the tours that the host decided to keep, checks a new best one, and writes
//	         the rewarded tour as neighbours of cities
//	prepare  rewards and evaporates, and makes what choices need, one thread per slot
//	walk     makes the tours, one warp per ant, and of each its length, its hash and the
//	         number of choices that its candidates could not make
//
// and the numbers of the ants, 24 bytes each, are copied back. So the reward of an iteration
// is made at the start of the next one, or as soon as somebody asks for the trails.
//
// # The walks
//
// Lane s of a warp looks at slot s of the list of the ant's city. In mmas/wrs a lane has the
// Philox block of four steps, its rounds are made while the next row is on its way, and one
// reduction over the warp gives the winner's slot. The lists are copied to shared memory where
// they fit, up to some 1150 cities on a device with 227 KiB. In acs/lockstep all ants are
// resident, the grid has a barrier in each step, and an ant that falls back arrives there
// before it looks for the nearest city.
//
// Up to 65536 cities are taken, with distances of EUC_2D, CEIL_2D and ATT. lockstep takes as
// many ants as the device holds warps at once: 32 for each multiprocessor.
package ants
