package main

// As in kernel/host/rooms.
import (
	_ "metalab/solvers/anneal"  // registers anneal
	_ "metalab/solvers/ants"    // registers as, acs and mmas
	_ "metalab/solvers/genetic" // registers ga
	_ "metalab/solvers/ils"     // registers ils
	_ "metalab/solvers/moves"   // registers tabu, hill and vnd
)
