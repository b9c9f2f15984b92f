// Package crew is the line between what an ant algorithm decides and what is heavy: a policy of
// package metalab/solvers/ants says which tour is rewarded and within which limits, a [Crew]
// constructs tours, improves them, and keeps the trails. There is a crew on the host's cores
// (package metalab/solvers/ants/cpu) and one on GPUs (metalab/kernels/ants); with the same policy
// and seed both have the same history, bit for bit.
package crew

import (
	"context"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
	"metalab/solvers/tours"
)

// A Setup is what a crew is opened for.
type Setup struct {
	Env      *solvers.Env
	Instance *datasets.TSP
	Space    *tours.Space
	Nearest  *trail.Nearest
	Ants     int // with which a run begins: what a device's memory is asked for

	// The trails. A crew on a device has its own, and these are what Fetch and Send copy. Table
	// also has the lists. Outs is of acs/lockstep; with a Memory (acs/spm-sync, acs/spm) the table
	// has no trails.
	Table  *trail.Table
	Outs   *trail.Outs
	Memory *trail.Memory

	// Of mmas/rows: how a city is chosen, how an ant knows what it has not visited, and whether
	// all cities take part in a choice and not only those on lists.
	Selection, Tabu string
	All             bool

	Search *local.Problem // the local search; nil: none
}

// Kept names a tour that a crew keeps beside those of the last iteration.
type Kept int

// The kept tours.
const (
	Best    Kept = iota // the best so far
	Restart             // the best since the trails of mmas were last set back
)

// A Tour is one that is rewarded: that of an ant of the last iteration, by its number, or one of
// these.
type Tour int

// The tours that have names.
const (
	TheBest Tour = -1 - iota // the kept tours
	TheRestart
	All // those of all ants
)

// An Update is what a policy does to the trails after an iteration. Of the edges of Tour
//
//	tau <- min(max(Rate tau + Add, Low), High)
//
// and of all others, if Evaporate says so, tau <- min(max(Rate tau, Low), High). The product, the
// sum and the limits are rounded one after the other, and the product is at least trail.Min.
// With Tour All each ant adds 1 / L, L being the length of its tour.
type Update struct {
	Tour      Tour
	Evaporate bool
	Rate, Add float32
	Low, High float32

	Inv    float32 // with Evaporate: the scale of trails in weights from now on
	Least  int64   // with All: the length of the shortest tour, at least 1
	Forget float32 // edges on no list are forgotten, now and then, if their trail is not above it
}

// On is a trail of the tour's edges after an update that does not evaporate.
func (u *Update) On(tau float32) float32 { return max(u.Low, float32(u.Rate*tau)+u.Add) }

// Rules are what constructions depend on beside the trails.
type Rules struct {
	Ants      int     // how many make tours from now on
	Alpha     float64 // exponent of the trail
	Beta      float64 // of the visibility
	Inv       float32 // the scale of trails in weights
	Low, High float32 // within which trails are

	Rho   float64 // of acs: local evaporation
	Steps Steps   // of acs
}

// Steps are the rules by which the ants of acs make their steps. They are the kernels' struct
// rules, byte for byte.
type Steps struct {
	Greedy uint64 // q0 2^32: below it a word means the greatest weight
	Beta   float64
	trail.Local
	Inv    float32 // the weight of an edge on no list is at least 2^-60 Inv times its trail
	Period int32   // local_period
}

// Tours tells what the ants of an iteration made: the length of each tour, the choices that the
// candidates could not make, and its hash (arith.HashPerm). There is one entry for each ant that
// is to make a tour. Lengths and hashes are those after the local search.
type Tours struct {
	Lengths []int64
	Falls   []int32
	Hashes  []uint64

	// Of a Memory: updates of trails that were stored, and all. They are the local ones; the crew of
	// acs/spm on the host adds those of Update.
	Hits, Updates int64
}

// A Crew does what is heavy. Calls are not concurrent. What one asks for may be done as late as
// the next that returns something.
type Crew interface {
	// Schedule sets how the work is shared out on a device: ants of a block (0: found by a
	// tuner), and by how many iterations the tuner judges a launch. It changes no result.
	Schedule(warps, trials int)
	// Rules states what constructions depend on from now on.
	Rules(r *Rules) error

	// Construct lets the ants make their tours of iteration it, then gives the shortest improve of
	// them (ties by number) the local search. When ctx ends it may give up: it then leaves the
	// trails as they were.
	Construct(ctx context.Context, it int64, improve int, out *Tours) error
	// Tours reads the tours of the last iteration, one after the other.
	Tours(tours []int32) error
	// Keep makes an ant's tour of the last iteration a kept one.
	Keep(which Kept, ant int) error
	// Kept reads a kept tour.
	Kept(which Kept, tour []int32) error
	// SetKept replaces a kept tour; nil: there is none.
	SetKept(which Kept, tour []int32) error

	// Update deposits and evaporates.
	Update(u Update)
	// Reset sets all trails to v.
	Reset(v float32)
	// Look returns what trail.Table.Look says of the trails.
	Look() (branches int64, hash uint64, err error)
	// Fetch brings the trails to the setup's, Send takes them from there.
	Fetch() error
	Send() error

	// Close frees everything.
	Close()
}

// A Tuned crew finds out how its kernels are best launched, and tells how long they take.
type Tuned interface {
	Crew
	solvers.Timer
	solvers.Waver
	solvers.Sharer
}
