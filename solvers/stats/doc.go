// Package stats compares samples of results, as the gaps of two solvers over ten seeds each.
//
// None of its tests assumes a normal distribution, which tour lengths and times to a target do not
// have: they look at ranks only. [Analyse] picks the test by the data and says in plain words what
// it found and assumed:
//
//	r, err := stats.Analyse(stats.Question{Groups: []stats.Group{{"acs", a}, {"mmas", b}}})
//	fmt.Println(r)
//
// By themselves:
//
//   - Independent samples, as seeds: [MannWhitney] compares two, [KruskalWallis] more.
//   - Paired ones, as instances: [Wilcoxon] compares two, [Friedman] more, each instance a block;
//     then [Nemenyi] all with all, [Against] each with a control.
//   - Several tests at once: [Holm], [Hochberg] and [Finner] adjust their p-values.
//   - A p-value gets small with many seeds however small the difference is, so its size is
//     reported too: [A12] and [CliffsDelta] say how often a value of the first is larger, [Shift]
//     and [ShiftOfPairs] by how much. [Bootstrap] gives any other number an interval.
//   - What runs cost and give: [FixedTarget] with the expected running time, [FixedBudget], [ECDF],
//     [RunLengths], [Profile].
//
// P-values of small samples are exact, with ties too. The verb compare and lab.Compare use the
// package, and compare two runs from five seeds a side on.
//
// A test that is added belongs here as a function of slices, one file a family, with its source in
// its comment. testdata/vectors.json holds its values by scipy and R to ten digits, each with the
// command that made it. The package knows nothing of runs.
package stats
