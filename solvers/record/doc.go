// Package record holds the record of a run: the plain types of parameters, history and journal, and
// the files that store them.
//
//	rec, err := record.ReadFile("a.run")
//	fmt.Println(rec.Header.Solver, rec.Header.Seed, rec.End, rec.Best.Value)
//	for _, c := range rec.Journal {
//		fmt.Println(c.Iter, c.Kind, c.Name, c.Old, c.New)
//	}
//
// Public: solvers/internal/api/api.txt lists the declarations that programs may rely on.
//
// # Words
//
// A point is a row of the history: an iteration with its values and a digest. The journal lists the
// changes between iterations. A header holds the settings from the opening of the run. A series is
// a repeat of the run with other seeds.
//
// # The file
//
// A record is one JSON-lines file. Its first line is the header, with all parameters resolved; then
// follow, in the order in which they happened, points of the history, changes of the journal and
// best solutions:
//
//	{"metalab":"record","version":1,"run":"a","solver":"acs","variant":"seq",…}
//	{"i":1,"best":2998,"iter_best":2998,"mean":3411.5,"digest":"9a0c…","wall_s":0.001,"cpu_s":0.001}
//	{"i":1000,"change":"set","name":"q0","old":0.9,"new":0.98,"who":"prompt"}
//	{"i":1720,"best":2579,"solution":{"perm":[0,1,…]}}
//	{"series":1,"params":{"q0":0.98,…},"backend":"cpu","budget":{"n":2000}}
//	{"series":1,"seed":42,"i":2000,"best":2601,"digest":"1f3a…","wall_s":1.2,"cpu_s":1.2,"curve":…}
//	{"end":2000,"digest":"77e1…"}
//
// Lines with series belong to repeats: the run from iteration 1 with other seeds. The first line of
// a series holds its parameters and budget, the others the results of the seeds. A record with
// series has version 2, others have version 1.
//
// Fields whose name ends in _s are seconds. A replay compares all fields but these and evals, who,
// at, build, machine and started_at (evals counts the solver's evaluations since the start, if it
// counts them). A save writes the end line, so a file without it was cut short, but its contents
// are good. A file to which a program appends during the run has a checksum in each line, the field
// crc32c, which locates damage; see DecodePart. In pandas: pd.read_json("a.run", lines=True).
//
// The heavy state of a run (pheromone trails, populations) stands beside the record in a binary
// file; see package solvers, Writer.
//
// # Adding a field
//
// A field that a replay must reproduce goes into the type of its line ([Header], [Point], [Change],
// …), with omitempty where older files lack it. A field that only describes the machine gets a name
// that ends in _s or joins the exceptions above, so that no replay compares it. A line that older
// programs could not read needs a new version.
//
// The package is a leaf: it imports nothing of metalab, and runs no algorithm.
package record
