package ants

import (
	"errors"
	"slices"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// spare is how many places for edges beyond its list a city has at first, and by how many more
// are made when they may not do for the next global update. Tests change it.
var spare = 16

// alt is the form of acs/alt.
type alt struct {
	steps
	taken int // the most places that are taken in a city, or more
}

func newAlt(b *deviceCrew) form { return &alt{steps: steps{deviceCrew: b, slots: spare}} }

func (a *alt) bytes(int) int64 {
	return storeBytes(a.n, a.g.K, 0) + int64(a.n)*int64(12*a.slots)
}

func (a *alt) open(kernel func(k **gpu.Kernel, name string)) error {
	if err := a.steps.open(kernel, "construct", a.slots, 0); err != nil {
		return err
	}
	return a.sizeBeyond()
}

// sizeBeyond makes trails and visibilities of as many places as rings have.
func (a *alt) sizeBeyond() (err error) {
	a.beyond, err = launch.Upload(a.d, make([]float32, a.n*a.slots), nil)
	a.sight, err = launch.Upload(a.d, make([]float32, a.n*a.slots), err)
	return err
}

func (a *alt) grow() error { return nil }

func (a *alt) adopt(c wave.Config) error { return a.blocks(c) }

// send uploads the trails, also those of edges on no list.
func (a *alt) send() error {
	t := a.s.Table
	x := beyondOf(t)
	if err := a.room(x); err != nil {
		return err
	}
	ring, tau, head := x.places(a.slots)
	return errors.Join(a.tau.Upload(widen(t.Lists, t.Tau, 1)), a.ring.Upload(ring),
		a.beyond.Upload(tau), a.head.Upload(head))
}

// room gives rings places enough for these edges and those of the next global update.
func (a *alt) room(x beyondLists) error {
	a.taken = x.most()
	slots := placesFor(a.taken, a.slots)
	if slots == a.slots {
		return nil
	}
	a.slots = slots
	err := errors.Join(a.dropGraph(), a.admit(max(a.ants, a.g.Ants)), a.ring.Free(), a.beyond.Free(),
		a.sight.Free())
	if err != nil {
		return err
	}
	a.ring, err = launch.Upload(a.d, empty(a.n*slots), nil)
	return errors.Join(err, a.sizeBeyond())
}

// ready comes before each global update, which may take two more places in a city.
func (a *alt) ready() error {
	if a.next.Deposit == 0 {
		return nil
	}
	if a.taken+2 > a.slots {
		x, err := a.stored()
		if err != nil {
			return err
		}
		if err = a.room(x); err != nil {
			return err
		}
		ring, tau, head := x.places(a.slots)
		if err = errors.Join(a.ring.Upload(ring), a.beyond.Upload(tau),
			a.head.Upload(head)); err != nil {
			return err
		}
	}
	a.taken += 2
	return nil
}

// stored downloads the edges beyond lists.
func (a *alt) stored() (beyondLists, error) {
	ring, err := a.ring.Download()
	tau, err2 := a.beyond.Download()
	head, err3 := a.head.Download()
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, err
	}
	return listsOf(ring, tau, head), nil
}

func (a *alt) fetch() error {
	rows, err := a.tau.Download()
	x, err2 := a.stored()
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	narrow(a.s.Table.Lists, rows, a.s.Table.Tau)
	x.to(a.s.Table)
	return nil
}

// beyondLists are, by city, the edges beyond its list that have trails of their own.
type beyondLists [][]trail.Edge

// beyondOf takes them from a table. An edge that only one of its cities has on its list is beyond
// that of the other.
func beyondOf(t *trail.Table) beyondLists {
	x := make(beyondLists, t.N)
	for _, e := range t.Give().Edges {
		for _, e := range []trail.Edge{e, {From: e.To, To: e.From, Tau: e.Tau}} {
			known := slices.ContainsFunc(x[e.From], func(o trail.Edge) bool { return o.To == e.To })
			if t.Find(e.From, e.To) < 0 && !known {
				x[e.From] = append(x[e.From], e)
			}
		}
	}
	return x
}

// to stores them in a table. Of the two directions of an edge, which may differ where ants raced,
// that of the smaller city counts, or of the city that has it on its list.
func (x beyondLists) to(t *trail.Table) {
	var edges []trail.Edge
	for _, list := range x {
		for _, e := range list {
			if e.From < e.To && t.Find(e.To, e.From) < 0 {
				edges = append(edges, e)
			}
		}
	}
	t.SetUnlisted(edges)
}

// most is the greatest number of edges of a city.
func (x beyondLists) most() (most int) {
	for _, list := range x {
		most = max(most, len(list))
	}
	return most
}

// placesFor returns how many places rings are to have of which so many are taken, having had slots.
func placesFor(taken, slots int) int {
	for taken+2 > slots {
		slots += spare
	}
	return slots
}

// places are the forms of the device: where edges lead, their trails, and how many there are.
func (x beyondLists) places(slots int) (ring []uint32, tau []float32, head []uint32) {
	ring, tau = empty(len(x)*slots), make([]float32, len(x)*slots)
	head = make([]uint32, len(x))
	for c, list := range x {
		head[c] = uint32(len(list))
		for p, e := range list {
			ring[c*slots+p], tau[c*slots+p] = uint32(e.To), e.Tau
		}
	}
	return ring, tau, head
}

// listsOf is the reverse of places.
func listsOf(ring []uint32, tau []float32, head []uint32) beyondLists {
	x, slots := make(beyondLists, len(head)), len(ring)/len(head)
	for c := range x {
		for p := c * slots; p < c*slots+int(head[c]); p++ {
			x[c] = append(x[c], trail.Edge{From: int32(c), To: int32(ring[p]), Tau: tau[p]})
		}
	}
	return x
}

// rowed copies trails by slot into rows of pitch entries.
func rowed(tau []float32, pitch int) []float32 {
	rows := make([]float32, len(tau)/trail.Width*pitch)
	for c := range len(rows) / pitch {
		copy(rows[c*pitch:], tau[c*trail.Width:(c+1)*trail.Width])
	}
	return rows
}

// unrowed is the reverse of rowed.
func unrowed(rows []float32, pitch int) []float32 {
	tau := make([]float32, len(rows)/pitch*trail.Width)
	for c := range len(rows) / pitch {
		copy(tau[c*trail.Width:(c+1)*trail.Width], rows[c*pitch:])
	}
	return tau
}

func (a *alt) prepare() error {
	return a.prepareKernel.Launch(a.perSlot(), a.arg, a.job, a.steps.steps, a.memory(), a.eta,
		a.after, a.before)
}

func (a *alt) construct() error {
	return a.kernel.Launch(a.config, a.arg, a.job, a.steps.steps, a.memory(), a.tours, a.results,
		a.keys)
}
