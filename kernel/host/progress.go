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

// progressOf is the event about something that is done in total parts, for a call: empty for what
// goes on in the background. done counts parts of parts, left is the time that the rest will take;
// 0 where that is not known.
func progressOf(call, note string, done float64, total int, left time.Duration) wire.Event {
	return wire.Event{
		Kind: wire.EventProgress, Call: call, Done: int64(done), Total: int64(total),
		Share: reply.Num(done / float64(max(total, 1))), LeftS: reply.Num(left.Seconds()), Note: note,
	}
}

// onAllCores does work once it has all cores, and meanwhile sends all clients how far it is. say is
// told that it waits for the cores.
func (h *Host) onAllCores(
	ctx context.Context, say func(string), far func() wire.Event, work func() error,
) error {
	over := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		tick := time.NewTicker(gaugeEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				h.hub.publish(far())
			case <-over:
				return
			}
		}
	})
	err := h.allCores(ctx, say)
	if err == nil {
		err = work()
		<-h.cores
	}
	close(over)
	telling.Wait()
	return err
}

// allCores waits until nothing else uses the cores: side by side, each would take as long as both,
// and their times would be useless. Who gets the cores puts an item into h.cores, and takes it out
// at the end. say is told that it waits, and then "".
func (h *Host) allCores(ctx context.Context, say func(string)) error {
	select {
	case h.cores <- struct{}{}:
		return nil
	default:
	}
	say("waits for the end of another repeat or experiment")
	select {
	case h.cores <- struct{}{}:
		say("")
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
