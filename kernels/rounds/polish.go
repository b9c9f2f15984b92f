package rounds

import (
	"fmt"
	"strings"

	"metalab/gpu"
	"metalab/solvers/rounds"
)

// A Polisher makes the search of [rounds.Polisher] on tours that other kernels left on a device,
// and leaves them there. The results are the same, bit for bit.
type Polisher struct {
	q        *problem
	d        *gpu.Device
	kernels  map[string]*gpu.Kernel
	remember *gpu.Kernel
	rank     *Ranker

	places any // a buffer of the plane's
	near   *gpu.Buffer[uint32]
	links  *gpu.Buffer[uint32] // by city: see the kernel remember
}

// A Batch is a set of tours on a device, given by device addresses. It is for one call of
// [Polisher.Queue].
type Batch struct {
	Tours  uint64 // of 16-bit city numbers: tour a begins a * Stride numbers after it
	Stride int
	Count  int
	Best   int // how many are searched: those with the least length, ties by number

	// Heads are records of Step bytes, a multiple of 8, one for each tour. They begin with its
	// length (int64), which must be right, and the hash of its cities (uint64, arith.HashPerm).
	// Both are updated.
	Heads uint64
	Step  int

	// Known is a tour that is a local optimum; while there is none, its first two cities are the
	// same.
	Known uint64

	Warps int // of a tour; 0: the program chooses
}

// NewPolisher loads the kernels and the instance; p's Seed and Env are not looked at. It returns an
// error for distances from a matrix, and more cities than fit into the device's shared memory, see
// [MaxCities].
func NewPolisher(d *gpu.Device, p *rounds.Problem) (*Polisher, error) {
	q, err := prepare(p)
	if err != nil {
		return nil, err
	}
	if q.matrix != nil {
		return nil, fmt.Errorf(
			"kernels/rounds: distances of type %v come from a matrix, and a GPU searches on tours of "+
				"ants with EUC_2D, CEIL_2D and ATT: use backend cpu",
			p.Space.Metric,
		)
	}
	o := &Polisher{q: q, d: d, kernels: map[string]*gpu.Kernel{}}
	code, err := image()
	if err != nil {
		return nil, err
	}
	m, err := d.Module(code)
	if err != nil {
		return nil, err
	}
	if o.remember, err = m.Kernel("remember"); err != nil {
		return nil, err
	}
	if o.rank, err = newRanker(d, m); err != nil {
		return nil, err
	}
	for _, name := range q.polishers() {
		k, err := m.Kernel(name)
		if err != nil {
			return nil, err
		}
		n := int(q.job.N)
		if most := MaxCities(k.Info().MaxShared, p.Or); n > most {
			return nil, fmt.Errorf("kernels/rounds: a search in rounds keeps a tour in shared memory: %d "+
				"cities do not fit into the %d bytes of a block on this GPU (%s): want at most %d, or "+
				"backend cpu",
				n, k.Info().MaxShared, d.Info().Name, most)
		}
		o.kernels[name] = k
	}
	if q.whole != nil {
		o.places, err = gpu.Upload(d, q.whole)
	} else {
		o.places, err = gpu.Upload(d, q.real)
	}
	if err != nil {
		return nil, err
	}
	if o.near, err = gpu.Upload(d, q.near); err != nil {
		return nil, err
	}
	o.links, err = gpu.Alloc[uint32](d, max(1, int(q.job.N)))
	return o, err
}

// polishers names the kernels among which shapeBatch chooses.
func (q *problem) polishers() []string {
	planes := []string{q.plane}
	if q.whole != nil {
		planes = append(planes, "whole_shared")
	}
	var names []string
	for _, p := range planes {
		kernels := q.names("polish_" + p)
		names = append(names, kernels[:]...)
	}
	return names
}

// Room makes room for batches of this many tours, if not all of a batch are searched. It waits for
// the device.
func (o *Polisher) Room(tours int) error { return o.rank.Room(tours) }

// Queue queues the search in a stream, nil being the device's own; on the device's thread. If Best
// is below Count, call Room for Count tours first.
func (o *Polisher) Queue(s *gpu.Stream, b Batch) error {
	if b.Best <= 0 {
		return nil
	}
	n := int(o.q.job.N)
	c := gpu.Linear(n, 256)
	c.Stream = s
	if err := o.remember.Launch(c, b.Known, o.links, int32(n)); err != nil {
		return err
	}
	which, err := o.rank.Queue(s, b)
	if err != nil {
		return err
	}
	l := o.q.shapeBatch(b, o.d.Info().SMs)
	k := o.kernels[l.kernel]
	if l.shared > k.Info().MaxShared { // on a GPU with less shared memory: only the tour
		l.kernel = strings.Replace(l.kernel, "shared", "plane", 1)
		l.shared, k = boardBytes(o.q.or)+moreCities(n), o.kernels[l.kernel]
	}
	c = gpu.Config{
		Grid: gpu.Dim{X: min(b.Best, b.Count)}, Block: gpu.Dim{X: 32 * l.warps}, Shared: l.shared,
		Stream: s,
	}
	return k.Launch(c, o.q.ofBatch(b), o.places, o.near, b.Tours, o.links, which, b.Heads)
}

// ofBatch is the kernels' job.
func (q *problem) ofBatch(b Batch) job {
	j := q.of(rounds.Job{})
	j.Stride, j.Step = int32(b.Stride), int32(b.Step)
	return j
}

// shapeBatch chooses the launch. Most tours differ little from the known one. Then it matters most
// that all are resident: it stores cities in shared memory only if seven tours fit together, or as
// many as there are.
func (q *problem) shapeBatch(b Batch, multiprocessors int) shape {
	n := int(q.job.N)
	l := shape{warps: b.Warps, shared: boardBytes(q.or) + moreCities(n)}
	if l.warps == 0 {
		switch {
		case n <= crowdedCities:
			l.warps = 4
		case n <= 2*crowdedCities:
			l.warps = 8
		default: // two to four tours a multiprocessor: with long stretches to reverse
			l.warps = 16
		}
	}
	plane := q.plane
	if q.whole != nil && (n <= crowdedCities || n <= sharedCities && b.Best <= 4*multiprocessors) {
		plane = "whole_shared"
		l.shared += 4 * ((n + 3) &^ 3)
	}
	l.kernel = q.names("polish_" + plane)[bit(l.warps > manyWarps)]
	return l
}
