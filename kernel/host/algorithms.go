package host

import (
	_ "metalab/solvers/ants" // registers as, acs and mmas
)
