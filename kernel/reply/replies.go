package reply

import (
	"metalab/solvers/record"
)

// Status is the status of a run; the replies of all verbs on a run begin with it.
type Status struct {
	Verb      string `json:"verb"`
	Run       string `json:"run"`
	Solver    string `json:"solver"`
	Variant   string `json:"variant"`
	Instance  string `json:"instance"`
	Backend   string `json:"backend"`
	GPUs      string `json:"gpus,omitempty"` // their numbers, as 0,1
	State     string `json:"state"`          // paused, stepping, running, failed or closed
	Iteration int64  `json:"iteration"`
	Best      Num    `json:"best"`
	Optimum   Num    `json:"optimum"` // the best known value, proven or not; null when unknown
	Gap       Num    `json:"gap"`     // percent
	WallS     Num    `json:"wall_s"`
	CPUS      Num    `json:"cpu_s"`

	// Endless says that the run goes on until somebody pauses it. Only answers tell, not events.
	Endless bool `json:"endless,omitempty"`

	Repeat *Repeating `json:"repeat,omitempty"` // under way

	// Trouble says that the best has not the value that the solver claims (then Best and Gap are
	// null), or why the next iteration could not be made.
	Trouble string `json:"trouble,omitempty"`
}

// RunReply is the reply of verbs that have nothing to add.
type RunReply struct {
	Status
	Note string `json:"note,omitempty"`
}

// OpenReply is a run that was opened, forked or loaded.
type OpenReply struct {
	Status
	Attached bool    `json:"attached,omitempty"` // it was open already
	Parent   string  `json:"parent,omitempty"`   // of a fork
	Seed     uint64  `json:"seed"`
	Preset   string  `json:"preset"`
	Revision int     `json:"revision"`
	Size     int     `json:"size"` // of the instance
	Params   []Param `json:"params"`

	Warning string `json:"warning,omitempty"` // what to know of the instance, a line each
	Named   string `json:"named,omitempty"`   // what the name in the request means: a paper's, or mmas
	Advice  string `json:"advice,omitempty"`  // which other variant does better on the instance

	// Unused says what of the record, or of the state beside it, was not used, or is lacking.
	Unused string `json:"unused,omitempty"`
	False  bool   `json:"false,omitempty"` // something that the record says is false

	Declared string `json:"declared,omitempty"` // what source of the record was compiled

	// Later are the changes that a fork will make at their iterations, as its parent did, and Left
	// those that it will not make.
	Later []Change `json:"later,omitempty"`
	Left  []string `json:"left,omitempty"`

	Before *Autosave `json:"before,omitempty"` // what the same notebook has left of a run of that name
}

// StepReply says what a step did.
type StepReply struct {
	Status
	Made int64 `json:"made"` // iterations, of this caller's
	// that they took; wall_s and cpu_s are the run's, from its start
	StepWallS Num    `json:"step_wall_s"`
	StepCPUS  Num    `json:"step_cpu_s"`
	Why       string `json:"why,omitempty"` // the condition that ended it

	// what a declared solver printed meanwhile, the latest lines
	Printed []string `json:"printed,omitempty"`
}

// SetReply says what was changed.
type SetReply struct {
	Status
	After   int64    `json:"after"`   // the last iteration without the change
	Changes []Change `json:"changes"` // only what was another value before
	Note    string   `json:"note,omitempty"`

	// changes of the run that it was forked from, which it would have made later
	Left []Change `json:"left,omitempty"`
}

// RunsReply is the list of runs.
type RunsReply struct {
	Verb      string     `json:"verb"`
	Session   string     `json:"session"`
	Runs      []Status   `json:"runs"`
	Others    []Others   `json:"others,omitempty"`
	Autosaves []Autosave `json:"autosaves,omitempty"`
}

// Others are the runs of another session.
type Others struct {
	Session string   `json:"session"`
	Runs    []Status `json:"runs"`
}

