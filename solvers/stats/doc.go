// Package stats compares samples of results, such as the gaps of two solvers over ten seeds each.
// Public: solvers/internal/api/api.txt lists the declarations that programs may rely on.
//
// Its tests use ranks only, and assume no normal distribution, which tour lengths and times to a
// target do not have. [Analyse] picks the tests and reports in plain words what they found and
// assume:
//
//	r, err := stats.Analyse(stats.Question{Groups: []stats.Group{{"acs", a}, {"mmas", b}}})
//	fmt.Println(r)
//
// The single tests:
//
//   - Independent samples, such as seeds: [MannWhitney] compares two, [KruskalWallis] more.
//   - Paired samples, such as instances: [Wilcoxon] compares two, [Friedman] more, each instance a
//     block; then [Nemenyi] all with all, [Against] each with a control.
//   - Several tests at once: [Holm], [Hochberg] and [Finner] adjust their p-values.
//   - Effect sizes: with many seeds a p-value gets small however small the difference is. [A12] and
//     [CliffsDelta] estimate how often a value of the first sample is larger, [Shift] and
//     [ShiftOfPairs] by how much. [Bootstrap] computes an interval for any other number.
//   - Costs and results of runs: [FixedTarget] with the expected running time, [FixedBudget],
//     [ECDF], [RunLengths], [Profile].
//
// P-values of small samples are exact, also with ties. The verb compare and lab.Compare use the
// package; they compare two runs with at least five seeds each.
//
// To add a test, write a function of slices, one file per family, with its source in the comment,
// and add its values by scipy and R to testdata/vectors.json, to ten digits, with the command that
// computed each. The package knows nothing of runs.
package stats
