// Package bench holds the tables of figures that the solvers are held to: rows that say what is
// measured on which instance, what another program reaches, and what is to be reached here. The
// verb bench prints them; a program uses the package so:
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
// The solver's package must be linked by whoever runs the table (the host links all). A row
// whose solver or backend is not there is reported as such and does not end the table.
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
// # Peers
//
// A program of others is never started unless the caller says where it is. It then runs once for
// each seed right after the run beside it, on a copy of the instance, for as many CPU seconds; what
// it prints is parsed. [Programs] lists the peers whose command lines and outputs are known.
//
// # Figures that are kept
//
// What was measured once, on a machine that is seldom at hand or about a choice that was made,
// stands with machine, date and command in package figures below this one.
package bench
