package site

import "strings"

// synonyms are the words by which readers look for a page that does not have them, or that has them
// beside others.
var synonyms = map[string]string{
	"notebooks/guide/stop_rules.md": "stop early stopping criterion termination condition no " +
		"improvement stagnation convergence patience time limit timeout budget maximum iterations",
	"notebooks/guide/read_a_record.md": "python pandas R DuckDB numpy dataframe CSV Parquet analyse",
	"notebooks/guide/own_problem.md": "penalty constraint infeasible feasible objective function " +
		"fitness cost custom knapsack continuous binary",
	"notebooks/guide/own_solver.md":        "custom algorithm plugin operator",
	"notebooks/guide/own_file.md":          "TSPLIB import data coordinates matrix",
	"notebooks/guide/compare.md":           "benchmark significance statistical test p-value Wilcoxon",
	"notebooks/guide/tune.md":              "hyperparameter optimisation optimization irace grid",
	"notebooks/guide/resume.md":            "checkpoint restart recover autosave",
	"notebooks/guide/cluster.md":           "HPC distributed workers",
	"notebooks/guide/figure.md":            "plot chart export PDF SVG LaTeX",
	"notebooks/guide/start_from_a_tour.md": "warm start initial solution",
	"notebooks/guide/draws.md":             "random seed RNG reproducible",
	"notebooks/guide/install.md":           "setup requirements Windows macOS Linux",
	"notebooks/guide/trouble.md":           "error problem help debug troubleshooting",
	"notebooks/guide/agents.md":            "MCP LLM AI assistant",
}

// keywords are the words by which each page is looked for, beside its own: what an index says of
// it, as "end a search when I want", and synonyms.
func keywords(pages []*Page) map[string]string {
	all := map[string]string{}
	for _, p := range pages {
		for _, s := range sections {
			if s.index == p.Source {
				for _, l := range listed(p) {
					all[l.source] += " " + l.about
				}
			}
		}
	}
	for source, words := range synonyms {
		all[source] += " " + words
	}
	for source, words := range all {
		all[source] = strings.TrimSpace(words)
	}
	return all
}

// weight is how much a page counts in the search; 0: as much as most. The guide tells how a thing
// is done, the changelog has every word.
func weight(source string) float64 {
	switch {
	case strings.HasPrefix(source, "notebooks/guide/"):
		return 1.5
	case source == "CHANGELOG.md":
		return .25
	case strings.HasPrefix(source, "solvers/bench/"), source == "reference/json.md":
		return .5
	}
	return 0
}
