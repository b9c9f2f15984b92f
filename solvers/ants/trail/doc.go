// Package trail has the pheromone trails of ants: how they are stored, and where an ant goes when
// all cities on its candidate list are visited.
//
//   - A [Table] holds trails and the weights that ants choose by. Its [Storage] says which edges
//     have trails of their own: those on the candidate [Lists], these and others that were
//     rewarded, or all. The other edges share one trail.
//   - An [Extended] is a table and, for acs/lockstep, a few edges beyond the list of each city.
//   - A [Memory] is the selective pheromone memory of acs/spm: a ring of a few trails a city.
//
// Each of them is a [Store], whose trails are saved and restored, and a [Carrier], which gives its
// trails to that of another variant when a run is forked. Fallback of a table finds where an ant
// goes beyond its list, with the help of [Nearest], which finds the nearest unvisited city.
//
// Crews on the CPU (package metalab/solvers/ants/cpu) and on GPUs (metalab/kernels/ants) go by the
// same trails.
package trail
