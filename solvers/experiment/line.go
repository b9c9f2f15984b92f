package experiment

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// A Line is units that wait, by backend: what queues of one process are made of. Its methods may
// be called from any goroutine.
type Line struct {
	mu    sync.Mutex
	units map[string][]Unit
}

// NewLine makes a line of units in their order.
func NewLine(units []Unit) *Line {
	l := &Line{units: map[string][]Unit{}}
	for _, u := range units {
		l.units[u.Backend] = append(l.units[u.Backend], u)
	}
	return l
}

// Next takes the first unit of a backend out of the line.
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

// Put brings a unit back to its place.
func (l *Line) Put(u Unit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	us := l.units[u.Backend]
	i, _ := slices.BinarySearchFunc(us, u.Number, func(v Unit, n int) int {
		return cmp.Compare(v.Number, n)
	})
	l.units[u.Backend] = slices.Insert(slices.Clip(us), i, u)
}

// Left is how many units of a backend wait.
func (l *Line) Left(backend string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.units[backend])
}

// Backends are those of the units, in alphabetical order.
func (l *Line) Backends() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.units))
}