// ShowReply is a run in full, without history and journal.
type ShowReply struct {
	Status
	Title     string   `json:"title"` // of the variant
	Source    string   `json:"source"`
	Seed      uint64   `json:"seed"`
	Preset    string   `json:"preset"`
	Revision  int      `json:"revision"`
	Kind      string   `json:"kind"` // of the instance
	Size      int      `json:"size"`
	IterBest  Num      `json:"iter_best"`
	Mean      Num      `json:"mean"`
	Digest    string   `json:"digest"`
	Evals     int64    `json:"evals,omitempty"`  // evaluations since the start
	Counts    string   `json:"counts,omitempty"` // what they are, as "tours built"
	Rate      Num      `json:"rate"`             // iterations a second, while it iterated
	Progress  Num      `json:"progress"`         // of the iteration under way, 0 to 1
	Measures  []string `json:"measures"`
	Values    []Num    `json:"values"` // of the measures
	Changes   int      `json:"changes"`
	Params    []Param  `json:"params"`
	Repeats   []string `json:"repeats,omitempty"` // what they have given, in words
	Failure   string   `json:"failure,omitempty"`
	Saved     string   `json:"saved,omitempty"` // path of the last save
	SavedIter int64    `json:"saved_iteration,omitempty"`
	Autosave  string   `json:"autosave_error,omitempty"`
}

// A Param is a parameter with its value.
type Param struct {
	Name    string       `json:"name"`
	Class   string       `json:"class"` // live, structural or schedule
	Type    string       `json:"type"`  // float, int, enum or truth
	Value   record.Value `json:"value"`
	Default record.Value `json:"default"`
	Min     Num          `json:"min"`
	Max     Num          `json:"max"`
	Step    Num          `json:"step,omitempty"`
	Unit    string       `json:"unit,omitempty"`
	Options []string     `json:"options,omitempty"`
	Range   string       `json:"range"` // in words
	Doc     string       `json:"doc"`
	Effect  string       `json:"effect,omitempty"`
}

// Changed reports whether the value is not the default.
func (p Param) Changed() bool { return p.Value != p.Default }

// ParamsReply lists parameters.
type ParamsReply struct {
	Status
	Params []Param `json:"params"`
	Named  bool    `json:"named,omitempty"` // they are those that were named
	Full   bool    `json:"full,omitempty"`  // the text says what each does
}

// BestReply is the best solution.
type BestReply struct {
	Status
	Found    int64            `json:"found"` // the iteration in which it was found
	Value    Num              `json:"value"` // computed again by the cost function
	Solution *record.Solution `json:"solution,omitempty"`
}

// A Point is a row of the history. It is no [record.Point], whose JSON has a name for each measure,
// and which only a record with these names reads: here they are a list, digests are hexadecimal,
// and a number may be missing.
type Point struct {
	Iter     int64  `json:"i"`
	Best     Num    `json:"best"`
	IterBest Num    `json:"iter_best"`
	Mean     Num    `json:"mean"`
	Measures []Num  `json:"measures,omitempty"` // in the order of their names
	Digest   string `json:"digest"`
	Improved bool   `json:"improved,omitempty"`
	Evals    int64  `json:"evals,omitempty"` // evaluations since the start, where the solver counts
	WallS    Num    `json:"wall_s"`
	CPUS     Num    `json:"cpu_s"`
}

// HistoryReply is a list of points.
type HistoryReply struct {
	Status
	Names  []string `json:"measures"`
	Points []Point  `json:"points"`
}

// A Change is an entry of the journal, as records have it. The texts that its values stand for, and
// the revision of a fork's variant, stay in the record.
type Change struct{ record.Change }

// JournalReply is everything that was done to a run.
type JournalReply struct {
	Status
	Changes []Change `json:"changes"`
}

// A PlotLook is the options of a figure, as they are typed.
type PlotLook struct {
	X       string `json:"x,omitempty"`       // iteration, time, cpu or evaluations
	Range   string `json:"range,omitempty"`   // of x, as 100..500
	Size    string `json:"size,omitempty"`    // as 400x300
	Title   string `json:"title,omitempty"`   // off: none
	Legend  string `json:"legend,omitempty"`  // names with commas between them; off: none
	Columns int    `json:"columns,omitempty"` // of several plots
	All     bool   `json:"all,omitempty"`     // nothing is thinned
}

