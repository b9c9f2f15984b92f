//go:build cuda

package host

import (
	_ "metalab/kernels/ants"  // mmas/wrs and acs/lockstep on GPUs
	_ "metalab/kernels/tours" // 2opt-rounds on GPUs
)
