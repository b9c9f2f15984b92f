package wire

import "metalab/kernel/reply"

// repeatVerbs repeat, compare and measure.
var repeatVerbs = []Verb{
	typed[RepeatRequest, reply.RepeatReply](Verb{
		Name: "repeat", Group: "experiments",
		Doc: "make a run anew for each of several seeds, on all cores: from iteration 1 on, with its " +
			"present parameters, or with its changes; median and quartiles",
		Example: "repeat a 10; repeat a 10 changes; repeat a 20 n=1000; repeat a b 30 10s background; " +
			"repeat a 100 over=embed",
		Args: []Arg{
			argRuns,
			{
				Name: "seeds", Kind: KindInt, Default: "10", Place: true,
				Doc: "how many, 1 to 10000; they count up from the run's, and those that were made " +
					"before are kept",
			},
			{
				Name: "n", Kind: KindInt,
				Doc: "iterations of each; when no budget is given, as many as the run has made, or where it " +
					"has made none, as in its last repeat",
			},
			argWall, argCPU, argUntil,
			{
				Name: "on", Kind: KindWord, Choices: Backends,
				Doc: "the GPUs of a run on them, as cuda:0,1 or cuda:all: seeds are made on all, side by " +
					"side; those of the run when left out",
			},
			argOver,
			{
				Name: "background", Kind: KindTruth, Default: "false",
				Doc: "answer at once; runs shows how far it is, pause ends it",
			},
			{Name: "fresh", Kind: KindTruth, Default: "false", Doc: "make seeds anew that were made before"},
			{
				Name: "changes", Kind: KindTruth, Default: "false",
				Doc: "begin with the parameters of iteration 0 and make the run's changes at their iterations",
			},
		},
	}),
	typed[RunRequest, reply.SeedsReply](Verb{
		Name: "seeds", Group: "experiments", Browser: true,
		Doc:     "list what repeats of a run have given, seed by seed",
		Example: "seeds a", Args: []Arg{argRuns},
	}),
	typed[CompareRequest, reply.CompareReply](Verb{
		Name: "compare", Group: "experiments", Browser: true,
		Doc: "compare runs side by side, from 5 seeds of each on by tests; with p-values and effect " +
			"sizes",
		Example: "compare a b",
		Args: []Arg{{
			Name: "runs", Kind: KindRuns, Required: true, Place: true,
			Doc: "the runs, two or more",
		}},
	}),
	typed[BenchRequest, reply.BenchReply](Verb{
		Name: "bench", Group: "experiments",
		Doc: "measure tables of figures beside other programs and papers, or print figures that are " +
			"kept; without a table list all, with a paper's name or author its tables; papers: " +
			"how all stand",
		Example: "bench; bench ants list; bench kang; bench kang-2; bench kang-4 full; bench papers; " +
			"bench ils-breadth; bench figures; bench tours row=pr2392 seeds=5 peer=linkern=/opt/linkern",
		Args: []Arg{
			{
				Name: "table", Kind: KindWord, Place: true,
				Doc: "the table, the name of a paper or its author, or of figures that are kept; figures: " +
					"all that are kept; papers: a page on how the tables of papers stand",
			},
			{
				Name: "row", Kind: KindWord, Place: true,
				Doc: "a row's number, or words of its name, solver or instance, in quotes if several",
			},
			{
				Name: "seeds", Kind: KindInt, Default: "0",
				Doc: "so many of each row, from 1 on; 0: as the table says",
			},
			{Name: "first", Kind: KindInt, Default: "1", Doc: "the first seed"},
			{
				Name: "full", Kind: KindTruth, Default: "false",
				Doc: "of a paper's table all rows and seeds; else those that take some minutes",
			},
			{
				Name: "list", Kind: KindTruth, Default: "false",
				Doc: "list the rows with what was measured and is kept, and measure nothing",
			},
			{
				Name: "peer", Kind: KindWord,
				Doc: "programs of others to run beside, as linkern=/opt/linkern; several with " +
					"commas between them",
			},
		},
	}),
}

// RepeatRequest asks for a run over several seeds.
type RepeatRequest struct {
	Run        string    `json:"run"`
	Seeds      *int      `json:"seeds,omitempty"` // nil: 10
	N          int64     `json:"n,omitempty"`
	Wall       reply.Num `json:"wall,omitempty"`
	CPU        reply.Num `json:"cpu,omitempty"`
	Until      string    `json:"until,omitempty"`
	On         string    `json:"on,omitempty"`         // cuda and which GPUs
	Over       string    `json:"over,omitempty"`       // who runs the seeds; empty: local
	Fresh      bool      `json:"fresh,omitempty"`      // seeds with a result too
	Background bool      `json:"background,omitempty"` // answer at once
	Changes    bool      `json:"changes,omitempty"`    // repeat the run's changes
}

// CompareRequest names runs.
type CompareRequest struct {
	Runs []string `json:"runs"`
}

// BenchRequest asks for a table of figures.
type BenchRequest struct {
	Table string `json:"table,omitempty"` // empty: list the tables
	Row   string `json:"row,omitempty"`
	Seeds int    `json:"seeds,omitempty"` // 0: that of the table
	First int    `json:"first,omitempty"` // the first seed; 0: 1
	Full  bool   `json:"full,omitempty"`  // all of a paper's table
	List  bool   `json:"list,omitempty"`  // the rows, without measuring them
	Peer  string `json:"peer,omitempty"`  // as "linkern=/opt/linkern,acotsp=/opt/acotsp"
}
