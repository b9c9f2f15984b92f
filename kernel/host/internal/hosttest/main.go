package hosttest

import (
	"testing"

	"go.uber.org/goleak"

	"metalab/kernel/host/serve"
)

// Main is what a test's TestMain calls: the process is a worker, one that loses its GPU or a host
// where another started it as such, and else the tests, which leave no goroutine behind.
func Main(m *testing.M) {
	ActAsWorker()
	Lose()
	serve.Main()
	// The client of NATS v1.55.0 may leave one behind: solvers/experiment/stream's chaos_test.go.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction(
		"github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}
