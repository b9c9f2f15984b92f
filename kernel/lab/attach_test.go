package lab_test

import (
	"sync"
	"testing"

	"metalab/kernel/lab"
	"metalab/kernel/lab/front"
)

// Goroutines whose first use of lab is at once share one connection.
func TestFirstUseAtOnce(t *testing.T) {
	session(t)
	for range 20 {
		front.Set(front.Front{}) // as in a program that begins
		begin := make(chan struct{})
		errs := make(chan error, 8)
		var all sync.WaitGroup
		for range cap(errs) {
			all.Go(func() {
				<-begin
				errs <- lab.Try(func() { lab.Runs(); lab.Runs() })
			})
		}
		close(begin)
		all.Wait()
		close(errs)
		for err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
