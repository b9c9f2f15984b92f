package guest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernel/guest"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Whatever a solver does in iteration 20, the run stands at 19, says why in one line, and
// goes on as if nothing had been when the cause has gone.
func TestTrouble(t *testing.T) {
	session(t, "moody")
	ref := open(t, "moody", "tai12a", nil)
	if err := ref.Step(t.Context(), 40); err != nil {
		t.Fatal(err)
	}
	want := ref.Last()
	for mood, says := range map[string]string{
		"panic": "index out of range [20] with length 0, in guest_test.(*Moody).Step",
		"error": "no more luck",
		"exit":  "exit status 3",
		"race":  "panic: in a goroutine",
		"worse": "the best must not",
		"nan":   "is no number",
		"lie":   "iteration 20: moody: the best is not what it says: it claims ",
		"twice": "iteration 20: moody: the best is not what it says: its solution is not one",
	} {
		t.Run(mood, func(t *testing.T) {
			r := open(t, "moody", "tai12a", record.Values{"mood": record.Text(mood)})
			err := r.Step(t.Context(), 40)
			if !errors.Is(err, solvers.ErrHalted) || !strings.Contains(err.Error(), says) ||
				strings.Contains(err.Error(), "\n") {
				t.Fatalf("the error is %q, want %q in one line", err, says)
			}
			if r.State() != solvers.Paused || r.Last().Iter != 19 {
				t.Fatalf("%s at iteration %d", r.State(), r.Last().Iter)
			}
			if j := r.Journal(); len(j) != 1 || j[0].Kind != record.KindStop ||
				!strings.Contains(j[0].Name, says) {
				t.Errorf("the journal says %v", j)
			}
			if _, err := r.Record(t.Context()); err != nil {
				t.Errorf("the record: %v", err)
			}
			_, doubt := r.Doubt()
			if s := r.Trouble(); !strings.Contains(s, says) || doubt != nil {
				t.Errorf("in trouble for %q, in doubt for %v; the best at iteration 19 is right", s, doubt)
			}
			if _, err := r.Set(t.Context(), record.Values{"mood": record.Text("well")}, "test"); err != nil {
				t.Fatal(err)
			}
			if err := r.Step(t.Context(), 21); err != nil {
				t.Fatal(err)
			}
			if got := r.Last(); got.Digest != want.Digest || got.Best != want.Best {
				t.Errorf("after it: %v, want %v", got, want)
			}
			if s := r.Trouble(); s != "" {
				t.Errorf("still in trouble: %s", s)
			}
		})
	}
}

// Where a cost takes too long for the worker to check each better best, the host does, and
// finds the iteration.
func TestWrongBestOfALargeInstance(t *testing.T) {
	session(t, "moody")
	for _, mood := range []string{"lie", "twice"} {
		r := open(t, "moody", "tai100a", record.Values{"mood": record.Text(mood)})
		err := r.Step(t.Context(), 40)
		if err == nil || !strings.Contains(err.Error(), solvers.ErrWrongBest.Error()) ||
			r.Last().Iter != 19 {
			t.Errorf("%s: %v at iteration %d", mood, err, r.Last().Iter)
		}
	}
}

// giveUpAt steps a run whose iteration after it does not end, and gives up once it stands at it.
func giveUpAt(t *testing.T, r *solvers.Run, it int64) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- r.Step(ctx, 40) }()
	until(t, "the iteration before", func() bool { return r.Last().Iter >= it })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || r.Last().Iter != it {
		t.Fatalf("%v at iteration %d, want %d", err, r.Last().Iter, it)
	}
}

// until waits for a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within five minutes", what)
		}
	}
}

