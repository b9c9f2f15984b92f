package wire

import "metalab/kernel/reply"

// ClaimTests lists the tests of a claim.
var ClaimTests = []Choice{
	{"lower", "the first sample is lower than each of the others (Mann and Whitney)"},
	{"higher", "the first sample is higher than each of the others (Mann and Whitney)"},
	{"rising", "each sample is lower than the next (Mann and Whitney)"},
	{"paired-lower", "lower, the samples have one value an instance (Wilcoxon)"},
	{"paired-higher", "higher, the samples have one value an instance (Wilcoxon)"},
	{"same", "no difference is found (two: Mann and Whitney; more: Friedman, a block a value)"},
}

// paperVerbs show tables of papers and test what papers claim.
var paperVerbs = []Verb{
	typed[PaperRequest, reply.PaperReply](Verb{
		Name: "paper", Group: "experiments", Browser: true,
		Doc: "show a table or figure of a paper, as published and as it was measured here, side by " +
			"side, with source, machine, date and command",
		Example: "paper mmas-5; paper acs-8 pr2392; paper mmas-3 GPU; " +
			"paper luong-7 columns='M2050|H200'",
		Args: []Arg{
			{
				Name: "table", Kind: KindWord, Required: true, Place: true,
				Doc: "the table, as mmas-5 or acs-fig9; bench lists them",
			},
			{
				Name: "row", Kind: KindWord, Place: true,
				Doc: "words of the names of rows, solvers or instances, in quotes if several",
			},
			{
				Name: "columns", Kind: KindWord,
				Doc: "only these columns, in this order, as 'M2050|H200'; all when left out",
			},
		},
	}),
	typed[GlanceRequest, reply.GlanceReply](Verb{
		Name: "glance", Group: "experiments", Browser: true,
		Doc: "say what the tables of a paper show, in how many rows the published figures say so, and " +
			"in how many those that were measured here",
		Example: "glance mmas; glance kang",
		Args: []Arg{
			{
				Name: "paper", Kind: KindWord, Required: true, Place: true, Choices: []Choice{
					{"mmas", "MAX-MIN Ant System on GPUs, R. Skinderowicz, 2020"},
					{"acs", "Ant Colony System on GPUs, R. Skinderowicz, 2016"},
					{"fosin", "local search of tours, J. Fosin et al., 2013"},
					{"kang", "constructive crossovers, S. Kang et al., 2016"},
					{"luong", "neighbourhood search, T. V. Luong et al., 2013"},
				},
				Doc: "the paper, by the name that its tables begin with",
			},
		},
	}),
	typed[ClaimRequest, reply.ClaimReply](Verb{
		Name: "claim", Group: "experiments", Browser: true,
		Doc: "test what a sentence claims about samples, and say whether it holds, with p-values and " +
			"effect sizes",
		Example: "claim 'a is shorter' lower 'a:1,2,3,4,5;b:6,7,8,9,10'",
		Args: []Arg{
			{Name: "sentence", Kind: KindWord, Required: true, Place: true, Doc: "what is claimed"},
			{
				Name: "test", Kind: KindWord, Required: true, Place: true, Choices: ClaimTests,
				Doc: "how it is tested",
			},
			{
				Name: "samples", Kind: KindWord, Required: true, Place: true,
				Doc: "two samples or more, in quotes, as 'a:1,2,3;b:4,5,6'",
			},
			{
				Name: "published", Kind: KindTruth, Default: "false",
				Doc: "the samples are published figures: the verdict is on them, and no finding of ours",
			},
		},
	}),
}

// PaperRequest asks for a table of a paper.
type PaperRequest struct {
	Table   string `json:"table"`
	Row     string `json:"row,omitempty"`
	Columns string `json:"columns,omitempty"` // as "M2050|H200"; empty: all
}

// GlanceRequest asks for the summary of a paper's tables.
type GlanceRequest struct {
	Paper string `json:"paper"`
}

// ClaimRequest asks whether a claim holds.
type ClaimRequest struct {
	Sentence string `json:"sentence"`
	Test     string `json:"test"`    // see ClaimTests
	Samples  string `json:"samples"` // as "a:1,2,3;b:4,5,6"

	Published bool `json:"published,omitempty"`
}
