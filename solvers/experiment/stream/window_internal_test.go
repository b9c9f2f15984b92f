package stream

import (
	"encoding/json"
	"testing"
	"time"

	"metalab/solvers"
)

// What the broker has at most grows with the cores of the workers, unless somebody says it.
func TestWindow(t *testing.T) {
	for _, c := range []struct{ window, side, want int }{
		{0, 1, 1024}, {0, 512, 1024}, {0, 3000, 6000}, {20, 3000, 20},
	} {
		a := &coordinator{f: &Fabric{Window: c.window}, pool: pool{side: c.side}}
		if got := a.window(); got != c.want {
			t.Errorf("%d cores, window %d: %d, want %d", c.side, c.window, got, c.want)
		}
	}
}

// A worker that does not answer gets no island, as long as it is on the list from before; when it
// is heard again, it does.
func TestLostWorkerGetsNoIslands(t *testing.T) {
	b := newBroker(t, testToken)
	s, err := OpenIslands(t.Context(), Address{URL: b.URL(), Token: testToken}, Timing{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v := solvers.Variant{Solver: "toy", Name: "swap", Backend: "cpu", Revision: 1}
	greet := func(name string, cores int) {
		t.Helper()
		h, err := json.Marshal(&Hello{
			Format: format, Name: name, Cores: cores, Making: []string{}, Why: []string{},
			Variants: []string{kindOf(v.Solver, v.Name, v.Backend, v.Revision)},
		})
		if err == nil {
			_, err = s.place().workers.Put(t.Context(), name, h)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := func(want string) {
		t.Helper()
		got, err := s.pick(t.Context(), v)
		if err != nil || got != want {
			t.Fatalf("it is given to %q, want %q: %v", got, want, err)
		}
		s.release(got, false)
	}
	greet("large", 8)
	greet("small", 1)
	want("large")
	s.lose("large")
	want("small")
	s.lose("small")
	want("")
	for i := 0; ; i++ {
		greet("large", 8)
		time.Sleep(50 * time.Millisecond) // a list takes some time, which is in doubt
		if got, err := s.pick(t.Context(), v); err != nil || i > 6000 {
			t.Fatalf("a worker that is heard again gets no island: %v", err)
		} else if got == "large" {
			break
		}
	}
}
