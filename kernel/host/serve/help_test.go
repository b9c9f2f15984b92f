package serve_test

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"metalab/kernel/host/internal/hosttest"
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
	hosttest.Main(m)
}

var (
	start   = hosttest.Start
	process = hosttest.Process
)
