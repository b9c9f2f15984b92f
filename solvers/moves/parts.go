package moves

import (
	"errors"
	"slices"
	"sync"
)

// A Choice is a move by its number, and by how much it makes the cost grow, and Found are the best
// moves of a part of a neighbourhood: of all, of those that are overdue, and of those that are not
// tabu. What they mean in climbing is the engines' affair.
type Choice struct {
	Delta int64
	Index uint64
}

// Found is described at Choice.
type Found struct{ All, Late, Open Choice }

// A Parting engine can be one of several that share out the neighbourhoods of the same walks. Each
// has all walks, looks at its part of a neighbourhood, tells the others of the best moves there,
// and makes the move that follows from what all have told. So all have the same walks after each
// scan.
type Parting interface {
	Climber

	// Worth tells whether the neighbourhoods of a job are so large that several engines make its
	// scans sooner than one.
	Worth(j Job) bool

	// Part says before Climb that the engine has part k of n; of 1 it has all. It calls meet with
	// what it has found of each walk as often as the other engines do, and gets what all have found:
	// of the first part, then of the second, and so on. An error says that another engine has failed.
	Part(k, n int, meet func([]Found) ([]Found, error))
}

// errParted is what engines get that wait for one that has failed.
var errParted = errors.New("moves: a device that has another part of the scans has failed")

// meeting is where engines wait for each other.
type meeting struct {
	mu    sync.Mutex
	all   sync.Cond
	told  [][]Found // by part, of those that are there
	there int
	round int
	found []Found // of the last round
	err   error
}

func newMeeting(parts int) *meeting {
	m := &meeting{told: make([][]Found, parts)}
	m.all.L = &m.mu
	return m
}

// meet is that of part k; see Parting.
func (m *meeting) meet(k int, mine []Found) ([]Found, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	round := m.round
	m.told[k] = mine
	if m.there++; m.there == len(m.told) {
		m.found, m.there = slices.Concat(m.told...), 0
		m.round++
		m.all.Broadcast()
	}
	for m.round == round && m.err == nil {
		m.all.Wait()
	}
	return m.found, m.err
}

// end ends the meeting for all: one of them does not come.
func (m *meeting) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = errParted
	m.all.Broadcast()
}
