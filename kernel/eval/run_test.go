package eval_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"metalab/kernel/eval"
)

// interrupted evaluates src, interrupts it once it has called started, and
// returns the error.
func interrupted(t *testing.T, s *eval.Session, src string) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := make(chan struct{})
	var once sync.Once
	started := func() { once.Do(func() { close(began) }) }
	s.Bind("started", &started)
	done := make(chan error, 1)
	go func() {
		_, err := s.Eval(ctx, src)
		done <- err
	}()
	select {
	case <-began:
	case err := <-done:
		t.Fatalf("%s: ended by itself: %v", src, err)
	}
	cancel()
	return <-done
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	for _, src := range []string{
		"started(); for {}",
		"n := 0; for { n++; started() }",
		"func spin() { started(); for {} }; spin()",
		"func deep(n int) { if n == 0 { spin() }; deep(n - 1) }; deep(50)",
		"func forever(n int) int { started(); if n > 100 { n = 0 }; x := 0; for range 10 { x += " +
			"forever2(n + 1) }; return x }; func forever2(n int) int { if n > 30 { return 1 }; return " +
			"forever(n) }; forever(0)",
		"f := func() { started(); for {} }; f()",
		"f = func() { started(); for {} }; f()",
		"slices.SortFunc([]int{1, 2}, func(a, b int) int { started(); for {} })",
		"for { func() { defer func() { recover() }(); started(); for {} }() }",
		"L: for { for { started(); continue L } }",
		"started(); goto again; again: goto again",
		"for range func(yield func() bool) { for yield() { started() } } {}",
		"type loops struct{}; func (loops) Step(n int) testlab.Point { started(); for {} }; " +
			"testlab.StepAll(1, loops{})",
	} {
		if err := interrupted(t, s, src); !errors.Is(err, eval.ErrInterrupted) ||
			errors.Is(err, eval.ErrLeftBehind) {
			t.Errorf("%s: got %v, want %v", src, err, eval.ErrInterrupted)
		}
	}
	if v, err := s.Eval(t.Context(), "n > 0"); err != nil || show(v) != "true" {
		t.Errorf("n, whose own statement had ended: got %v, %v", v, err)
	}
	if err := interrupted(t, s, "late := func() int { started(); for {} }()"); !errors.Is(err,
		eval.ErrInterrupted) {
		t.Error(err)
	}
	if v, err := s.Eval(t.Context(), "late"); err == nil {
		t.Errorf("late is there although its statement did not end: %v", v)
	}
	if v, err := s.Eval(t.Context(), "1 + 1"); err != nil || show(v) != "2" {
		t.Errorf("after the interrupts: got %v, %v", v, err)
	}
}

func TestLeftBehind(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	release := make(chan struct{})
	s.Bind("release", &release)
	if _, err := s.Eval(t.Context(), "x := 1"); err != nil {
		t.Fatal(err)
	}
	err := interrupted(t, s, "x := 2; after := 0; started(); testlab.Block(release); after = 1")
	if !errors.Is(err, eval.ErrLeftBehind) || !errors.Is(err, eval.ErrInterrupted) {
		t.Fatalf("got %v, want %v", err, eval.ErrLeftBehind)
	}
	if v, err := s.Eval(t.Context(), "x"); err != nil || show(v) != "2" {
		t.Errorf("got %v, %v, want 2", v, err)
	}
	close(release)
}

// What follows an input that was left behind is as it was before: a check asks next to nothing, and
// a recursion without end is stopped.
func TestAfterLeftBehind(t *testing.T) {
	s, _ := session(t)
	release := make(chan struct{})
	defer close(release)
	s.Bind("release", &release)
	eval1 := func(src string) error {
		_, err := s.Eval(t.Context(), src)
		return err
	}
	turns := func() uint64 {
		var from, to runtime.MemStats
		runtime.ReadMemStats(&from)
		if err := eval1("n := 0; for range 100000 { n++ }"); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&to)
		return to.TotalAlloc - from.TotalAlloc
	}
	turns()
	before := turns()
	err := interrupted(t, s, "started(); testlab.Block(release)")
	if !errors.Is(err, eval.ErrLeftBehind) {
		t.Fatalf("got %v, want %v", err, eval.ErrLeftBehind)
	}
	if after := turns(); after > before+before/5 {
		t.Errorf("100000 turns allocate %d bytes beside an input that was left behind, and %d before it",
			after, before)
	}
	if err := eval1("func rec(n int) int { return rec(n+1) + 1 }; rec(0)"); !errors.Is(err,
		eval.ErrStack) {
		t.Errorf("a recursion without end: got %v, want %v", err, eval.ErrStack)
	}
	if err := interrupted(t, s, "started(); for {}"); !errors.Is(err, eval.ErrInterrupted) ||
		errors.Is(err, eval.ErrLeftBehind) {
		t.Errorf("got %v, want %v", err, eval.ErrInterrupted)
	}
}

