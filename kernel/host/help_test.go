package host_test

import (
	"testing"

	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	_ "metalab/kernel/host/internal/hosttest/searches"
	"metalab/kernel/host/serve"
)

func TestMain(m *testing.M) {
	growing()
	hosttest.Main(m)
}

// lab is a host of these tests and a client of it.
type lab struct{ *hosttest.Lab }

func start(t *testing.T, o host.Options) *lab { t.Helper(); return &lab{hosttest.Start(t, o)} }

func process(t *testing.T, o host.Options) (*lab, *serve.Process) {
	t.Helper()
	l, p := hosttest.Process(t, o)
	return &lab{l}, p
}
