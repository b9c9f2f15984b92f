package cells

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// A list is asked for anew each time, but waited for only where there is none.
func TestListIsNotWaitedFor(t *testing.T) {
	var l list
	answers := make(chan []string)
	var mu sync.Mutex
	asked := 0
	ask := func() []string {
		mu.Lock()
		asked++
		mu.Unlock()
		return <-answers
	}
	go func() { answers <- []string{"a"} }()
	if got := l.get(0, ask); !slices.Equal(got, []string{"a"}) {
		t.Fatalf("the first answer is %v", got)
	}
	if got := l.get(0, ask); !slices.Equal(got, []string{"a"}) {
		t.Errorf("while it is asked again: %v", got)
	}
	if got := l.get(0, ask); !slices.Equal(got, []string{"a"}) {
		t.Errorf("a second time: %v", got)
	}
	answers <- []string{"a", "b"}
	for !slices.Equal(l.get(time.Hour, func() []string { return []string{"a", "b"} }),
		[]string{"a", "b"}) {
		time.Sleep(time.Millisecond) // what was asked before is just coming in
	}
	mu.Lock()
	defer mu.Unlock()
	if asked != 2 {
		t.Errorf("it was asked %d times, want 2: once at the first, once for those that did not wait",
			asked)
	}
	if got := l.get(time.Hour, func() []string { return nil }); len(got) != 2 {
		t.Errorf("no answer takes the list away: %v", got)
	}
}

// BenchmarkCompletion is how long somebody waits for a completion, and for what a name means: the
// first of a kernel, and those after it.
func BenchmarkCompletion(b *testing.B) {
	k := begin(b, "open acs rand-50-1 as a")
	k.listWait = listWait
	for _, code := range []string{
		`lab.Open("w", "`, `lab.Load("`, `a.Set("q`, `lab.Open("w", "acs", lab.With("q`,
		`lab.Do("open ac`, `lab.O`,
	} {
		began := time.Now()
		k.Complete(code, len(code))
		b.Logf("%s, the first time: %v", code, time.Since(began))
		b.Run("complete "+code, func(b *testing.B) {
			for range b.N {
				k.Complete(code, len(code))
			}
		})
		b.Run("inspect "+code, func(b *testing.B) {
			for range b.N {
				k.Inspect(code, len(code))
			}
		})
	}
}
