package stream

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metalab/solvers/record"
)

// waiting is the largest number of windows of units at the broker while no worker can run them.
const waiting = 16

// makes reports whether a worker has an algorithm. If there are no workers, one may come.
func (a *coordinator) makes(kind string) bool { return len(a.can) == 0 || a.can[kind] }

// leastWindow is the number of units at the broker if the workers have few cores.
const leastWindow = 1024

// window returns the largest number of units at the broker. It includes those in progress, so it
// exceeds the number of cores.
func (a *coordinator) window() int {
	if a.f.Window > 0 {
		return a.f.Window
	}
	return max(leastWindow, 2*a.side)
}

// fill sends units until the window is full, when there is room for a part of it. Those that no
// worker can make leave room for others.
func (a *coordinator) fill() error {
	window := a.window()
	if a.filled > 0 && len(a.out) > a.filled-window/16 {
		return nil
	}
	err := a.fillUp(window)
	if a.filled = len(a.out); err != nil {
		a.filled = 0
	}
	return err
}

// fillUp sends units until the window is full.
func (a *coordinator) fillUp(window int) error {
	news := false
	has := map[string]int{} // those of one backend leave room for the others
	all := map[string]int{}
	for _, s := range a.out {
		all[s.u.Backend]++
		if a.makes(s.kind) {
			has[s.u.Backend]++
		}
	}
	for _, b := range a.q.Backends() {
		for ; has[b] < window && all[b] < waiting*window; all[b]++ {
			u, ok, err := a.q.Take(a.ctx, b)
			if err != nil {
				return localError{err}
			}
			if !ok {
				break
			}
			s := &sent{u: u, kind: kindOfUnit(&u)}
			if s.code, err = a.source(&u); err == nil {
				s.data, err = writeTask(&u, s.code)
			}
			if err != nil {
				return localError{errors.Join(err, a.q.Return(u))}
			}
			if _, _, err := readTask(s.data); err != nil { // no worker would take it
				return localError{errors.Join(err, a.q.Return(u))}
			}
			a.out[u.Key.String()] = s
			if news = true; a.makes(s.kind) {
				has[b]++
			}
			if err := a.send(s); err != nil {
				return err // it is sent at the next look
			}
		}
	}
	if news {
		return a.l.nc.Publish(a.l.subject("wake"), nil)
	}
	return nil
}

// count notes how many cores there are, and why units wait.
func (a *coordinator) count() error {
	all, err := a.p.list(a.ctx)
	if err != nil {
		return err
	}
	a.side, a.can = 0, map[string]bool{}
	for _, w := range all {
		a.side += w.Cores + w.GPUs
		for _, v := range w.Variants {
			a.can[v] = true
		}
	}
	wait, own, codes := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, s := range a.out {
		if s.code != "" {
			codes[s.code] = true
		}
		if !a.can[s.kind] {
			wait[s.kind]++
			own[s.kind] = s.code != ""
		}
	}
	switch {
	case len(all) == 0 && len(a.out) > 0:
		a.note(fmt.Sprintf("%d units wait: no worker has joined; %s joins one", len(a.out),
			record.Typed("worker "+a.l.where)))
	case len(wait) > 0:
		kind := slices.Sorted(maps.Keys(wait))[0]
		text := fmt.Sprintf("units wait: no worker has %s", kind)
		if own[kind] {
			text += "; one that is started with -code takes the code of others"
		}
		a.note(text)
	default:
		if text := uncompiled(all, codes); text != "" {
			a.note(text)
		}
	}
	return nil
}

// uncompiled returns a worker's report about requested code that it cannot have; empty: there is
// none.
func uncompiled(all []Member, codes map[string]bool) string {
	for i := range all {
		for _, why := range all[i].Why {
			for sha := range codes {
				if rest, ok := strings.CutPrefix(why, needsOther); ok && strings.Contains(rest, sha[:12]) {
					return fmt.Sprintf("worker %s leaves units to others: %s", all[i].Name, rest)
				}
			}
		}
	}
	return ""
}
