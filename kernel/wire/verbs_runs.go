package wire

import (
	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// runVerbs open runs and carry them on.
var runVerbs = []Verb{
	typed[OpenRequest, reply.OpenReply](Verb{
		Name: "open", Group: "runs",
		Doc: "open a run of a solver on an instance, or attach to the run of that name",
		Example: "open acs pr1002 as a seed=42 preset=paper ants=256; open ils pr1002 as i " +
			"start=./a.tour",
		Args: []Arg{
			{
				Name: "solver", Kind: KindSolver, Required: true, Place: true,
				Doc: "the solver, solver/variant, or the name that a paper has for it, as acs-gpu-spm",
			},
			{
				Name: "instance", Kind: KindInstance, Required: true, Place: true, Asked: true,
				Doc: "the name or the file of an instance",
			},
			argAs,
			{Name: "seed", Kind: KindInt, Default: "1", Doc: "of the random numbers"},
			{
				Name: "preset", Kind: KindWord, Default: "default",
				Doc: "a named set of parameters, as paper or best",
			},
			{Name: "variant", Kind: KindWord, Doc: "the variant; the solver's default when left out"},
			{
				Name: "on", Kind: KindWord, Default: "cpu", Choices: Backends,
				Doc: onDoc,
			},
			{Name: "device", Kind: KindInt, Default: "0", Doc: "the number of a GPU, as in on=cuda:1"},
			{
				Name: "start", Kind: KindPath, File: true,
				Doc: "a file with the solution to begin at: a tour (TSPLIB's .tour), an assignment " +
					"(QAPLIB's .sln) or the sides of a cut (0 and 1, as export a a.txt best writes them), as " +
					"start=./a.tour",
			},
			argPlaced,
			argFresh,
			argParams,
		},
	}),
	typed[SolveRequest, reply.SolveReply](Verb{
		Name: "solve", Group: "runs",
		Doc: "search on an instance with the solver that suits it, on the CPU or a GPU, for a time, or " +
			"until a proven optimum is found, and write the solution",
		Example: "solve pr1002 60s to pr1002.tour; solve mine.tsp 10m; solve tai50a until gap<1",
		Args: []Arg{
			{
				Name: "instance", Kind: KindInstance, Required: true, Place: true,
				Doc: "the name or the file of an instance",
			},
			{
				Name: "wall", Kind: KindSeconds,
				Doc: "seconds of iterating; also typed as 60s or 2m; 10 s where nothing ends it",
			},
			argCPU, argAs,
			{
				Name: "to", Kind: KindPath, Word: "to",
				Doc: "the file of the solution: .tour for a tour, .sln for an assignment",
			},
			argForce,
			{Name: "seed", Kind: KindInt, Default: "1", Doc: "of the random numbers"},
			{
				Name: "on", Kind: KindWord, Choices: Backends,
				Doc: onDoc + "; without it a GPU is taken where one is there and does better on the instance",
			},
			argUntil,
		},
	}),
	typed[StepRequest, reply.StepReply](Verb{
		Name: "step", Group: "runs", Browser: true,
		Doc:     "make iterations and wait for them: a number, a time, or until a condition holds",
		Example: "step a 100; step a 10s; step a 10cpu; step a until gap<1; step a b 100", Beside: true,
		Args: []Arg{argRuns, argN, argWall, argCPU, argUntil},
	}),
	typed[GoRequest, reply.RunReply](Verb{
		Name: "go", Group: "runs", Browser: true,
		Doc: "let the run go on, and return at once: until it is paused, or for what " +
			"would end a step",
		Example: "go a; go a b until gap<1; go a 10m",
		Args:    []Arg{argRuns, argN, argWall, argCPU, argUntil},
	}),
	typed[RunRequest, reply.RunReply](Verb{
		Name: "pause", Group: "runs", Browser: true,
		Doc:     "end go and all steps of the run, whoever asked for them",
		Example: "pause a; pause a b; pause all", Args: []Arg{argRuns},
	}),
	typed[SetRequest, reply.SetReply](Verb{
		Name: "set", Group: "runs", Browser: true,
		Doc: "change parameters from the next iteration on; default, as a value, is what the run's " +
			"preset has",
		Example: "set a q0=0.98 local_period=4; set a b q0=0.5; set a q0=default; set a default",
		Args: []Arg{argRuns, argParams, {
			Name: "default", Kind: KindTruth, Default: "false",
			Doc: "all that may change while a run goes on back to what its preset has",
		}},
	}),
	typed[RunRequest, reply.UndoReply](Verb{
		Name: "undo", Group: "runs",
		Doc: "go back to before the last change of parameters, by making the iterations up to it " +
			"again; recover opens what the run was",
		Example: "undo a", Args: []Arg{argRun},
	}),
	typed[ForkRequest, reply.OpenReply](Verb{
		Name: "fork", Group: "runs", Browser: true,
		Doc: "copy a run as it stands, with other parameters, structural ones too, another " +
			"seed, backend or variant",
		Example: "fork a as b q0=0.9 on=cuda; fork a as c variant=spm; fork a as d at=500 q0=0.9",
		Args: []Arg{
			argRun, argAs,
			{
				Name: "at", Kind: KindInt,
				Doc: "go back: copy the run as it stood after that iteration, before what was changed " +
					"there; the iterations are made again, and what was set later is set in the copy at " +
					"the same iterations, but for parameters that the fork names or that are set in it",
			},
			{
				Name: "nochanges", Kind: KindTruth, Default: "false",
				Doc: "set nothing in the copy that was set later in the run",
			},
			{
				Name: "seed", Kind: KindInt,
				Doc: "of the random numbers from here on; the parent's when left out",
			},
			{
				Name: "variant", Kind: KindWord,
				Doc: "another variant of the solver that shares its state; the parent's when left out",
			},
			argOn,
			{Name: "device", Kind: KindInt, Default: "0", Doc: "the number of the GPU"},
			argFresh,
			argParams,
		},
	}),
	typed[CloseRequest, reply.RunReply](Verb{
		Name: "close", Group: "runs",
		Doc:     "end a run and free its memory; recover opens it again for a day",
		Example: "close a; close a b; close all", Beside: true,
		Args: []Arg{{
			Name: "run", Kind: KindRun, Doc: "the run; several may be named, or all",
			Required: true, Place: true, Named: true, Many: true,
		}, {
			Name: "force", Kind: KindTruth, Default: "false",
			Doc: "close it although it cannot be kept on the disk",
		}},
	}),
	typed[RunsRequest, reply.RunsReply](Verb{
		Name: "runs", Group: "runs", Browser: true,
		Doc:     "list the runs; with all, also other sessions and autosaves",
		Example: "runs; runs all",
		Args: []Arg{{
			Name: "all", Kind: KindTruth, Default: "false",
			Doc: "other sessions and autosaves too",
		}},
	}),
}

// CloseRequest ends a run.
type CloseRequest struct {
	Run   string `json:"run"`
	Force bool   `json:"force,omitempty"` // even if nothing of it can be saved
}

// OpenRequest asks for a run.
type OpenRequest struct {
	Solver   string        `json:"solver"`
	Instance string        `json:"instance"` // a name, or an absolute path
	As       string        `json:"as,omitempty"`
	Seed     *uint64       `json:"seed,omitempty"` // nil: 1
	Preset   string        `json:"preset,omitempty"`
	Variant  string        `json:"variant,omitempty"`
	On       string        `json:"on,omitempty"`
	Device   int           `json:"device,omitempty"`
	Fresh    bool          `json:"fresh,omitempty"`
	Start    string        `json:"start,omitempty"` // absolute path of a tour or an assignment
	Over     string        `json:"over,omitempty"`  // who runs the iterations of its islands
	Params   record.Values `json:"params,omitempty"`
}

// SolveRequest asks for a run of the solver that suits an instance, and for its best solution. It
// ends at the first limit; without one, the host sets a time.
type SolveRequest struct {
	Instance string    `json:"instance"` // a name, or an absolute path
	As       string    `json:"as,omitempty"`
	Seed     *uint64   `json:"seed,omitempty"` // nil: 1
	On       string    `json:"on,omitempty"`   // empty: the host chooses it too
	Wall     reply.Num `json:"wall,omitempty"` // seconds
	CPU      reply.Num `json:"cpu,omitempty"`  // seconds
	Until    string    `json:"until,omitempty"`
	To       string    `json:"to,omitempty"`    // absolute path
	Force    bool      `json:"force,omitempty"` // replace whatever file is there
}

// StepRequest asks for iterations. The step ends at the first limit; at least one is required.
type StepRequest struct {
	Run   string    `json:"run"`
	N     int64     `json:"n,omitempty"`
	Wall  reply.Num `json:"wall,omitempty"` // seconds
	CPU   reply.Num `json:"cpu,omitempty"`  // seconds
	Until string    `json:"until,omitempty"`
}

// GoRequest lets a run iterate until a pause, or until the first limit, if there is one.
type GoRequest struct {
	Run   string    `json:"run"`
	N     int64     `json:"n,omitempty"`
	Wall  reply.Num `json:"wall,omitempty"` // seconds
	CPU   reply.Num `json:"cpu,omitempty"`  // seconds
	Until string    `json:"until,omitempty"`
}

// SetRequest changes parameters.
type SetRequest struct {
	Run     string        `json:"run"`
	Params  record.Values `json:"params"`
	Default bool          `json:"default,omitempty"` // reset all others that can change
}

// ForkRequest copies a run.
type ForkRequest struct {
	Run     string        `json:"run"`
	As      string        `json:"as,omitempty"`
	At      *int64        `json:"at,omitempty"` // an earlier iteration; nil: as it stands
	Seed    *uint64       `json:"seed,omitempty"`
	Variant string        `json:"variant,omitempty"`
	On      string        `json:"on,omitempty"`
	Device  int           `json:"device,omitempty"`
	Fresh   bool          `json:"fresh,omitempty"`
	Params  record.Values `json:"params,omitempty"`

	NoChanges bool `json:"nochanges,omitempty"`
}

// RunsRequest asks for the list of runs.
type RunsRequest struct {
	All bool `json:"all,omitempty"`
}
