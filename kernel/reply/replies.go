package reply

import (
	"fmt"

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
	GPUs      string `json:"gpus,omitempty"` // their numbers, such as 0,1
	State     string `json:"state"`          // paused, stepping, running, failed or closed
	Iteration int64  `json:"iteration"`
	Best      Num    `json:"best"`
	Optimum   Num    `json:"optimum"` // the best known value, proven or not; null if unknown
	Gap       Num    `json:"gap"`     // percent
	Spins     *Spins `json:"spins,omitempty"`
	WallS     Num    `json:"wall_s"`
	CPUS      Num    `json:"cpu_s"`

	// Endless says that the run iterates until a pause. Answers have it, events do not.
	Endless bool `json:"endless,omitempty"`

	Repeat *Repeating `json:"repeat,omitempty"` // under way

	// Trouble says that the best does not have the value that the solver claims (then Best and Gap are
	// null), or why the next iteration failed.
	Trouble string `json:"trouble,omitempty"`
}

// Spins is the best of a run on max-cut, a spin glass or a QUBO, as cut and as energy, in the units
// of the instance's file: energy = sum h s + sum J s s + offset, cut = (W - (energy - offset)) / 2.
type Spins struct {
	Cut    Num `json:"cut"`
	Energy Num `json:"energy"`
	Offset Num `json:"offset"`
}

// String names cut and energy, and an offset that is not 0.
func (s *Spins) String() string {
	if s == nil {
		return ""
	}
	if s.Offset == 0 {
		return fmt.Sprintf(", cut %s, energy %s", s.Cut, s.Energy)
	}
	return fmt.Sprintf(", cut %s, energy %s with its offset of %s", s.Cut, s.Energy, s.Offset)
}

// A RunReply is the reply of verbs that have nothing to add.
type RunReply struct {
	Status
	Note string `json:"note,omitempty"`
}

// An OpenReply describes an opened, forked or loaded run.
type OpenReply struct {
	Status
	Attached bool    `json:"attached,omitempty"` // it was open already
	Parent   string  `json:"parent,omitempty"`   // of a fork
	Seed     uint64  `json:"seed"`
	Preset   string  `json:"preset"`
	Revision int     `json:"revision"`
	Size     int     `json:"size"` // of the instance
	Params   []Param `json:"params"`

	Warning string `json:"warning,omitempty"` // warnings about the instance, a line each
	// the meaning of the name in the request: a paper's, or mmas
	Named  string `json:"named,omitempty"`
	Advice string `json:"advice,omitempty"` // which other variant does better on the instance

	// Unused says which parts of the record, or of the state beside it, were ignored or are missing.
	Unused string `json:"unused,omitempty"`
	False  bool   `json:"false,omitempty"` // the record contains something false

	Declared string `json:"declared,omitempty"` // the source in the record that was compiled

	// Later holds the changes that a fork will apply at their iterations, as its parent did; Left
	// holds those that it will omit.
	Later []Change `json:"later,omitempty"`
	Left  []string `json:"left,omitempty"`

	// the autosave that the same notebook has of a run with that name
	Before *Autosave `json:"before,omitempty"`
}

// A StepReply is the result of a step.
type StepReply struct {
	Status
	Made int64 `json:"made"` // number of iterations, for this caller
	// their time; wall_s and cpu_s count from the run's start
	StepWallS Num    `json:"step_wall_s"`
	StepCPUS  Num    `json:"step_cpu_s"`
	Why       string `json:"why,omitempty"` // the condition that ended it

	// the latest lines that a declared solver printed meanwhile
	Printed []string `json:"printed,omitempty"`
}

// A SetReply lists the changes.
type SetReply struct {
	Status
	After   int64    `json:"after"`   // the last iteration before the change
	Changes []Change `json:"changes"` // without parameters that had the value already
	Note    string   `json:"note,omitempty"`

	// pending changes from the parent, which the run will no longer apply
	Left []Change `json:"left,omitempty"`
}

// A RunsReply is the list of runs.
type RunsReply struct {
	Verb      string     `json:"verb"`
	Session   string     `json:"session"`
	Runs      []Status   `json:"runs"`
	Others    []Others   `json:"others,omitempty"`
	Autosaves []Autosave `json:"autosaves,omitempty"`
}

