package host

import (
	"context"
	"sync"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// gaugeEvery is the time between two events about how far something is.
const gaugeEvery = 200 * time.Millisecond

// ProgressOf returns the event about work in total parts, for a call: empty for work in the
// background. done counts fractions of parts too; left is the estimated time left, 0 if unknown.
func ProgressOf(call, note string, done float64, total int, left time.Duration) wire.Event {
	return wire.Event{
		Kind: wire.EventProgress, Call: call, Done: int64(done), Total: int64(total),
		Share: reply.Num(done / float64(max(total, 1))), LeftS: reply.Num(left.Seconds()), Note: note,
	}
}

// OnAllCores does work once x has all cores, and meanwhile sends all clients how far it is; nil
// needs none, as other machines do the work.
func (h *Host) OnAllCores(
	ctx context.Context, x *Holder, far func() wire.Event, work func() error,
) error {
	over := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		tick := time.NewTicker(gaugeEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				h.Publish(far())
			case <-over:
				return
			}
		}
	})
	var err error
	if x != nil {
		err = h.cores.take(ctx, x)
	}
	if err == nil {
		err = work()
		if x != nil {
			h.cores.free(x)
		}
	}
	close(over)
	telling.Wait()
	return err
}
