package guest_test

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"metalab/kernel/guest"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// endless declares a problem whose methods do not end when a parameter says so.
const endless = `package main

import "metalab/kernel/lab"

type Stuck struct {
	Where int ` + "`param:\"where,0..3\" doc:\"which method does not end\"`" + `
	n     int64
}

func (s *Stuck) turn(i int64) int64 { return s.n*s.n + i }

func (s *Stuck) Cost(x []uint8) int64 {
	for i := int64(0); s.Where == 1; i++ { // of Cost
		s.n += i
	}
	return int64(x[0]) + 2*int64(x[1])
}

func (s *Stuck) Delta(x []uint8, i int) int64 {
	for s.Where == 2 {
		s.n = s.turn(s.n) // of Delta
	}
	if i > 1 {
		return 0
	}
	return (1 - 2*int64(x[i])) * int64(1+i)
}

func main() {
	lab.DeclareProblem("stuck", func() any { return &Stuck{} }, lab.Bits(8))
}
`

// A method that does not end is named with its line: by an iteration while it goes on and when it
// is given up, by a change of a parameter, by a cost and by a check; all in bounded time.
func TestMethodsThatDoNotEnd(t *testing.T) {
	guest.Limits(t, 3*time.Second, time.Second, time.Second)
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("compiles programs")
	}
	var mu sync.Mutex
	var said []string
	s := guest.NewSession(t.TempDir(), func(text string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, text)
	})
	t.Cleanup(s.Close)
	heard := func(text string) bool {
		mu.Lock()
		defer mu.Unlock()
		return strings.Contains(strings.Join(said, "\n"), text)
	}
	in := declaredProblem(t, s, "stuck", endless)
	open := func() *solvers.Run {
		r, err := solvers.Open(solvers.Config{Name: "a", Solver: "tabu", Instance: in, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		if err := r.Step(t.Context(), 5); err != nil {
			t.Fatal(err)
		}
		return r
	}
	set := func(r *solvers.Run, n float64) error {
		_, err := r.Set(t.Context(), record.Values{"where": record.Num(n)}, "test")
		return err
	}
	const cost = "(*Stuck).Cost: for i := int64(0); s.Where == 1; i++ { // of Cost"
	const delta = "(*Stuck).Delta: s.n = s.turn(s.n) // of Delta"

	r := open()
	if err := set(r, 2); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- r.Step(ctx, 1) }()
	until(t, "a word on a long iteration", func() bool {
		return heard("a: iteration 6 has taken 1s, in (*Stuck).")
	})
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	until(t, "the end of the worker", func() bool {
		return heard("iteration 6 did not end within 1s after it was given up, in (*Stuck).")
	})

	r = open()
	if err := set(r, 1); err == nil {
		err = r.Step(t.Context(), 1)
		if !errors.Is(err, solvers.ErrHalted) || !strings.Contains(err.Error(), cost) {
			t.Errorf("a Cost that does not end: %v, want %q", err, cost)
		}
	} else if !strings.Contains(err.Error(), cost) {
		t.Errorf("a Cost that does not end: %v, want %q", err, cost)
	}

	for where, says := range map[float64]string{1: cost, 2: delta} {
		values := record.Values{"where": record.Num(where)}
		_, err := in.CostWith(record.Solution{Bits: make([]int8, 8)}, values)
		if got := err != nil && strings.Contains(err.Error(), cost); got != (where == 1) {
			t.Errorf("a cost with where=%v: %v", where, err)
		}
		_, err = in.Check(t.Context(), wire.WorkerCheck{Seed: 1, Moves: 50, Params: values})
		if err == nil || !strings.Contains(err.Error(), "(*Stuck).") {
			t.Errorf("a check with where=%v: %v, want %q", where, err, says)
		}
	}
}

// A check whose time is over says what it has compared, and that it is not all.
func TestCheckInTime(t *testing.T) {
	guest.Limits(t, time.Minute, time.Second, 50*time.Millisecond)
	s := newSession(t)
	in := declaredProblem(t, s, "stuck", endless)
	c, err := in.Check(t.Context(), wire.WorkerCheck{Seed: 1, Moves: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	if c.Late == "" || len(c.Neighbourhoods) < 2 || c.Neighbourhoods[0].Moves < 1 ||
		c.Neighbourhoods[0].Moves >= 1_000_000 {
		t.Errorf("%+v", c)
	}
}
