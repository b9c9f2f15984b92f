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
	Name    string   `json:"name"`
	Class   Class    `json:"class"`
	Type    Type     `json:"type"`
	Min     float64  `json:"min"`               // Float, Int: smallest legal value
	Max     float64  `json:"max"`               // Float, Int: largest legal value
	Step    float64  `json:"step,omitempty"`    // a sensible increment for a slider
	Unit    string   `json:"unit,omitempty"`    // as "ants"; empty for a plain number
	Sized   bool     `json:"sized,omitempty"`   // Int: may be times the instance's size, as 0.1n
	Options []string `json:"options,omitempty"` // Enum: the legal words
	Doc     string   `json:"doc"`               // one sentence
	Effect  string   `json:"effect,omitempty"`  // what happens to the state at a change
	Default Value    `json:"default"`           // for this instance and preset
	Value   Value    `json:"value"`             // now
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

// A Point is a row of the history. All but Wall and CPU are compared at replay.
type Point struct {
	Iter     int64     // iterations done; the first iteration is 1
	Best     float64   // best since the start: a cost, see Sense
	IterBest float64   // best of this iteration
	Mean     float64   // mean over the solutions of this iteration
	Measures []float64 // the solver's own measures, in the order of Header.Measures
	Digest   uint64    // chained over the solutions and the state
	Improved bool      // whether Best changed in this iteration

	// Evals is what the solver has evaluated since the start, as tours built, in the unit that
	// it names; 0 where it does not count. Records of before it was counted have none.
	Evals int64

	Wall float64 // seconds spent iterating since the run was opened; never compared
	CPU  float64 // CPU seconds of the same; never compared

	// Since is how many iterations were made since the one that found Best. It is neither kept in
	// files nor compared.
	Since int64

	// Spent is set by rules that stop a step after some time: which share of it is over. It is
	// neither kept nor recorded.
	Spent float64
}

// A Change is an entry of the journal: something that somebody did to a run.
type Change struct {
	Iter int64  `json:"i"`      // iterations done when it took effect: it holds from Iter+1 on
	Kind string `json:"change"` // "set", "fork", "stop", "undo", "migrant" or "arrival"
	// set: the parameter; fork: the new run's name; stop: the reason; undo: what is no more
	Name string `json:"name,omitzero"`
	Old  Value  `json:"old,omitzero"` // set: the value before
	New  Value  `json:"new,omitzero"` // set: the value after
	// fork: parameters, structural ones too, that the new run has changed
	With Values `json:"with,omitzero"`
	On   string `json:"on,omitzero"` // fork: the backend, when it changed
	// fork: the variant and its revision, when it changed
	Variant  string `json:"variant,omitzero"`
	Revision int    `json:"revision,omitzero"`

	Seed *uint64 `json:"seed,omitzero"` // fork: the seed, when it changed

	// fork: the sets that the new run has still to make, because its parent has made them; when it
	// makes one, that is an entry of its own
	Later []Change `json:"later,omitempty"`

	// Sources are the texts that new values stand for, by value, as the code of a solver
	// that a researcher declared; never compared.
	Sources map[string]string `json:"sources,omitzero"`

	Who string    `json:"who,omitzero"` // who did it, as "prompt" or "cell"; never compared
	At  time.Time `json:"at,omitzero"`  // when; never compared
}

// The kinds of change.
const (
	KindSet  = "set"
	KindFork = "fork"
	KindStop = "stop"
	KindUndo = "undo" // what was done after it is not in the record any more

	// KindMigrant is in the record of an island: it took in a solution of another. Name is that one,
	// With has epoch, from, to and value.
	KindMigrant = "migrant"

	// KindArrival is how the islands of a run that do not wait for each other came in the iteration
	// that Name says: With has epochs, the islands in the order in which they ended an epoch, and
	// made, the iterations of each.
	KindArrival = "arrival"
)

// Acts are the entries of a journal that somebody or a rule made: all but arrivals, of which each
// iteration may have one.
func Acts(journal []Change) []Change {
	out := make([]Change, 0, len(journal))
	for _, c := range journal {
		if c.Kind != KindArrival {
			out = append(out, c)
		}
	}
	return out
}

// An InstanceRef says which data a run searched on.
type InstanceRef struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Size   int      `json:"size"`
	SHA256 string   `json:"sha256"`
	Best   *float64 `json:"best"` // best known cost; null when none is known
	// Maximise says that costs are values of the objective with the other sign; see Sense.
	Maximise bool `json:"maximise,omitempty"`
	// where it was read, when from a file that was named by path
	Path string `json:"path,omitempty"`

	// Unverified is the address from which the data came by plain http, with no published hash
	// to compare them with: SHA256 is what they were. Never compared.
	Unverified string `json:"unverified,omitempty"`

	// Own are the parameters of a run that belong to a problem of somebody's own: each value of one
	// is another objective. Nil: it is not known which do. Never compared.
	Own []string `json:"own,omitzero"`
}

// Sense says which values of the objective are better.
func (r *InstanceRef) Sense() Sense { return Sense(r.Maximise) }

// A Header is the first line of a record: everything that was fixed when the run
// was opened.
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
	// the number of the island of which the record tells, the first being 0; nil: of the whole run
	Island *int `json:"island,omitempty"`

	// Sources are the texts that values of Params stand for, by value, as the code of a
	// solver that a researcher declared; never compared.
	Sources map[string]string `json:"sources,omitempty"`

	Build     string    `json:"build"`           // Maker in words; never compared
	Maker     *Maker    `json:"maker,omitempty"` // nil in records of before v0.2.0; never compared
	Machine   string    `json:"machine"`         // never compared
	StartedAt time.Time `json:"started_at"`
}

// A Start is a solution that a run began at, where it was given one.
type Start struct {
	SHA256   string   `json:"sha256"`         // of the solution; see solvers.HashSolution
	Value    float64  `json:"value"`          // by the instance's cost function
	Path     string   `json:"path,omitempty"` // of the file that it was read from; never compared
	Solution Solution `json:"solution"`
}

// A Record is a run on paper: enough to make it again, and to check that it is the same.
type Record struct {
	Header  Header
	Journal []Change
	Points  []Point // the kept ones; see solvers.Kept
	Best    Best
	Repeats []Series // over seeds; the run itself is none of them
	End     int64    // the last iteration that the record tells of
	Digest  uint64   // chained, after End
	Whole   bool     // Decode: the file has its end line, so nothing was cut off
}

// Best is the best solution of a record.
type Best struct {
	Iter     int64    `json:"i"`    // when it was found
	Value    float64  `json:"best"` // a cost, see Sense
	Solution Solution `json:"solution"`
}