// PlotReply is a picture, or where it was written.
type PlotReply struct {
	Status          // of the first run
	Runs   []string `json:"runs"`
	Figure string   `json:"figure"`
	Look   PlotLook `json:"look,omitzero"`
	Path   string   `json:"path,omitempty"`
	// image/svg+xml, image/png, application/pdf, or text/plain for terminals
	Mime string `json:"mime,omitempty"`
	Data []byte `json:"data,omitempty"`
	// Of a picture that a notebook keeps: how wide and high a page shows it, in its own pixels, and
	// what is seen in words.
	Wide  int    `json:"wide,omitempty"`
	High  int    `json:"high,omitempty"`
	Words string `json:"words,omitempty"`
}

// FileReply says what was written.
type FileReply struct {
	Status
	Path  string `json:"path"`
	State string `json:"state_path,omitempty"`
	Bytes int64  `json:"bytes"`

	StateBytes int64 `json:"state_bytes,omitempty"`

	Rows int64 `json:"rows,omitempty"`       // export: the iterations that were written
	Of   int64 `json:"iterations,omitempty"` // export: of so many
	// export: the seeds that were written, in place of iterations
	Seeds int `json:"seeds,omitempty"`
	// export of a page: the engine's file, and whether it stands in the page; then it is empty
	Engine      string `json:"engine,omitempty"`
	EngineBytes int64  `json:"engine_bytes,omitempty"`
	Inline      bool   `json:"inline,omitempty"`
	// export of an experiment as a page: its units, and those of them that the page makes again
	Units  int `json:"units,omitempty"`
	Replay int `json:"replay,omitempty"`
}

// A Difference is the first place at which two runs part.
type Difference struct {
	Seed     *uint64 `json:"seed,omitempty"` // of the repeat; nil: in the run itself
	Iter     int64   `json:"iteration"`
	What     string  `json:"what"`
	Agent    *int    `json:"agent"`    // null when not known
	Position *int    `json:"position"` // null when not known
	A        string  `json:"a"`
	B        string  `json:"b"`
}

// ReplayReply says whether a record replays.
type ReplayReply struct {
	Status
	Path            string      `json:"path"`
	Seeds           int         `json:"seeds,omitempty"`      // of repeats that were made again, too
	SeedsLeft       int         `json:"seeds_left,omitempty"` // of repeats that were not made again
	OnlySeeds       bool        `json:"only_seeds,omitempty"` // were compared: there are no points
	Lacks           []string    `json:"lacks,omitempty"`      // what is not in the record, in words
	Nothing         bool        `json:"nothing,omitempty"`    // there was nothing to compare
	Cut             bool        `json:"cut,omitempty"`        // the record's end line is missing
	Identical       bool        `json:"identical"`
	FirstDifference *Difference `json:"first_difference"`
}

// A SourceCode is one code of a solver of somebody's own.
type SourceCode struct {
	ID    string `json:"id"`
	Lines int    `json:"lines"`
	Text  string `json:"text"` // a line about it, and the source
}

// SourceReply is the source of a run's solver.
type SourceReply struct {
	Verb   string       `json:"verb"`
	Of     string       `json:"of"`
	Solver string       `json:"solver"`
	Codes  []SourceCode `json:"codes"`          // in the order in which the run had them
	Path   string       `json:"path,omitempty"` // of the file that the last was written to
}

// DiffReply says where two runs part.
type DiffReply struct {
	Verb            string      `json:"verb"`
	A               string      `json:"a"`
	B               string      `json:"b"`
	Identical       bool        `json:"identical"`
	Nothing         bool        `json:"nothing,omitempty"` // there was nothing to compare
	FirstDifference *Difference `json:"first_difference"`
	// what was fixed differently, as "seed: 7 against 8"
	Fixed []string `json:"fixed,omitempty"`
	// the seeds of repeats that one has and the other has not under the same setting
	OnlyA  []uint64 `json:"only_a,omitempty"`
	OnlyB  []uint64 `json:"only_b,omitempty"`
	Shared int64    `json:"shared"` // iterations that both have
	EndA   int64    `json:"end_a"`
	EndB   int64    `json:"end_b"`
}

