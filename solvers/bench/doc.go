// Package bench holds the tables of figures that the solvers must reach: each row says what to
// measure on which instance, the result of another program, and the target here. The verb bench
// prints them; a program uses the package so:
//
//	t, err := bench.Find("tours")
//	rep, err := bench.Run(ctx, t, bench.Options{
//		Rows: "pr2392", Seeds: 5, Peers: map[string]string{"linkern": path},
//	})
//
// # Adding a table
//
// A table is data. A file of this package holds it (tours.go, ants.go, ...) and registers it:
//
//	func init() {
//		Register(Table{
//			Name: "tabu", Title: "Robust tabu search", Source: "issued figures and where they stand",
//			Rows: []Row{{
//				What: "scans a second", Solver: "tabu", Variant: "robust", Instance: "tai30a",
//				Stop: Stop{CPU: 5}, Seeds: 5,
//				Measure: PerSecond, Units: scans, Unit: "scans/s",
//				Peer: Peer{
//					Program: "rots", Figure: 191e3,
//					Where: "Taillard's C++, gcc 12 -O3, one core of an EPYC",
//				},
//				Reach: 573e3,
//			}},
//		})
//	}
//
// The program that runs the table must link the solver's package (the host links all). A row whose
// solver or backend is not there is reported as such and does not end the table.
//
// A row measures a run (Solver is set) or a function of its own (Do is set), once for each seed;
// its figure is the median. A run has one worker, and its CPU seconds are those of the process
// while it is opened and of the run itself afterwards, so numbering, lists and starts count.
// Nothing else should run in the process meanwhile; other processes slow a run, but hardly change
// its CPU time. A row on another backend counts wall seconds instead, as the CPU waits for a
// device.
//
// A row with the measure Device asks a device for the times of its own events, without the launches
// and the host beside them; see the table gpu.
//
// # Adding a table of a paper
//
// Tables and figures of published papers are files of the folder papers, one a table, called
// PAPER-NUMBER.txt, and the table PAPER-NUMBER at the prompt. papers/papers.txt lists the papers. A
// file has a head, an empty line and the published table; here one with invented figures:
//
//	paper:  fosin
//	number: 3
//	title:  gaps of iterated search
//	note:   What differs from the paper, and what cannot be made again, goes here.
//	margin: 10 %, at least 0.1 points
//	reason: Why rows do not agree, where it is known, goes here and is printed under the table.
//	missing: Why rows have no kept figures goes here and is printed by bench papers.
//	seeds:  1 of 10
//	run:    solver=ils/best preset=paper measure=gap
//	column: 0.1n kicks | iterations=0.1n
//	column: GPU, ms    | not=a GTX 980
//	row:    2-opt | operator=2opt
//	row:    3-opt | operator=3opt instance=d198,pcb442
//
//	      | 0.1n kicks | GPU, ms
//	2-opt | 2.77       | 21.5
//	3-opt | -          | 38.2
//
// An indented line goes on with the one above, a list of instances behind its last comma. Each cell
// is made of the settings of run, column and row, the later ones before the earlier, and of those
// of a line "cell: ROW, COLUMN | SETTINGS" before all. It is a row of the table here (what stands
// in its column "what" is "2-opt, 0.1n kicks"). A cell "-" is measured and has no published figure;
// an empty one is not there. Settings without a meaning here are parameters of the solver. The
// others:
//
//   - solver=NAME/VARIANT, preset, backend, and instance; several instances, separated by commas,
//     give a row each;
//   - iterations=, cpu= (seconds) and until= (a gap in percent) end a run; before=1 excludes the
//     first iteration, such as ga's, which builds the first population;
//   - as=acs/alt,preset=paper,iterations=1000 gives a run as many seconds as that one takes here,
//     with the same seed, instance and backend: that one runs first, each time;
//   - times= multiplies the seconds of iterating: iterations=100 times=100 is a hundredth of what
//     the table tells of, where the whole takes too long; with before=1 the first iteration is not
//     multiplied;
//   - measure= is gap, best, seconds, iterations (to the end), ms (of an iteration), rate (with
//     units=ants, scans or neighbours), memory, found, device (with span=), share (of the bound
//     that an H200 has for scans of tabu search, in percent), or p, which runs nothing and is the
//     p-value of a test of the other cells of its row: Mann and Whitney's of two, Friedman's of
//     more with a block a seed; with of=ONE/TWO, _ being a space, of these two columns; unit= is
//     printed, _ being a space;
//   - measure=statistic is that of the test of p: U of two cells, Friedman's chi-square of more;
//   - reading=NAME is what the solver measures of itself after the last iteration, as hit_ratio;
//   - measure=ratio of=CPU/GPU runs nothing and is how many times the median of the row's cell in
//     the one column that in the other is, for each instance, _ being a space in their names; a
//     column of another table, whose kept figure of the instance counts, is acs-3:ACS-SEQ;
//   - measure=least of=mean runs nothing and is the least figure of the seeds of the row's cell in
//     that column, or of the column's cell in that row, beside a published best of so many runs; it
//     has a verdict if the head gives the number of runs behind the published best;
//   - first= is the first seed, 1 without it: where rows are tested, each has seeds of its own;
//   - mean=NAME tells that the published figure is the mean over the instances of all rows of that
//     NAME, in which _ is a space;
//   - span= is of measure=device: construct, iteration/construct for a ratio, iteration-construct
//     for a difference; tours=n makes the time that of n tours, whatever the number of ants;
//   - do=3opt-pass and do=3opt-ordered-pass measure no run but the milliseconds of a pass of 3-opt
//     over all cities;
//   - cores=all gives the run all cores, and counts seconds of the wall;
//   - seeds= in place of the head's; only=full leaves the cell to the full table;
//   - apart= tells, _ being a space, by which rule of our own the search is not the published one,
//     so that it is not comparable;
//   - not= tells, to the end of the line, why it is not measured; the published figure is printed.
//
// Parameters and iterations may be n, 10n or 0.1n: so many times the size of the instance. seeds: 3
// of 100 in the head is 3 in the quick table, which should take some minutes, and 100 in the full
// one. Published figures stand in the measure's unit.
//
// # Verdicts
//
// With a margin in its head, stated before any measurement, a paper's table has verdicts on gaps,
// lengths, iterations and shares of optima, none on times, for machines differ. The verdict
// compares the 95 % interval of our mean minus the published figure, by Student's t. It is better
// or worse if all of it lies beyond the margin. One that does not hold 0 is a difference too,
// within the margin or on an end of it, and is called so. One that holds 0 agrees if all of it lies
// within the margin; else no difference is found, which shows none. Nothing is shown by fewer than
// five seeds, nor by seeds that all have one figure, which have no interval. More seeds of the same
// search narrow the interval and so never make what differs agree.
//
// A line "published: 30 runs" in the head tells of how many runs figures are the mean, or the best.
// A published mean without a published spread gets that of our runs. A mean length that is the best
// known one is that of runs which all found it: there Fisher's exact test compares how many of ours
// did. A best of so many runs is compared with all of ours. A test's published figure may be
// better, worse or none where the paper marks that without a p-value.
//
// The margin is so many percent of the published gap, at least so many points of gap; lengths are
// turned into gaps first. For iterations it is so many percent. Where a run does not reach its aim
// the median takes the mean's place, with an interval by bootstrap with a fixed seed. A line "runs:
// ROW, COLUMN | FIGURES" in the head has published single runs, whose own interval then counts too.
//
// A search that is the same on a CPU and a GPU, seed for seed, has one verdict, of all seeds, and
// counts once; so has one with the same settings in several tables of a paper, beside the mean of
// what they publish. Figures of an earlier version of an algorithm judge nothing. A mean over
// instances takes each once, if nine tenths were measured and most have five seeds; one of fewer
// seeds counts with the widest spread of the others. A test of rows that finds no difference says
// so and no more; one that finds a difference agrees if the published one does, else it differs.
// [Rule] says it for a table, in its heading, and [Standings] count the verdicts of all tables,
// which bench papers prints with the share of published results that are judged: beside which there
// is a figure of five seeds or more, on whichever machine.
//
// # Stored measurements
//
// The folder measured has a file for each table with stored figures: by row and seed, with date,
// machine and command. bench TABLE list prints their medians beside what is published, with the
// verdicts, and measures nothing. No figure there is typed: the command keep reads what bench
// prints and writes the files.
//
//	repl -json -c 'bench kang-2 seeds=10' | go run ./solvers/bench/keep
//
// Figures belong to a row with its name, instance and settings; where one of these has changed
// since, the row has none. Figures of an older revision of a variant are marked. Rows of other
// tables of the paper that measure the same, on the same instance with the same settings, share
// them.
//
// # Peers
//
// A program of others is never started unless the caller says where it is. It then runs once for
// each seed right after the run beside it, on a copy of the instance, for as many CPU seconds; what
// it prints is parsed. [Programs] lists the peers whose command lines and outputs are known.
//
// # Single measurements
//
// Package figures below this one holds single measurements, on rare machines or behind a choice,
// with machine, date and command.
package bench
