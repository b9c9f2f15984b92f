package prompt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"metalab/solvers"
	"metalab/solvers/record"
)

// Sessions in other workers of the browser run the seeds of a repeat in parallel. The session of
// the repeat sends a seed to the page in an event, as a record; the page requests it from another
// session, and reports its progress and result by requests.

// mostWorkers is how many workers make seeds at most: each has a program and its memory.
const mostWorkers = 8

// A Made is how far a seed is, or what came of it.
type Made struct {
	Key    string  `json:"key"` // of the event that told of it
	Part   float64 `json:"part,omitempty"`
	Record string  `json:"record,omitempty"` // with what came of the seed; empty: it is being made
	Error  string  `json:"error,omitempty"`
	Lost   bool    `json:"lost,omitempty"` // of an error: the worker has gone
}

// errLost is why a seed is not made: its worker has gone.
var errLost = errors.New("the worker has gone")

// useWorkers lets so many workers of the page make the seeds of repeats.
func (s *Session) useWorkers(many int) error {
	if many < 0 {
		return fmt.Errorf("workers is %d, want 0 or more", many)
	}
	if many = min(many, mostWorkers); many < 2 {
		s.c.host.UseSeedWorkers(nil)
		return nil
	}
	s.c.host.UseSeedWorkers(&solvers.SeedWorkers{Count: many, Make: s.makeElsewhere})
	return nil
}

// makeElsewhere lets the page run a seed in another worker; if that is impossible, it runs here.
func (s *Session) makeElsewhere(
	ctx context.Context, rec *record.Record, part func(float64),
) (x record.Seeded, err error) {
	text, err := textOf(rec)
	if err != nil {
		return x, err
	}
	came := make(chan Made, 1)
	s.mu.Lock()
	tell := s.tell
	s.seeds++
	key := fmt.Sprint(s.seeds)
	s.made[key] = func(m Made) {
		if m.Record == "" && m.Error == "" {
			part(m.Part)
			return
		}
		select {
		case came <- m:
		default: // it was reported twice
		}
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.made, key)
		s.mu.Unlock()
	}()
	if tell == nil {
		return s.c.host.MakeSeed(ctx, rec, part)
	}
	tell(Event{Kind: "seed", Key: key, Text: text})
	select {
	case m := <-came:
		if x, err = m.seeded(); errors.Is(err, errLost) {
			return s.c.host.MakeSeed(ctx, rec, part)
		}
		return x, err
	case <-ctx.Done():
		tell(Event{Kind: "drop", Key: key})
		return x, context.Cause(ctx)
	}
}

// seeded is what came of a seed.
func (m *Made) seeded() (x record.Seeded, err error) {
	switch {
	case m.Lost:
		return x, errLost
	case m.Error != "":
		return x, errors.New(m.Error)
	}
	rec, err := record.Decode(strings.NewReader(m.Record))
	if err != nil {
		return x, err
	}
	if len(rec.Repeats) != 1 || len(rec.Repeats[0].Seeds) != 1 {
		return x, fmt.Errorf("a worker has not made one seed: %w", record.ErrFormat)
	}
	return rec.Repeats[0].Seeds[0], nil
}

// takeMade takes in what the page tells of a seed; of one that is wanted no more there is nothing
// to do.
func (s *Session) takeMade(m *Made) error {
	if m == nil {
		return errors.New("made: what came of the seed is missing")
	}
	s.mu.Lock()
	take := s.made[m.Key]
	s.mu.Unlock()
	if take != nil {
		take(*m)
	}
	return nil
}

// seedEvery is the time between two events about how far a seed is.
const seedEvery = 200 * time.Millisecond

// seed makes a seed for the session of another worker: the record is that of its event. It returns
// the record with what came of it.
func (s *Session) seed(ctx context.Context, text string, say func(Event)) (string, error) {
	rec, err := record.Decode(strings.NewReader(text))
	if err != nil {
		return "", err
	}
	last := time.Now()
	x, err := s.c.host.MakeSeed(ctx, rec, func(part float64) {
		if time.Since(last) >= seedEvery {
			last = time.Now()
			say(Event{Kind: "progress", Part: part})
		}
	})
	if err != nil {
		return "", err
	}
	rec.Repeats[0].Put(x)
	return textOf(rec)
}

// textOf is a record as it stands in a file.
func textOf(rec *record.Record) (string, error) {
	var b strings.Builder
	err := rec.Encode(&b)
	return b.String(), err
}