// One that comes back stops at its next check, whatever else runs.
func TestLeftBehindComesBack(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	in, out := make(chan struct{}), make(chan int, 10)
	s.Bind("in", &in)
	s.Bind("out", &out)
	err := interrupted(t, s, "started(); for i := 0; ; i++ { testlab.Block(in); out <- i }")
	if !errors.Is(err, eval.ErrLeftBehind) {
		t.Fatalf("got %v, want %v", err, eval.ErrLeftBehind)
	}
	close(in) // from now on nothing blocks
	if _, err := s.Eval(t.Context(), "<-out; n := 0; for range 100000 { n++ }"); err != nil {
		t.Fatal(err)
	}
	if n := len(out); n > 0 {
		t.Errorf("%d turns more were made", n)
	}
}

// TestCompiledGivesWay is the good way: what waits in compiled code has the
// input's context.
func TestCompiledGivesWay(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.Bind("ctx", &ctx)
	started := func() { cancel() }
	s.Bind("started", &started)
	v, err := s.Eval(ctx, "started(); testlab.Wait(ctx, time.Hour)")
	if err != nil && !errors.Is(err, eval.ErrInterrupted) || errors.Is(err, eval.ErrLeftBehind) {
		t.Fatalf("got %v, %v", v, err)
	}
	if _, err := s.Eval(ctx, "1"); !errors.Is(err, eval.ErrInterrupted) {
		t.Fatalf("with a context that has ended: got %v", err)
	}
}

func TestBackground(t *testing.T) {
	t.Parallel()
	s, n := session(t)
	ticks := make(chan int)
	stop := make(chan struct{})
	s.Bind("ticks", &ticks)
	s.Bind("stop", &stop)
	if _, err := s.Eval(t.Context(), "k := 0; go func() { for { k++; select { case ticks <- k: case "+
		"<-stop: return } } }()"); err != nil {
		t.Fatal(err)
	}
	first := <-ticks
	if err := interrupted(t, s, "started(); for {}"); !errors.Is(err, eval.ErrInterrupted) {
		t.Fatal(err)
	}
	if later := <-ticks; later <= first {
		t.Errorf("the goroutine counted %d, then %d", first, later)
	}
	if s.Background() != 1 {
		t.Errorf("%d goroutines in the background, want 1", s.Background())
	}
	close(stop)

	// Panics become notices, whatever the form of the go statement.
	for _, src := range []string{
		`go func() { panic("one") }()`,
		`func boom(s string, xs ...float64) { panic(fmt.Sprint(s, xs)) }; go boom("two", 1, 2)`,
		`xs := []float64{3}; go boom("three", xs...)`,
		`go panic("four")`,
		`func gen[T any](x T) { panic(x) }; go gen("five")`,
		`type obj struct{}; func (o *obj) fail(err error) { panic("six") }; var o *obj; go o.fail(nil)`,
		`go func() { var m map[int]int; m[1] = 1 }()`,
		`go testlab.Crash()`,
		`func rec(n int) int { return rec(n+1) + 1 }; go rec(0)`,
	} {
		if _, err := s.Eval(t.Context(), src); err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		line := <-n.more
		if !strings.Contains(line, "a goroutine that input") {
			t.Errorf("%s: got the notice %q", src, line)
		}
	}
	for _, want := range []string{
		": one", ": two[1 2]", ": three[3]", ": four", ": five", ": six",
		"nil map", "kernel fell over", "stack overflow",
	} {
		if !strings.Contains(n.all(), want) {
			t.Errorf("no notice with %q in %s", want, n.all())
		}
	}
}

