//go:build cuda

package core

import (
	_ "metalab/kernels/ants"    // variants of mmas and acs on GPUs
	_ "metalab/kernels/genetic" // ga/tournament on GPUs
	_ "metalab/kernels/moves"   // tabu, hill, vnd and anneal on GPUs
	_ "metalab/kernels/rounds"  // ils/2opt-rounds on GPUs
	_ "metalab/kernels/spins"   // anneal/spins and anneal/population on GPUs
	_ "metalab/kernels/tours"   // ils/best and tiles on GPUs
)
