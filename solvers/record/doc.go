// Package record holds what is written of a run: the plain types of parameters, history and
// journal, and the files that keep them.
//
// # Words
//
// A point is a row of the history: an iteration with its values and a digest. The journal lists
// the changes that were made between iterations. A header says what is fixed at open. A series is
// a repeat of the run for other seeds.
//
// # The file
//
// A record is one JSON-lines file. Its first line is the header, with all parameters resolved;
// then follow, in the order in which they happened, points of the history, changes of the
// journal and best solutions:
//
//	{"metalab":"record","version":1,"run":"a","solver":"acs","variant":"seq",…}
//	{"i":1,"best":2998,"iter_best":2998,"mean":3411.5,"digest":"9a0c…","wall_s":0.001,"cpu_s":0.001}
//	{"i":1000,"change":"set","name":"q0","old":0.9,"new":0.98,"who":"prompt"}
//	{"i":1720,"best":2579,"solution":{"perm":[0,1,…]}}
//	{"series":1,"params":{"q0":0.98,…},"backend":"cpu","budget":{"n":2000}}
//	{"series":1,"seed":42,"i":2000,"best":2601,"digest":"1f3a…","wall_s":1.2,"cpu_s":1.2,"curve":…}
//	{"end":2000,"digest":"77e1…"}
//
// Lines with series are of repeats: the run made again from iteration 1 for other seeds. The
// first of a series says with which parameters and how far, the others what came of each
// seed. They make it a record of version 2; one without is of version 1.
//
// Fields whose name ends in _s are seconds, and with evals, who, at, build, machine
// and started_at they are never compared: all others are the same whenever the record is
// made again (evals is what the solver evaluated since the start, where it counts). The end
// line is written by a save, so a file without it was cut short
// (what it holds is good all the same). A file to which a program appends while the run goes
// on has a checksum in each line, the field crc32c, so that damage is found by the line; see
// DecodePart. In pandas: pd.read_json("a.run", lines=True).
//
// The heavy state of a run (pheromone trails, populations) stands beside the record
// in a binary file; see package solvers, Writer.
//
// # Adding a field
//
// A field that a replay must reproduce goes into the type of its line ([Header], [Point],
// [Change], …), with omitempty where older files lack it. A field that only tells about the
// machine gets a name that ends in _s or is added to those named above, so that it is not
// compared. A line that older programs could not read needs a new version.
//
// The package is a leaf: it imports nothing of metalab, and runs no algorithm.
package record
