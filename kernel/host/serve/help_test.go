package serve_test

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"metalab/kernel/host"
	"metalab/kernel/host/hosttest"
	"metalab/kernel/host/serve"
)

// envSmall makes a process of the tests one that may not write files longer than a few
// kilobytes: it stands for a full disk. With SIGUSR1 there is room again.
const envSmall = "METALAB_TEST_SMALL_FILES"

func TestMain(m *testing.M) {
	if os.Getenv(envSmall) != "" {
		signal.Ignore(syscall.SIGXFSZ)
		var limit syscall.Rlimit
		err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit)
		small := limit
		small.Cur = 6000
		if err = errors.Join(err, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small)); err != nil {
			panic(err)
		}
		room := make(chan os.Signal, 1)
		signal.Notify(room, syscall.SIGUSR1)
		go func() {
			<-room
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
				panic(err)
			}
		}()
	}
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
