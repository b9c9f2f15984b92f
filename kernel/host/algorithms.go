package host

import (
	_ "metalab/solvers/ants"  // registers as, acs and mmas
	_ "metalab/solvers/moves" // registers tabu, hill and vnd
)
