package ants

import (
	"context"
	"errors"

	"metalab/gpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// The methods by which a policy reads and changes trails and kept tours.

func (b *deviceCrew) Rules(r *crew.Rules) error {
	if t := b.s.Table; r.Beta != t.Beta {
		t.SetBeta(r.Beta)
		b.trails.sight = false
	}
	eta := !b.trails.sight
	b.trails.sight = true
	return b.form.rules(r, eta)
}

// weigh is form.rules of as and mmas.
func (b *deviceCrew) weigh(r *crew.Rules, eta bool) error {
	b.next.Alpha, b.next.Inv = r.Alpha, r.Inv
	if !eta {
		return nil
	}
	return b.trails.eta.Upload(visibilities(b.s.Table))
}

// Send implements crew.Crew. Visibilities follow with the rules.
func (b *deviceCrew) Send() error {
	b.trails.behind, b.trails.sight = false, false
	return errors.Join(b.flush(), b.form.send())
}

func (b *deviceCrew) Fetch() error {
	if !b.trails.behind {
		return nil
	}
	b.trails.behind = false
	return errors.Join(b.flush(), b.form.fetch())
}

// sendTable is form.send of trails by slot or by edge.
func (b *deviceCrew) sendTable() error {
	if f := b.s.Table.Full; f != nil {
		return b.trails.tau.Upload(f.Tau)
	}
	return b.trails.tau.Upload(widen(b.s.Table.Lists, b.s.Table.Tau, 1))
}

// fetchTable is form.fetch of trails by slot or by edge.
func (b *deviceCrew) fetchTable() error {
	t := b.s.Table
	if t.Full != nil {
		err := b.trails.tau.DownloadTo(t.Full.Tau)
		for s := range t.Tau {
			t.Tau[s] = t.Full.Tau[int(t.From(int32(s)))*b.n+int(t.ID[s])]
		}
		return err
	}
	wide := make([]float32, b.n*trail.Width)
	err := b.trails.tau.DownloadTo(wide)
	narrow(t.Lists, wide, t.Tau)
	return err
}

// SetKept implements crew.Crew. On the device a missing tour has all cities equal.
func (b *deviceCrew) SetKept(which crew.Kept, tour []int32) error {
	if tour == nil {
		tour = make([]int32, b.n)
	}
	return errors.Join(b.flush(), b.kept.of(which).Put(tour))
}

func (b *deviceCrew) Kept(which crew.Kept, tour []int32) error {
	if err := b.flush(); err != nil {
		return err
	}
	return b.kept.of(which).Get(tour)
}

func (b *deviceCrew) Keep(which crew.Kept, ant int) error {
	b.keep(which, ant)
	if which == crew.Best {
		b.kept.expected = b.batch.back.Slice()[1+ant].Length
	}
	return nil
}

func (b *deviceCrew) Update(u crew.Update) { b.update(u, b.s.Table) }

func (b *deviceCrew) Reset(v float32) { b.fill(v, b.s.Table) }

func (b *deviceCrew) Tours(tours []int32) error { return b.batch.tours.Get(tours) }

func (b *deviceCrew) Look() (branches int64, hash uint64, err error) {
	if err := b.flush(); err != nil {
		return 0, 0, err
	}
	var v []uint64
	err = b.d.Do(context.Background(), func() error {
		if err := b.trails.out.Zero(nil); err != nil {
			return err
		}
		if err := b.form.look(); err != nil {
			return err
		}
		v, err = b.trails.out.Download()
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return int64(v[0]), v[1], nil
}

// lookBySlot is form.look of trails by slot.
func (b *deviceCrew) lookBySlot() error {
	return b.kernels.look.Launch(b.perSlot(), b.trails.tau, b.trails.out, int32(b.n), b.inst.arg.K)
}

// lookByEdge is form.look of a matrix, by its kernel.
func (b *deviceCrew) lookByEdge(k *gpu.Kernel) error {
	return k.Launch(b.perSlot(), b.inst.arg, b.trails.tau, b.trails.out)
}
