package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Member is a worker as the broker knows it.
type Member struct {
	Hello
	Heard time.Duration // since it was heard last, by the broker's clock alone
}

// Workers lists the workers of a broker, by name. A worker is one as long as the broker says so,
// for everybody alike: 3.5 times Timing.Hello after it was heard last.
func Workers(ctx context.Context, a Address) ([]Member, error) {
	l, err := dial(ctx, a, Timing{}, nil)
	if err != nil {
		return nil, err
	}
	defer l.close()
	p, err := l.open(ctx)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("stream: broker %s: %w", l.where, err)
	}
	return p.list(ctx)
}

// AwaitWorkers lists the workers when at least n that do not drain have joined; with 0 when none is
// left.
func AwaitWorkers(ctx context.Context, a Address, n int) ([]Member, error) {
	l, err := dial(ctx, a, Timing{}, nil)
	if err != nil {
		return nil, err
	}
	defer l.close()
	for {
		var all []Member
		p, err := l.open(ctx)
		if err == nil {
			all, err = p.list(ctx)
		}
		if err != nil && !absent(err) {
			return nil, fmt.Errorf("stream: broker %s: %w", l.where, err)
		}
		ready := 0
		for i := range all {
			if !all[i].Draining {
				ready++
			}
		}
		if n == 0 && len(all) == 0 || n > 0 && ready >= n {
			return all, nil
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// list returns the workers, also those of another version. It ignores messages that are no
// worker's.
func (p *namespace) list(ctx context.Context) ([]Member, error) {
	status, err := p.workers.Status(ctx)
	if err != nil {
		return nil, err
	}
	var now time.Time
	if s, ok := status.(*jetstream.KeyValueBucketStatus); ok {
		now = s.StreamInfo().TimeStamp
	}
	ctx, end := context.WithTimeout(ctx, 5*time.Second) // a broker that is lost meanwhile ends no list
	defer end()
	keys, err := p.workers.ListKeys(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { // else who fills it waits for ever
		end()
		for range keys.Keys() {
		}
	}()
	var out []Member
	for k := range keys.Keys() {
		e, err := p.workers.Get(ctx, k)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue // it has gone meanwhile
		}
		if err != nil {
			return nil, err
		}
		h, err := readHello(e.Value())
		ok := err == nil && h.Name == k
		if err != nil && name.MatchString(k) {
			h, ok = stranger(k, e.Value())
		}
		if ok {
			out = append(out, Member{h, max(0, now.Sub(e.Created()))})
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	slices.SortFunc(out, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// Order tells a worker to Drain or Stop, and returns when it has heard that.
func Order(ctx context.Context, a Address, worker, do string) error {
	if !name.MatchString(worker) {
		return fmt.Errorf("stream: worker is %.80q, want letters, digits, - and _", worker)
	}
	if do != Drain && do != Stop {
		return fmt.Errorf("stream: a worker is told to %.40q, want %s or %s", do, Drain, Stop)
	}
	l, err := dial(ctx, a, Timing{}, nil)
	if err != nil {
		return err
	}
	defer l.close()
	b, err := json.Marshal(&order{Format: format, Do: do})
	if err != nil {
		return err
	}
	ctx, end := context.WithTimeout(ctx, 5*time.Second)
	defer end()
	m, err := l.nc.RequestWithContext(ctx, l.subject("worker", worker), b)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("stream: there is no worker %s; workers lists them", worker)
	case err != nil:
		return fmt.Errorf("stream: worker %s: %w", worker, err)
	case string(m.Data) != "ok":
		return fmt.Errorf("stream: worker %s refuses: %.200q", worker, m.Data)
	}
	return nil
}
