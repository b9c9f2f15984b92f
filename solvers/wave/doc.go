// Package wave is a tuner: it measures in the regular iterations how best to divide the work of an
// iteration.
//
// # The words
//
// A configuration ([Config]) is a number of threads and how many of them make a block. On a GPU it
// is one launch; on a processor a thread is a share of the work, and the threads of a block go to
// one worker at a time. A plan ([Plan]) lists the configurations worth trying for a neighbourhood
// of some size. A trial ([Trial]) holds the measurements of one configuration. The prompt calls a
// launch a wave: the verb waves prints the trials of a run and the choice.
//
// # Use
//
//	t := wave.New(wave.Plan{Solution: 73, Neighbours: 62196}.Configs(), 10)
//	for !t.Done() {
//		c := t.Next()
//		d, err := launch(c) // an iteration of the search
//		t.Report(d, err)
//	}
//	c, ok := t.Best()
//
// The tuner knows no backend. It proposes a configuration, receives its time, and in the end
// returns the best one. Its choice depends on a clock, so it must never change a result: use it for
// schedule parameters, such as the wave of package moves and the warps of the ants' kernels.
//
// If the order of the configurations does not show which of them can be launched, call Skip after a
// failure, which continues with the next. If trials take long, call Race, which drops
// configurations far behind the best after their first trials.
//
// # Source
//
// It is Algorithm 3, the dynamic heuristic for the tuning of parameters, of T. V. Luong, N. Melab
// and E.-G. Talbi, GPU computing for parallel local search metaheuristic algorithms, IEEE
// Transactions on Computers 62 (2013), doi:10.1109/TC.2011.206: the total number of threads starts
// at the power of two nearest to the size of a solution and doubles up to the size of the
// neighbourhood; for each, blocks of 32, 64, ... 512 threads run for some iterations each; when a
// launch fails, the best so far wins.
//
// A tuner without Race and Skip, over the configurations of [Plan.Configs], follows it;
// tuning=published of package moves selects that. Otherwise three things differ:
//
//   - the time of a configuration is the median of its trials, not their sum, so that one
//     interruption does not rule it out;
//   - line 19 of the printed algorithm would never change the number of threads; it is read as the
//     doubling that the text describes;
//   - configurations that come to the same for a backend may be tried once ([Plan.Distinct]), as
//     most do on a processor.
package wave
