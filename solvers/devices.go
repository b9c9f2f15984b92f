package solvers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalab/solvers/record"
)

// DevicesName is the name of changes of a run's devices in the journal. The set of devices is of
// class schedule: it never changes a result, and a record of a run on four devices replays on one,
// and on the CPU.
const DevicesName = "devices"

// ErrNoDevices is wrapped by the error of Move for a run on the CPU.
var ErrNoDevices = errors.New("it runs on the cores of the host")

// DevicesText formats a set of devices as users type it, such as "0,1"; empty for none.
func DevicesText(devices []int) string {
	words := make([]string, len(devices))
	for i, d := range devices {
		words[i] = strconv.Itoa(d)
	}
	return strings.Join(words, ",")
}

// ParseDevices parses a set of devices such as "0,1", and returns it in ascending order without
// duplicates.
func ParseDevices(text string) ([]int, error) {
	var out []int
	for w := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseUint(strings.TrimSpace(w), 10, 16)
		if err != nil {
			return nil, fmt.Errorf("devices %q: %q is no number of a GPU, want numbers from 0 on with "+
				"commas between them, as 0,1", text, strings.TrimSpace(w))
		}
		out = append(out, int(n))
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Devices returns the ordinals of the devices that share the run's work, in ascending order; nil on
// the CPU.
func (r *Run) Devices() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.devices)
}

// Move runs the work on other devices from the next iteration on. It returns the change as the
// journal holds it, none if the devices are the same. Results stay the same. After an error the run
// is where it was.
func (r *Run) Move(
	ctx context.Context, devices []int, who string,
) (made []record.Change, err error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if derr := r.do(ctx, func() { made, err = r.move(devices, who) }); derr != nil {
		return nil, derr
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return made, nil
}

func (r *Run) move(devices []int, who string) ([]record.Change, error) {
	if r.variant.Backend == hostBackend {
		return nil, fmt.Errorf("%s is set to %s: %w: fork it with on=cuda", DevicesName,
			DevicesText(devices), ErrNoDevices)
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFailed, r.err)
	}
	old := r.env.Devices
	if slices.Equal(old, devices) {
		return nil, nil
	}
	state, err := r.snapshot()
	if err != nil {
		return nil, err
	}
	values := r.params.Values()
	if err = r.rebuild(devices, state, values); err != nil && sharesAny(old, devices) {
		// Both may not fit beside each other.
		r.unload()
		if err = r.rebuild(devices, state, values); err != nil {
			if back := r.rebuild(old, state, values); back != nil {
				r.fail(errors.Join(err, back))
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return []record.Change{r.moved(old, who)}, nil
}

// sharesAny tells whether two sets of devices have one in common.
func sharesAny(a, b []int) bool {
	return slices.ContainsFunc(a, func(d int) bool { return slices.Contains(b, d) })
}

// moved notes that the run was on other devices.
func (r *Run) moved(old []int, who string) record.Change {
	r.placed()
	return r.note(record.Change{
		Kind: record.KindSet, Name: DevicesName, Old: record.Text(DevicesText(old)),
		New: record.Text(DevicesText(r.env.Devices)), Who: who,
	})
}

// placed lets others see the devices.
func (r *Run) placed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.devices = nil
	if r.variant.Backend != hostBackend {
		r.devices = slices.Clone(r.env.Devices)
	}
}

// rebuild puts an algorithm on other devices in the place of the run's, with these parameters, and
// in the state; where that is nil, as before the first iteration. After an error nothing has
// changed.
func (r *Run) rebuild(devices []int, state []byte, values record.Values) error {
	was := *r.env
	alg, params, env, err := r.assemble(plans{
		variant: r.variant, seed: was.Seed, preset: r.variant.presetOf(r.header), devices: devices,
		base: values, start: r.header.Start,
	})
	if err != nil {
		return err
	}
	old, digest := r.alg, r.digest
	if r.alg = alg; state != nil {
		err = r.restore(state)
	}
	r.alg, r.digest = old, digest
	if err != nil {
		alg.Close()
		env.Pool.Close()
		return err
	}
	if t, ok := alg.(Timer); ok && r.timed {
		t.Time(true)
	}
	env.Pool.Resize(was.Pool.Size())
	env.Pool.carry(was.Pool)
	r.unload()
	r.alg, r.unloaded = alg, false
	r.params, r.env = params, env
	if r.account != nil {
		cpus.hand(r.account, env.Pool)
	}
	r.mu.Lock()
	journal := slices.Clone(r.journal)
	r.mu.Unlock()
	r.followOrders(journal, r.latest().Iter)
	r.followOn(old)
	return nil
}

// unload frees what the algorithm holds, once.
func (r *Run) unload() {
	if !r.unloaded {
		r.unloaded = true
		r.alg.Close()
		r.env.Pool.Close()
	}
}