// Others holds the runs of another session.
type Others struct {
	Session string   `json:"session"`
	Runs    []Status `json:"runs"`
}

// A ShowReply is the full status of a run, without history and journal.
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
	Counts    string   `json:"counts,omitempty"` // their name, such as "tours built"
	Rate      Num      `json:"rate"`             // iterations per second of iterating
	Progress  Num      `json:"progress"`         // of the current iteration, 0 to 1
	Measures  []string `json:"measures"`
	Values    []Num    `json:"values"` // of the measures
	Changes   int      `json:"changes"`
	Params    []Param  `json:"params"`
	Repeats   []string `json:"repeats,omitempty"` // their results, in words
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
	Range   string       `json:"range"` // legal values, in words
	Doc     string       `json:"doc"`
	Effect  string       `json:"effect,omitempty"`
}

// Changed reports whether the value is not the default.
func (p Param) Changed() bool { return p.Value != p.Default }

// ParamsReply lists parameters.
type ParamsReply struct {
	Status
	Params []Param `json:"params"`
	Named  bool    `json:"named,omitempty"` // these are the requested ones
	Full   bool    `json:"full,omitempty"`  // the text includes descriptions
}

// A BestReply is the best solution.
type BestReply struct {
	Status
	Found    int64            `json:"found"` // the iteration that found it
	Value    Num              `json:"value"` // recomputed by the cost function
	Solution *record.Solution `json:"solution,omitempty"`
}

// A Point is a row of the history. Unlike [record.Point], whose JSON has a name for each measure
// and needs these names to be read, it has the measures in a list, digests in hexadecimal, and
// numbers that may be missing.
type Point struct {
	Iter     int64  `json:"i"`
	Best     Num    `json:"best"`
	IterBest Num    `json:"iter_best"`
	Mean     Num    `json:"mean"`
	Measures []Num  `json:"measures,omitempty"` // in the order of their names
	Digest   string `json:"digest"`
	Improved bool   `json:"improved,omitempty"`
	Evals    int64  `json:"evals,omitempty"` // evaluations since the start, if the solver counts them
	WallS    Num    `json:"wall_s"`
	CPUS     Num    `json:"cpu_s"`
}

// A HistoryReply is a list of points.
type HistoryReply struct {
	Status
	Names  []string `json:"measures"`
	Points []Point  `json:"points"`
}

// A Change is an entry of the journal, as in records. The texts that its values stand for, and the
// revision of a fork's variant, stay in the record.
type Change struct{ record.Change }

// A JournalReply lists every change that was made to a run.
type JournalReply struct {
	Status
	Changes []Change `json:"changes"`
}

// A PlotLook holds the options of a figure, as users type them.
type PlotLook struct {
	X       string `json:"x,omitempty"`       // iteration, time, cpu or evaluations
	Range   string `json:"range,omitempty"`   // of x, as 100..500
	Size    string `json:"size,omitempty"`    // as 400x300
	Title   string `json:"title,omitempty"`   // off: none
	Legend  string `json:"legend,omitempty"`  // names with commas between them; off: none
	Columns int    `json:"columns,omitempty"` // of several plots
	All     bool   `json:"all,omitempty"`     // no thinning
}

// A PlotReply is a picture, or the file that holds it.
type PlotReply struct {
	Status          // of the first run
	Runs   []string `json:"runs"`
	Figure string   `json:"figure"`
	Look   PlotLook `json:"look,omitzero"`
	Path   string   `json:"path,omitempty"`
	// image/svg+xml, image/png, application/pdf, or text/plain for terminals
	Mime string `json:"mime,omitempty"`
	Data []byte `json:"data,omitempty"`
	// For a picture in a notebook: its width and height on a page, in the picture's own pixels, and
	// its description.
	Wide  int    `json:"wide,omitempty"`
	High  int    `json:"high,omitempty"`
	Words string `json:"words,omitempty"`
}

