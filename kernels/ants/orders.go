package ants

import (
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// orders are what the next job is to do.
type orders struct {
	next    job
	pending bool // next holds something that the trails or the kept tours wait for
}

func newOrders() orders { return orders{next: job{KeepBest: -1, KeepRestart: -1, TeacherAnt: -1}} }

func (o *orders) keep(which crew.Kept, ant int) {
	o.pending = true
	if which == crew.Best {
		o.next.KeepBest = int32(ant)
	} else {
		o.next.KeepRestart = int32(ant)
	}
}

// update notes an update. What edges have that have no trail of their own is known to the host
// alone, in t.
func (o *orders) update(u crew.Update, t *trail.Table) {
	o.pending = true
	if u.Evaporate {
		o.next.Rate, o.next.Add, o.next.Lo, o.next.Hi, o.next.Inv = u.Rate, u.Add, u.Low, u.High, u.Inv
		t.EvaporateOff(u.Rate)
		t.LimitOff(u.Low, u.High)
	} else {
		o.next.Keep, o.next.Gain = u.Rate, u.Add
	}
	if u.Tour == crew.All {
		o.next.Least, o.next.Unit = u.Least, crew.ShareUnit(u.Least)
		return
	}
	o.next.Reward = 1
	o.next.TeacherAnt, o.next.TeacherRest = int32(u.Tour), 0
	// The kernels must not read a kept tour that the same job replaces.
	switch u.Tour {
	case crew.TheBest:
		o.next.TeacherAnt = o.next.KeepBest
	case crew.TheRestart:
		o.next.TeacherAnt, o.next.TeacherRest = o.next.KeepRestart, 1
	}
}

// fill notes that all trails are to be v.
func (o *orders) fill(v float32, t *trail.Table) {
	o.pending, o.next.Fill, o.next.Level = true, 1, v
	t.Off = v
}

// fulfil clears what was asked for.
func (o *orders) fulfil() {
	o.pending = false
	o.next.KeepBest, o.next.KeepRestart, o.next.TeacherAnt, o.next.TeacherRest = -1, -1, -1, 0
	o.next.Reward, o.next.Fill, o.next.Least = 0, 0, 0
}
