// Package all links all algorithms of metalab, for programs that open them by their names:
//
//	import _ "metalab/solvers/all"
//
// One import is also what a notebook wants whose kernel keeps only one blank import of several, as
// GoNB does where it is not metalab's.
package all

import (
	_ "metalab/solvers/anneal"    // registers anneal
	_ "metalab/solvers/ants"      // registers as, acs and mmas
	_ "metalab/solvers/genetic"   // registers ga on tours
	_ "metalab/solvers/ils"       // registers ils on tours
	_ "metalab/solvers/moves"     // registers tabu, hill, vnd and ils on any problem
	_ "metalab/solvers/recombine" // registers ga on any problem
	_ "metalab/solvers/threshold" // registers threshold
)
