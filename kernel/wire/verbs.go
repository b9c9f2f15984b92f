package wire

import (
	"strings"

	"metalab/kernel/reply"
)

// Arguments that several verbs share.
var (
	argRun    = Arg{Name: "run", Kind: KindRun, Doc: "the run", Required: true, Place: true}
	argRuns   = Arg{Name: "run", Kind: KindRun, Doc: "the run; several may be named, or all", Required: true, Place: true, Many: true}
	argAs     = Arg{Name: "as", Kind: KindName, Word: "as", Doc: "the name of the new run; the next free letter when left out"}
	argParams = Arg{Name: "params", Kind: KindParams, Doc: "parameters; params lists those of a run, solvers those of a solver"}
	argFresh  = Arg{Name: "fresh", Kind: KindTruth, Default: "false", Doc: "close the run of that name first, if there is one"}
	argOn     = Arg{Name: "on", Kind: KindWord, Doc: "the backend, cpu or cuda"}
	argGPU    = Arg{Name: "device", Kind: KindInt, Default: "0", Doc: "the number of the GPU"}
	argN      = Arg{Name: "n", Kind: KindInt, Place: true, Doc: "iterations"}
	argWall   = Arg{Name: "wall", Kind: KindSeconds, Doc: "seconds of iterating; also typed as 10s or 2m"}
	argCPU    = Arg{Name: "cpu", Kind: KindSeconds, Doc: "CPU seconds; also typed as 10cpu"}
	argUntil  = Arg{Name: "until", Kind: KindCond, Word: "until", Doc: "a condition: gap<1, best<=2579, stall=500, iteration=1000, time=10s, cpu=10s; several with commas, the first that holds ends the step"}
)

// plotArgs are the arguments of what draws figures.
var plotArgs = []Arg{
	{Name: "runs", Kind: KindRuns, Required: true, Place: true, Doc: "the runs"},
	{Name: "figure", Kind: KindFigure, List: true, Default: "best", Place: true, Doc: strings.Join(names(Figures), ", ") + ", or a measure of the solver; several make several plots"},
	{Name: "x", Kind: KindWord, Default: "iteration", Doc: "what curves are drawn against: iteration, time, cpu or evaluations"},
	{Name: "range", Kind: KindWord, Doc: "the part of x that is shown, as 100..500, 100.. or ..500"},
	{Name: "size", Kind: KindWord, Doc: "width x height: of a file in points of 1/72 inch (.png: two pixels a point) or with a unit, as 400x300 or 8.5cmx6cm; on the screen columns and rows"},
	{Name: "title", Kind: KindWord, Doc: "the title, as title=\"two runs\"; off: none"},
	{Name: "legend", Kind: KindWord, Doc: "names for the runs in their order, with commas between them; off: no legend"},
	{Name: "columns", Kind: KindInt, Doc: "how many plots stand in a row"},
	{Name: "all", Kind: KindTruth, Default: "false", Doc: "every edge, trail and iteration, however many"},
}

