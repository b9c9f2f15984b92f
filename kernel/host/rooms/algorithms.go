package rooms

import (
	_ "metalab/solvers/anneal"    // registers anneal
	_ "metalab/solvers/ants"      // registers as, acs and mmas
	_ "metalab/solvers/genetic"   // registers ga on tours
	_ "metalab/solvers/ils"       // registers ils on tours
	_ "metalab/solvers/moves"     // registers tabu, hill, vnd and ils on any problem
	_ "metalab/solvers/recombine" // registers ga on any problem
	_ "metalab/solvers/threshold" // registers threshold
)
