// Package conform holds the laws of metalab as tests that any algorithm can be put
// under: import it in a test of your own solver and call Check.
//
//	func TestConform(t *testing.T) {
//		conform.Check(t, conform.Case{Solver: "acs", Instance: inst, Seed: 7})
//	}
//
// The laws are: Step(n) is n times Step(1), with saving, loading, forking and
// cancelling anywhere between; the same record gives the same result on any number of
// cores, and so do the seeds of a repeat, side by side; a change takes effect at the next
// iteration, is checked first and is in the journal; the best never gets worse and is what
// it says; a CUDA variant walks as its CPU twin does; a record survives its file.
package conform
