package wire

import "metalab/kernel/reply"

// sessionVerbs are about the session itself.
var sessionVerbs = []Verb{
	typed[Empty, reply.DashboardReply](Verb{
		Name: "dashboard", Group: "session",
		Doc: "show runs and experiments in a browser: curves, tours, sliders, tables, records to " +
			"download",
		Example: "dashboard",
	}),
	typed[Empty, reply.AboutReply](Verb{
		Name: "about", Also: []string{"version"}, Group: "session",
		Doc:     "say what the host is: process, version, machine, folders",
		Example: "about",
	}),
	typed[Empty, reply.NoteReply](Verb{
		Name: "detach", Group: "session",
		Doc: "let the host live on without the front end that started it, until nothing steps and " +
			"nobody is attached for a while",
		Example: "detach",
	}),
	typed[ShutdownRequest, reply.ShutdownReply](Verb{
		Name: "shutdown", Group: "session", Doc: "end the host for all; the runs are autosaved",
		Example: "shutdown",
		Args: []Arg{
			{Name: "discard", Kind: KindTruth, Default: "false", Doc: "keep no autosaves"},
			{
				Name: "recovered", Kind: KindTruth, Default: "false",
				Doc: "with discard: but those of runs that were recovered",
			},
		},
	}),
	{
		Name: "help", Group: "session", Front: true,
		Doc:     "say what can be typed, or what a word means; ? is short for it",
		Example: "help; help step; help q0; help acs; ?lab.Open",
		Args: []Arg{{
			Name: "word", Kind: KindWord, Place: true,
			Doc: "a verb, a solver, a parameter, a figure, a run, or a name of Go",
		}},
	},
	{Name: "clear", Group: "session", Front: true, Doc: "clear the screen, as ^L", Example: "clear"},
	{
		Name: "quit", Also: []string{"exit"}, Group: "session", Front: true, Doc: "leave the prompt",
		Example: "quit",
	},
}

// ShutdownRequest ends the host.
type ShutdownRequest struct {
	Discard   bool `json:"discard,omitempty"`
	Recovered bool `json:"recovered,omitempty"` // with Discard: except those of recovered runs
}