// TestManyInputs evaluates 300 inputs, which must neither pile up memory nor get
// slower; the second is seen by the work, not the clock: allocations an input.
func TestManyInputs(t *testing.T) {
	s, _ := session(t)
	eval := func(src string) {
		if _, err := s.Eval(t.Context(), src); err != nil {
			t.Fatalf("%s: %v", src, err)
		}
	}
	eval(`type P struct{ A int }; func (p *P) Inc() int { p.A++; return p.A }; p := &P{}; func f(n ` +
		`int) int { return n + 1 }`)
	measure := func() (heap, mallocs float64) {
		var ms runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&ms)
		return float64(ms.HeapAlloc), float64(ms.Mallocs)
	}
	round := func(from int) {
		for i := from; i < from+100; i++ {
			eval(fmt.Sprintf("v%d := f(%d); w%d := []*P{p}; p.Inc(); fmt.Sprint(v%d, len(w%d))", i%20, i,
				i%20, i%20, i%20))
		}
	}
	round(0)
	h0, m0 := measure()
	round(100)
	h1, m1 := measure()
	round(200)
	h2, m2 := measure()
	if first, second := m1-m0, m2-m1; second > 1.2*first {
		t.Errorf("100 inputs made %.0f allocations, the next 100 made %.0f", first, second)
	}
	if h2-h0 > 10<<20 {
		t.Errorf("200 inputs left %.1f MB, %.1f MB of them the second 100", (h2-h0)/1e6, (h2-h1)/1e6)
	}
	if v := show([]any{s.Inputs()}); v != "301" {
		t.Errorf("%s inputs, want 301", v)
	}
}

// TestManyMethods declares types with methods until the interpreter's room for
// them is out: an error, not the end of the process.
//
// The room is the process's, so the test runs in one of its own.
func TestManyMethods(t *testing.T) {
	if os.Getenv("EVAL_MANY_METHODS") == "" {
		t.Parallel()
		cmd := exec.Command(os.Args[0], "-test.run=^TestManyMethods$", "-test.v")
		cmd.Env = append(os.Environ(), "EVAL_MANY_METHODS=1")
		if out, err := cmd.CombinedOutput(); err != nil ||
			!strings.Contains(string(out), "PASS: TestManyMethods") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	s, _ := session(t)
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "func (b Big) M%d() int { return %d }\n", i, i)
	}
	for i := range 200 {
		_, err := s.Eval(t.Context(), fmt.Sprintf("type Big struct{ F%d int }\n%s", i, b.String()))
		if err == nil {
			continue
		}
		if !strings.Contains(err.Error(), "no room for the methods") {
			t.Fatal(err)
		}
		if v, err := s.Eval(t.Context(), "1 + 1"); err != nil || show(v) != "2" {
			t.Fatalf("then: %v, %v", v, err)
		}
		return
	}
	t.Fatal("room for 20000 methods; is the guard still needed?")
}

// TestTogether has one session used by many goroutines.
func TestTogether(t *testing.T) {
	t.Parallel()
	s, _ := session(t)
	go s.Warm()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := range 10 {
				name := fmt.Sprintf("x%d_%d", i, k)
				v, err := s.Eval(t.Context(), fmt.Sprintf("%s := %d; %s * 2", name, k, name))
				if err != nil || show(v) != fmt.Sprint(2*k) {
					t.Errorf("%s: got %v, %v", name, v, err)
				}
				b := k
				s.Bind(fmt.Sprintf("b%d", i), &b)
				s.Vars()
				s.Complete("testlab.O", 9)
			}
		}()
	}
	wg.Wait()
	if n := len(s.Vars()); n != 44 {
		t.Errorf("%d variables, want 44", n)
	}
}

func BenchmarkEval(b *testing.B) {
	for _, src := range []string{
		"x := 5", "x + 1", "a.Step(1)", "fmt.Sprint(x)", "fib(22)",
		"t := 0; for i := range 100000 { t += i }", "st.Step(1)", "slices.Sort(xs)",
	} {
		b.Run(src, func(b *testing.B) {
			s, _ := session(b)
			s.Warm()
			if _, err := s.Eval(b.Context(), `x := 1; a := testlab.Open("a", "acs", testlab.Load("x")); `+
				`xs := []int{3, 1, 2}; var st testlab.Stepper = a; func fib(n int) int { if n < 2 { return n `+
				`}; return fib(n-1) + fib(n-2) }`); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := s.Eval(b.Context(), src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFirst(b *testing.B) {
	for b.Loop() {
		s, _ := session(b)
		if _, err := s.Eval(b.Context(), `a := testlab.Open("a", "acs", testlab.Load("x")); `+
			`fmt.Sprint(a.Step(1))`); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInterrupt(b *testing.B) {
	s, _ := session(b)
	s.Warm()
	var total time.Duration
	for b.Loop() {
		ctx, cancel := context.WithCancel(b.Context())
		started := func() { cancel() }
		s.Bind("started", &started)
		from := time.Now()
		if _, err := s.Eval(ctx, "started(); for {}"); !errors.Is(err, eval.ErrInterrupted) {
			b.Fatal(err)
		}
		total += time.Since(from)
	}
}
