// Package core links what a host of metalab has at least beside sessions and runs: the algorithms,
// with -tags cuda those on GPUs, and the rooms that bring no large package. The first start of a
// prompt from source compiles no more than that; its host grows when a verb of another room is
// asked for, see package grow.
package core

import (
	_ "metalab/kernel/host/gpus"   // devices, gpu, upload, values, module, launch, free
	_ "metalab/kernel/host/papers" // bench, paper, glance, claim
)
