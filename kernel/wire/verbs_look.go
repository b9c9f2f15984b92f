package wire

import (
	"strings"

	"metalab/kernel/reply"
)

// plotArgs are the arguments of what draws figures.
var plotArgs = []Arg{
	{Name: "runs", Kind: KindRuns, Required: true, Place: true, Doc: "the runs"},
	{
		Name: "figure", Kind: KindFigure, List: true, Default: "best", Place: true,
		Doc: strings.Join(names(Figures), ", ") +
			", or a measure of the solver; several make several plots",
	},
	{
		Name: "x", Kind: KindWord, Default: "iteration", Choices: Axes,
		Doc: "what curves are drawn against: iteration, time, cpu or evaluations",
	},
	{Name: "range", Kind: KindWord, Doc: "the part of x that is shown, as 100..500, 100.. or ..500"},
	{
		Name: "size", Kind: KindWord,
		Doc: "width x height: of a file in points of 1/72 inch (.png: two pixels a point) or with a " +
			"unit, as 400x300 or 8.5cmx6cm; on the screen columns and rows",
	},
	{
		Name: "title", Kind: KindWord, Choices: []Choice{{"off", "no title"}},
		Doc: "the title, as title=\"two runs\"; off: none",
	},
	{
		Name: "legend", Kind: KindWord, Choices: []Choice{{"off", "no legend"}},
		Doc: "names for the runs in their order, with commas between them; off: no legend",
	},
	{Name: "columns", Kind: KindInt, Doc: "how many plots stand in a row"},
	{
		Name: "all", Kind: KindTruth, Default: "false",
		Doc: "every edge, trail and iteration, however many",
	},
}

// lookVerbs show how runs stand.
var lookVerbs = []Verb{
	typed[RunRequest, reply.ShowReply](Verb{
		Name: "show", Group: "look", Browser: true, Doc: "show how a run stands",
		Example: "show a", Args: []Arg{argRuns},
	}),
	typed[IslandsRequest, reply.IslandsReply](Verb{
		Name: "islands", Group: "look",
		Doc: "show how the islands of a run stand, what one of them took in from others, write the " +
			"record of one, or have their iterations made by workers",
		Example: "islands a; islands a 3; islands a 3 to a3.run; islands a over=embed",
		Args: []Arg{
			argRun,
			{Name: "number", Kind: KindInt, Place: true, Doc: "of an island; the first is 0"},
			{Name: "to", Kind: KindPath, Word: "to", Doc: "the file of its record"},
			argForce, argPlaced,
		},
	}),
	typed[ParamsRequest, reply.ParamsReply](Verb{
		Name: "params", Group: "look", Browser: true,
		Doc:     "list the parameters with values and ranges, or say what some of them do",
		Example: "params a; params a q0; params a q0,ants; params a full",
		Args: []Arg{
			argRuns,
			{
				Name: "names", Kind: KindWord, Place: true, List: true,
				Doc: "those to tell about, with commas between their names",
			},
			{Name: "full", Kind: KindTruth, Default: "false", Doc: "say of all what they do"},
		},
	}),
	typed[BestRequest, reply.BestReply](Verb{
		Name: "best", Group: "look", Browser: true,
		Doc:     "show the best solution, its value computed anew from the instance",
		Example: "best a; best a b",
		Args: []Arg{argRuns, {
			Name: "solution", Kind: KindTruth, Default: "false",
			Doc: "the solution itself too",
		}},
	}),
	routeVerb,
	typed[RunRequest, reply.ScrubReply](Verb{
		Name: "scrub", Group: "look",
		Doc: "make a run again and list its best solutions on the way; in a notebook a slider goes " +
			"through them, with curve, changes and tour, also in a saved page",
		Example: "scrub a",
		Args:    []Arg{argRun},
	}),
	typed[HistoryRequest, reply.HistoryReply](Verb{
		Name: "history", Group: "look", Browser: true, Doc: "list the kept points of the history",
		Example: "history a last=20",
		Args: []Arg{
			argRun,
			{Name: "since", Kind: KindInt, Default: "0", Doc: "points after this iteration only"},
			{
				Name: "last", Kind: KindInt, Default: "0", Place: true,
				Doc: "at most so many, from the end; 0: all",
			},
		},
	}),
	typed[RunRequest, reply.JournalReply](Verb{
		Name: "journal", Group: "look", Browser: true, Doc: "list everything that was done to a run",
		Example: "journal a", Args: []Arg{argRuns},
	}),
	typed[RunRequest, reply.WavesReply](Verb{
		Name: "waves", Group: "look",
		Doc: "show how the tuner launches a run's work, mostly on a GPU: what it tried, what that " +
			"took, what it chose",
		Example: "waves a", Args: []Arg{argRun},
	}),
	typed[PlotRequest, reply.PlotReply](Verb{
		Name: "plot", Group: "look", Browser: false,
		Doc: "draw figures of runs, on the screen or into a file; several stand side by side",
		Example: "plot a tour; plot a b best x=cpu; plot a b best tour; plot a tour to " +
			"tour.svg size=8cmx8cm",
		Args: append(plotArgs,
			Arg{Name: "to", Kind: KindPath, Word: "to", Doc: "a file that ends in .svg, .png or .pdf"},
			argForce,
			Arg{Name: "sink", Kind: KindSink, Doc: "what the picture is made of"},
		),
	}),
	{
		Name: "watch", Group: "look", Front: true,
		Doc:     "draw a figure again and again while a run goes on",
		Example: "watch a; watch a tour; watch a best tour",
		Args:    plotArgs,
	},
	typed[SlidersRequest, reply.SlidersReply](Verb{
		Name: "sliders", Group: "look", Browser: true,
		Doc: "list the parameters that may change while a run goes on; a notebook's cell makes " +
			"sliders of them",
		Example: "sliders a; sliders a q0,ants",
		Args: []Arg{
			argRun,
			{
				Name: "names", Kind: KindWord, Place: true, List: true,
				Doc: "some of them, with commas between their names",
			},
		},
	}),
}

// IslandsRequest asks about the islands of a run.
type IslandsRequest struct {
	Run    string `json:"run"`
	Number *int   `json:"number,omitempty"` // nil: about all
	To     string `json:"to,omitempty"`     // absolute path of the record of one
	Force  bool   `json:"force,omitempty"`  // replace whatever file is there
	Over   string `json:"over,omitempty"`   // who runs their iterations from now on
}

// ParamsRequest asks for the parameters of a run.
type ParamsRequest struct {
	Run   string `json:"run"`
	Names string `json:"names,omitempty"` // with commas between them; empty: all
	Full  bool   `json:"full,omitempty"`
}

// BestRequest asks for the best solution.
type BestRequest struct {
	Run      string `json:"run"`
	Solution bool   `json:"solution,omitempty"`
}

// HistoryRequest asks for points.
type HistoryRequest struct {
	Run   string `json:"run"`
	Since int64  `json:"since,omitempty"`
	Last  int    `json:"last,omitempty"`
}

// PlotRequest asks for a figure, or for several beside each other. Without a sink and without a
// file it is an SVG.
type PlotRequest struct {
	Runs   []string `json:"runs"`
	Figure string   `json:"figure,omitempty"` // several with commas between them
	reply.PlotLook
	To    string `json:"to,omitempty"`    // absolute path
	Force bool   `json:"force,omitempty"` // replace whatever file is there
	Sink  *Sink  `json:"sink,omitempty"`
}

// SlidersRequest asks for the parameters that the controls show.
type SlidersRequest struct {
	Run   string `json:"run"`
	Names string `json:"names,omitempty"` // with commas between them; empty: all that are live
}