// Verbs is the table of all verbs, in the order of help.
var Verbs = []Verb{
	typed[OpenRequest, reply.OpenReply](Verb{
		Name: "open", Group: "runs", Doc: "open a run of a solver on an instance, or attach to the run of that name",
		Example: "open acs pr1002 as a seed=42 preset=paper ants=256; open ils pr1002 as i start=./a.tour",
		Args: []Arg{
			{Name: "solver", Kind: KindSolver, Required: true, Place: true, Doc: "the solver, or solver/variant"},
			{Name: "instance", Kind: KindInstance, Required: true, Place: true, Doc: "the name or the file of an instance"},
			argAs,
			{Name: "seed", Kind: KindInt, Default: "1", Doc: "of the random numbers"},
			{Name: "preset", Kind: KindWord, Default: "default", Doc: "a named set of parameters, as paper or best"},
			{Name: "variant", Kind: KindWord, Doc: "the variant; the solver's default when left out"},
			{Name: "on", Kind: KindWord, Default: "cpu", Doc: "the backend, cpu or cuda"},
			{Name: "device", Kind: KindInt, Default: "0", Doc: "the number of the GPU"},
			{
				Name: "start", Kind: KindPath, File: true,
				Doc: "a file with the solution to begin at: a tour (TSPLIB's .tour) or an assignment (QAPLIB's .sln), as start=./a.tour",
			},
			argFresh,
			argParams,
		},
	}),
	typed[StepRequest, reply.StepReply](Verb{
		Name: "step", Group: "runs", Browser: true, Doc: "make iterations and wait for them: a number, a time, or until a condition holds",
		Example: "step a 100; step a 10s; step a 10cpu; step a until gap<1; step a b 100", Beside: true,
		Args: []Arg{argRuns, argN, argWall, argCPU, argUntil},
	}),
	typed[GoRequest, reply.RunReply](Verb{
		Name: "go", Group: "runs", Browser: true, Doc: "let the run go on, and return at once: until it is paused, or for what would end a step",
		Example: "go a; go a b until gap<1; go a 10m",
		Args:    []Arg{argRuns, argN, argWall, argCPU, argUntil},
	}),
	typed[RunRequest, reply.RunReply](Verb{
		Name: "pause", Group: "runs", Browser: true, Doc: "end go and all steps of the run, whoever asked for them",
		Example: "pause a; pause a b; pause all", Args: []Arg{argRuns},
	}),
	typed[SetRequest, reply.SetReply](Verb{
		Name: "set", Group: "runs", Browser: true, Doc: "change parameters from the next iteration on",
		Example: "set a q0=0.98 local_period=4; set a b q0=0.5", Args: []Arg{argRuns, argParams},
	}),
	typed[ForkRequest, reply.OpenReply](Verb{
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
	typed[RunRequest, reply.RunReply](Verb{
		Name: "close", Group: "runs", Doc: "end a run and free its memory; recover opens it again for a day",
		Example: "close a", Args: []Arg{{Name: "run", Kind: KindRun, Doc: "the run; several may be named, or all", Required: true, Place: true, Named: true, Many: true}},
	}),
	typed[RunsRequest, reply.RunsReply](Verb{
		Name: "runs", Group: "runs", Browser: true, Doc: "list the runs; with all also those of other sessions and the autosaves",
		Example: "runs; runs all",
		Args:    []Arg{{Name: "all", Kind: KindTruth, Default: "false", Doc: "other sessions and autosaves too"}},
	}),
	typed[RunRequest, reply.ShowReply](Verb{
		Name: "show", Group: "look", Browser: true, Doc: "show how a run stands",
		Example: "show a", Args: []Arg{argRuns},
	}),
	typed[ParamsRequest, reply.ParamsReply](Verb{
		Name: "params", Group: "look", Browser: true, Doc: "list the parameters with values and ranges, or say what some of them do",
		Example: "params a; params a q0; params a q0,ants; params a full",
		Args: []Arg{
			argRuns,
			{Name: "names", Kind: KindWord, Place: true, List: true, Doc: "those to tell about, with commas between their names"},
			{Name: "full", Kind: KindTruth, Default: "false", Doc: "say of all what they do"},
		},
	}),
	typed[BestRequest, reply.BestReply](Verb{
		Name: "best", Group: "look", Browser: true, Doc: "show the best solution, its value computed again by the instance's cost function",
		Example: "best a; best a b",
		Args:    []Arg{argRuns, {Name: "solution", Kind: KindTruth, Default: "false", Doc: "the solution itself too"}},
	}),
	typed[HistoryRequest, reply.HistoryReply](Verb{
		Name: "history", Group: "look", Browser: true, Doc: "list the kept points of the history",
		Example: "history a last=20",
		Args: []Arg{
			argRun,
			{Name: "since", Kind: KindInt, Default: "0", Doc: "points after this iteration only"},
			{Name: "last", Kind: KindInt, Default: "0", Place: true, Doc: "at most so many, from the end; 0: all"},
		},
	}),
	typed[RunRequest, reply.JournalReply](Verb{
		Name: "journal", Group: "look", Browser: true, Doc: "list everything that was done to a run",
		Example: "journal a", Args: []Arg{argRuns},
	}),
	typed[RunRequest, reply.WavesReply](Verb{
		Name: "waves", Group: "look", Doc: "show how the tuner launches a run's work, mostly on a GPU: what it tried, what that took, what it chose",
		Example: "waves a", Args: []Arg{argRun},
	}),
	typed[PlotRequest, reply.PlotReply](Verb{
		Name: "plot", Group: "look", Browser: false, Doc: "draw figures of runs, on the screen or into a file; several stand side by side",
		Example: "plot a tour; plot a b best x=cpu; plot a b best tour; plot a tour to tour.svg size=8cmx8cm",
		Args: append(plotArgs,
			Arg{Name: "to", Kind: KindPath, Word: "to", Doc: "a file that ends in .svg, .png or .pdf"},
			Arg{Name: "sink", Kind: KindSink, Doc: "what the picture is made of"},
		),
	}),
	{
		Name: "watch", Group: "look", Front: true, Doc: "draw a figure again and again while a run goes on",
		Example: "watch a; watch a tour; watch a best tour",
		Args:    plotArgs,
	},
	typed[SlidersRequest, reply.SlidersReply](Verb{
		Name: "sliders", Group: "look", Browser: true, Doc: "list the parameters that may change while a run goes on; a notebook's cell makes sliders of them",
		Example: "sliders a; sliders a q0,ants",
		Args: []Arg{
			argRun,
			{Name: "names", Kind: KindWord, Place: true, List: true, Doc: "some of them, with commas between their names"},
		},
	}),
	typed[FileRequest, reply.FileReply](Verb{
		Name: "save", Group: "records", Doc: "save record and state of a run",
		Example: "save a; save a x.run; save a b",
		Args: []Arg{argRuns, {
			Name: "path", Kind: KindPath, Place: true, FromRun: ".run",
			Doc: "the file, RUN.run when left out; the state is written beside it",
		}},
	}),
	typed[LoadRequest, reply.OpenReply](Verb{
		Name: "load", Group: "records", Doc: "open a saved run as it stood",
		Example: "load a.run as b",
		Args:    []Arg{{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the record"}, argAs},
	}),
	typed[ReplayRequest, reply.ReplayReply](Verb{
		Name: "replay", Group: "records", Doc: "make a saved run again and compare every point, up to the first difference",
		Example: "replay a.run",
		Args: []Arg{
			{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the record"},
			{Name: "on", Kind: KindWord, Doc: "the backend; those of the record when left out"},
			{Name: "seeds", Kind: KindTruth, Default: "false", Doc: "the seeds of its repeats too"},
		},
	}),
	typed[DiffRequest, reply.DiffReply](Verb{
		Name: "diff", Group: "records", Doc: "name the first iteration, agent and position at which two runs or records part",
		Example: "diff a.run b.run; diff a b",
		Args: []Arg{
			{Name: "a", Kind: KindRecord, Required: true, Place: true, Doc: "a run or a record"},
			{Name: "b", Kind: KindRecord, Required: true, Place: true, Doc: "another one"},
		},
	}),
	typed[ExportRequest, reply.FileReply](Verb{
		Name: "export", Group: "records",
		Doc:     "write the history of a run as CSV: the iterations that it keeps, or all, or the seeds of its repeats; or its best solution as .tour or .sln",
		Example: "export a a.csv; export a a.csv all; export a seeds.csv seeds; export a a.tour",
		Args: []Arg{
			argRun,
			{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the file"},
			{
				Name: "all", Kind: KindTruth, Default: "false",
				Doc: "every iteration: those that the history does not keep are made again, which takes as long as the run",
			},
			{
				Name: "seeds", Kind: KindTruth, Default: "false",
				Doc: "a row for each seed of its repeats; so it is for a run that made no iterations and was repeated",
			},
		},
	}),
	typed[RecoverRequest, reply.RecoverReply](Verb{
		Name: "recover", Group: "records", Doc: "list what was autosaved of sessions that ended and of closed runs, open one, or drop it, or all of them",
		Example: "recover; recover s1/a as a; recover s1/a discard; recover discard solver=acs older=2d",
		Args: []Arg{
			{Name: "id", Kind: KindWord, Place: true, Doc: "of the autosave, as recover lists it, or a run's name: the latest of it; all of them when left out"},
			argAs,
			{Name: "discard", Kind: KindTruth, Default: "false", Doc: "drop it instead; without an id it lists what would be dropped, and how to do it"},
			{Name: "sure", Kind: KindTruth, Default: "false", Doc: "drop all that are listed"},
			{Name: "solver", Kind: KindSolver, Doc: "only those of a solver, or solver/variant"},
			{Name: "older", Kind: KindSeconds, Doc: "only those that are so old, as 12h or 2d"},
		},
	}),
	typed[RepeatRequest, reply.RepeatReply](Verb{
		Name: "repeat", Group: "experiments", Doc: "make a run from iteration 1 with its present parameters once for each of several seeds, on all cores; median and quartiles",
		Example: "repeat a 10; repeat a 20 n=1000; repeat a b 30 10s background",
		Args: []Arg{
			argRuns,
			{Name: "seeds", Kind: KindInt, Default: "10", Place: true, Doc: "how many, 1 to 10000; they count up from the run's, and those that were made before are kept"},
			{Name: "n", Kind: KindInt, Doc: "iterations of each; when no budget is given, as many as the run has made, or where it has made none, as in its last repeat"},
			argWall, argCPU, argUntil,
			{Name: "background", Kind: KindTruth, Default: "false", Doc: "answer at once; runs shows how far it is, pause ends it"},
			{Name: "fresh", Kind: KindTruth, Default: "false", Doc: "make seeds anew that were made before"},
		},
	}),
	typed[RunRequest, reply.SeedsReply](Verb{
		Name: "seeds", Group: "experiments", Browser: true, Doc: "list what repeats of a run have given, seed by seed",
		Example: "seeds a", Args: []Arg{argRuns},
	}),
	typed[CompareRequest, reply.CompareReply](Verb{
		Name: "compare", Group: "experiments", Browser: true, Doc: "compare runs side by side; with p-values and effect sizes when each was repeated over 5 seeds or more",
		Example: "compare a b",
		Args:    []Arg{{Name: "runs", Kind: KindRuns, Required: true, Place: true, Doc: "the runs, two or more"}},
	}),
	typed[BenchRequest, reply.BenchReply](Verb{
		Name: "bench", Group: "experiments", Doc: "measure a table of figures beside what other programs reach, or print figures that are kept; without a table list both",
		Example: "bench; bench ants list; bench ils-breadth; bench figures; bench tours row=pr2392 seeds=5 peer=linkern=/opt/linkern",
		Args: []Arg{
			{Name: "table", Kind: KindWord, Place: true, Doc: "the table, or the name of figures that are kept; figures: all that are kept"},
			{Name: "row", Kind: KindWord, Place: true, Doc: "a row's number, or words of its name, solver or instance, in quotes if several"},
			{Name: "seeds", Kind: KindInt, Default: "0", Doc: "so many of each row, from 1 on; 0: as the table says"},
			{Name: "list", Kind: KindTruth, Default: "false", Doc: "list the rows, and measure nothing"},
			{Name: "peer", Kind: KindWord, Doc: "programs of others to run beside, as linkern=/opt/linkern; several with commas between them"},
		},
	}),
	typed[InstancesRequest, reply.InstancesReply](Verb{
		Name: "instances", Group: "data",
		Doc:     "list the instances that are known: kind, size, best known value, and whether the file is here",
		Example: "instances; instances pr; instances qap",
		Args: []Arg{{
			Name: "match", Kind: KindWord, Place: true,
			Doc: "those whose names hold this, or those of a kind: tsp, atsp, qap, ppp, weierstrass, " +
				"colouring",
		}},
	}),
	typed[InstanceRequest, reply.InstanceReply](Verb{
		Name: "instance", Group: "data", Doc: "load an instance and show what it is",
		Example: "instance pr1002",
		Args: []Arg{
			{Name: "name", Kind: KindInstance, Required: true, Place: true, Doc: "the name or the file"},
			{Name: "picture", Kind: KindTruth, Default: "false", Doc: "a small picture too, for pages"},
		},
	}),
	typed[SolversRequest, reply.SolversReply](Verb{
		Name: "solvers", Group: "data", Browser: true, Doc: "list the solvers and their variants, and which of them run on GPUs; with a name also what the presets are for, and the parameters",
		Example: "solvers; solvers acs; solvers acs/alt full; solvers param=q0",
		Args: []Arg{
			{Name: "solver", Kind: KindSolver, Place: true, Doc: "one solver, or solver/variant"},
			{Name: "param", Kind: KindWord, Doc: "only those that have this parameter, and what it does there"},
			{Name: "full", Kind: KindTruth, Default: "false", Doc: "say of each parameter what it does"},
		},
	}),
	typed[DeclareRequest, reply.DeclareReply](Verb{
		Name: "declare", Group: "data", Doc: "make a solver of your own known, which a program declares with lab.Declare; runs that are open go on with the new code",
		Example: "declare walk ./walk",
		Args: []Arg{
			{Name: "solver", Kind: KindName, Required: true, Place: true, Doc: "the name that the program declares it under"},
			{Name: "program", Kind: KindPath, Required: true, Place: true, Doc: "the program; the host keeps a copy of it"},
			{Name: "source", Kind: KindBytes, Doc: "the Go source of the program, for records"},
			{Name: "line", Kind: KindBytes, Doc: "the line of the constructor in it"},
			{Name: "type", Kind: KindBytes, Doc: "the solver's type in it"},
		},
	}),
	typed[Empty, reply.DevicesReply](Verb{
		Name: "devices", Group: "gpu", Browser: true, Doc: "list what can compute: cores, and GPUs with memory, driver and compute capability", Example: "devices",
	}),
	typed[Empty, reply.DoctorReply](Verb{
		Name: "doctor", Group: "gpu", Doc: "say what is between this program and a GPU, what is missing and how to mend it", Example: "doctor",
	}),
	typed[GPURequest, reply.GPUReply](Verb{
		Name: "gpu", Group: "gpu", Doc: "show a GPU and the arrays and modules that the session has on it", Example: "gpu; gpu 1",
		Args: []Arg{{Name: "device", Kind: KindInt, Default: "0", Place: true, Doc: "the number of the GPU"}},
	}),
	typed[UploadRequest, reply.ArrayReply](Verb{
		Name: "upload", Group: "gpu", Doc: "put an array into the GPU's memory: numbers, or n zeros",
		Example: "upload 1,2,3 as x; upload n=1000 type=int32 as y",
		Args: []Arg{
			{Name: "values", Kind: KindWord, Place: true, Doc: "numbers with commas between them"},
			{Name: "as", Kind: KindName, Word: "as", Doc: "the array's name; that of an array replaces it; the next free one when left out"},
			{Name: "type", Kind: KindWord, Default: "float32", Doc: "int8 to int64, uint8 to uint64, float32 or float64"},
			{Name: "n", Kind: KindInt, Doc: "so many zeros, where no values are given"},
			argGPU,
		},
	}),
	typed[ValuesRequest, reply.ArrayReply](Verb{
		Name: "values", Group: "gpu", Doc: "show the first elements of an array in a GPU's memory", Example: "values x; values x 100",
		Args: []Arg{
			{Name: "array", Kind: KindWord, Required: true, Place: true, Doc: "the array"},
			{Name: "n", Kind: KindInt, Default: "20", Place: true, Doc: "at most so many"},
		},
	}),
	typed[ModuleRequest, reply.ModuleReply](Verb{
		Name: "module", Group: "gpu", Doc: "load kernels from a file of PTX, a cubin or a fatbin", Example: "module saxpy.ptx as m",
		Args: []Arg{
			{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the file"},
			{Name: "as", Kind: KindName, Word: "as", Doc: "the module's name; the next free one when left out"},
			{Name: "image", Kind: KindBytes, Doc: "what the file would hold"},
			argGPU,
		},
	}),
	typed[LaunchRequest, reply.LaunchReply](Verb{
		Name: "launch", Group: "gpu", Doc: "run a kernel, wait for it and say how long it took on the device",
		Example: "launch m.saxpy y,x,float32(2),3 grid=1 block=256",
		Args: []Arg{
			{Name: "kernel", Kind: KindWord, Required: true, Place: true, Doc: "the kernel, as module.kernel"},
			{Name: "args", Kind: KindWord, Place: true, Doc: "its arguments with commas between them: names of arrays, integers, and numbers of a type, as float32(2)"},
			{Name: "grid", Kind: KindWord, Default: "1", Doc: "blocks, as 4 or 4x2x1"},
			{Name: "block", Kind: KindWord, Default: "1", Doc: "threads of a block, as 256 or 16x16x1"},
			{Name: "shared", Kind: KindInt, Default: "0", Doc: "bytes of dynamic shared memory a block"},
			{Name: "coop", Kind: KindTruth, Default: "false", Doc: "the blocks may wait for each other"},
		},
	}),
	typed[FreeRequest, reply.NoteReply](Verb{
		Name: "free", Group: "gpu", Doc: "free an array or a module, or all", Example: "free x; free all",
		Args: []Arg{{Name: "name", Kind: KindWord, Required: true, Place: true, Doc: "the array or the module; all: every one"}},
	}),
	typed[Empty, reply.DashboardReply](Verb{
		Name: "dashboard", Group: "session", Doc: "show the runs in a browser: curves, tours, sliders, journal, records to download", Example: "dashboard",
	}),
	typed[Empty, reply.AboutReply](Verb{
		Name: "about", Group: "session", Doc: "say what the host is: process, version, machine, folders", Example: "about",
	}),
	typed[Empty, reply.NoteReply](Verb{
		Name: "detach", Group: "session", Doc: "let the host live on without the front end that started it, until nothing steps and nobody is attached for a while", Example: "detach",
	}),
	typed[ShutdownRequest, reply.ShutdownReply](Verb{
		Name: "shutdown", Group: "session", Doc: "end the host for all; the runs are autosaved",
		Example: "shutdown",
		Args: []Arg{
			{Name: "discard", Kind: KindTruth, Default: "false", Doc: "keep no autosaves"},
			{Name: "recovered", Kind: KindTruth, Default: "false", Doc: "with discard: but those of runs that were recovered"},
		},
	}),
	{
		Name: "help", Group: "session", Front: true, Doc: "say what can be typed, or what a word means; ? is short for it",
		Example: "help; help step; help q0; help acs; ?lab.Open",
		Args:    []Arg{{Name: "word", Kind: KindWord, Place: true, Doc: "a verb, a solver, a parameter, a figure, a run, or a name of Go"}},
	},
	{Name: "quit", Group: "session", Front: true, Doc: "leave the prompt", Example: "quit"},
}
