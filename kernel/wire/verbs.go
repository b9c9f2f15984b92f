package wire

// Arguments that several verbs share.
var (
	argRun    = Arg{Name: "run", Kind: KindRun, Doc: "the run", Required: true, Place: true}
	argAs     = Arg{Name: "as", Kind: KindName, Word: "as", Doc: "the name of the new run; the next free letter when left out"}
	argParams = Arg{Name: "params", Kind: KindParams, Doc: "parameters; params lists those of a run, solvers those of a solver"}
	argFresh  = Arg{Name: "fresh", Kind: KindTruth, Default: "false", Doc: "close the run of that name first, if there is one"}
	argOn     = Arg{Name: "on", Kind: KindWord, Doc: "the backend, cpu or cuda"}
	argN      = Arg{Name: "n", Kind: KindInt, Place: true, Doc: "iterations"}
	argWall   = Arg{Name: "wall", Kind: KindSeconds, Doc: "seconds of iterating; also typed as 10s or 2m"}
	argCPU    = Arg{Name: "cpu", Kind: KindSeconds, Doc: "CPU seconds; also typed as 10cpu"}
	argUntil  = Arg{Name: "until", Kind: KindCond, Word: "until", Doc: "a condition: gap<1, best<=2579, stall=500, iteration=1000, time=10s, cpu=10s; several with commas, the first that holds ends the step"}
)

