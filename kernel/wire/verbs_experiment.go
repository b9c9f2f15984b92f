package wire

import (
	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// ExperimentDoings lists the actions of the verb experiment.
var ExperimentDoings = []Choice{
	{"table", "how far it is, and its table; also where nothing is said"},
	{"go", "make the units that are left"},
	{"pause", "end what goes on in the background"},
	{"units", "list its units with their results"},
	{"failures", "list the units that failed, with their errors"},
	{"slowest", "list the ten units that took the most time, and which rows took most of it"},
	{"open", "open a unit as a run and make its iterations again"},
	{"best", "medians within equal wall times, and who is best in each; names the devices"},
	{"targets", "what it costs to come so near the best known value: expected running times"},
	{"budgets", "medians within equal budgets of iterations, evaluations or seconds"},
	{"report", "compare its rows in plain words, by the test that fits: over instances or seeds"},
	{"export", "write it for others: to FILE.csv, FILE.tex, a folder, or a page FILE.html"},
	{"import", "add the runs of another program from a .csv file or a folder of IOHprofiler"},
	{"drop", "take rows out: drop solver=tabu, instance=d198 or beta=3, with their results"},
	{"remove", "delete it with all its results"},
}

// Charts are the figures of an experiment, by name.
var Charts = []Choice{
	{"box", "a box of each group's gaps or best values"},
	{"violin", "the same with the density of the values"},
	{"error", "the error against a varied parameter, with its quartiles"},
	{"median", "the median of the best so far, with its quartiles, as the budget is used up"},
	{"ecdf", "the share of runs, or of runs and targets at=, that are reached within so much"},
	{"ert", "the expected running time until so many percent above the best known value"},
	{"heat", "the medians over two varied parameters"},
	{"parallel", "a line for each choice of the varied parameters, through their values to the mean"},
	{"importance", "how much of the means' variance each varied parameter explains by itself"},
	{"ranks", "mean ranks over the instances with Nemenyi's critical distance"},
	{"profile", "performance profiles of the medians over the instances"},
	{"speedup", "times on the cpu over those on cuda against the instances' size"},
}

// ExchangeFormats lists the folder layouts to which an experiment can be exported.
var ExchangeFormats = []Choice{
	{"parquet", "four tables: runs, descriptors, trace, positions"},
	{"iohprofiler", "as IOHanalyzer and IOHinspector open it"},
}

var (
	argExperiment = Arg{
		Name: "name", Kind: KindWord, Place: true,
		Doc: "the experiment: letters, digits, points, dashes and underscores",
	}
	argUnitSeeds = Arg{
		Name: "seeds", Kind: KindInt,
		Doc: "how many of each, 10 where nothing is said; units that were made before are kept",
	}
	argUnitN = Arg{
		Name: "n", Also: "iterations", Kind: KindInt,
		Doc: "iterations of each unit; also typed as iterations=500",
	}
	argEvaluations = Arg{
		Name: "evaluations", Kind: KindInt,
		Doc: "of each unit, in what its solver counts, as tours built",
	}
	argInstances = Arg{
		Name: "instances", Kind: KindInstance, List: true,
		Doc: "names or paths, with commas between them",
	}
	argAside = Arg{
		Name: "background", Kind: KindTruth, Default: "false",
		Doc: "answer at once; experiment NAME shows how far it is, experiment NAME pause ends it",
	}
	argBy = Arg{
		Name: "by", Kind: KindWord, Choices: []Choice{
			{"iterations", ""},
			{"evaluations", "as the solver counts them"},
			{"wall", "seconds"},
			{"cpu", "CPU seconds"},
		},
		Doc: "what runs are measured in: iterations, evaluations, wall or cpu; when left out, what the " +
			"budget is of",
	}
	argOver = Arg{
		Name: "over", Kind: KindWord, Default: "local",
		Doc: "who makes units and seeds: local, all cores of this machine; embed, workers that join " +
			"the broker of this machine, which workers tells of; or the nats:// address of a broker",
	}
	argAgain = Arg{
		Name: "again", Kind: KindTruth, Default: "false", Doc: "make units again that have failed",
	}
)

// experimentVerbs plan experiments, make them and show them.
var experimentVerbs = []Verb{
	typed[ExperimentRequest, reply.ExperimentReply](Verb{
		Name: "experiment", Group: "experiments",
		Doc: "plan an experiment and make it on all cores: solvers on instances, with several values " +
			"of parameters, over seeds, for equal budgets; it is kept in a file, the same line again " +
			"goes on where it was ended, more seeds make only those, and another line adds to it. " +
			"Without a name list all; recover in its place saves what can be read of a damaged file",
		Example: "experiment; experiment e1 solvers=acs,mmas/wrs instances=d198,pcb442 seeds=10 n=500 " +
			"beta=2,3; experiment e1 seeds=20; experiment e1; experiment e1 units; " +
			"experiment e1 slowest by=cpu; " +
			"experiment e1 open 12 as a; experiment e1 best; experiment e1 targets at=1,2,5 by=cpu; " +
			"experiment e1 budgets; experiment e1 drop solver=acs; experiment e1 export to e1.csv; " +
			"experiment e1 export to e1.ioh format=iohprofiler; " +
			"experiment e1 import from lkh.csv columns=best:length,instance:problem solver=LKH; " +
			"experiment recover",
		Args: []Arg{
			argExperiment,
			{
				Name: "do", Kind: KindWord, Place: true, Choices: ExperimentDoings,
				Doc: OneOf(ExperimentDoings),
			},
			{Name: "unit", Kind: KindInt, Place: true, Doc: "open: the number of a unit"},
			{
				Name: "as", Kind: KindName, Word: "as",
				Doc: "open: the name of the run; the next free letter when left out",
			},
			{
				Name: "solvers", Kind: KindSolver, List: true,
				Doc: "solvers, as acs, mmas/wrs or a paper's name, with commas between them",
			},
			argInstances, argUnitSeeds,
			{Name: "first", Kind: KindInt, Default: "1", Doc: "the first seed; they count up from it"},
			argUnitN, argEvaluations, argWall, argCPU,
			{
				Name: "on", Kind: KindWord, Choices: Backends,
				Doc: "the backend, or several with commas between them: each solver on each; of several GPUs " +
					"which make units, as cuda:0,1 (all when left out)",
			},
			{
				Name: "preset", Kind: KindWord,
				Doc: "the preset, or several with commas between them: each solver with each",
			},
			argAside, argAgain, argOver, argDiffers,
			{
				Name: "empty", Kind: KindTruth, Default: "false",
				Doc: "recover: read nothing of the damaged file; the new one is empty",
			},
			{
				Name: "at", Kind: KindWord,
				Doc: "targets: gaps in percent, as at=1,2,5; budgets: amounts, as at=10,100",
			},
			argBy,
			{
				Name: "to", Kind: KindPath, Word: "to",
				Doc: "export: FILE.csv (a row for each unit), FILE.tex (medians, for booktabs), FILE.html (a " +
					"page whose units a browser makes again), or a folder",
			},
			argForce,
			{
				Name: "format", Kind: KindWord, Choices: ExchangeFormats, Default: "parquet",
				Doc: "export: the layout of a folder",
			},
			{
				Name: "from", Kind: KindPath, Word: "from",
				Doc: "import: a .csv file with a line for each run, or a folder of IOHprofiler",
			},
			{
				Name: "columns", Kind: KindWord,
				Doc: "import: columns of the .csv file with other names than the fields, as " +
					"best:length,wall_s:seconds; fields are solver, variant, label, instance, seed, best, " +
					"optimum, iterations, evaluations, wall_s, cpu_s, machine, error, sense, which " +
					"says minimise or maximise",
			},
			{
				Name: "solver", Kind: KindWord,
				Doc: "drop: of which; import: the program, where no column has it",
			},
			{
				Name: "instance", Kind: KindWord,
				Doc: "drop: on which; import: the instance, where no column has it",
			},
			{
				Name: "params", Kind: KindParams,
				Doc: "parameters; several values with commas between them: each with each",
			},
		},
	}),
	typed[SweepRequest, reply.ExperimentReply](Verb{
		Name: "sweep", Group: "experiments",
		Doc: "make a run anew with several values of one or two parameters, or as several variants, " +
			"over seeds, on all cores; means, medians and the significance of each against the first",
		Example: "sweep a local_period=1,2,4,8,16 seeds=30; sweep a q0=0.8,0.9 ants=10,20 n=200; " +
			"sweep a beta=2,3,4 instances=d198,pcb442 as beta; sweep a variant=seq,spm iterations=100; " +
			"sweep a preset=default,paper 10cpu",
		Args: []Arg{
			argRun, argInstances, argUnitSeeds, argUnitN, argEvaluations, argWall, argCPU,
			{
				Name: "as", Kind: KindName, Word: "as",
				Doc: "the name of the experiment; when left out, one of the solver and the parameters",
			},
			argAside, argAgain, argOver,
			{
				Name: "variant", Kind: KindWord,
				Doc: "variants of its solver with commas between them; what was changed of the run stays so",
			},
			{Name: "preset", Kind: KindWord, Doc: "presets with commas between them"},
			{
				Name: "on", Kind: KindWord, Choices: Backends,
				Doc: "backends with commas between them, as on=cpu,cuda; of several GPUs which make units, " +
					"as cuda:0,1",
			},
			{
				Name: "params", Kind: KindParams,
				Doc: "one or two parameters, each with several values and commas between them",
			},
		},
	}),
	typed[ChartRequest, reply.PlotReply](Verb{
		Name: "chart", Group: "experiments",
		Doc: "draw a figure of an experiment",
		Example: "chart e1; chart e1 violin d198; chart e1 ranks; chart e1 error to error.svg; " +
			"chart e1 ecdf by=cpu at=1,2,5",
		Args: []Arg{
			{
				Name: "name", Kind: KindWord, Place: true, Required: true, Doc: "the experiment",
			},
			{
				Name: "figure", Kind: KindWord, Place: true, Choices: Charts, Default: "box",
				Doc: OneOf(Charts),
			},
			{
				Name: "instance", Kind: KindWord, Place: true,
				Doc: "one of its instances; all when left out",
			},
			{
				Name: "at", Kind: KindWord,
				Doc: "ecdf, ert: targets as gaps in percent, as at=1,2,5",
			},
			argBy,
			{
				Name: "to", Kind: KindPath, Word: "to",
				Doc: "write a file instead: .svg, .png or .pdf",
			},
			argForce,
			{Name: "sink", Kind: KindSink, Doc: "what a picture is made of; set by front ends"},
		},
	}),
}

// ExperimentRequest asks for an experiment.
type ExperimentRequest struct {
	Name        string        `json:"name,omitempty"` // empty: list all
	Do          string        `json:"do,omitempty"`   // see ExperimentDoings
	Unit        int           `json:"unit,omitempty"`
	As          string        `json:"as,omitempty"`
	Solvers     string        `json:"solvers,omitempty"`
	Instances   string        `json:"instances,omitempty"`
	Seeds       *int          `json:"seeds,omitempty"` // nil: 10, or as planned
	First       *uint64       `json:"first,omitempty"` // nil: 1, or as planned
	N           int64         `json:"n,omitempty"`
	Evaluations int64         `json:"evaluations,omitempty"`
	Wall        reply.Num     `json:"wall,omitempty"`
	CPU         reply.Num     `json:"cpu,omitempty"`
	On          string        `json:"on,omitempty"`
	Preset      string        `json:"preset,omitempty"`
	Background  bool          `json:"background,omitempty"`
	Again       bool          `json:"again,omitempty"`
	Over        string        `json:"over,omitempty"` // empty: local
	Differs     bool          `json:"differs,omitempty"`
	Empty       bool          `json:"empty,omitempty"`
	At          string        `json:"at,omitempty"` // numbers with commas
	By          string        `json:"by,omitempty"`
	To          string        `json:"to,omitempty"`    // absolute
	Force       bool          `json:"force,omitempty"` // replace whatever file is there
	Format      string        `json:"format,omitempty"`
	From        string        `json:"from,omitempty"` // absolute
	Columns     string        `json:"columns,omitempty"`
	Solver      string        `json:"solver,omitempty"`
	Instance    string        `json:"instance,omitempty"`
	Params      record.Values `json:"params,omitempty"` // a word with commas: several values
}

// SweepRequest asks for a run with several values of its parameters.
type SweepRequest struct {
	Run         string        `json:"run"`
	Instances   string        `json:"instances,omitempty"` // empty: the run's
	Seeds       *int          `json:"seeds,omitempty"`     // nil: 10
	N           int64         `json:"n,omitempty"`
	Evaluations int64         `json:"evaluations,omitempty"`
	Wall        reply.Num     `json:"wall,omitempty"`
	CPU         reply.Num     `json:"cpu,omitempty"`
	As          string        `json:"as,omitempty"`
	Background  bool          `json:"background,omitempty"`
	Again       bool          `json:"again,omitempty"`
	Over        string        `json:"over,omitempty"`    // empty: local
	Variant     string        `json:"variant,omitempty"` // several with commas
	Preset      string        `json:"preset,omitempty"`
	On          string        `json:"on,omitempty"`
	Params      record.Values `json:"params,omitempty"`
}

// ChartRequest asks for a figure of an experiment.
type ChartRequest struct {
	Name     string `json:"name"`
	Figure   string `json:"figure,omitempty"`
	Instance string `json:"instance,omitempty"`
	At       string `json:"at,omitempty"` // numbers with commas
	By       string `json:"by,omitempty"`
	To       string `json:"to,omitempty"`
	Force    bool   `json:"force,omitempty"` // replace whatever file is there
	Sink     *Sink  `json:"sink,omitempty"`
}
