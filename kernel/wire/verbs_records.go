package wire

import "metalab/kernel/reply"

// argDiffers accepts a difference between a record and its replay.
var argDiffers = Arg{
	Name: "differs", Kind: KindTruth, Default: "false",
	Doc: "a difference is an answer; else it is an error, which ends a script with status 1",
}

// argCode allows to run code of somebody's.
var argCode = Arg{
	Name: "code", Kind: KindTruth, Default: "false",
	Doc: "compile and run the source of a solver of somebody's own that the record holds; without " +
		"it, what it holds is told",
}

// argForce replaces a file that is not replaced otherwise.
var argForce = Arg{
	Name: "force", Kind: KindTruth, Default: "false",
	Doc: "replace the file whatever it is; else a file that is there is replaced only if metalab " +
		"wrote it as the same thing, of the same run, and nobody changed it since",
}

// recordVerbs keep runs in files and bring them back.
var recordVerbs = []Verb{
	typed[FileRequest, reply.FileReply](Verb{
		Name: "save", Group: "records", Doc: "save record and state of a run",
		Example: "save a; save a x.run; save a b; save a nostate",
		Args: []Arg{argRuns, {
			Name: "path", Kind: KindPath, Place: true, Word: "to", FromRun: RecordExt,
			Doc: "the file, RUN.run when left out; the state is written beside it",
		}, {
			Name: "nostate", Kind: KindTruth, Default: "false",
			Doc: "the record alone: load makes all iterations again",
		}, argForce},
	}),
	typed[LoadRequest, reply.OpenReply](Verb{
		Name: "load", Group: "records", Doc: "open a saved run as it stood",
		Example: "load a.run as b",
		Args: []Arg{
			{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the record"},
			argAs,
			{
				Name: "on", Kind: KindWord, Choices: Backends,
				Doc: "the GPUs of a run that was on them, as cuda:1, cuda:0,1 or cuda:all",
			},
			argDiffers, argCode,
		},
	}),
	typed[ReplayRequest, reply.ReplayReply](Verb{
		Name: "replay", Group: "records",
		Doc: "make a saved run again and compare every point, up to the first difference; also its " +
			"changes and best solution, and not times, names, why a step ended and the best known value",
		Example: "replay a.run; replay a.run best",
		Args: []Arg{
			{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the record"},
			{
				Name: "on", Kind: KindWord, Choices: Backends,
				Doc: "the backend, those of the record when left out; of several GPUs which, as cuda:1 or " +
					"cuda:0,1",
			},
			{
				Name: "seeds", Kind: KindTruth, Default: "false",
				Doc: "make the seeds of its repeats again, too; else the answer says how many were not",
			},
			{
				Name: "best", Kind: KindTruth, Default: "false",
				Doc: "make again, on the CPU, only the island of the walk that found the best solution, up " +
					"to there, and compare that solution: of anneal/population and anneal/spins",
			},
			argDiffers, argCode,
		},
	}),
	typed[DiffRequest, reply.DiffReply](Verb{
		Name: "diff", Group: "records",
		Doc:     "name iteration, agent and position where two runs first part",
		Example: "diff a.run b.run; diff a b",
		Args: []Arg{
			{Name: "a", Kind: KindRecord, Required: true, Place: true, Doc: "a run or a record"},
			{Name: "b", Kind: KindRecord, Required: true, Place: true, Doc: "another one"},
			argDiffers, argCode,
		},
	}),
	typed[SourceRequest, reply.SourceReply](Verb{
		Name: "source", Group: "records",
		Doc: "print the source of a solver of your own, all codes that its run or record had, or write " +
			"the last; also typed as show w source and save w source to w.go",
		Example: "source w; source w.run; source w.run to w.go",
		Args: []Arg{
			{Name: "of", Kind: KindRecord, Required: true, Place: true, Doc: "a run or a record"},
			{Name: "to", Kind: KindPath, Word: "to", Doc: "the file that is written, FILE.go"},
			argForce,
		},
	}),
	typed[ExportRequest, reply.FileReply](Verb{
		Name: "export", Group: "records",
		Doc: "write the history of a run as CSV: the iterations that it keeps, or all, or the " +
			"seeds of its repeats; or its best solution as .tour, .sln or text; or the run or a record " +
			"as .html, a page in which a reader's browser makes the run again; or an experiment as such " +
			"a page, with its table, tests, charts and units",
		Example: "export a a.csv; export a a.csv all; export a b seeds.csv seeds; export a a.tour; " +
			"export a a.txt best; export a a.html; export a.run a.html inline; export e1 e1.html",
		Args: []Arg{
			{
				Name: "runs", Kind: KindRuns, Required: true, Place: true,
				Doc: "the run; with seeds several may be named; for .html also the path of a record, or the " +
					"name of an experiment, which no open run has",
				Records: true,
			},
			{Name: "path", Kind: KindPath, Required: true, Place: true, Word: "to", Doc: "the file"},
			{
				Name: "all", Kind: KindTruth, Default: "false",
				Doc: "every iteration: those that the history does not keep are made again, which takes as " +
					"long as the run",
			},
			{
				Name: "seeds", Kind: KindTruth, Default: "false",
				Doc: "a row for each seed of its repeats; so it is for a run that made no iterations " +
					"and was repeated",
			},
			{
				Name: "best", Kind: KindTruth, Default: "false",
				Doc: "the best solution of any problem as text: lines with # name the run and the " +
					"objective, each other line is an entry, counted from 0 as Go does",
			},
			{
				Name: "inline", Kind: KindTruth, Default: "false",
				Doc: "of .html: put the engine, which makes the run again, into the page; else it is a file " +
					"beside it, which pages share",
			},
			{
				Name: "engine", Kind: KindPath,
				Doc: "of .html: a file metalab-….js that was written before; else the engine is compiled, " +
					"once for the sources, by Go",
			},
			{Name: "title", Kind: KindWord, Doc: "of .html: its heading, in quotes"},
			{Name: "text", Kind: KindWord, Doc: "of .html: a paragraph below the heading, as by whom it is"},
			{
				Name: "link", Kind: KindWord,
				Doc: "of .html: where it leads, as https://example.org/paper or ../index.html",
			},
			argForce,
		},
	}),
	typed[RecoverRequest, reply.RecoverReply](Verb{
		Name: "recover", Group: "records",
		Doc: "list what was autosaved of sessions that ended and of closed runs, open one, or drop " +
			"it, or all of them",
		Example: "recover; recover s1/a as a; recover s1/a discard; recover discard solver=acs older=2d",
		Args: []Arg{
			{
				Name: "id", Kind: KindWord, Place: true,
				Doc: "of the autosave, as recover lists it, or a run's name: the latest of it; all of " +
					"them when left out",
			},
			argAs, argDiffers, argCode,
			{
				Name: "discard", Kind: KindTruth, Default: "false",
				Doc: "drop it instead; without an id it lists what would be dropped, and how to do it",
			},
			{Name: "sure", Kind: KindTruth, Default: "false", Doc: "drop all that are listed"},
			{Name: "solver", Kind: KindSolver, Doc: "only those of a solver, or solver/variant"},
			{Name: "older", Kind: KindSeconds, Doc: "only those that are so old, as 12h or 2d"},
		},
	}),
}

// FileRequest names a run and a file.
type FileRequest struct {
	Run  string `json:"run"`
	Path string `json:"path"` // absolute

	NoState bool `json:"nostate,omitempty"` // the record alone
	Force   bool `json:"force,omitempty"`   // replace whatever file is there
}

// LoadRequest asks for a saved run.
type LoadRequest struct {
	Path    string `json:"path"`
	As      string `json:"as,omitempty"`
	On      string `json:"on,omitempty"`
	Code    bool   `json:"code,omitempty"` // the source in the record may be compiled and run
	Differs bool   `json:"differs,omitempty"`
}

// ReplayRequest asks for a replay of a saved run.
type ReplayRequest struct {
	Path    string `json:"path"`
	On      string `json:"on,omitempty"`
	Code    bool   `json:"code,omitempty"`
	Seeds   bool   `json:"seeds,omitempty"` // with the seeds of its repeats
	Best    bool   `json:"best,omitempty"`  // only the part that found the best
	Differs bool   `json:"differs,omitempty"`
}

// SourceRequest asks for the source of a run's solver.
type SourceRequest struct {
	Of string `json:"of"`
	To string `json:"to,omitempty"` // absolute

	Force bool `json:"force,omitempty"` // replace whatever file is there
}

// DiffRequest names two runs or records.
type DiffRequest struct {
	A       string `json:"a"`
	B       string `json:"b"`
	Code    bool   `json:"code,omitempty"`
	Differs bool   `json:"differs,omitempty"`
}

// ExportRequest asks for a file with the history of a run, or with the results of its repeats.
type ExportRequest struct {
	Runs  []string `json:"runs"` // one; several for their seeds; of a page also a record's path
	Path  string   `json:"path"` // absolute
	All   bool     `json:"all,omitempty"`
	Seeds bool     `json:"seeds,omitempty"`
	Best  bool     `json:"best,omitempty"` // the best solution as text

	Inline bool   `json:"inline,omitempty"` // of a page: it contains the engine
	Engine string `json:"engine,omitempty"` // of a page: the engine's file; absolute

	Title string `json:"title,omitempty"` // of a page: its heading; empty: derived from its contents
	Text  string `json:"text,omitempty"`  // of a page: a paragraph below the heading
	Link  string `json:"link,omitempty"`  // of a page: an address that it links to

	Force bool `json:"force,omitempty"` // replace whatever file is there
}

// RecoverRequest names an autosave. Without an id it concerns all that Solver and Older select: it
// asks for the list, or with Discard and without Sure for what would be dropped.
type RecoverRequest struct {
	ID      string    `json:"id,omitempty"`
	As      string    `json:"as,omitempty"`
	Differs bool      `json:"differs,omitempty"`
	Code    bool      `json:"code,omitempty"`
	Discard bool      `json:"discard,omitempty"`
	Sure    bool      `json:"sure,omitempty"`
	Solver  string    `json:"solver,omitempty"` // or solver/variant
	Older   reply.Num `json:"older,omitempty"`  // seconds
}