// An iteration that does not end is given up at once, and its worker is ended soon after,
// also when no further call comes: the run is paused, says what happened, and no core is kept busy.
func TestHang(t *testing.T) {
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip("no pgrep")
	}
	_, notes := session(t, "moody")
	r := open(t, "moody", "tai12a", record.Values{"mood": record.Text("hang")})
	giveUpAt(t, r, 19)
	until(t, "the worker's end", func() bool { return len(children(t)) == 0 })
	const says = "iteration 20 did not end within 1s after it was given up, in " +
		"guest_test.(*Moody).Step; its worker was ended, and the run stands at iteration 19"
	until(t, "a notice", func() bool { return strings.Contains(notes(), "a: "+says) })
	if s := r.Trouble(); s != says || r.State() != solvers.Paused {
		t.Errorf("%s: %q", r.State(), s)
	}
	if _, err := r.Best(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Set(t.Context(), record.Values{"mood": record.Text("well")}, "test"); err != nil {
		t.Fatal(err)
	}
	if err := r.Step(t.Context(), 5); err != nil || r.Trouble() != "" {
		t.Fatal(err, r.Trouble())
	}
}

// The same, when what is done next is the change that mends it.
func TestHangAndSet(t *testing.T) {
	session(t, "moody")
	r := open(t, "moody", "tai12a", record.Values{"mood": record.Text("hang")})
	giveUpAt(t, r, 19)
	if _, err := r.Set(t.Context(), record.Values{"mood": record.Text("well")}, "test"); err != nil {
		t.Fatal(err)
	}
	if err := r.Step(t.Context(), 5); err != nil || r.Last().Iter != 24 {
		t.Fatalf("%v at iteration %d", err, r.Last().Iter)
	}
}

