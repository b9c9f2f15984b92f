package moves

import (
	"fmt"
	"slices"
	"testing"

	"metalab/solvers"
	"metalab/solvers/internal/devices/played"
	"metalab/solvers/record"
)

// sharing has played devices share out the scans of the jobs that worth tells, for a test that is
// alone with them.
func sharing(t *testing.T, worth func(Job) bool) {
	old := worthParts
	worthParts = worth
	t.Cleanup(func() { worthParts = old })
	registerPlayed(t)
}

// partings are searches of fewer walks than there are devices.
var partings = []walking{
	{"tabu", "ppp-31x33-1", 2, record.Of("walks", 1)},
	{"tabu", "rand-9-1", 4, record.Of("walks", 3, "exchange", 2)},
	{"hill", "ppp-31x33-1", 9, record.Of("walks", 1, "restarts", 3)},
	{"vnd", "rand-9-1", 9, record.Of("walks", 2)},
}

// hoods makes iterations and returns the digest of each; from the 4th to the 6th there is another
// neighbourhood, and in the last there are more walks.
func (w walking) hoods(t *testing.T, r *solvers.Run) (out []uint64) {
	t.Helper()
	for it := range 9 {
		next := record.Values{}
		switch {
		case it == 8:
			next = record.Of("walks", 6)
		case w.solver == "vnd":
		case it == 3:
			next = record.Of("neighbourhood", larger[w.instance])
		case it == 6:
			next = record.Of("neighbourhood", smaller[w.instance])
		}
		if len(next) > 0 {
			if _, err := r.Set(t.Context(), next, "test"); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Step(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Last().Digest)
	}
	return out
}

var (
	smaller = map[string]string{"ppp-31x33-1": "hamming1", "rand-9-1": "swap"}
	larger  = map[string]string{"ppp-31x33-1": "hamming2", "rand-9-1": "3exchange"}
)

// Where devices share out the scans of few walks, always or in larger neighbourhoods alone, the
// history is the CPU's.
func TestPartsOnSeveralDevices(t *testing.T) {
	for name, worth := range map[string]func(Job) bool{
		"always": func(Job) bool { return true },
		"larger": func(j Job) bool { return j.Neighbourhood > 0 },
	} {
		t.Run(name, func(t *testing.T) {
			sharing(t, worth)
			for _, w := range partings {
				played.Whole(t)
				cpu := w.open(t, "cpu", nil)
				want := w.hoods(t, cpu)
				cpu.Close()
				for _, devices := range [][]int{{0}, {0, 1}, {1, 2, 5, 7}, {0, 1, 2, 3, 4, 5, 6, 7}} {
					played.Whole(t)
					r := w.open(t, "cuda", devices)
					if got := w.hoods(t, r); !slices.Equal(got, want) {
						t.Errorf("%v on %v: %x, on the CPU %x", w, devices, got, want)
					}
					last := played.Devices[devices[len(devices)-1]].Made
					if (name == "always" || w.solver != "vnd") && last == 0 && w.solver != "hill" {
						t.Errorf("%v on %v: the last device made no scan", w, devices)
					}
					r.Close()
				}
			}
			played.Whole(t)
		})
	}
}

// A run whose scans are shared out moves, and its devices fail, as others'.
func TestPartsMoveAndFail(t *testing.T) {
	sharing(t, func(Job) bool { return true })
	for _, w := range partings {
		s := played.Search{Name: fmt.Sprint(w), Open: w.open, History: w.hoods, Fails: w.scans * 4}
		if w.solver == "tabu" {
			s.Fails = w.scans * 8
			s.Moves(t)
		}
		s.Loses(t)
	}
}
