package record

import "time"

// Class says when a parameter may change.
type Class string

// The classes of parameters.
const (
	Live       Class = "live"       // at any iteration boundary
	Structural Class = "structural" // only when a run is opened or forked
	Schedule   Class = "schedule"   // at any time; never changes a result
)

// Type is the type of a parameter's value.
type Type string

// The types of parameters.
const (
	Float Type = "float"
	Int   Type = "int"
	Enum  Type = "enum"  // one of Options
	Truth Type = "truth" // true or false
)

// A Param declares a parameter. The one declaration feeds the record's keys,
// completion, sliders, checks and the documentation.
type Param struct {
	Name  string  `json:"name"`
	Class Class   `json:"class"`
	Type  Type    `json:"type"`
	Min   float64 `json:"min"`            // Float, Int: smallest legal value
	Max   float64 `json:"max"`            // Float, Int: largest legal value
	Step  float64 `json:"step,omitempty"` // a sensible increment for a slider
	Unit  string  `json:"unit,omitempty"` // such as "ants"; empty for a plain number
	// Int: may be a multiple of the instance's size, such as 0.1n
	Sized   bool     `json:"sized,omitempty"`
	Options []string `json:"options,omitempty"` // Enum: the legal words
	Doc     string   `json:"doc"`               // one sentence
	Effect  string   `json:"effect,omitempty"`  // the effect of a change on the state
	Default Value    `json:"default"`           // for this instance and preset
	Value   Value    `json:"value"`             // the present value
}

// A Solution is a solution of an instance, in the instance's own numbering.
// Exactly one field is set.
type Solution struct {
	Perm []int32   `json:"perm,omitempty"` // tour, assignment or colours, from 0
	Bits []int8    `json:"bits,omitempty"` // +1 or -1 (permuted perceptron)
	Real []float64 `json:"real,omitempty"` // Weierstrass
}

// Clone returns a copy that shares nothing with s.
func (s Solution) Clone() Solution {
	return Solution{
		Perm: append([]int32(nil), s.Perm...),
		Bits: append([]int8(nil), s.Bits...),
		Real: append([]float64(nil), s.Real...),
	}
}

// A Point is a row of the history. A replay compares all of it but Wall and CPU.
type Point struct {
	Iter     int64     // iterations done; the first iteration is 1
	Best     float64   // best since the start: a cost, see Sense
	IterBest float64   // best of this iteration
	Mean     float64   // mean over the solutions of this iteration
	Measures []float64 // the solver's own measures, in the order of Header.Measures
	Digest   uint64    // chained over the solutions and the state
	Improved bool      // whether Best changed in this iteration

	// Evals counts the solver's evaluations since the start, such as tours built, in the unit that it
	// names. It is 0 if the solver counts none, and in old records.
	Evals int64

	Wall float64 // seconds spent iterating since the run was opened; never compared
	CPU  float64 // CPU seconds of the same; never compared

	// Since is the number of iterations since the one that found Best. No file holds it and no replay
	// compares it.
	Since int64

	// Spent is the spent share of a time limit, set by rules that stop a step after some time. No file
	// holds it.
	Spent float64
}

// A Change is an entry of the journal: one action on a run.
type Change struct {
	Iter int64  `json:"i"`      // iterations done when it took effect: it applies from Iter+1 on
	Kind string `json:"change"` // "set", "fork", "stop", "undo", "migrant" or "arrival"
	// set: the parameter; fork: the new run's name; stop: the reason; undo: what it removed
	Name string `json:"name,omitzero"`
	Old  Value  `json:"old,omitzero"` // set: the value before
	New  Value  `json:"new,omitzero"` // set: the value after
	// fork: the parameters that the new run changed, structural ones too
	With Values `json:"with,omitzero"`
	On   string `json:"on,omitzero"` // fork: the backend, when it changed
	// fork: the variant and its revision, when it changed
	Variant  string `json:"variant,omitzero"`
	Revision int    `json:"revision,omitzero"`

	Seed *uint64 `json:"seed,omitzero"` // fork: the seed, when it changed

	// fork: the sets that the new run still has to apply, because its parent did; each applied one is
	// an entry of its own
	Later []Change `json:"later,omitempty"`

	// Sources holds the texts that new values stand for, by value, such as the code of a solver that a
	// researcher declared. Never compared.
	Sources map[string]string `json:"sources,omitzero"`

	Who string    `json:"who,omitzero"` // who did it, as "prompt" or "cell"; never compared
	At  time.Time `json:"at,omitzero"`  // when; never compared
}

