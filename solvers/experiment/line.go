package experiment

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// A Line holds waiting units by backend; queues within one process use it. Any goroutine may call
// its methods.
type Line struct {
	mu    sync.Mutex
	units map[string][]Unit
}

// NewLine returns a line with units in their order.
func NewLine(units []Unit) *Line {
	l := &Line{units: map[string][]Unit{}}
	for _, u := range units {
		l.units[u.Backend] = append(l.units[u.Backend], u)
	}
	return l
}

// Next removes the first unit of a backend from the line and returns it.
func (l *Line) Next(backend string) (u Unit, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	us := l.units[backend]
	if len(us) == 0 {
		return u, false
	}
	u, l.units[backend] = us[0], us[1:]
	return u, true
}

// Put inserts a unit at its place again.
func (l *Line) Put(u Unit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	us := l.units[u.Backend]
	i, _ := slices.BinarySearchFunc(us, u.Number, func(v Unit, n int) int {
		return cmp.Compare(v.Number, n)
	})
	l.units[u.Backend] = slices.Insert(slices.Clip(us), i, u)
}

// Left returns the number of waiting units of a backend.
func (l *Line) Left(backend string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.units[backend])
}

// Backends returns the backends of the units, in alphabetical order.
func (l *Line) Backends() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.units))
}
