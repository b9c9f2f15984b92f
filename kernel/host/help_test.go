package host_test

import (
	"testing"

	"go.uber.org/goleak"

	"metalab/kernel/host"
	"metalab/kernel/host/hosttest"
	"metalab/kernel/host/serve"
	_ "metalab/solvers/anneal"  // registers anneal
	_ "metalab/solvers/ants"    // registers as, acs and mmas
	_ "metalab/solvers/genetic" // registers ga
	_ "metalab/solvers/ils"     // registers ils
	_ "metalab/solvers/moves"   // registers tabu, hill and vnd
)

func TestMain(m *testing.M) {
	hosttest.ActAsWorker()
	hosttest.Lose()
	serve.Main()
	goleak.VerifyTestMain(m)
}

// lab is a host of these tests and a client of it.
type lab struct{ *hosttest.Lab }

func start(t *testing.T, o host.Options) *lab { t.Helper(); return &lab{hosttest.Start(t, o)} }

func process(t *testing.T, o host.Options) (*lab, *serve.Process) {
	t.Helper()
	l, p := hosttest.Process(t, o)
	return &lab{l}, p
}
