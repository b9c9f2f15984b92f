// Package stats compares samples of results, as the gaps of two solvers over ten seeds each.
//
// None of its tests assumes a normal distribution, which tour lengths and times to a target do not
// have: they look at ranks only.
//
//   - [MannWhitney] compares two samples: its p-value says how often samples would differ as much
//     if both came from one distribution.
//   - [A12] is the size of the difference of two samples: how often a value of the first is larger
//     than one of the second. A p-value gets small with many seeds however small the difference
//     is, so both are reported.
//   - [Friedman] compares several solvers over several instances, each instance a block.
//   - [Holm] corrects the p-values of several comparisons made at once.
//
// The verb compare and lab.Compare use them, and compare two runs from five seeds a side on:
//
//	p, err := stats.MannWhitney(a, b)
//	size := stats.A12(a, b)
//
// A test that is added belongs here as a function of slices, with its source in its comment and a
// published example in its test; the package knows nothing of runs.
package stats