// Iterations of which some take long come out the same, whatever is done between them.
func TestSlow(t *testing.T) {
	session(t, "moody")
	vs := record.Values{"mood": record.Text("slow")}
	ref, r := open(t, "moody", "tai12a", vs), open(t, "moody", "tai12a", vs)
	for i := range 5 {
		mood := record.Values{"mood": record.Text([]string{"slow", "well"}[i%2])}
		for _, run := range []*solvers.Run{ref, r} {
			if _, err := run.Set(t.Context(), mood, "test"); err != nil {
				t.Fatal(err)
			}
		}
		if err := ref.Step(t.Context(), 13); err != nil {
			t.Fatal(err)
		}
		// Each try has longer, so that one is long enough for an iteration on any machine.
		wait := time.Duration(20+30*i) * time.Millisecond
		for ; r.Last().Iter < ref.Last().Iter; wait += wait / 4 {
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			err := r.Step(ctx, int(ref.Last().Iter-r.Last().Iter))
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			if _, err := r.Snapshot(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := ref.Last(), r.Last(); a.Digest != b.Digest {
			t.Fatalf("round %d: %v, want %v", i, b, a)
		}
	}
}

// A clock in a solver is found out.
func TestClock(t *testing.T) {
	session(t, "moody")
	r := open(t, "moody", "tai12a", record.Values{"mood": record.Text("clock")})
	var err error
	for range 20 {
		if err = r.Step(t.Context(), 7); err != nil {
			break
		}
		_, _ = r.Snapshot(t.Context())
	}
	if err == nil || !strings.Contains(err.Error(), "Step must depend on nothing but") {
		t.Errorf("a clock: %v", err)
	}
	if i := r.Last().Iter; i > 7 {
		t.Errorf("it was found out after iteration %d only", i)
	}
}

// children are the processes that this one started and that live.
func children(t *testing.T) (pids []int) {
	t.Helper()
	out, _ := exec.Command("pgrep", "-P", strconv.Itoa(os.Getpid())).Output() // 1 when there are none
	for _, f := range strings.Fields(string(out)) {
		if pid, err := strconv.Atoi(f); err == nil {
			if args, err := os.ReadFile("/proc/" + f + "/cmdline"); err != nil ||
				!strings.Contains(string(args), "pgrep") {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// A killed worker costs nothing, and no worker outlives its run.
func TestKill(t *testing.T) {
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip("no pgrep")
	}
	session(t, "walk")
	ref, r := open(t, "walk", "rand-50-1", nil), open(t, "walk", "rand-50-1", nil)
	if err := ref.Step(t.Context(), 300); err != nil {
		t.Fatal(err)
	}
	ref.Close()
	for r.Last().Iter < 300 {
		if err := r.Step(t.Context(), min(60, 300-int(r.Last().Iter))); err != nil &&
			!(errors.Is(err, solvers.ErrHalted) && strings.Contains(err.Error(), "killed")) {
			t.Fatal(err)
		}
		for _, pid := range children(t) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if a, b := ref.Last(), r.Last(); a.Digest != b.Digest {
		t.Errorf("%v, want %v", b, a)
	}
	r.Close()
	for end := time.Now().Add(5 * time.Minute); len(children(t)) > 0; time.Sleep(
		10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("workers are left:", children(t))
		}
	}
}

// The state survives its worker, a set in the midst of what the worker made ahead, and
// what nobody saw is not told.
func TestSetWhileAhead(t *testing.T) {
	session(t, "walk")
	a, b := open(t, "walk", "rand-50-1", nil), open(t, "walk", "rand-50-1", nil)
	for i := range 30 {
		v := record.Values{"temperature": record.Num(float64(100 * i)), "often": record.Bool(i%2 == 0)}
		if err := a.Step(t.Context(), 11); err != nil {
			t.Fatal(err)
		}
		for range 11 {
			if err := b.Step(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range []*solvers.Run{a, b} {
			if _, err := r.Set(t.Context(), v, "test"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if a.Last().Digest != b.Last().Digest {
		t.Error("steps at once and one by one differ")
	}
	if a.Last().CPU == 0 {
		t.Error("no CPU time was counted")
	}
}

// What cannot be declared is refused with a sentence.
func TestRefused(t *testing.T) {
	s, _ := session(t)
	self, _ := os.Executable()
	solvers.Register(solvers.Variant{
		Solver: "built-in", Name: "x", Backend: "cpu",
		New: func(datasets.Instance) (solvers.Algorithm, error) { return nil, nil },
	})
	for _, c := range []struct {
		q    wire.DeclareRequest
		says string
	}{
		{wire.DeclareRequest{Solver: "a b", Program: self}, "no name"},
		{wire.DeclareRequest{Solver: "built-in", Program: self}, "metalab's own"},
		{wire.DeclareRequest{Solver: "a", Program: "/nowhere/at/all"}, "no such file"},
		{wire.DeclareRequest{Solver: "a", Program: "/bin/true"}, "its worker ended"},
		{
			wire.DeclareRequest{Solver: "swap", Program: self, Source: []byte(`package main
import ("math/rand"; "metalab/kernel/lab")
type Swap struct{}
func (s *Swap) Step(it int64, r *lab.Rand) (float64, error) { return rand.Float64(), nil }
func main() { lab.Declare("swap", func() lab.Solver { return &Swap{} }) }`), Type: "Swap"},
			"swap: (*Swap).Step uses rand.Float64 of math/rand, which gives other numbers each time",
		},
	} {
		if _, _, err := s.Declare(t.Context(), c.q); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.q, err, c.says)
		}
	}
	if _, err := solvers.Find("a", "", ""); err == nil {
		t.Error("what was refused is registered")
	}
}

// A record of a solver that is not there, or of other code, says what is missing.
func TestMissing(t *testing.T) {
	s, _ := session(t, "walk")
	r := open(t, "walk", "rand-20-1", nil)
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Missing(rec); err != nil {
		t.Error(err)
	}
	code, _ := rec.Header.Params["code"].Word()
	if src := rec.Header.Sources[code]; !strings.Contains(src, "program SHA-256") {
		t.Errorf("the record keeps %q", src)
	}
	rec.Header.Params["code"] = record.Text("0123456789")
	if err := s.Missing(rec); err == nil || !strings.Contains(err.Error(), "0123456789") {
		t.Errorf("other code: %v", err)
	}
	other := guest.NewSession(t.TempDir(), nil)
	if err := other.Missing(rec); err == nil ||
		!strings.Contains(err.Error(), "run the cell that declares it") {
		t.Errorf("no such solver: %v", err)
	}
}
