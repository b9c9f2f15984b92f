// Package wave finds the launch configuration under which a neighbourhood is evaluated
// fastest: how many threads at a time, in blocks of how many.
//
// It is Algorithm 3, the dynamic heuristic for the tuning of parameters, of T. V. Luong,
// N. Melab and E.-G. Talbi, GPU computing for parallel local search metaheuristic
// algorithms, IEEE Transactions on Computers 62 (2013), doi:10.1109/TC.2011.206: the total
// number of threads starts at the power of two nearest to the size of a solution and doubles
// up to the size of the neighbourhood; for each, blocks of 32, 64, ... 512 threads are
// tried, some iterations each; when a launch fails, what was best so far stands.
//
// It differs from the paper in these points. What a configuration takes is the median of its
// trials, not their sum, so that one interruption does not rule it out. Line 19 of the
// printed algorithm would keep the number of threads for ever; it is read as the doubling
// that the text describes. Configurations that come to the same for a backend may be tried
// once (Plan.Distinct): on a processor, where a thread is no more than a share of the
// neighbours, most do.
//
// The tuner is the one of all backends: it knows nothing of them. It names a configuration,
// is told how long that took, and in the end names the best:
//
//	t := wave.New(wave.Plan{Solution: 73, Neighbours: 62196}.Configs(), 10)
//	for !t.Done() {
//		c := t.Next()
//		d, err := launch(c) // the same iteration of the search that would be made anyway
//		t.Report(d, err)
//	}
//	c, ok := t.Best()
//
// Where the order of configurations says nothing about which can be launched, Skip goes on after
// a failure; and where trials are dear, Race gives up early what is far behind. The times are a
// clock's, so what the tuner chooses must never change a result: it is for schedule parameters.
package wave
