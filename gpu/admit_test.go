package gpu_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"metalab/gpu"
)

const mib = 1 << 20

// The fake driver's devices have 64 MiB, of which a context takes one.
func TestAdmission(t *testing.T) {
	if !alone(t, "fake", "") {
		return
	}
	a, b := open(t, 0), open(t, 0)
	if err := a.Admit("run a", 40*mib); err != nil {
		t.Fatal(err)
	}
	wantError(t, b.Admit(
		"run b", 30*mib,
	), gpu.ErrNoRoom, "device 0: admit run b", "30.0 MiB are needed", "23.0 MiB of 64.0 MiB are free",
		"7.0 MiB are missing", "run a holds 40.0 MiB")
	if h := b.Holding(); h.Claimed != 0 {
		t.Errorf("what was refused is held: %+v", h)
	}
	if err := b.Admit("run b", 20*mib); err != nil {
		t.Error(err)
	}
	// What a allocates of its promise is not counted twice.
	x, err := gpu.Alloc[byte](a, 30*mib)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Admit("run b", 22*mib); err != nil {
		t.Errorf("a larger promise, for which there is room: %v", err)
	}
	wantError(t, b.Admit("run b", 24*mib), gpu.ErrNoRoom, "24.0 MiB are needed", "1.0 MiB are missing")
	want := []gpu.Holding{
		{Holder: "run a", Claimed: 40 * mib, Held: 30 * mib}, {Holder: "run b", Claimed: 22 * mib},
	}
	if got := gpu.Holdings(0); !slices.Equal(got, want) {
		t.Errorf("holdings %v, want %v", got, want)
	}
	if got := gpu.Holdings(1); len(got) != 0 {
		t.Errorf("the other device is held: %v", got)
	}
	// More of one's own counts only what is not allocated yet.
	wantError(
		t, a.Admit("run a", 41*mib), gpu.ErrNoRoom, "11.0 MiB are needed", "run b holds 22.0 MiB",
	)
	if err := x.Free(); err != nil {
		t.Fatal(err)
	}
	if h := a.Holding(); h.Held != 0 || h.Claimed != 40*mib {
		t.Errorf("after freeing: %+v", h)
	}
	// What nobody admitted is counted too, and freed by the end.
	c := open(t, 0)
	if _, err := gpu.Alloc[byte](c, mib); err != nil {
		t.Fatal(err)
	}
	wantError(t, b.Admit("run b", 23*mib), gpu.ErrNoRoom, "what was not admitted holds 1.0 MiB")
	c.Close()
	a.Close()
	if err := b.Admit("run b", 60*mib); err != nil {
		t.Errorf("everybody else left: %v", err)
	}
	if got := gpu.Holdings(0); len(got) != 1 || got[0].Holder != "run b" {
		t.Errorf("holdings %v", got)
	}
	wantError(t, b.Admit("run b", -1), gpu.ErrArgument, "-1 bytes")
	wantError(t, b.Admit("run b", 100*mib), gpu.ErrNoRoom, "nobody in this process")
}

// waitFor waits until so many wait for a turn.
func waitFor(t *testing.T, turns *gpu.Turns, n int) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if turns.Waiting() == n {
			return
		}
	}
	t.Fatalf("%d wait, want %d", turns.Waiting(), n)
}

// Those that ask come in the order in which they asked, and again behind the others.
func TestTurns(t *testing.T) {
	t.Parallel()
	var turns gpu.Turns
	give, waited, err := turns.Take(t.Context())
	if err != nil || waited {
		t.Fatal(err, waited)
	}
	var (
		mu    sync.Mutex
		order strings.Builder
		wg    sync.WaitGroup
	)
	const rounds = 50
	for i, name := range []string{"a", "b", "c"} {
		wg.Go(func() {
			for range rounds {
				give, waited, err := turns.Take(t.Context())
				if err != nil || !waited && turns.Waiting() > 0 {
					t.Error(name, err, waited)
					return
				}
				mu.Lock()
				order.WriteString(name)
				first := order.Len() <= 3*rounds-3
				mu.Unlock()
				for first && turns.Waiting() < 2 { // the others are asking again
					time.Sleep(10 * time.Microsecond)
				}
				give()
			}
		})
		waitFor(t, &turns, i+1)
	}
	give()
	wg.Wait()
	if want := strings.Repeat("abc", rounds); order.String() != want {
		t.Errorf("the order is %s", order.String())
	}
	if _, waited, err := turns.Take(t.Context()); err != nil || waited {
		t.Error("nobody is left, and it is taken", err)
	}
}

// Who gives up waiting is passed over, also in the moment in which its turn comes.
func TestTurnsGivenUp(t *testing.T) {
	t.Parallel()
	for range 200 {
		var turns gpu.Turns
		give, _, err := turns.Take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			give, _, err := turns.Take(ctx)
			if err == nil {
				give()
			}
			done <- err
		}()
		waitFor(t, &turns, 1)
		go cancel()
		give()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if give, waited, err := turns.Take(t.Context()); err != nil || waited {
			t.Fatal("the turn was lost", err)
		} else {
			give()
		}
	}
	var turns gpu.Turns
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := turns.Take(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestDevicesShareTurns(t *testing.T) {
	d, e := device(t), device(t)
	if d.Turns() != e.Turns() {
		t.Error("a device that is opened twice has two orders of turns")
	}
	if other := open(t, 1); other.Turns() == d.Turns() {
		t.Error("two devices have one order of turns")
	}
}
