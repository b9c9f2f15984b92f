package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"metalab/solvers"
)

// maxKept is the largest saved run, in bytes: a larger one begins anew with another worker.
const maxKept = 256 << 20

// mostKept is the total size of the broker's objects, in bytes, from which a worker saves no more:
// all workers share the broker's memory.
const mostKept = 1 << 30

// errNoRoom says that the broker's objects have reached their size limit.
var errNoRoom = errors.New("the broker has as much as it may have")

// A kept names how far a unit is: the value of the key keptKey.
type savedProgress struct {
	Format    int    `json:"format"`
	SHA256    string `json:"sha256"` // of the run, which is an object of that name
	Iteration int64  `json:"i"`
}

// savedKey is the key of how far a unit is, among those of the results.
func savedKey(unit string) string { return "kept." + unit }

// readSaved reads how far a unit is.
func readSaved(data []byte) (k savedProgress, err error) {
	if err := read(data, 4096, &k); err != nil {
		return k, err
	}
	if !hash.MatchString(k.SHA256) || k.Iteration < 1 {
		return k, fmt.Errorf("stream: a unit is kept as %.80q of iteration %d", k.SHA256, k.Iteration)
	}
	return k, isFormat(k.Format)
}

// kept fetches how far a unit is; nil where nothing is known of it.
func (p *namespace) kept(ctx context.Context, unit string) (run []byte, sha string, err error) {
	e, err := p.results.Get(ctx, savedKey(unit))
	if err != nil {
		return nil, "", nil // it begins anew
	}
	k, err := readSaved(e.Value())
	if err != nil {
		return nil, "", err
	}
	run, err = p.get(ctx, k.SHA256, maxKept)
	return run, k.SHA256, err
}

// keepRun stores how far a unit is, and forgets what was stored before, unless the broker would
// have more than most bytes of objects by that.
func (p *namespace) keepRun(
	ctx context.Context, unit string, r savedRun, before string, most uint64,
) (sha string, err error) {
	it, run := r.it, r.run
	st, err := p.objects.Status(ctx)
	if err != nil {
		return before, err
	}
	if st.Size()+uint64(len(run)) > most {
		return before, errNoRoom
	}
	if sha, err = p.store(ctx, run); err != nil {
		return before, err
	}
	b, err := json.Marshal(&savedProgress{Format: format, SHA256: sha, Iteration: it})
	if err == nil {
		_, err = p.results.Put(ctx, savedKey(unit), b)
	}
	if err == nil && before != "" && before != sha {
		_ = p.objects.Delete(ctx, before) // else it goes when its time is over
	}
	return sha, err
}

// dropKept forgets how far a unit is; what stays is forgotten when its time is over.
func (p *namespace) dropKept(ctx context.Context, unit string) {
	e, err := p.results.Get(ctx, savedKey(unit))
	if err != nil {
		return
	}
	if k, err := readSaved(e.Value()); err == nil {
		_ = p.objects.Delete(ctx, k.SHA256)
	}
	_ = p.results.Purge(ctx, savedKey(unit))
}

// A keeper saves the progress of a unit at the broker, concurrently with its run. While it is at
// work, a newer state replaces the waiting one.
type saver struct {
	x    *activeWorker
	unit string
	sha  string // of what the broker has
	from []byte

	next chan savedRun
	done sync.WaitGroup
}

type savedRun struct {
	it  int64
	run []byte
}

// keep begins with what the broker has of a unit.
func (x *activeWorker) keep(ctx context.Context, unit string) *saver {
	k := &saver{x: x, unit: unit, next: make(chan savedRun, 1)}
	var err error
	if k.from, k.sha, err = x.place().kept(ctx, unit); err != nil {
		x.say("how far a unit was cannot be had, and it begins anew: %v", err)
		k.from = nil
	}
	k.done.Go(func() {
		full := false
		for r := range k.next {
			sha, err := x.place().keepRun(ctx, unit, r, k.sha, cmp.Or(x.w.KeepMost, mostKept))
			k.sha = sha
			if again := full; errors.Is(err, errNoRoom) && again {
				continue // it was said
			}
			if full = errors.Is(err, errNoRoom); err != nil && ctx.Err() == nil {
				x.say("how far a unit is cannot be kept: %v", err)
			}
		}
	})
	return k
}

// keeping returns the options that make the unit's run save its progress.
func (k *saver) keeping(text string) *solvers.Checkpointing {
	return &solvers.Checkpointing{
		From: k.from, Every: k.x.w.Keep,
		Note: func(s string) { k.x.say("%s: %s", text, s) },
		To: func(it int64, run []byte) {
			if len(run) > maxKept {
				return
			}
			select {
			case <-k.next: // nobody has taken it
			default:
			}
			k.next <- savedRun{it, run} // there is room: this is the only one who sends
		},
	}
}

// end waits until what is under way is stored.
func (k *saver) end() {
	close(k.next)
	k.done.Wait()
}