// An Instance is the data of a problem.
type Instance struct {
	Name   string `json:"name"`
	Kind   string `json:"kind,omitempty"`
	Size   int    `json:"size,omitempty"`
	Best   Num    `json:"best"` // the best known value
	Proven bool   `json:"proven,omitempty"`
	Source string `json:"source,omitempty"` // of the best known value
	Metric string `json:"metric,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Path   string `json:"path,omitempty"`

	Warning string `json:"warning,omitempty"` // what to know of the instance, a line each
	Fixed   string `json:"fixed,omitempty"`   // the edges that each tour must have
}

// InstancesReply lists instances by name.
type InstancesReply struct {
	Verb      string           `json:"verb"`
	Names     []string         `json:"names"`
	Instances []ListedInstance `json:"instances"` // in the order of Names
}

// A ListedInstance is what is known of an instance that need not be loaded.
type ListedInstance struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"` // empty when it is not known
	Size   int    `json:"size"` // 0 when it is not known
	Best   Num    `json:"best"` // the best known value; null when there is none
	Proven bool   `json:"proven"`
	Source string `json:"source"` // of the best known value
	Place  string `json:"place"`  // generated, METALAB_DATA, cache or to be fetched
	Path   string `json:"path"`   // of the file, where there is one
}

// InstanceReply is one instance.
type InstanceReply struct {
	Verb string `json:"verb"`
	Instance
	// seconds that loading took; 0 when it was loaded already
	LoadS       Num    `json:"load_s"`
	PictureMime string `json:"picture_mime,omitempty"` // of the picture
	Picture     []byte `json:"picture,omitempty"`      // where it was asked for and can be drawn
}

// A Variant is a solver's.
type Variant struct {
	Solver   string   `json:"solver"`
	Variant  string   `json:"variant"`
	Backends []string `json:"backends"` // that this program has a form for
	// there is a form for cuda, here or in a program that was built with CUDA
	GPU           bool     `json:"gpu,omitempty"`
	Default       bool     `json:"default,omitempty"`
	Revision      int      `json:"revision"`
	Kinds         []string `json:"kinds"`
	Deterministic bool     `json:"deterministic"`
	Presets       []string `json:"presets"`
	PresetDocs    []string `json:"preset_docs"` // a sentence about each, in their order
	Title         string   `json:"title"`
	Source        string   `json:"source"`
	// what it evaluates, in the plural, as "tours built"
	Counts string  `json:"counts,omitempty"`
	Params []Param `json:"params,omitempty"` // with the defaults for a small instance
}

// A SolverName is an algorithm by the name that a paper has for it.
type SolverName struct {
	Name    string        `json:"name"`
	Solver  string        `json:"solver"`
	Variant string        `json:"variant"`
	Preset  string        `json:"preset,omitempty"`
	Params  record.Values `json:"params,omitempty"`
	Text    string        `json:"text"`    // what it means, as it is typed
	Paper   string        `json:"paper"`   // authors and year
	Authors []string      `json:"authors"` // family names in small letters
	Doc     string        `json:"doc"`
}

// SolversReply lists variants.
type SolversReply struct {
	Verb     string    `json:"verb"`
	Variants []Variant `json:"variants"`
	Details  bool      `json:"details,omitempty"` // one solver was asked for
	Asked    string    `json:"asked,omitempty"`   // the solver, name or author that was asked for

	// Names are those of papers: all, or what was asked for.
	Names []SolverName `json:"names,omitempty"`

	Full  bool   `json:"full,omitempty"`   // the text says what each parameter does
	NoGPU string `json:"no_gpu,omitempty"` // why no GPU can be used here
}

// AboutReply is what the host is.
type AboutReply struct {
	Verb string `json:"verb"`
	Hello
	UptimeS   Num    `json:"uptime_s"`
	Clients   int    `json:"clients"` // open connections, this one included
	Runs      int    `json:"runs"`
	MemoryMB  Num    `json:"memory_mb"`
	StateDir  string `json:"state_dir"`
	Autosaves int    `json:"autosaves"` // of hosts that have ended, and of closed runs

	// what the host has made and used since it started
	Iterations int64 `json:"iterations"` // of all runs, experiments and replays
	CPUS       Num   `json:"cpu_s"`      // of its process and those that it started and that ended

	Attached []string `json:"attached"` // who follows what happens: prompts, pages, cells that watch
	CUDA     string   `json:"cuda"`
}

// NoteReply is a sentence.
type NoteReply struct {
	Verb string `json:"verb"`
	Note string `json:"note"`
}
