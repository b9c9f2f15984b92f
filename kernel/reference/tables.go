package reference

import (
	"fmt"
	"strings"
)

// A Variable is one of the environment that users set.
type Variable struct {
	Name, Value, Doc string
}

// Variables are those of the environment that programs of metalab read. A test finds those in the
// sources that are missing here.
var Variables = []Variable{
	{
		"METALAB_DATA", "folders, parted by :",
		"where instances are looked for by name, before the cache and the network",
	},
	{"METALAB_OFFLINE", "1", "nothing is fetched from the network"},
	{
		"METALAB_STATE", "a folder",
		"where autosaves, experiments and what was typed are kept, in place of the user's own folder",
	},
	{
		"METALAB_GRAPHICS", "kitty, iterm, sixel, cells, none",
		"what pictures in a terminal are made of",
	},
	{
		"METALAB_TIMES", "none",
		"texts and tables have … for measured times, so that a notebook that is executed again, or a " +
			"script, gives the same text; data and figures over time have them",
	},
	{"METALAB_SESSION", "a name, or the path of a socket", "the session to which a program belongs"},
	{"METALAB_FULL", "1", "notebooks repeat as often as the papers did, which takes hours"},
	{
		"METALAB_LIBCUDA", "a file, or none",
		"the driver library of the GPU; none hides the GPU",
	},
	{
		"METALAB_KERNELS", "the folder kernels",
		"compiled kernels are read from there, in place of those in the program",
	},
	{
		"METALAB_SOURCE", "a folder with metalab's source",
		"solvers of one's own and engines of pages are compiled from it, in place of what is found " +
			"beside the program",
	},
	{"METALAB_NATS_TOKEN", "a token", "a worker shows it to the broker"},
	{
		"METALAB_NATS_CREDS", "a file",
		"credentials or the seed of an nkey for the broker of another machine, as -creds",
	},
	{"METALAB_NATS_CA", "a file", "certificates that a worker trusts, as -ca"},
	{"METALAB_REPL", "a program", "what a Slurm job starts as its worker, where it is submitted"},
	{"NO_COLOR", "anything", "text in a terminal has no colours"},
	{"XDG_STATE_HOME", "a folder", "the state is kept in its folder metalab"},
	{"XDG_RUNTIME_DIR", "a folder", "the sockets of sessions are in its folder metalab"},
	{"XDG_CACHE_HOME", "a folder", "fetched instances and compiled engines are in its folder metalab"},
}

func environmentPage() Page {
	var b strings.Builder
	for _, v := range Variables {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n* value: %s\n\n", v.Name, escape(sentence(v.Doc)),
			escape(v.Value))
	}
	return Page{
		Path: "environment.md", Title: "Environment variables", Text: b.String(),
		About: "What the programs read from the environment.",
	}
}

// An ExitCode is a status with which a program ends.
type ExitCode struct {
	Program string
	Code    int
	Doc     string
}

// ExitCodes are those of all programs.
var ExitCodes = []ExitCode{
	{"repl", 0, "everything that was asked was done"},
	{
		"repl", 1, "a line of a script, of a pipe or of -c failed, which ends it; a record that " +
			"replay, diff, load or recover finds to differ is a failure, " +
			"unless the line says that it may differ",
	},
	{"repl", 2, "the command line was not understood"},
	{"metalab", 0, "everything that was asked was done"},
	{"metalab", 1, "a line of a script, of a pipe or of -c failed, as of repl"},
	{"metalab", 2, "the command line, or that of one of its commands, was not understood"},
	{"repl worker", 0, "the worker ended as it was told to"},
	{"repl worker", 1, "it could not join, or lost its broker for good"},
	{"repl worker", 2, "the command line was not understood"},
	{"kernel", 0, "everything that was asked was done"},
	{
		"kernel", 1,
		"a cell of exec failed, which ends it; or install or doctor found what must be mended",
	},
	{"kernel", 2, "the command line was not understood"},
}

func exitPage() Page {
	var t table
	t.row("program", "status", "meaning")
	for _, e := range ExitCodes {
		t.row(code(e.Program), fmt.Sprint(e.Code), escape(sentence(e.Doc)))
	}
	return Page{
		Path: "exit.md", Title: "Exit codes",
		Text:  t.String() + "\nWith `-json` the last object names the line and what went wrong.\n",
		About: "With which status the programs end.",
	}
}

// A Format is one of files.
type Format struct {
	Name, What, Read, Written string // read and written by which verbs
}

// Formats are those of all files that people have to do with.
var Formats = []Format{
	{".run", "the record of a run: JSON lines, see [records](records.md)", "load replay diff", "save"},
	{".run.state", "the state beside a record, from which load goes on", "load", "save"},
	{".tsp .atsp", "instances of TSPLIB", "open solve instance", "cities"},
	{".tour .opt.tour", "tours of TSPLIB", "open", "solve export"},
	{".dat", "instances of QAPLIB", "open solve instance", ""},
	{".sln", "assignments of QAPLIB", "open", "solve export"},
	{".col", "graphs of DIMACS, to be coloured", "open solve instance", ""},
	{
		".csv", "tables: of cities, histories and experiments", "cities experiment",
		"cities route export experiment",
	},
	{".svg .png .pdf", "figures", "", "plot chart"},
	{".txt", "the best solution of any problem, as text: an entry a line", "", "export"},
	{".html", "pages that make a run again, or show an experiment", "", "export experiment"},
	{".tex", "tables for a paper", "", "experiment"},
	{".lab", "scripts: lines of the prompt", "", ""},
	{
		".sqlite", "the database of an experiment, see [SCHEMA](/solvers/experiment/sqlite/SCHEMA.md)",
		"", "experiment",
	},
	{".parquet", "four tables of an experiment, as a folder", "", "experiment"},
	{".json .dat", "an experiment as IOHprofiler reads it, as a folder", "experiment", "experiment"},
}

func formatsPage() Page {
	verbs := func(names string) string {
		var out []string
		for _, n := range strings.Fields(names) {
			out = append(out, link(n, "verbs/"+n+".md"))
		}
		return strings.Join(out, ", ")
	}
	var t table
	t.row("file", "what it is", "read by", "written by")
	for _, f := range Formats {
		t.row(code(f.Name), f.What, verbs(f.Read), verbs(f.Written))
	}
	return Page{
		Path: "formats.md", Title: "File formats",
		Text: t.String() + "\nThe program reads instances of its own names from `METALAB_DATA`; see " +
			"[environment variables](environment.md). `repl FILE.lab` runs a script.\n",
		About: "The files that are read and written, and by which verbs.",
	}
}
