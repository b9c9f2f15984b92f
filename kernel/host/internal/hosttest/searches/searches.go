// Package searches links the algorithms that tests of the host's rooms run; import it for that.
package searches

import (
	_ "metalab/solvers/anneal"  // registers anneal
	_ "metalab/solvers/ants"    // registers as, acs and mmas
	_ "metalab/solvers/genetic" // registers ga
	_ "metalab/solvers/ils"     // registers ils
	_ "metalab/solvers/moves"   // registers tabu, hill and vnd
)
