package ants

import "metalab/solvers"

// What presets are for. Their values stand with the variants; these sentences hold for the
// forms on GPUs as well.
func init() {
	late := []string{"alt", "spm", "spm-alt"}
	few := []string{"wrs", "rows", "thin"} // variants of mmas with 32 candidates

	solvers.DescribePreset("as", "best", "Ours: 25 ants with lists of 20 and a local search for each (oropt, or 3opt on asymmetric instances).")
	solvers.DescribePreset("as", "paper", "The published exponents and an ant a city, with the longest lists (1024) and no local search.")
	solvers.DescribePreset("as", "best", "As paper: what suits ants without a local search.", "wrs")
	solvers.DescribePreset("as", "paper", "The published exponents and an ant a city, with lists of 32 and no local search.", "wrs")

	solvers.DescribePreset("mmas", "best", "Ours: 25 ants with lists of 20 and a local search for each (oropt, or 3opt on asymmetric instances).")
	solvers.DescribePreset("mmas", "best", "Ours, without a local search: an ant a city, rho 0.9.", few...)
	solvers.DescribePreset("mmas", "paper", "As published for GPUs: an ant a city, rho 0.5, no local search, for 100 iterations.")
	solvers.DescribePreset("mmas", "paper-2opt", "As published with a local search: 800 ants, 2-opt by a queue for each, rho 0.9 (0.7 above 10,000 cities).")
	solvers.DescribePreset("mmas", "paper-2opt", "As published with a local search: 800 ants, 2-opt in rounds for each, which a GPU makes too; rho 0.9 (0.7 above 10,000 cities).", few...)
	solvers.DescribePreset("mmas", "best-local", "Ours with a local search in rounds, which a GPU makes too: 800 ants, 2-opt and segment insertion, nearer the optimum after fewer iterations than paper-2opt.")
	solvers.DescribePreset("mmas", "best", "Ours, by the number of cities: 256 ants, all of whose changes that fit together are taken, a falling temperature below 25,000 cities.", "focused")
	solvers.DescribePreset("mmas", "paper", "Near the published setting: 4 sqrt(n) ants, the best one's changes are taken, relocations and 2-opt.", "focused")

	solvers.DescribePreset("acs", "best", "Ours: 10 ants with lists of 20 and a local search for each (oropt, or 3opt on asymmetric instances).")
	solvers.DescribePreset("acs", "best", "Ours for many ants a step: 64, fewer of whose choices are free, with a local search for each (oropt, on the host's cores).", "lockstep")
	solvers.DescribePreset("acs", "best-local", "Ours with a local search in rounds, which a GPU makes too: 256 ants, 2-opt and segment insertion.", "lockstep")
	solvers.DescribePreset("acs", "best", "Ours: the published setting with 64 ants, each of whose choices counts, which come further in as many tours.", late...)
	solvers.DescribePreset("acs", "paper", "As published for GPUs: an ant a city, lists of 32, no local search, for 1000 iterations.")
	solvers.DescribePreset("acs", "paper", "The published setting as far as it fits: an ant a city, lists of 28, no local search, for 1000 iterations.", "lockstep")
	solvers.DescribePreset("acs", "paper", "As published for GPUs: 256 ants, every fourth of whose choices wears its trail, lists of 32, no local search.", late...)

	solvers.Offer("cuda", "as", "wrs")
	solvers.Offer("cuda", "mmas", few...)
	solvers.Offer("cuda", "acs", "lockstep", "alt", "spm", "spm-alt")
}
