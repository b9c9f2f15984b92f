package ants

import "metalab/solvers/ants/crew"

// The arguments of the kernels, byte for byte: each struct here has the same fields as one in
// common.cuh, acs.cuh or lockstep.cuh, which TestLayout checks. Addresses are of the device.

// instanceArg is the kernels' instance.
type instanceArg struct {
	At, Box, ID, Ext, Visited uint64
	N, Metric, K, Words       int32
	Room, Pad                 int32
}

// keysArg are the round keys of Philox.
type keysArg struct{ K [20]uint32 }

func roundKeys(seed uint64) (a keysArg) {
	lo, hi := uint32(seed), uint32(seed>>32)
	for i := range 10 {
		a.K[2*i], a.K[2*i+1] = lo, hi
		lo += 0x9E3779B9
		hi += 0xBB67AE85
	}
	return a
}

// rulesArg is the kernels' struct rules: what the steps of acs depend on.
type rulesArg struct {
	Greedy                           uint64 // 2^32 q0
	Beta                             float64
	Tau0, Keep, Gain, TauMin, Stored float32
	Inv                              float32
	Period                           int32
}

// rulesOf packs the rules of the steps of acs for the kernels.
func rulesOf(r *crew.Rules) rulesArg {
	s := &r.Steps
	return rulesArg{
		Greedy: s.Threshold(), Beta: r.Beta, Tau0: s.Tau0, Keep: s.Keep, Gain: s.Gain,
		TauMin: s.TauMin, Stored: s.Stored, Inv: r.Inv, Period: int32(s.Period),
	}
}

// windowSteps is the number of ants of a block up to which acs/alt and spm make steps four at a
// time. Tests change it.
var windowSteps = 8

// job is what one iteration is to do.
type job struct {
	Alpha                      float64
	ItLo, ItHi, Serial         uint32
	Ants                       int32
	KeepBest, KeepRestart      int32
	DepositAnt, DepositRestart int32
	Deposit, Fill              int32
	Rate, Add, Lo, Hi, Inv     float32
	Keep, Gain                 float32
	Level                      float32
	Unit                       float64
	Least                      int64
}

// result is the result of an ant.
type result struct {
	Length int64
	Hash   uint64
	Falls  int32
	Likely int32
}

// candidate is what a choice of acs/alt, spm-sync and spm reads of a slot.
type candidate struct {
	Eta  float32
	Link uint32
}

// memoryArg are the trails of acs/alt, gpu, spm-sync and spm.
type memoryArg struct {
	Tau, Candidates, Ring, Head, Likely uint64
	Beyond, Sight                       uint64
	Slots, Pitch                        int32
}

// edge is what a choice of acs/lockstep reads of a slot.
type edge struct {
	Gap, Eta     float32
	Link, Number uint32
}

// lockstepArg is the kernels' struct lockstep_args: the data of a construction of acs/lockstep.
type lockstepArg struct {
	Edges, Count, Powers, NearestOctaves, Tours, Results, Bar, Words uint64
	Room, Walkers, Numbers, Spread                                   int32
}
