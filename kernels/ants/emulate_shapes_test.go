package ants

import (
	"os"
	"strings"
	"testing"

	"metalab/kernels/internal/emulate"
	"metalab/kernels/internal/gputest"
	"metalab/solvers/conform"
)

// less is a table for the emulator, which is slow.
func less(s gputest.Shapes) gputest.Shapes {
	s.Most = 45
	live := []string{"ants 1 2 3 5 9"}
	for _, l := range s.Live {
		if !strings.HasPrefix(l, "ants ") {
			live = append(live, l)
		}
	}
	s.Live, s.Schedule = live, []string{"warps 0 1 2 3 5"}
	return s
}

// TestEmulatedShapes changes launches at random, and the numbers of ants, and goes on with other
// crews of the same trails: with lists in shared memory or not, with counts there or not.
func TestEmulatedShapes(t *testing.T) {
	emulate.Need(t)
	crews := 0
	change = func(e *emulated) {
		e.far, e.long = crews%3 == 1, crews%3 == 2
		crews++
	}
	defer func() { change = func(*emulated) {} }()
	for _, s := range shapes {
		t.Run(s.Name, func(t *testing.T) {
			c := less(s).Table()
			c.Backend, c.Cases, c.Iterations = "emulated", 1, 10
			if testing.Short() {
				c.Iterations = 4
			}
			if os.Getenv(emulateVar) != "" {
				c.Cases, c.Iterations = 6, 30
			}
			conform.CheckShapes(t, c)
		})
	}
}
