package devices

import (
	"errors"
	"slices"
	"sync"
)

// errMeeting is what parts get that wait for one that has failed.
var errMeeting = errors.New("a device that has another part of the iteration has failed")

// A Meeting is where the parts of one iteration, each on a device, tell each other something, as
// often as they like, and wait for each other.
//
//	m := devices.NewMeeting[[]int32](len(parts))
//	errs := m.Each(func(k int) error { return parts[k].iterate(…, m) })
type Meeting[T any] struct {
	mu    sync.Mutex
	all   sync.Cond
	told  []T // by part, of those that are there
	there int
	round int
	last  []T // the values of the last round
	err   error
}

// NewMeeting is one of so many parts.
func NewMeeting[T any](parts int) *Meeting[T] {
	m := &Meeting[T]{told: make([]T, parts)}
	m.all.L = &m.mu
	return m
}

// Each calls f(k) for each part, all beside each other. Once one fails the others do not wait for
// it any more.
func (m *Meeting[T]) Each(f func(k int) error) []error {
	return Each(len(m.told), func(k int) (err error) {
		made := false
		defer func() {
			if !made {
				m.end()
			}
		}()
		err = f(k)
		made = err == nil
		return err
	})
}

// Meet tells the others what part k has, and returns what all have told, in their order. An error
// says that one of them does not come.
func (m *Meeting[T]) Meet(k int, mine T) ([]T, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	round := m.round
	m.told[k] = mine
	if m.there++; m.there == len(m.told) {
		m.last, m.there = slices.Clone(m.told), 0
		m.round++
		m.all.Broadcast()
	}
	for m.round == round && m.err == nil {
		m.all.Wait()
	}
	return m.last, m.err
}

// end ends the meeting.
func (m *Meeting[T]) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = errMeeting
	m.all.Broadcast()
}
