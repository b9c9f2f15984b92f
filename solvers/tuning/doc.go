// Package tuning searches for good parameters of a solver: it proposes configurations, runs them
// over instances and seeds, and keeps the best. Public: solvers/internal/api/api.txt lists the
// declarations that programs may rely on.
//
//	p := tuning.Plan{
//		Setting:   experiment.Setting{Solver: "acs"},
//		Space: []tuning.Dimension{
//			{Name: "q0", Low: 0.5, High: 0.99}, {Name: "ants", Low: 5, High: 50},
//		},
//		Instances: []string{"d198", "kroA100"}, Seeds: 10, First: 1,
//		Budget:    record.Budget{Iterations: 200}, Method: tuning.Race, Units: 500,
//	}
//	h, err := tuning.Tune(ctx, store, "acs-q0", p, experiment.Options{Load: load})
//	fmt.Println(h)
//
// # The words
//
// A [Trial] is a configuration with its results. The first one is the setting as it is, for
// comparison with the winner. A block is an instance with a seed: all trials of a block begin
// alike, and are ranked among each other. Blocks are in the order of their seeds, all instances
// with the first seed, then with the next.
//
// # The methods
//
//   - [Random] and [Latin] run every trial on every block. Latin-hypercube samples have one value
//     in each of as many equal parts of every dimension as there are trials.
//   - [Halving] runs all trials on some blocks, keeps the better third, runs these on three times
//     as many blocks, and so on (K. Jamieson, A. Talwalkar: Non-stochastic best arm identification
//     and hyperparameter optimization, AISTATS 2016). The number of blocks grows, not the budget of
//     a unit: results of a rung count in the next.
//   - [Race] drops trials as soon as a test says that they are worse than the best, and draws new
//     ones near the remaining ones (M. Lopez-Ibanez, J. Dubois-Lacoste, L. Perez Caceres, M.
//     Birattari, T. Stutzle: The irace package, Oper. Res. Perspect. 3, 2016,
//     doi:10.1016/j.orp.2016.09.002). The test is Friedman's with Conover's comparison, or the
//     paired t test. It drops survivors of an earlier race only after a comparison on as many
//     blocks as then.
//
// Units are those of package experiment, and its store holds them: a restarted tuning resumes, and
// runs nothing twice. Draws are counter-based, so the same plan proposes the same configurations;
// budgets of seconds can change their results.
package tuning
