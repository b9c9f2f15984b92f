package ants

import (
	walkers "metalab/solvers/ants"
)

// orders are what the next job is to do.
type orders struct {
	next    job
	pending bool // next holds something that the trails or the kept tours wait for
}

func newOrders() orders { return orders{next: job{KeepBest: -1, KeepRestart: -1, TeacherAnt: -1}} }

func (o *orders) keep(which walkers.Kept, ant int) {
	o.pending = true
	if which == walkers.KeptBest {
		o.next.KeepBest = int32(ant)
	} else {
		o.next.KeepRestart = int32(ant)
	}
}

// reward notes who is rewarded. The kernels must not read a kept tour that the same job
// replaces.
func (o *orders) reward(ant int, kept walkers.Kept) {
	o.pending, o.next.Reward = true, 1
	o.next.TeacherAnt, o.next.TeacherRest = int32(ant), 0
	if kept == walkers.KeptRestart {
		o.next.TeacherRest = 1
	}
	if ant < 0 {
		o.next.TeacherAnt = o.next.KeepBest
		if kept == walkers.KeptRestart {
			o.next.TeacherAnt = o.next.KeepRestart
		}
	}
}

// deposit notes that all ants are rewarded.
func (o *orders) deposit(rate float32, least int64, unit float64) {
	o.pending = true
	o.next.Rate, o.next.Least, o.next.Unit = rate, least, unit
}

// fulfil clears what was asked for.
func (o *orders) fulfil() {
	o.pending = false
	o.next.KeepBest, o.next.KeepRestart, o.next.TeacherAnt, o.next.TeacherRest, o.next.Reward, o.next.Fill = -1, -1, -1, 0, 0, 0
	o.next.Least = 0
}
