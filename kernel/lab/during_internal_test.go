package lab

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// An interrupt that ends a call is told by its error; one that comes as a call succeeds reaches the
// program. It was lost: a cell whose interrupt came in the moment in which a step ended went on.
func TestInterruptIsNotLost(t *testing.T) {
	mine := make(chan os.Signal, 8) // so that this program does not end by them
	signal.Notify(mine, os.Interrupt, syscall.SIGUSR1)
	defer signal.Stop(mine)
	for _, c := range []struct {
		name         string
		came, failed bool
		again        bool
	}{
		{"the call fails by it", true, true, false},
		{"the call succeeds", true, false, true},
		{"none comes", false, false, false},
		{"the call fails by itself", false, true, false},
	} {
		ctx, done := during()
		if c.came {
			again(os.Interrupt)
			<-ctx.Done()
			<-mine
		}
		done(c.failed)
		if c.again {
			if s := <-mine; s != os.Interrupt {
				t.Errorf("%s: %v", c.name, s)
			}
		}
		again(syscall.SIGUSR1) // nothing else comes before it
		if s := <-mine; s != syscall.SIGUSR1 {
			t.Errorf("%s: %v", c.name, s)
		}
		if c.came == (ctx.Err() == nil) {
			t.Errorf("%s: the call's context: %v", c.name, ctx.Err())
		}
	}
	// One that nobody has taken when the call ends.
	for range 50 {
		_, done := during()
		again(os.Interrupt)
		<-mine
		done(false)
		if s := <-mine; s != os.Interrupt {
			t.Errorf("in the end: %v", s)
		}
	}
}
