package solvers

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// played is a process whose threads use CPU time as a test says.
type played struct {
	at   int // the thread that calls
	used map[int]time.Duration
	gone time.Duration
}

func (p *played) ledger() *ledger {
	p.used = map[int]time.Duration{}
	return newLedger(clock{
		process: func() time.Duration {
			sum := p.gone
			for _, d := range p.used {
				sum += d
			}
			return sum
		},
		own:    func() time.Duration { return p.used[p.at] },
		of:     func(thread int) time.Duration { return p.used[thread] },
		thread: func() int { return p.at },
	})
}

// on calls f as a thread does.
func (p *played) on(thread int, f func()) {
	p.at = thread
	f()
}

// A run that goes alone has what no thread is known for; several share it in proportion to their
// own; what is known to be for others is in none, and what other processes use in its own run.
func TestCPUTimeIsSharedOut(t *testing.T) {
	t.Parallel()
	const a, b, helper, other, runtime = 1, 2, 3, 4, 5
	for _, c := range []struct {
		name           string
		own            [6]time.Duration // by thread, while the runs go
		far            time.Duration
		one            bool // b rests
		wantA, wantB   time.Duration
		helped, nested bool // helper's loop is a's; other's work is begun twice
	}{
		{name: "alone", own: [6]time.Duration{a: 60, runtime: 40}, one: true, wantA: 100},
		{
			name: "alone, of others", own: [6]time.Duration{a: 60, b: 7, other: 20, runtime: 13},
			one: true, wantA: 73,
		},
		{
			name: "begun twice", own: [6]time.Duration{a: 60, other: 20, runtime: 20}, one: true,
			wantA: 80, nested: true,
		},
		{name: "two", own: [6]time.Duration{a: 30, b: 10, runtime: 20}, wantA: 45, wantB: 15},
		{
			name: "a helper", own: [6]time.Duration{a: 10, b: 10, helper: 20, runtime: 40},
			wantA: 60, wantB: 20, helped: true,
		},
		{
			name: "elsewhere", own: [6]time.Duration{a: 10, b: 10, runtime: 20}, far: 1000,
			wantA: 1020, wantB: 20,
		},
		{name: "neither works", own: [6]time.Duration{runtime: 20}, wantA: 10, wantB: 10},
		{name: "nothing", wantA: 0, wantB: 0},
	} {
		var p played
		l := p.ledger()
		p.used[runtime], p.used[a] = 1e6, 3 // before: of none
		pools := [3]*Pool{a: NewPool(1), b: NewPool(1)}
		var accounts [3]*account
		for _, run := range []int{a, b} {
			p.on(run, func() {
				l.enter()
				if run == a || !c.one {
					accounts[run] = l.open(pools[run])
				}
			})
		}
		var began, within time.Duration
		var nested, twice bool
		p.on(other, func() {
			began, nested = l.enter()
			within, twice = l.enter()
		})
		p.on(helper, func() { l.enter() })
		for thread, d := range c.own {
			p.used[thread] += d
		}
		if c.helped {
			p.on(helper, func() { pools[a].cpu.Add(int64(l.leave(0, false))) })
		}
		if c.nested {
			p.on(other, func() {
				l.leave(within, twice)
				l.leave(began, nested)
			})
		}
		pools[a].Charge(c.far)
		p.on(a, func() {
			if got := l.take(accounts[a], true); got != c.wantA {
				t.Errorf("%s: the first has %d, want %d", c.name, got, c.wantA)
			}
		})
		if !c.one {
			p.on(b, func() {
				if got := l.take(accounts[b], true); got != c.wantB {
					t.Errorf("%s: the second has %d, want %d", c.name, got, c.wantB)
				}
			})
		}
	}
}

// Whatever threads do and runs begin and cease to go, all runs together have what the process used
// while any went, less what was known to be for others.
func TestCPUTimeAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const runs = 3
		var p played
		l := p.ledger()
		pool := NewPool(1)
		var accounts [runs]*account
		for i := range runs {
			p.on(1+i, func() { l.enter() })
		}
		var want, got time.Duration
		going := 0
		take := func(i int, now bool) {
			p.on(1+i, func() { got += l.take(accounts[i], now) })
		}
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			i := rapid.IntRange(0, runs-1).Draw(t, "run")
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0: // a run's own thread
				d := time.Duration(rapid.IntRange(1, 1e9).Draw(t, "own"))
				if p.used[1+i] += d; accounts[i] != nil {
					want += d
				}
			case 1: // a thread that nobody knows
				d := time.Duration(rapid.IntRange(1, 1e9).Draw(t, "rest"))
				if p.used[99] += d; going > 0 {
					want += d
				}
			case 2: // a thread that works for none
				p.on(98, func() {
					began, nested := l.enter()
					p.used[98] += time.Second
					l.leave(began, nested)
				})
			case 3:
				if accounts[i] != nil {
					take(i, false)
				}
			case 4:
				if accounts[i] == nil {
					p.on(1+i, func() { accounts[i] = l.open(pool) })
					going++
					continue
				}
				take(i, true)
				l.close(accounts[i])
				accounts[i] = nil
				going--
			}
		}
		for i := range runs {
			if accounts[i] != nil {
				take(i, true)
			}
		}
		for i := range runs { // what the last sharing out owes the others
			if accounts[i] != nil {
				take(i, false)
			}
		}
		if d := want - got; d < -1000 || d > 1000 { // parts of nanoseconds
			t.Fatalf("the runs have %v, want %v", got, want)
		}
	})
}
