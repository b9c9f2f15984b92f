package prompt

const (
	noExperiments = "a page keeps no experiments: they are in a database on the disk of a machine; " +
		"repeat a 10 makes seeds here"
	noDevice = "a page has no GPU of metalab's: its runs are on the CPU; the prompt in a terminal has"
	noBench  = "a page measures no benchmarks: the prompt in a terminal does; paper shows what was " +
		"measured"
)

// absent are verbs that a page does not have, with the reason.
var absent = map[string]string{
	"bench":      noBench,
	"chart":      noExperiments,
	"dashboard":  "a page opens no other: what the dashboard shows is here, by plot and watch",
	"declare":    noCompiler,
	"detach":     "the session is this page, and ends with it; save a a.run keeps a run",
	"devices":    noDevice,
	"doctor":     "nothing is installed for a page, so there is nothing to look after",
	"experiment": noExperiments,
	"free":       noDevice,
	"gpu":        noDevice,
	"launch":     noDevice,
	"module":     noDevice,
	"shutdown":   "the session is this page: closing it ends that",
	"sweep":      noExperiments,
	"tune":       noExperiments,
	"upload":     noDevice,
	"values":     noDevice,
	"worker":     noWorkers,
	"workers":    noWorkers,
	"waves":      noDevice,
}

const noWorkers = "a page makes no experiments, and so it has no machines that make their units"

const noCompiler = "a page has no compiler: solvers and problems of one's own are for the prompt " +
	"in a terminal and for notebooks"

// Lacks says why a page does not have a verb; empty: it has it.
func Lacks(verb string) string { return absent[verb] }
