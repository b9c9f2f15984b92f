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
				Name: "instance", Kind: KindInstance, Required: true, Place: true,
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
				Doc: "the backend, cpu or cuda",
			},
			{Name: "device", Kind: KindInt, Default: "0", Doc: "the number of the GPU"},
			{
				Name: "start", Kind: KindPath, File: true,
				Doc: "a file with the solution to begin at: a tour (TSPLIB's .tour) or an assignment " +
					"(QAPLIB's .sln), as start=./a.tour",
			},
			argFresh,
			argParams,
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
		Name: "set", Group: "runs", Browser: true, Doc: "change parameters from the next iteration on",
		Example: "set a q0=0.98 local_period=4; set a b q0=0.5", Args: []Arg{argRuns, argParams},
	}),
	typed[ForkRequest, reply.OpenReply](Verb{
		Name: "fork", Group: "runs", Browser: true,
		Doc: "copy a run as it stands, with other parameters, structural ones too, another " +
			"seed, backend or variant",
		Example: "fork a as b q0=0.9 on=cuda; fork a as c variant=spm",
		Args: []Arg{
			argRun, argAs,
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
	typed[RunRequest, reply.RunReply](Verb{
		Name: "close", Group: "runs",
		Doc:     "end a run and free its memory; recover opens it again for a day",
		Example: "close a",
		Args: []Arg{{
			Name: "run", Kind: KindRun, Doc: "the run; several may be named, or all",
			Required: true, Place: true, Named: true, Many: true,
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
	Params   record.Values `json:"params,omitempty"`
}

// StepRequest asks for iterations. The first of its limits that is reached ends it;
// at least one must be given.
type StepRequest struct {
	Run   string    `json:"run"`
	N     int64     `json:"n,omitempty"`
	Wall  reply.Num `json:"wall,omitempty"` // seconds
	CPU   reply.Num `json:"cpu,omitempty"`  // seconds
	Until string    `json:"until,omitempty"`
}

// GoRequest lets a run go on: until it is paused, or until the first of the limits, if one
// is given.
type GoRequest struct {
	Run   string    `json:"run"`
	N     int64     `json:"n,omitempty"`
	Wall  reply.Num `json:"wall,omitempty"` // seconds
	CPU   reply.Num `json:"cpu,omitempty"`  // seconds
	Until string    `json:"until,omitempty"`
}

// SetRequest changes parameters.
type SetRequest struct {
	Run    string        `json:"run"`
	Params record.Values `json:"params"`
}

// ForkRequest copies a run.
type ForkRequest struct {
	Run     string        `json:"run"`
	As      string        `json:"as,omitempty"`
	Seed    *uint64       `json:"seed,omitempty"`
	Variant string        `json:"variant,omitempty"`
	On      string        `json:"on,omitempty"`
	Device  int           `json:"device,omitempty"`
	Fresh   bool          `json:"fresh,omitempty"`
	Params  record.Values `json:"params,omitempty"`
}

// RunsRequest asks for the list of runs.
type RunsRequest struct {
	All bool `json:"all,omitempty"`
}
