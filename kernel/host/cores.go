package host

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// cores lets one repeat or experiment at a time use all cores: in parallel, each would take as long
// as both, and their times would be useless. Work that somebody waits for precedes work in the
// background, which pauses between two iterations until the cores are free again.
type cores struct {
	mu      sync.Mutex
	now     *Holder       // who has them
	yielded []*Holder     // holders that yielded and continue later, the last first
	fore    int           // of those who wait, in the foreground
	changed chan struct{} // closed when something has changed
}

// A Holder has the cores, or waits for them.
type Holder struct {
	What, End  string       // as "experiment e", and what ends it, as "experiment e pause"
	Background bool         // nobody waits for it
	Say        func(string) // receives what it waits for, and then ""

	rest atomic.Pointer[chan struct{}] // closed when the work continues; nil: it does
}

// take waits until x has the cores.
func (g *cores) take(ctx context.Context, x *Holder) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !x.Background {
		g.fore++
	}
	waited, given := false, false
	defer func() {
		if !x.Background {
			g.fore--
		}
		if !given {
			g.settle()
		}
	}()
	for {
		free := g.now == nil && (!x.Background || g.fore == 0)
		if g.now != nil && g.now.Background && !x.Background {
			ch := make(chan struct{})
			g.now.rest.Store(&ch)
			g.now.Say("waits for " + x.What)
			g.yielded = append(g.yielded, g.now)
			free = true
		}
		if free {
			g.now, given = x, true
			if waited {
				x.Say("")
			}
			return nil
		}
		if g.now != nil {
			x.Say("waits for " + g.now.What + " (" + g.now.End + " ends it)")
		}
		waited = true
		if g.changed == nil {
			g.changed = make(chan struct{})
		}
		changed := g.changed
		g.mu.Unlock()
		select {
		case <-changed:
			g.mu.Lock()
		case <-ctx.Done():
			g.mu.Lock()
			return context.Cause(ctx)
		}
	}
}

// free gives the cores back.
func (g *cores) free(x *Holder) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.now == x {
		g.now = nil
	} else {
		g.yielded = slices.DeleteFunc(g.yielded, func(y *Holder) bool { return y == x })
	}
	g.settle()
}

// settle lets who yielded go on where nobody else waits in the foreground; g.mu is held.
func (g *cores) settle() {
	if n := len(g.yielded); g.now == nil && g.fore == 0 && n > 0 {
		g.now, g.yielded = g.yielded[n-1], g.yielded[:n-1]
		g.now.Say("")
		close(*g.now.rest.Swap(nil))
	}
	if g.changed != nil {
		close(g.changed)
		g.changed = nil
	}
}

// Hold waits while others have the cores that x yielded, and reports whether it did. It is called
// between iterations.
func (x *Holder) Hold(ctx context.Context) bool {
	ch := x.rest.Load()
	if ch == nil {
		return false
	}
	select {
	case <-*ch:
	case <-ctx.Done():
	}
	return true
}
