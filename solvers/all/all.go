// Package all links all algorithms of metalab, for programs that open them by name. May change: it
// has no declarations, and links what there is.
//
//	import _ "metalab/solvers/all"
//
// A notebook needs this single import if its kernel keeps only one of several blank imports, as
// GoNB without metalab's changes does.
package all

import (
	_ "metalab/solvers/anneal"    // registers anneal
	_ "metalab/solvers/ants"      // registers as, acs and mmas
	_ "metalab/solvers/cmaes"     // registers cmaes
	_ "metalab/solvers/genetic"   // registers ga on tours
	_ "metalab/solvers/ils"       // registers ils on tours
	_ "metalab/solvers/moves"     // registers tabu, hill, vnd and ils on any problem
	_ "metalab/solvers/recombine" // registers ga on any problem
	_ "metalab/solvers/spins"     // registers anneal on max-cut, in bits of words
	_ "metalab/solvers/threshold" // registers threshold
)
