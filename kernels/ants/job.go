package ants

import (
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// nextJob collects what the next job has to do.
type nextJob struct {
	next    job
	pending bool // next has work that must be done before trails or kept tours are read
}

func newNextJob() nextJob {
	return nextJob{next: job{KeepBest: -1, KeepRestart: -1, DepositAnt: -1}}
}

func (o *nextJob) keep(which crew.Kept, ant int) {
	o.pending = true
	if which == crew.Best {
		o.next.KeepBest = int32(ant)
	} else {
		o.next.KeepRestart = int32(ant)
	}
}

// update adds an update. The common trail of edges for which none is stored is only on the host, in
// t.
func (o *nextJob) update(u crew.Update, t *trail.Table) {
	o.pending = true
	if u.Evaporate {
		o.next.Rate, o.next.Add, o.next.Lo, o.next.Hi, o.next.Inv = u.Rate, u.Add, u.Low, u.High, u.Inv
		t.EvaporateOff(u.Rate, u.Low)
		t.LimitOff(u.Low, u.High)
	} else {
		o.next.Keep, o.next.Gain = u.Rate, u.Add
	}
	if u.Tour == crew.All {
		o.next.Least, o.next.Unit = u.Least, crew.ShareUnit(u.Least)
		return
	}
	o.next.Deposit = 1
	o.next.DepositAnt, o.next.DepositRestart = int32(u.Tour), 0
	// The kernels must not read a kept tour that the same job replaces.
	switch u.Tour {
	case crew.TheBest:
		o.next.DepositAnt = o.next.KeepBest
	case crew.TheRestart:
		o.next.DepositAnt, o.next.DepositRestart = o.next.KeepRestart, 1
	}
}

// fill adds that all trails become v.
func (o *nextJob) fill(v float32, t *trail.Table) {
	o.pending, o.next.Fill, o.next.Level = true, 1, v
	t.Off = v
}

// clear clears the job after its work is done.
func (o *nextJob) clear() {
	o.pending = false
	o.next.KeepBest, o.next.KeepRestart, o.next.DepositAnt, o.next.DepositRestart = -1, -1, -1, 0
	o.next.Deposit, o.next.Fill, o.next.Least = 0, 0, 0
}