// A FileReply describes a written file.
type FileReply struct {
	Status
	Path  string `json:"path"`
	State string `json:"state_path,omitempty"`
	Bytes int64  `json:"bytes"`

	StateBytes int64 `json:"state_bytes,omitempty"`

	Rows int64 `json:"rows,omitempty"`       // export: number of written iterations
	Of   int64 `json:"iterations,omitempty"` // export: out of so many
	// export: number of written seeds, in place of iterations
	Seeds int `json:"seeds,omitempty"`
	// export of a page: the engine's file; empty if the page contains it, see the next field
	Engine      string `json:"engine,omitempty"`
	EngineBytes int64  `json:"engine_bytes,omitempty"`
	Inline      bool   `json:"inline,omitempty"`
	// export of an experiment as a page: its units, and those that the page can replay
	Units  int `json:"units,omitempty"`
	Replay int `json:"replay,omitempty"`
}

// A Difference is the first place at which two runs part.
type Difference struct {
	Seed     *uint64 `json:"seed,omitempty"` // of the repeat; nil: in the run itself
	Iter     int64   `json:"iteration"`
	What     string  `json:"what"`
	Agent    *int    `json:"agent"`    // null if unknown
	Position *int    `json:"position"` // null if unknown
	A        string  `json:"a"`
	B        string  `json:"b"`
}

// A ReplayReply says whether a record replays.
type ReplayReply struct {
	Status
	Path      string `json:"path"`
	Seeds     int    `json:"seeds,omitempty"`      // of repeats, replayed too
	SeedsLeft int    `json:"seeds_left,omitempty"` // of repeats, not replayed
	// only seeds were compared: there are no points
	OnlySeeds       bool        `json:"only_seeds,omitempty"`
	Lacks           []string    `json:"lacks,omitempty"`   // what the record lacks, in words
	Nothing         bool        `json:"nothing,omitempty"` // there was nothing to compare
	Cut             bool        `json:"cut,omitempty"`     // the record's end line is missing
	Identical       bool        `json:"identical"`
	FirstDifference *Difference `json:"first_difference"`

	// Alone is the part that was made again without the rest of the run; nil: all was.
	Alone *Alone `json:"alone,omitempty"`
}

// Alone is the part of a run that found its best solution, made again without the rest.
type Alone struct {
	Part       string `json:"part"`  // such as "island 3"
	First      int    `json:"first"` // its agents, from 0
	Last       int    `json:"last"`
	Of         int    `json:"of"`     // agents of the whole run
	Agents     string `json:"agents"` // what they are, such as "walks"
	Agent      int    `json:"agent"`  // that found the best, by the record
	Iterations int64  `json:"iterations"`

	// Of the best solution that it found: its value by the instance, and the SHA-256 of its entries.
	Value  Num    `json:"value"`
	Spins  *Spins `json:"spins,omitempty"`
	SHA256 string `json:"sha256"`
}

// String says what was made, and what was found.
func (a *Alone) String() string {
	best := fmt.Sprintf("best %s%s", a.Value, a.Spins)
	return fmt.Sprintf("%s %d to %d of %d (%s), up to iteration %d: %s, SHA-256 %s", a.Agents, a.First,
		a.Last, a.Of, a.Part, a.Iterations, best, a.SHA256)
}

// A SourceCode is one code of a user's own solver.
type SourceCode struct {
	ID    string `json:"id"`
	Lines int    `json:"lines"`
	Text  string `json:"text"` // a line about it, and the source
}

// A SourceReply is the source of a run's solver.
type SourceReply struct {
	Verb   string       `json:"verb"`
	Of     string       `json:"of"`
	Solver string       `json:"solver"`
	Codes  []SourceCode `json:"codes"`          // in the order in which the run had them
	Path   string       `json:"path,omitempty"` // of the written file with the last one
}

// A DiffReply says where two runs part.
type DiffReply struct {
	Verb            string      `json:"verb"`
	A               string      `json:"a"`
	B               string      `json:"b"`
	Identical       bool        `json:"identical"`
	Nothing         bool        `json:"nothing,omitempty"` // there was nothing to compare
	FirstDifference *Difference `json:"first_difference"`
	// settings that differ, such as "seed: 7 against 8"
	Fixed []string `json:"fixed,omitempty"`
	// the seeds of repeats that only one has under the same setting
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

	Warning string `json:"warning,omitempty"` // warnings about the instance, a line each
	Fixed   string `json:"fixed,omitempty"`   // the edges that every tour must contain
}

