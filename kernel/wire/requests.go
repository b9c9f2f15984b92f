package wire

import (
	"strings"

	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// Empty is the request of verbs without arguments.
type Empty struct{}

// RunRequest names a run.
type RunRequest struct {
	Run string `json:"run"`
}

// OpenRequest asks for a run.
type OpenRequest struct {
	Solver   string        `json:"solver"`
	Instance string        `json:"instance"` // a name, or an absolute path
	As       string        `json:"as,omitempty"`
	Seed     *uint64       `json:"seed,omitempty"` // nil: 1
	Preset   string        `json:"preset,omitempty"`
	Variant  string        `json:"variant,omitempty"`
	On       string        `json:"on,omitempty"`
	Device   int           `json:"device,omitempty"`
	Fresh    bool          `json:"fresh,omitempty"`
	Start    string        `json:"start,omitempty"` // absolute path of a tour or an assignment
	Params   record.Values `json:"params,omitempty"`
}

// StepRequest asks for iterations. The first of its limits that is reached ends it;
// at least one must be given.
type StepRequest struct {
	Run   string    `json:"run"`
	N     int64     `json:"n,omitempty"`
	Wall  reply.Num `json:"wall,omitempty"` // seconds
	CPU   reply.Num `json:"cpu,omitempty"`  // seconds
	Until string    `json:"until,omitempty"`
}

// GoRequest lets a run go on: until it is paused, or until the first of the limits, if one
// is given.
type GoRequest struct {
	Run   string    `json:"run"`
	N     int64     `json:"n,omitempty"`
	Wall  reply.Num `json:"wall,omitempty"` // seconds
	CPU   reply.Num `json:"cpu,omitempty"`  // seconds
	Until string    `json:"until,omitempty"`
}

// SetRequest changes parameters.
type SetRequest struct {
	Run    string        `json:"run"`
	Params record.Values `json:"params"`
}

// ForkRequest copies a run.
type ForkRequest struct {
	Run    string        `json:"run"`
	As     string        `json:"as,omitempty"`
	Seed   *uint64       `json:"seed,omitempty"`
	On     string        `json:"on,omitempty"`
	Device int           `json:"device,omitempty"`
	Fresh  bool          `json:"fresh,omitempty"`
	Params record.Values `json:"params,omitempty"`
}

// RunsRequest asks for the list of runs.
type RunsRequest struct {
	All bool `json:"all,omitempty"`
}

// ParamsRequest asks for the parameters of a run.
type ParamsRequest struct {
	Run   string `json:"run"`
	Names string `json:"names,omitempty"` // with commas between them; empty: all
	Full  bool   `json:"full,omitempty"`
}

// NamesOf splits names with commas between them.
func NamesOf(list string) []string {
	var out []string
	for n := range strings.SplitSeq(list, ",") {
		if n = strings.TrimSpace(n); n != "" {
			out = append(out, n)
		}
	}
	return out
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

// A Sink says what a figure is made of. Its JSON is that of view.Sink in kernel/view,
// which clients do not link.
type Sink struct {
	Graphics   string   `json:"graphics"` // svg, png, pdf, cells, kitty, iterm, sixel or none
	Cols       int      `json:"cols,omitempty"`
	Rows       int      `json:"rows,omitempty"`
	CellW      int      `json:"cell_w,omitempty"` // pixels of a cell
	CellH      int      `json:"cell_h,omitempty"`
	Depth      int      `json:"depth,omitempty"` // colours: 0 none, 256, or 24 for 24 bits
	Grow       bool     `json:"grow,omitempty"`  // several rows of plots may take more rows
	ASCII      bool     `json:"ascii,omitempty"` // cells in ASCII alone
	Tmux       bool     `json:"tmux,omitempty"`
	Background string   `json:"background,omitempty"` // "#rrggbb"
	Size       SinkSize `json:"size,omitzero"`
	DPI        int      `json:"dpi,omitempty"`
	PNG        bool     `json:"png,omitempty"` // of svg: the same as PNG, too
}

// SinkSize is the size of a picture in points; zero is the figure's own.
type SinkSize struct {
	W float64 `json:"w,omitempty"`
	H float64 `json:"h,omitempty"`
}

// PlotRequest asks for a figure, or for several beside each other. Without a sink and
// without a file it is made as SVG.
type PlotRequest struct {
	Runs   []string `json:"runs"`
	Figure string   `json:"figure,omitempty"` // several with commas between them
	reply.PlotLook
	To   string `json:"to,omitempty"` // absolute path
	Sink *Sink  `json:"sink,omitempty"`
}

// FileRequest names a run and a file.
type FileRequest struct {
	Run  string `json:"run"`
	Path string `json:"path"` // absolute
}

// ExportRequest asks for the history of a run in a file, or for what its repeats gave.
type ExportRequest struct {
	Run   string `json:"run"`
	Path  string `json:"path"` // absolute
	All   bool   `json:"all,omitempty"`
	Seeds bool   `json:"seeds,omitempty"`
}

// LoadRequest asks for a saved run.
type LoadRequest struct {
	Path string `json:"path"`
	As   string `json:"as,omitempty"`
}

// ReplayRequest asks to make a saved run again.
type ReplayRequest struct {
	Path  string `json:"path"`
	On    string `json:"on,omitempty"`
	Seeds bool   `json:"seeds,omitempty"` // those of its repeats too
}

// DiffRequest names two runs or records.
type DiffRequest struct {
	A string `json:"a"`
	B string `json:"b"`
}

// RecoverRequest names an autosave; without an id it is about all that Solver and Older leave:
// it asks for the list, or what Discard without Sure would drop.
type RecoverRequest struct {
	ID      string    `json:"id,omitempty"`
	As      string    `json:"as,omitempty"`
	Discard bool      `json:"discard,omitempty"`
	Sure    bool      `json:"sure,omitempty"`
	Solver  string    `json:"solver,omitempty"` // or solver/variant
	Older   reply.Num `json:"older,omitempty"`  // seconds
}

// RepeatRequest asks for a run over several seeds.
type RepeatRequest struct {
	Run        string    `json:"run"`
	Seeds      *int      `json:"seeds,omitempty"` // nil: 10
	N          int64     `json:"n,omitempty"`
	Wall       reply.Num `json:"wall,omitempty"`
	CPU        reply.Num `json:"cpu,omitempty"`
	Until      string    `json:"until,omitempty"`
	Fresh      bool      `json:"fresh,omitempty"`      // seeds that were made before too
	Background bool      `json:"background,omitempty"` // answer at once
}

// CompareRequest names runs.
type CompareRequest struct {
	Runs []string `json:"runs"`
}

// InstancesRequest asks for a list of instances: all, those of a kind, or those whose names
// hold a word.
type InstancesRequest struct {
	Match string `json:"match,omitempty"`
}

// InstanceRequest names an instance.
type InstanceRequest struct {
	Name    string `json:"name"`
	Picture bool   `json:"picture,omitempty"`
}

// SolversRequest asks for the solvers, or for one.
type SolversRequest struct {
	Solver string `json:"solver,omitempty"`
	Param  string `json:"param,omitempty"` // only those with this parameter
	Full   bool   `json:"full,omitempty"`
}

// ShutdownRequest ends the host.
type ShutdownRequest struct {
	Discard   bool `json:"discard,omitempty"`
	Recovered bool `json:"recovered,omitempty"` // with Discard: but those of runs that were recovered
}

// DeclareRequest makes a solver known that a program serves; see Worker.
type DeclareRequest struct {
	Solver  string `json:"solver"`
	Program string `json:"program"`          // path of the program
	Source  []byte `json:"source,omitempty"` // the Go file that declares it
	Line    int    `json:"line,omitempty"`   // of the constructor in it
	Type    string `json:"type,omitempty"`   // of the solver in it
}

// BenchRequest asks for a table of figures.
type BenchRequest struct {
	Table string `json:"table,omitempty"` // empty: list the tables
	Row   string `json:"row,omitempty"`
	Seeds int    `json:"seeds,omitempty"` // 0: as the table says
	List  bool   `json:"list,omitempty"`  // the rows, without measuring them
	Peer  string `json:"peer,omitempty"`  // as "linkern=/opt/linkern,acotsp=/opt/acotsp"
}

// SlidersRequest asks for the parameters that controls are made of.
type SlidersRequest struct {
	Run   string `json:"run"`
	Names string `json:"names,omitempty"` // with commas between them; empty: all that are live
}
