package stream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Islands runs the islands of a run on the workers of a broker; see solvers.RemoteIslands. The run
// is the authority: it has a state of each island and the operations since, so that another worker
// can continue an island after a loss. Without workers it waits.
type Islands struct {
	Address Address
	Timing  Timing
	// Note receives a line about each event; may be nil.
	Note func(string)
	// Renew is after how long an island's state is fetched anew; 0: 10 s, and at least fifty times
	// what that takes.
	Renew time.Duration

	run      string
	l        *link
	lockstep bool // one iteration is asked for at a time

	mu     sync.Mutex
	p      *namespace
	has    map[string]int       // islands of each worker
	bad    map[string]bool      // workers that are not asked any more
	lost   map[string]time.Time // when a worker was found not to answer
	open   int                  // islands
	parcel map[string]bool      // instances stored at the broker, by hash
	noted  string
}

// OpenIslands connects to a broker. Close ends it.
func OpenIslands(ctx context.Context, a Address, t Timing, note func(string)) (*Islands, error) {
	l, err := dial(ctx, a, t, nil)
	if err != nil {
		return nil, err
	}
	s := &Islands{
		Address: a, Timing: t, Note: note, run: nonce(), l: l, has: map[string]int{},
		bad: map[string]bool{}, lost: map[string]time.Time{}, parcel: map[string]bool{},
	}
	if s.p, err = l.make(ctx); err != nil {
		l.close()
		return nil, err
	}
	return s, nil
}

// Close ends the connection; the islands' algorithms must have been closed.
func (s *Islands) Close() { s.l.close() }

// Reached returns the number of islands of each worker, by name.
func (s *Islands) Reached() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.has)
}

func (s *Islands) note(text string) {
	s.mu.Lock()
	same := s.noted == text
	s.noted = text
	s.mu.Unlock()
	if !same && s.Note != nil {
		s.Note(text)
	}
}

func (s *Islands) place() *namespace {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.p
}

// reopen makes what a broker that was lost lacks.
func (s *Islands) reopen(ctx context.Context) {
	p, err := s.l.make(ctx)
	if err != nil {
		return // later again
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.p.name != p.name {
		clear(s.parcel)
	}
	s.p = p
}

// Island implements solvers.RemoteIslands.
func (s *Islands) Island(
	v solvers.Variant, inst datasets.Instance, number int,
) (solvers.Algorithm, error) {
	here, err := v.Make(inst)
	if err != nil {
		return nil, err
	}
	parcel, err := packInstance(inst)
	if err != nil {
		here.Close()
		return nil, err
	}
	s.mu.Lock()
	s.open++
	s.mu.Unlock()
	return &remoteIsland{s: s, v: v, inst: inst, number: number, here: here, packed: parcel}, nil
}

// upload stores an instance at the broker.
func (s *Islands) upload(ctx context.Context, a *remoteIsland) error {
	sha := a.inst.SHA256()
	s.mu.Lock()
	there := a.packed == nil || s.parcel[sha]
	s.mu.Unlock()
	if there {
		return nil
	}
	ctx, end := context.WithTimeout(ctx, longest)
	defer end()
	if _, err := s.place().objects.PutBytes(ctx, instanceKey(sha), a.packed); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parcel[sha] = true
	return nil
}

// pick chooses the worker for an island that has the fewest for its cores; empty: there is none.
func (s *Islands) pick(ctx context.Context, v solvers.Variant) (string, error) {
	asked := time.Now()
	all, err := s.place().list(ctx)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	kind := kindOf(v.Solver, v.Name, v.Backend, v.Revision)
	best, load := "", 0.0
	for _, m := range all {
		if m.Draining || s.bad[m.Name] || !slices.Contains(m.Variants, kind) {
			continue
		}
		if at, ok := s.lost[m.Name]; ok && m.Heard >= asked.Sub(at) {
			continue // it is on the list from before it was lost
		}
		if l := float64(s.has[m.Name]+1) / float64(max(m.Cores, 1)); best == "" || l < load {
			best, load = m.Name, l
		}
	}
	if best != "" {
		s.has[best]++
	}
	return best, nil
}

// release takes an island from a worker, which is not asked again where it is false.
func (s *Islands) release(worker string, isBad bool) {
	if worker == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has[worker]--; s.has[worker] <= 0 {
		delete(s.has, worker)
	}
	if isBad {
		s.bad[worker] = true
	}
}

// lose notes that a worker does not answer: it has no more islands until it is heard again.
func (s *Islands) lose(worker string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost[worker] = time.Now()
}

// errLost is that a worker was not heard.
var errLost = errors.New("it is not heard any more")

// refOf says which data an instance is, without a path.
func refOf(inst datasets.Instance) record.InstanceRef {
	ref := solvers.RefOf(inst, "")
	ref.Unverified, ref.Own = "", nil
	return ref
}

// why is an error of a worker in words.
func why(worker string, number int, err error) string {
	return fmt.Sprintf("island %d: worker %s: %v; it goes on elsewhere from its last state", number,
		worker, err)
}
