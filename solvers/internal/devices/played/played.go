// Package played has devices that are none, for tests of searches that share out their work over
// several GPUs: engines on them are those of the CPU, and they fail when a test wants it.
package played

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"metalab/solvers"
)

// A Device is one that is played.
type Device struct {
	Made   int // of what its engines make, by their own count
	Fails  int // it fails when it has made more; 0: never
	Failed bool
	Turns  int // that were taken

	mu   sync.Mutex
	open int // engines
}

// Devices are those of the process, as GPUs are: tests that use them are not parallel.
var Devices [8]Device

// Whole makes all devices whole again, for a test that is alone with them; no engine may be open.
func Whole(t *testing.T) {
	t.Helper()
	for i := range Devices {
		d := &Devices[i]
		if d.open != 0 {
			t.Errorf("%d engines are still open on device %d", d.open, i)
		}
		d.Made, d.Fails, d.Failed, d.Turns = 0, 0, false, 0
	}
}

// Lost says that a device is of no more use.
type Lost int

func (e Lost) Error() string { return fmt.Sprintf("device %d fell off the bus", int(e)) }

// LostDevice is how searches know it.
func (e Lost) LostDevice() (int, bool) { return int(e), true }

// An Engine is what engines on a device have besides the search's own.
type Engine struct{ On int }

// Open opens an engine on the first device of an environment, which where it names none is the
// first that works.
func Open(env *solvers.Env) (Engine, error) {
	if env.Devices == nil {
		at := 0
		for Devices[at].Failed {
			at++
		}
		env.Devices = []int{at}
	}
	e := Engine{env.Devices[0]}
	d := &Devices[e.On]
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.Failed {
		return e, Lost(e.On)
	}
	d.open++
	return e, nil
}

// Make makes n of what the device counts, unless it has failed or fails by that.
func (e Engine) Make(n int, work func() error) error {
	d := &Devices[e.On]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Made += n
	if d.Failed = d.Failed || d.Fails > 0 && d.Made > d.Fails; d.Failed {
		return Lost(e.On)
	}
	return work()
}

// Read is an error where the device has failed.
func (e Engine) Read() error {
	if Devices[e.On].Failed {
		return Lost(e.On)
	}
	return nil
}

// Turn counts a turn; it ends at once.
func (e Engine) Turn(context.Context) (func(), bool, error) {
	Devices[e.On].Turns++
	return func() {}, false, nil
}

// Close ends the engine.
func (e Engine) Close() { Devices[e.On].open-- }

// A Search is what the checks know of one.
type Search struct {
	Name    string
	Open    func(t *testing.T, backend string, devices []int) *solvers.Run
	History func(*testing.T, *solvers.Run) []uint64 // iterations, and what is known of each
	Fails   int                                     // a device of n fails when it has made this / n
}

// OnCPU is the history on the CPU.
func (s Search) OnCPU(t *testing.T) []uint64 {
	t.Helper()
	r := s.Open(t, "cpu", nil)
	defer r.Close()
	return s.History(t, r)
}

// Moves checks that a run that moves between its iterations, and its record, have the history of
// the CPU.
func (s Search) Moves(t *testing.T) {
	t.Helper()
	Whole(t)
	cpu := s.Open(t, "cpu", nil)
	defer cpu.Close()
	r := s.Open(t, "cuda", []int{3})
	var got, want []uint64
	for _, set := range [][]int{{0, 1}, {7}, {0, 1, 2, 3}, {1, 2}} {
		if _, err := r.Move(t.Context(), set, "test"); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for _, x := range []*solvers.Run{r, cpu} {
				if err := x.Step(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
			}
			got, want = append(got, r.Last().Digest), append(want, cpu.Last().Digest)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s moved: %x, on the CPU %x", s.Name, got, want)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []solvers.ReplayOptions{
		{Backend: "cpu"},
		{Backend: "cuda", Devices: []int{4}},
		{Backend: "cuda", Devices: []int{2, 5, 6}},
	} {
		if d, err := solvers.Replay(t.Context(), rec, r.Instance(), o); err != nil || d != nil {
			t.Errorf("%s: replay on %s %v: %v, %v", s.Name, o.Backend, o.Devices, d, err)
		}
	}
	r.Close()
	Whole(t)
}

// Loses checks that a run whose devices fail in the middle goes on on the others, with the history
// that it would have had.
func (s Search) Loses(t *testing.T) {
	t.Helper()
	want := s.OnCPU(t)
	for _, c := range []struct{ devices, fail, left []int }{
		{[]int{0, 1}, []int{1}, []int{0}},
		{[]int{0, 1, 2, 3}, []int{0, 2}, []int{1, 3}},
		{[]int{4}, []int{4}, []int{0}}, // another one of the machine
	} {
		Whole(t)
		for _, n := range c.fail {
			Devices[n].Fails = s.Fails / len(c.devices)
		}
		r := s.Open(t, "cuda", c.devices)
		if got := s.History(t, r); !slices.Equal(got, want) {
			t.Errorf("%s on %v without %v: %x, on the CPU %x", s.Name, c.devices, c.fail, got, want)
		}
		if !slices.Equal(r.Devices(), c.left) || r.State() != solvers.Paused {
			t.Errorf("%s on %v without %v: it is %s on %v: %v", s.Name, c.devices, c.fail, r.State(),
				r.Devices(), r.Err())
		}
		for _, n := range c.fail {
			if !Devices[n].Failed {
				t.Errorf("%s on %v: device %d did not fail", s.Name, c.devices, n)
			}
		}
		r.Close()
	}
	Whole(t)
}
