// Package record is a run on paper: the plain types of parameters, history and
// journal, and the files that keep them.
//
// A record is one JSON-lines file. Its first line is the header (everything fixed at
// open, with all parameters resolved); then follow, in the order in which they
// happened, points of the history, changes of the journal and best solutions:
//
//	{"metalab":"record","version":1,"run":"a","solver":"acs","variant":"seq",…}
//	{"i":1,"best":2998,"iter_best":2998,"mean":3411.5,"digest":"9a0c…","wall_s":0.001,"cpu_s":0.001}
//	{"i":1000,"change":"set","name":"q0","old":0.9,"new":0.98,"who":"prompt"}
//	{"i":1720,"best":2579,"solution":{"perm":[0,1,…]}}
//	{"end":2000,"digest":"77e1…"}
//
// Fields whose name ends in _s are seconds, and with who, at, build, machine and
// started_at they are never compared: all others are the same whenever the record is
// made again. The end line is written by a save, so a file without it was cut short
// (what it holds is good all the same). In pandas: pd.read_json("a.run", lines=True).
//
// The heavy state of a run (pheromone trails, populations) stands beside the record
// in a binary file; see package solvers, Writer.
//
// The package is a leaf: it imports nothing of metalab, and runs no algorithm.
package record