// An InstancesReply lists instances by name.
type InstancesReply struct {
	Verb      string           `json:"verb"`
	Names     []string         `json:"names"`
	Instances []ListedInstance `json:"instances"` // in the order of Names
}

// A ListedInstance describes an instance without its data.
type ListedInstance struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"` // empty if unknown
	Size   int    `json:"size"` // 0 if unknown
	Best   Num    `json:"best"` // the best known value; null if there is none
	Proven bool   `json:"proven"`
	Source string `json:"source"` // of the best known value
	Place  string `json:"place"`  // generated, METALAB_DATA, cache or to be fetched
	Path   string `json:"path"`   // of the file, if there is one
}

// An InstanceReply is one instance.
type InstanceReply struct {
	Verb string `json:"verb"`
	Instance
	// seconds of loading; 0 if it was loaded already
	LoadS       Num    `json:"load_s"`
	PictureMime string `json:"picture_mime,omitempty"` // of the picture
	Picture     []byte `json:"picture,omitempty"`      // if requested and possible
}

// A Variant describes a variant of a solver.
type Variant struct {
	Solver   string   `json:"solver"`
	Variant  string   `json:"variant"`
	Backends []string `json:"backends"` // that this program supports
	// there is a form for cuda, here or in a build with CUDA
	GPU           bool     `json:"gpu,omitempty"`
	Default       bool     `json:"default,omitempty"`
	Revision      int      `json:"revision"`
	Kinds         []string `json:"kinds"`
	Deterministic bool     `json:"deterministic"`
	Presets       []string `json:"presets"`
	PresetDocs    []string `json:"preset_docs"` // a sentence about each, in their order
	Title         string   `json:"title"`
	Source        string   `json:"source"`
	// its evaluations, in the plural, such as "tours built"
	Counts string  `json:"counts,omitempty"`
	Params []Param `json:"params,omitempty"` // with the defaults for a small instance
}

// A SolverName is a paper's name for an algorithm.
type SolverName struct {
	Name    string        `json:"name"`
	Solver  string        `json:"solver"`
	Variant string        `json:"variant"`
	Preset  string        `json:"preset,omitempty"`
	Params  record.Values `json:"params,omitempty"`
	Text    string        `json:"text"`    // its meaning, as users type it
	Paper   string        `json:"paper"`   // authors and year
	Authors []string      `json:"authors"` // family names in small letters
	Doc     string        `json:"doc"`
}

// A SolversReply lists variants.
type SolversReply struct {
	Verb     string    `json:"verb"`
	Variants []Variant `json:"variants"`
	Details  bool      `json:"details,omitempty"` // the request was for one solver
	Asked    string    `json:"asked,omitempty"`   // the requested solver, name or author

	// Names holds the papers' names: all, or the requested ones.
	Names []SolverName `json:"names,omitempty"`

	Full  bool   `json:"full,omitempty"`   // the text includes descriptions of parameters
	NoGPU string `json:"no_gpu,omitempty"` // why no GPU is usable here
}

// An AboutReply describes the host.
type AboutReply struct {
	Verb string `json:"verb"`
	Hello
	UptimeS   Num    `json:"uptime_s"`
	Clients   int    `json:"clients"` // open connections, this one included
	Runs      int    `json:"runs"`
	MemoryMB  Num    `json:"memory_mb"`
	StateDir  string `json:"state_dir"`
	Autosaves int    `json:"autosaves"` // of hosts that have ended, and of closed runs

	// the host's work and resources since its start
	Iterations int64 `json:"iterations"` // of all runs, experiments and replays
	CPUS       Num   `json:"cpu_s"`      // of its process and of its children that have ended

	Attached []string `json:"attached"` // who follows the events: prompts, pages, cells that watch
	CUDA     string   `json:"cuda"`
}

// A NoteReply is a sentence.
type NoteReply struct {
	Verb string `json:"verb"`
	Note string `json:"note"`
}
