package genetic

import (
	"context"
	"errors"
	"slices"

	"metalab/solvers"
	"metalab/solvers/internal/devices"
)

// spread is an Engine of several, one on each of the run's devices, which share the parts of the
// population: device k of d has the parts k, k+d, and so on. A birth draws by its place, so it
// gives the same tour on every device, and the distribution changes no result.
//
// A tour is a row of the device that built it. If it becomes a parent on another device, as after
// an exchange between groups, spread copies it there, through the host: 4 bytes a city, seldom. The
// copy stays until the row gets another tour.
type spread struct {
	n     int // cities
	parts []*holder
	home  []int32 // by row: the device that made its tour; -1: none did
}

// holder is a device with its rows.
type holder struct {
	Engine
	at   []int32 // by row of the population: the device's own row that has its tour; -1: none has
	free []int32 // own rows without a tour
	rows int     // own rows

	births []Birth // of a generation
	which  []int   // their places among all
	made   []Made
}

func newSpread(p *Problem, engine func(*Problem) (Engine, error)) (*spread, error) {
	x := &spread{n: p.Space.N, parts: make([]*holder, len(p.Env.Devices))}
	errs := devices.Each(len(x.parts), func(k int) error {
		q := *p
		q.Env = devices.On(p.Env, p.Env.Devices[k])
		e, err := engine(&q)
		if err == nil {
			x.parts[k] = &holder{Engine: e}
		}
		return err
	})
	if err := errors.Join(errs...); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// of is the number of the device that makes a part.
func (x *spread) of(part int32) int { return int(part) % len(x.parts) }

// Room implements Engine. Devices get room for as many tours each, and more when they need it.
func (x *spread) Room(tours, births int) error {
	for len(x.home) < tours+births {
		x.home = append(x.home, -1)
		for _, h := range x.parts {
			h.at = append(h.at, -1)
		}
	}
	for _, h := range x.parts {
		d := len(x.parts)
		each := (births + d - 1) / d
		if err := h.grow((tours+d-1)/d+each, each); err != nil {
			return err
		}
	}
	return nil
}

// grow allocates rows, of which the last are for births.
func (h *holder) grow(rows, births int) error {
	if rows <= h.rows {
		return nil
	}
	if err := h.Engine.Room(max(0, rows-births), min(rows, births)); err != nil {
		return err
	}
	for ; h.rows < rows; h.rows++ {
		h.free = append(h.free, int32(h.rows))
	}
	return nil
}

// take is a row of the device's own for that of the population.
func (h *holder) take(row int32) (int32, error) {
	if own := h.at[row]; own >= 0 {
		return own, nil
	}
	if len(h.free) == 0 {
		if err := h.grow(h.rows+max(1, h.rows/8), 0); err != nil {
			return -1, err
		}
	}
	own := h.free[0]
	h.free = h.free[1:]
	h.at[row] = own
	return own, nil
}

// settle says that device k alone has the tour of a row.
func (x *spread) settle(k int, row int32) {
	x.home[row] = int32(k)
	for i, h := range x.parts {
		if i != k && h.at[row] >= 0 {
			h.free = append(h.free, h.at[row])
			h.at[row] = -1
		}
	}
}

// put writes a tour of a part into a row.
func (x *spread) put(part, row int32, tour []int32) error {
	k := x.of(part)
	own, err := x.parts[k].take(row)
	if err != nil {
		return err
	}
	x.settle(k, row)
	return x.parts[k].Engine.Put(own, tour)
}

// Put implements Engine.
func (x *spread) Put(row int32, tour []int32) error { return x.put(0, row, tour) }

// Tour implements Engine.
func (x *spread) Tour(row int32, tour []int32) error {
	h := x.parts[x.home[row]]
	return h.Engine.Tour(h.at[row], tour)
}

// bring brings the tour of a row to device k and returns its row there.
func (x *spread) bring(k int, row int32) (int32, error) {
	h := x.parts[k]
	if own := h.at[row]; own >= 0 {
		return own, nil
	}
	tour := make([]int32, x.n)
	if err := x.Tour(row, tour); err != nil {
		return -1, err
	}
	own, err := h.take(row)
	if err != nil {
		return -1, err
	}
	if err := h.Engine.Put(own, tour); err != nil {
		h.at[row], h.free = -1, append(h.free, own)
		return -1, err
	}
	return own, nil
}

// deal gives the births to the devices, with the devices' own rows.
func (x *spread) deal(births []Birth, parts []int32, parents bool) error {
	for _, h := range x.parts {
		h.births, h.which = h.births[:0], h.which[:0]
	}
	for i, b := range births {
		part := int32(0)
		if parts != nil {
			part = parts[i]
		}
		k := x.of(part)
		h := x.parts[k]
		var err error
		if parents {
			if b.A, err = x.bring(k, b.A); err != nil {
				return err
			}
			if b.B, err = x.bring(k, b.B); err != nil {
				return err
			}
		}
		own, err := h.take(b.To)
		if err != nil {
			return err
		}
		x.settle(k, b.To)
		b.To = own
		h.births, h.which = append(h.births, b), append(h.which, i)
	}
	return nil
}

// each has the births that were dealt made, on all devices beside each other. After an error the
// rows to which they go are of no use, and hold no tours of the population.
func (x *spread) each(j Job, out []Made, f func(h *holder, j Job) error) error {
	j.Parts = nil
	errs := devices.Each(len(x.parts), func(k int) error {
		h := x.parts[k]
		h.made = slices.Grow(h.made[:0], len(h.births))[:len(h.births)]
		return f(h, j)
	})
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, h := range x.parts {
		for i, at := range h.which {
			out[at] = h.made[i]
		}
	}
	return nil
}

// Start implements Engine.
func (x *spread) Start(ctx context.Context, j Job, births []Birth, out []Made) error {
	if err := errors.Join(ctx.Err(), x.deal(births, j.Parts, false)); err != nil {
		return err
	}
	return x.each(j, out, func(h *holder, j Job) error {
		return h.Engine.Start(ctx, j, h.births, h.made)
	})
}

// Reproduce implements Engine.
func (x *spread) Reproduce(ctx context.Context, j Job, births []Birth, out []Made) error {
	if err := errors.Join(ctx.Err(), x.deal(births, j.Parts, true)); err != nil {
		return err
	}
	return x.each(j, out, func(h *holder, j Job) error {
		return h.Engine.Reproduce(ctx, j, h.births, h.made)
	})
}

// Differ implements Engine: each device looks at the tours that it has made.
func (x *spread) Differ(row int32, rows []int32) (edges int64, err error) {
	own, to := make([][]int32, len(x.parts)), make([]int32, len(x.parts))
	for _, r := range rows {
		k := x.home[r]
		own[k] = append(own[k], x.parts[k].at[r])
	}
	for k, list := range own {
		if len(list) > 0 {
			if to[k], err = x.bring(k, row); err != nil {
				return 0, err
			}
		}
	}
	counts := make([]int64, len(x.parts))
	errs := devices.Each(len(x.parts), func(k int) (err error) {
		if len(own[k]) > 0 {
			counts[k], err = x.parts[k].Engine.Differ(to[k], own[k])
		}
		return err
	})
	for _, n := range counts {
		edges += n
	}
	return edges, errors.Join(errs...)
}

// Close closes all engines.
func (x *spread) Close() {
	for _, h := range x.parts {
		if h != nil {
			h.Engine.Close()
		}
	}
	x.parts = nil
}

// Turn takes the turns of all devices.
func (x *spread) Turn(ctx context.Context) (give func(), waited bool, err error) {
	var list []solvers.Sharer
	for _, h := range x.parts {
		if s, ok := h.Engine.(solvers.Sharer); ok {
			list = append(list, s)
		}
	}
	return devices.Turn(ctx, list)
}

// Time implements solvers.Timer.
func (x *spread) Time(on bool) bool {
	can := false
	for _, h := range x.parts {
		if t, ok := h.Engine.(solvers.Timer); ok {
			can = t.Time(on) || can
		}
	}
	return can
}

// Spans returns the spans of the first device.
func (x *spread) Spans() []solvers.Span {
	if t, ok := x.parts[0].Engine.(solvers.Timer); ok {
		return t.Spans()
	}
	return nil
}

var _ Tuned = (*spread)(nil)