// Verbs is the table of all verbs, in the order of help.
var Verbs = []Verb{
	typed[OpenRequest, OpenReply](Verb{
		Name: "open", Group: "runs", Doc: "open a run of a solver on an instance, or attach to the run of that name",
		Example: "open acs pr1002 as a seed=42 preset=paper ants=256",
		Args: []Arg{
			{Name: "solver", Kind: KindSolver, Required: true, Place: true, Doc: "the solver, or solver/variant"},
			{Name: "instance", Kind: KindInstance, Required: true, Place: true, Doc: "the name or the file of an instance"},
			argAs,
			{Name: "seed", Kind: KindInt, Default: "1", Doc: "of the random numbers"},
			{Name: "preset", Kind: KindWord, Default: "default", Doc: "a named set of parameters, as paper or best"},
			{Name: "variant", Kind: KindWord, Doc: "the variant; the solver's default when left out"},
			{Name: "on", Kind: KindWord, Default: "cpu", Doc: "the backend, cpu or cuda"},
			{Name: "device", Kind: KindInt, Default: "0", Doc: "the number of the GPU"},
			argFresh,
			argParams,
		},
	}),
	typed[StepRequest, StepReply](Verb{
		Name: "step", Group: "runs", Browser: true, Doc: "make iterations and wait for them: a number, a time, or until a condition holds",
		Example: "step a 100; step a 10s; step a 10cpu; step a until gap<1",
		Args:    []Arg{argRun, argN, argWall, argCPU, argUntil},
	}),
	typed[RunRequest, RunReply](Verb{
		Name: "go", Group: "runs", Browser: true, Doc: "let the run go on until it is paused; returns at once",
		Example: "go a", Args: []Arg{argRun},
	}),
	typed[RunRequest, RunReply](Verb{
		Name: "pause", Group: "runs", Browser: true, Doc: "end go and all steps of the run, whoever asked for them",
		Example: "pause a", Args: []Arg{argRun},
	}),
	typed[SetRequest, SetReply](Verb{
		Name: "set", Group: "runs", Browser: true, Doc: "change parameters from the next iteration on",
		Example: "set a q0=0.98 local_period=4", Args: []Arg{argRun, argParams},
	}),
	typed[ForkRequest, OpenReply](Verb{
		Name: "fork", Group: "runs", Browser: true, Doc: "copy a run as it stands, with other parameters, structural ones too, another seed or backend",
		Example: "fork a as b q0=0.9 on=cuda",
		Args: []Arg{
			argRun, argAs,
			{Name: "seed", Kind: KindInt, Doc: "of the random numbers from here on; the parent's when left out"},
			argOn,
			{Name: "device", Kind: KindInt, Default: "0", Doc: "the number of the GPU"},
			argFresh,
			argParams,
		},
	}),
	typed[RunRequest, RunReply](Verb{
		Name: "close", Group: "runs", Doc: "end a run, free its memory and drop its autosave",
		Example: "close a", Args: []Arg{argRun},
	}),
	typed[RunsRequest, RunsReply](Verb{
		Name: "runs", Group: "runs", Browser: true, Doc: "list the runs; with all also those of other sessions and the autosaves",
		Example: "runs; runs all",
		Args:    []Arg{{Name: "all", Kind: KindTruth, Default: "false", Doc: "other sessions and autosaves too"}},
	}),
	typed[RunRequest, ShowReply](Verb{
		Name: "show", Group: "look", Browser: true, Doc: "show how a run stands",
		Example: "show a", Args: []Arg{argRun},
	}),
	typed[RunRequest, ParamsReply](Verb{
		Name: "params", Group: "look", Browser: true, Doc: "list the parameters with values, ranges and what they do",
		Example: "params a", Args: []Arg{argRun},
	}),
	typed[BestRequest, BestReply](Verb{
		Name: "best", Group: "look", Browser: true, Doc: "show the best solution, its value computed again by the instance's cost function",
		Example: "best a",
		Args:    []Arg{argRun, {Name: "solution", Kind: KindTruth, Default: "false", Doc: "the solution itself too"}},
	}),
	typed[HistoryRequest, HistoryReply](Verb{
		Name: "history", Group: "look", Browser: true, Doc: "list the kept points of the history",
		Example: "history a last=20",
		Args: []Arg{
			argRun,
			{Name: "since", Kind: KindInt, Default: "0", Doc: "points after this iteration only"},
			{Name: "last", Kind: KindInt, Default: "0", Place: true, Doc: "at most so many, from the end; 0: all"},
		},
	}),
	typed[RunRequest, JournalReply](Verb{
		Name: "journal", Group: "look", Browser: true, Doc: "list everything that was done to a run",
		Example: "journal a", Args: []Arg{argRun},
	}),
	typed[PlotRequest, PlotReply](Verb{
		Name: "plot", Group: "look", Browser: false, Doc: "draw a figure of runs, on the screen or into a file",
		Example: "plot a tour; plot a b best; plot a tour to tour.svg",
		Args: []Arg{
			{Name: "runs", Kind: KindRuns, Required: true, Place: true, Doc: "the runs"},
			{Name: "figure", Kind: KindFigure, Default: "best", Place: true, Doc: "best, tour, trails, heat, branching, lengths, or a measure of the solver"},
			{Name: "to", Kind: KindPath, Word: "to", Doc: "a file that ends in .svg, .png or .pdf"},
			{Name: "sink", Kind: KindSink, Doc: "what the picture is made of"},
		},
	}),
	{
		Name: "watch", Group: "look", Front: true, Doc: "draw a figure again and again while a run goes on",
		Example: "watch a; watch a tour",
		Args: []Arg{
			{Name: "runs", Kind: KindRuns, Required: true, Place: true, Doc: "the runs"},
			{Name: "figure", Kind: KindFigure, Default: "best", Place: true, Doc: "as of plot"},
		},
	},
	typed[FileRequest, FileReply](Verb{
		Name: "save", Group: "records", Doc: "save record and state of a run",
		Example: "save a a.run",
		Args:    []Arg{argRun, {Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the file; the state is written beside it"}},
	}),
	typed[LoadRequest, OpenReply](Verb{
		Name: "load", Group: "records", Doc: "open a saved run as it stood",
		Example: "load a.run as b",
		Args:    []Arg{{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the record"}, argAs},
	}),
	typed[ReplayRequest, ReplayReply](Verb{
		Name: "replay", Group: "records", Doc: "make a saved run again and compare every point, up to the first difference",
		Example: "replay a.run",
		Args: []Arg{
			{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the record"},
			{Name: "on", Kind: KindWord, Doc: "the backend; those of the record when left out"},
		},
	}),
	typed[DiffRequest, DiffReply](Verb{
		Name: "diff", Group: "records", Doc: "name the first iteration, agent and position at which two runs or records part",
		Example: "diff a.run b.run; diff a b",
		Args: []Arg{
			{Name: "a", Kind: KindRecord, Required: true, Place: true, Doc: "a run or a record"},
			{Name: "b", Kind: KindRecord, Required: true, Place: true, Doc: "another one"},
		},
	}),
	typed[FileRequest, FileReply](Verb{
		Name: "export", Group: "records", Doc: "write the history of a run as CSV",
		Example: "export a a.csv",
		Args:    []Arg{argRun, {Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the file"}},
	}),
	typed[RecoverRequest, RecoverReply](Verb{
		Name: "recover", Group: "records", Doc: "list the autosaves of hosts that ended, open one, or drop it",
		Example: "recover; recover s1/a as a; recover s1/a discard",
		Args: []Arg{
			{Name: "id", Kind: KindWord, Place: true, Doc: "of the autosave, as recover lists it"},
			argAs,
			{Name: "discard", Kind: KindTruth, Default: "false", Doc: "drop it instead"},
		},
	}),
	typed[RepeatRequest, RepeatReply](Verb{
		Name: "repeat", Group: "experiments", Doc: "make a run from iteration 1 with its present parameters once for each of several seeds, on all cores; median and quartiles",
		Example: "repeat a 10; repeat a 20 n=1000",
		Args: []Arg{
			argRun,
			{Name: "seeds", Kind: KindInt, Default: "10", Place: true, Doc: "how many; they count up from the run's"},
			{Name: "n", Kind: KindInt, Doc: "iterations of each; as many as the run has made when no budget is given"},
			argWall, argCPU, argUntil,
		},
	}),
	typed[CompareRequest, CompareReply](Verb{
		Name: "compare", Group: "experiments", Browser: true, Doc: "compare runs side by side; with p-values and effect sizes when each was repeated over 5 seeds or more",
		Example: "compare a b",
		Args:    []Arg{{Name: "runs", Kind: KindRuns, Required: true, Place: true, Doc: "the runs, two or more"}},
	}),
	typed[InstancesRequest, InstancesReply](Verb{
		Name: "instances", Group: "data", Doc: "list the names of the instances that are known",
		Example: "instances; instances pr",
		Args:    []Arg{{Name: "match", Kind: KindWord, Place: true, Doc: "those whose names hold this"}},
	}),
	typed[InstanceRequest, InstanceReply](Verb{
		Name: "instance", Group: "data", Doc: "load an instance and show what it is",
		Example: "instance pr1002",
		Args:    []Arg{{Name: "name", Kind: KindInstance, Required: true, Place: true, Doc: "the name or the file"}},
	}),
	typed[SolversRequest, SolversReply](Verb{
		Name: "solvers", Group: "data", Browser: true, Doc: "list the solvers and their variants; with a name also the parameters",
		Example: "solvers; solvers acs",
		Args:    []Arg{{Name: "solver", Kind: KindSolver, Place: true, Doc: "one solver, or solver/variant"}},
	}),
	typed[Empty, DevicesReply](Verb{
		Name: "devices", Group: "data", Browser: true, Doc: "list what can compute: cores and GPUs", Example: "devices",
	}),
	typed[Empty, AboutReply](Verb{
		Name: "about", Group: "session", Doc: "say what the host is: process, version, machine, folders", Example: "about",
	}),
	typed[Empty, NoteReply](Verb{
		Name: "detach", Group: "session", Doc: "let the host live on without the front end that started it, until nothing steps and nobody is attached for a while", Example: "detach",
	}),
	typed[ShutdownRequest, NoteReply](Verb{
		Name: "shutdown", Group: "session", Doc: "end the host for all; the runs are autosaved",
		Example: "shutdown",
		Args:    []Arg{{Name: "discard", Kind: KindTruth, Default: "false", Doc: "keep no autosaves"}},
	}),
	{
		Name: "help", Group: "session", Front: true, Doc: "say what can be typed", Example: "help; help step",
		Args: []Arg{{Name: "verb", Kind: KindWord, Place: true, Doc: "a verb"}},
	},
	{Name: "quit", Group: "session", Front: true, Doc: "leave the prompt", Example: "quit"},
}
