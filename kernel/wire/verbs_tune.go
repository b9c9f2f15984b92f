package wire

import (
	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// Tunings are the methods of the verb tune.
var Tunings = []Choice{
	{"race", "drops choices as soon as a test says they are worse, and draws others near the rest"},
	{"halving", "all on some seeds, the better third on three times as many, and so on"},
	{"latin", "a Latin hypercube of choices, all on all seeds"},
	{"random", "random choices, all on all seeds"},
}

// tuneVerbs search for good parameters.
var tuneVerbs = []Verb{
	typed[TuneRequest, reply.TuneReply](Verb{
		Name: "tune", Group: "experiments",
		Doc: "search for good values of a run's parameters, over instances and seeds, on all cores; " +
			"tells the best choice as a line to open. What is made is kept as an experiment, and the " +
			"same line goes on where it was ended, and later shows the result again",
		Example: "tune a q0=0.5..0.99 ants=5..100:log n=200; " +
			"tune a beta=1,2,3,4 local_period=1..16 instances=d198,pcb442 units=500 as t; " +
			"tune a q0=0.5..0.99 method=latin trials=30 seeds=5 5s; chart t parallel",
		Args: []Arg{
			argRun, argInstances,
			{
				Name: "seeds", Kind: KindInt, Default: "10",
				Doc: "at most so many on each instance; they count up from the run's",
			},
			argUnitN, argEvaluations, argWall, argCPU,
			{Name: "method", Kind: KindWord, Choices: Tunings, Default: "race", Doc: "how it searches"},
			{
				Name: "units", Kind: KindInt, Default: "1000",
				Doc: "race: at most so many runs, and those of the run's own values for the comparison; " +
					"at least 36 for one parameter, 72 for two or three, 120 for four to seven",
			},
			{
				Name: "trials", Kind: KindInt, Default: "27",
				Doc: "other methods: so many choices, with the run's own",
			},
			{
				Name: "test", Kind: KindWord, Default: "friedman",
				Choices: []Choice{{"friedman", "of ranks"}, {"t", "of errors, paired"}},
				Doc:     "race: what says that a choice is worse",
			},
			{Name: "seed", Kind: KindInt, Default: "1", Doc: "of the choices that are drawn"},
			{
				Name: "as", Kind: KindName, Word: "as",
				Doc: "the name of the experiment; when left out, one of the solver and the parameters",
			},
			argAside, argOver,
			{
				Name: "on", Kind: KindWord, Choices: Backends,
				Doc: "the GPUs that make the units of a run on them, as cuda:0,1 or cuda:all; all when left " +
					"out",
			},
			{
				Name: "params", Kind: KindParams, Required: true,
				Doc: "live or structural parameters, each with a range as 0.5..0.99, or 1..1000:log on a " +
					"logarithmic scale, or with values and commas between them",
			},
		},
	}),
}

// TuneRequest asks for good parameters of a run.
type TuneRequest struct {
	Run         string        `json:"run"`
	Instances   string        `json:"instances,omitempty"` // empty: the run's
	Seeds       *int          `json:"seeds,omitempty"`     // nil: 10
	N           int64         `json:"n,omitempty"`
	Evaluations int64         `json:"evaluations,omitempty"`
	Wall        reply.Num     `json:"wall,omitempty"`
	CPU         reply.Num     `json:"cpu,omitempty"`
	Method      string        `json:"method,omitempty"` // empty: race
	Units       int           `json:"units,omitempty"`  // 0: 1000
	Trials      int           `json:"trials,omitempty"` // 0: 27
	Test        string        `json:"test,omitempty"`   // empty: friedman
	Seed        *uint64       `json:"seed,omitempty"`   // nil: 1
	As          string        `json:"as,omitempty"`
	Background  bool          `json:"background,omitempty"` // answer at once
	Over        string        `json:"over,omitempty"`       // empty: local
	On          string        `json:"on,omitempty"`         // cuda and which GPUs
	Params      record.Values `json:"params"`               // a word: a range, or values with commas
}