// The kinds of change.
const (
	KindSet  = "set"
	KindFork = "fork"
	KindStop = "stop"
	KindUndo = "undo" // the record no longer holds what followed it

	// KindMigrant appears in the record of an island that accepted a solution of another. Name is that
	// other island, With has epoch, from, to and value.
	KindMigrant = "migrant"

	// KindArrival is the order of arrival of asynchronous islands in the iteration Name. With has
	// epochs, the islands in the order in which they ended an epoch, and made, the number of
	// iterations of each.
	KindArrival = "arrival"
)

// Acts returns the entries of a journal that a user or a rule caused: all but arrivals, of which
// each iteration may have one.
func Acts(journal []Change) []Change {
	out := make([]Change, 0, len(journal))
	for _, c := range journal {
		if c.Kind != KindArrival {
			out = append(out, c)
		}
	}
	return out
}

// An InstanceRef identifies the data that a run searched on.
type InstanceRef struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Size   int      `json:"size"`
	SHA256 string   `json:"sha256"`
	Best   *float64 `json:"best"` // best known cost; null if none is known
	// Maximise says that a cost is the negative of the objective's value; see Sense.
	Maximise bool `json:"maximise,omitempty"`
	// of the file, if it was named by path
	Path string `json:"path,omitempty"`

	// Unverified is the address from which the data came by plain http, without a published hash to
	// compare; SHA256 is the hash of that data. Never compared.
	Unverified string `json:"unverified,omitempty"`

	// Own lists the run's parameters that belong to a user's problem: each value of one is another
	// objective. Nil: unknown. Never compared.
	Own []string `json:"own,omitzero"`
}

// Sense returns which values of the objective are better.
func (r *InstanceRef) Sense() Sense { return Sense(r.Maximise) }

// A Header is the first line of a record: the settings from the opening of the run.
type Header struct {
	Format   string      `json:"metalab"`  // "record"
	Version  int         `json:"version"`  // of the format
	Run      string      `json:"run"`      // the run's name
	Solver   string      `json:"solver"`   // as "acs"
	Variant  string      `json:"variant"`  // as "seq"
	Revision int         `json:"revision"` // of the variant's algorithm
	Backend  string      `json:"backend"`  // "cpu" or "cuda"
	Seed     uint64      `json:"seed"`
	Preset   string      `json:"preset"`
	Instance InstanceRef `json:"instance"`
	Params   Values      `json:"params"` // all of them, resolved, as at iteration 0
	Start    *Start      `json:"start,omitempty"`
	Measures []string    `json:"measures"` // names of Point.Measures
	// the number of the island that the record describes, from 0; nil: the whole run
	Island *int `json:"island,omitempty"`

	// Sources holds the texts that values of Params stand for, by value, such as the code of a solver
	// that a researcher declared. Never compared.
	Sources map[string]string `json:"sources,omitempty"`

	Build     string    `json:"build"`           // Maker in words; never compared
	Maker     *Maker    `json:"maker,omitempty"` // nil in records of before v0.2.0; never compared
	Machine   string    `json:"machine"`         // never compared
	StartedAt time.Time `json:"started_at"`
}

// A Start is the given solution at which a run began.
type Start struct {
	SHA256   string   `json:"sha256"`         // of the solution; see solvers.HashSolution
	Value    float64  `json:"value"`          // by the instance's cost function
	Path     string   `json:"path,omitempty"` // of its file; never compared
	Solution Solution `json:"solution"`
}

// A Record is a run on paper: enough to replay it, and to check that the replay is the same.
type Record struct {
	Header  Header
	Journal []Change
	Points  []Point // the kept ones; see solvers.Kept
	Best    Best
	Repeats []Series // over seeds, without the run itself
	End     int64    // the last iteration in the record
	Digest  uint64   // chained, after End
	Whole   bool     // Decode: the file has its end line, so nothing was cut off
}

// Best is the best solution of a record.
type Best struct {
	Iter     int64    `json:"i"`    // when it was found
	Value    float64  `json:"best"` // a cost, see Sense
	Solution Solution `json:"solution"`

	// Agent is the number of the walk that found it, from 0; nil: unknown, as in old records and of
	// solvers that do not say.
	Agent *int `json:"agent,omitempty"`
}
