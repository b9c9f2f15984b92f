//go:build cuda

package gpus_test

import (
	"testing"

	"metalab/kernel/host"
	"metalab/kernel/host/hosttest"
	"metalab/kernel/host/serve"
	_ "metalab/kernels/ants"    // variants of mmas and acs on GPUs
	_ "metalab/kernels/genetic" // ga/rivals on GPUs
	_ "metalab/kernels/moves"   // tabu, hill and vnd on GPUs
	_ "metalab/kernels/rounds"  // ils/2opt-rounds on GPUs
	_ "metalab/kernels/tours"   // ils/best and tiles on GPUs
)

func process(t *testing.T, o host.Options) (*lab, *serve.Process) {
	t.Helper()
	l, p := hosttest.Process(t, o)
	return &lab{l}, p
}
