// Package crew is the interface between the decisions of an ant algorithm and its heavy work. A
// policy of package metalab/solvers/ants decides which tour is rewarded and within which limits; a
// [Crew] constructs tours, improves them, and keeps the trails. There is a crew on the CPU (package
// metalab/solvers/ants/cpu) and one on GPUs (metalab/kernels/ants); with the same policy and seed
// both have the same history, bit for bit.
package crew

import (
	"context"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/ants/local"
	"metalab/solvers/ants/trail"
	"metalab/solvers/tours"
)

// A Setup is what a crew needs to know when it is opened.
type Setup struct {
	Env      *solvers.Env
	Instance *datasets.TSP
	Space    *tours.Space
	Nearest  *trail.Nearest
	Ants     int // at the start of a run; a device allocates memory for them

	// The trails. A crew on a device has its own, and Fetch and Send copy them to and from these.
	// Table also has the lists. Outs is of acs/lockstep; with a Memory (acs/spm-sync, acs/spm) the
	// table has no trails.
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

// A Tour names a tour that is rewarded: that of an ant of the last iteration, by the ant's number,
// or one of the constants below.
type Tour int

// The tours that are not an ant's.
const (
	TheBest Tour = -1 - iota // the kept tours
	TheRestart
	All // those of all ants
)

// An Update is what a policy does to the trails after an iteration. If Evaporate says so, first of
// all edges
//
//	tau <- max(Rate tau, Low)
//
// then of those of Tour tau <- tau + Add, and of all tau <- min(tau, High). If not, of the edges of
// Tour tau <- max(Rate tau + Add, Low), and of no others. The product and the sum are rounded one
// after the other. With Tour All each ant adds 1 / L, where L is the length of its tour.
type Update struct {
	Tour      Tour
	Evaporate bool
	Rate, Add float32
	Low, High float32

	Inv    float32 // with Evaporate: the scale of trails in weights from now on
	Least  int64   // with All: the length of the shortest tour, at least 1
	Forget float32 // at some iterations, edges on no list whose trail is not above this are forgotten
}

// On returns the trail of an edge of the tour after an update that does not evaporate.
func (u *Update) On(tau float32) float32 { return max(u.Low, float32(u.Rate*tau)+u.Add) }

// Rules are the parameters that constructions depend on.
type Rules struct {
	Ants      int     // how many construct tours
	Alpha     float64 // exponent of the trail
	Beta      float64 // of the visibility
	Inv       float32 // the scale of trails in weights
	Low, High float32 // within which trails are

	Rho   float64 // of acs: local evaporation
	Steps Steps   // of acs
}

// Steps are the rules by which the ants of acs make their steps.
type Steps struct {
	Q0          float64 // the probability of exploitation: of taking the greatest weight
	Period      int     // an ant makes the local update at every Period-th of its choices
	trail.Local         // the local update
}

// Threshold is 2^32 Q0: an ant whose random word of 32 bits is below it takes the greatest weight.
func (s *Steps) Threshold() uint64 { return uint64(s.Q0 * (1 << 32)) }

// Tours describes the tours of an iteration: the length of each, the choices for which all
// candidates were visited, and its hash (arith.HashPerm). There is one entry for each ant that
// constructs a tour. Lengths and hashes are those after the local search.
type Tours struct {
	Lengths []int64
	Falls   []int32
	Hashes  []uint64

	// Of a Memory: the number of updates that found their trail stored, and of all updates: those of
	// the global update before the iteration, and the local ones in it.
	Hits, Updates int64
}

// A Crew does the heavy work. Calls are not concurrent. The work of a call that returns nothing may
// be done as late as in the next call that returns something.
type Crew interface {
	// Schedule sets how a device shares out the work: the ants of a block (0: a tuner finds the
	// number), and after how many iterations the tuner judges a launch. It changes no result.
	Schedule(warps, trials int)
	// Rules sets the parameters of constructions from now on.
	Rules(r *Rules) error

	// Construct constructs the tours of iteration it, then makes the local search on the improve
	// shortest of them (ties by number). When ctx ends it may return its error, and then leaves the
	// trails as they were.
	Construct(ctx context.Context, it int64, improve int, out *Tours) error
	// Tours reads the tours of the last iteration, one after the other.
	Tours(tours []int32) error
	// Keep makes an ant's tour of the last iteration the kept one of that name.
	Keep(which Kept, ant int) error
	// Kept reads a kept tour.
	Kept(which Kept, tour []int32) error
	// SetKept replaces a kept tour; nil: there is none.
	SetKept(which Kept, tour []int32) error

	// Update deposits and evaporates.
	Update(u Update)
	// Reset sets all trails to v.
	Reset(v float32)
	// Look returns what trail.Table.Look computes from the trails.
	Look() (branches int64, hash uint64, err error)
	// Fetch copies the trails into those of the setup, Send copies them back.
	Fetch() error
	Send() error

	// Close frees everything.
	Close()

	// How long kernels take, how they are launched, and turns on a device. A crew that has none of
	// these embeds Untuned.
	solvers.Timer
	solvers.Waver
	solvers.Sharer
}

// Untuned is the part of a crew without launches to measure or to tune, which takes turns with
// nobody.
type Untuned struct{}

// Time implements solvers.Timer: nothing can be measured.
func (Untuned) Time(bool) bool { return false }

// Spans implements solvers.Timer: there are none.
func (Untuned) Spans() []solvers.Span { return nil }

// Waves implements solvers.Waver: there are none.
func (Untuned) Waves() []solvers.Wave { return nil }

// Turn implements solvers.Sharer: it is always this crew's turn.
func (Untuned) Turn(context.Context) (give func(), waited bool, err error) {
	return func() {}, false, nil
}

// A Device is a crew whose tours are not in the host's memory. Take gives it those of the last
// iteration anew, with their lengths and hashes, after the host has improved them.
type Device interface {
	Crew
	Take(tours []int32, out *Tours) error
}
