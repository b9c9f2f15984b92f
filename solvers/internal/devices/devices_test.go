package devices

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"metalab/solvers"
)

// Shares are all there is, in order, and none is larger than another by more than one.
func TestShare(t *testing.T) {
	for n := range 20 {
		for devices := 1; devices < 9; devices++ {
			at := 0
			for k := range devices {
				lo, hi := Share(n, k, devices)
				if lo != at || hi-lo < n/devices || hi-lo > (n+devices-1)/devices {
					t.Fatalf("of %d things the device %d of %d has those from %d to %d, after %d", n, k, devices,
						lo, hi, at)
				}
				at = hi
			}
			if at != n {
				t.Fatalf("of %d things %d devices have %d", n, devices, at)
			}
		}
	}
}

// All calls are made beside each other, and a panic is the error of its own part.
func TestEach(t *testing.T) {
	var meet sync.WaitGroup
	meet.Add(4)
	errs := Each(4, func(k int) error {
		meet.Done()
		meet.Wait() // for ever, were they made one after the other
		if k == 2 {
			panic("two")
		}
		return nil
	})
	for k, err := range errs {
		if (err != nil) != (k == 2) {
			t.Errorf("part %d: %v", k, err)
		}
	}
}

// Where some made the iteration the run cannot go on as if none had.
func TestJoined(t *testing.T) {
	full := fmt.Errorf("full: %w", solvers.ErrHalted)
	if err := Joined([]error{nil, nil}); err != nil {
		t.Error(err)
	}
	if err := Joined([]error{full, full}); !errors.Is(err, solvers.ErrHalted) {
		t.Errorf("none made it: %v", err)
	}
	if err := Joined([]error{nil, full}); err == nil || errors.Is(err, solvers.ErrHalted) {
		t.Errorf("one made it: %v", err)
	}
}

// turn is a device that notes who takes its turn and who gives it back.
type turn struct {
	name string
	log  *[]string
	err  error
}

func (t turn) Turn(context.Context) (func(), bool, error) {
	if t.err != nil {
		return nil, false, t.err
	}
	*t.log = append(*t.log, "take "+t.name)
	return func() { *t.log = append(*t.log, "give "+t.name) }, t.name == "b", nil
}

// Turns are taken in order, and given back in the other, also where one cannot be had.
func TestTurn(t *testing.T) {
	var log []string
	a, b := turn{name: "a", log: &log}, turn{name: "b", log: &log}
	give, waited, err := Turn(t.Context(), []solvers.Sharer{a, b})
	if err != nil || !waited {
		t.Fatalf("waited is %v: %v", waited, err)
	}
	give()
	if want := []string{"take a", "take b", "give b", "give a"}; !slices.Equal(log, want) {
		t.Errorf("%v, want %v", log, want)
	}
	log = nil
	if _, _, err := Turn(t.Context(), []solvers.Sharer{a, turn{err: context.Canceled}}); err == nil {
		t.Error("a turn that cannot be had was had")
	}
	if want := []string{"take a", "give a"}; !slices.Equal(log, want) {
		t.Errorf("%v, want %v", log, want)
	}
}
