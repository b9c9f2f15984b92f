package ants

import (
	"errors"
	"slices"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// spare is the initial number of places per city for edges beyond its list, and the increment when
// they may not suffice for the next global update. Tests change it.
var spare = 16

// beyondStore has the trails of acs/alt and acs/gpu: those of edges beyond lists are in rings,
// which grow.
type beyondStore struct {
	usual
	b     *deviceCrew
	rings ringStore
	taken int // upper bound of the used places of a city
}

func newBeyond(b *deviceCrew) beyondStore {
	return beyondStore{b: b, rings: ringStore{b: b, slots: spare}}
}

func (a *beyondStore) bytes(int) int64 {
	return storeBytes(a.b.n, a.b.g.K, 0) + int64(a.b.n)*int64(12*a.rings.slots)
}

func (a *beyondStore) open(kernel func(k **gpu.Kernel, name string)) error {
	if err := a.rings.open(kernel, "construct", a.rings.slots, 0); err != nil {
		return err
	}
	return a.sizeBeyond()
}

// sizeBeyond makes trails and visibilities of as many places as rings have.
func (a *beyondStore) sizeBeyond() (err error) {
	a.rings.beyond, err = launch.Upload(a.b.d, make([]float32, a.b.n*a.rings.slots), nil)
	a.rings.sight, err = launch.Upload(a.b.d, make([]float32, a.b.n*a.rings.slots), err)
	return err
}

func (a *beyondStore) rules(r *crew.Rules, eta bool) error { return a.rings.rules(r, eta) }

func (a *beyondStore) look() error { return a.rings.look() }

func (a *beyondStore) own() wave.Config { return a.rings.own() }

func (a *beyondStore) shapes() []wave.Config { return a.rings.shapes() }

// send uploads the trails, also those of edges on no list.
func (a *beyondStore) send() error {
	t := a.b.s.Table
	x := beyondOf(t)
	if err := a.room(x); err != nil {
		return err
	}
	ring, tau, head := x.places(a.rings.slots)
	return errors.Join(a.b.trails.tau.Upload(widen(t.Lists, t.Tau, 1)), a.rings.ring.Upload(ring),
		a.rings.beyond.Upload(tau), a.rings.head.Upload(head))
}

// room gives rings places enough for these edges and those of the next global update.
func (a *beyondStore) room(x beyondLists) error {
	a.taken = x.most()
	slots := placesFor(a.taken, a.rings.slots)
	if slots == a.rings.slots {
		return nil
	}
	a.rings.slots = slots
	err := errors.Join(a.b.dropGraph(), a.b.admit(max(a.b.batch.ants, a.b.g.Ants)),
		a.rings.ring.Free(), a.rings.beyond.Free(), a.rings.sight.Free())
	if err != nil {
		return err
	}
	a.rings.ring, err = launch.Upload(a.b.d, empty(a.b.n*slots), nil)
	return errors.Join(err, a.sizeBeyond())
}

// ready comes before each global update, which may take two more places in a city.
func (a *beyondStore) ready() error {
	if a.b.next.Deposit == 0 {
		return nil
	}
	if a.taken+2 > a.rings.slots {
		x, err := a.stored()
		if err != nil {
			return err
		}
		if err = a.room(x); err != nil {
			return err
		}
		ring, tau, head := x.places(a.rings.slots)
		if err = errors.Join(a.rings.ring.Upload(ring), a.rings.beyond.Upload(tau),
			a.rings.head.Upload(head)); err != nil {
			return err
		}
	}
	a.taken += 2
	return nil
}

// stored downloads the edges beyond lists.
func (a *beyondStore) stored() (beyondLists, error) {
	ring, err := a.rings.ring.Download()
	tau, err2 := a.rings.beyond.Download()
	head, err3 := a.rings.head.Download()
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, err
	}
	return listsOf(ring, tau, head), nil
}

func (a *beyondStore) fetch() error {
	rows, err := a.b.trails.tau.Download()
	x, err2 := a.stored()
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	narrow(a.b.s.Table.Lists, rows, a.b.s.Table.Tau)
	x.to(a.b.s.Table)
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

// to stores them in a table. The two directions of an edge may differ if ants raced; the one of the
// smaller city counts, or of the city that has the edge on its list.
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

// placesFor returns the number of places for rings in which so many are used, given that they had
// slots.
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
