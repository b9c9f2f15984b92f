package bench

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A Table is a list of figures of one family.
type Table struct {
	Name   string // as it is typed
	Title  string
	Source string // where the figures to reach come from
	Rows   []Row

	// For a paper's table:
	Paper  string   // see Papers; empty: a table of our own
	Number string   // in the paper, as "2"; "fig8" of figure 8
	Notes  []string // how rows are measured, and which cannot be

	// Margin is how far from a published figure ours is as good as there, stated before anything is
	// measured; none: the table has no verdicts. See Rule.
	Margin  Margin
	Reasons []string // why rows do not agree, where it is known; printed under the table
	Missing []string // why rows have no kept figures; printed on the page of all papers
}

// A Measure is what a row's figure is.
type Measure string

// The measures.
const (
	// of the best above the best known value, in percent; smaller is better
	Gap       Measure = "gap"
	Best      Measure = "best"       // value of the best solution; smaller is better
	Seconds   Measure = "seconds"    // CPU seconds until the stop; smaller is better
	PerSecond Measure = "per second" // units a CPU second of iterating; larger is better
	NsPerUnit Measure = "ns a unit"  // nanoseconds of iterating a unit; smaller is better
	// MB that the process has from the system at the end of the run; smaller is better
	Memory Measure = "memory"
	Found  Measure = "found" // 1 if the best known value was reached, else 0; larger is better
	// milliseconds of a span of an iteration by a device's events, or a ratio of two; smaller is
	// better
	Device Measure = "device"
	// iterations until the stop, those before the first that counts not among them; infinite where
	// the gap of the stop was not reached; smaller is better
	Iterations Measure = "iterations"
	// milliseconds of CPU an iteration, of those that count; smaller is better
	PerIteration Measure = "ms an iteration"
	// percent of the least time that the scans can take on an H200, see bound; larger is better
	Share   Measure = "share of the bound"
	Own     Measure = "own"      // what Do returns; smaller is better
	OwnRate Measure = "own rate" // what Do returns; larger is better
	// the p-value of a test of the other rows of the label: of two by Mann and Whitney, of more by
	// Friedman with a block a seed
	PValue Measure = "p"
	// and its statistic: of two rows U, of more Friedman's chi-square
	Statistic Measure = "statistic"
	// what the solver measures of itself, as Row.Reading says, after the last iteration
	Reading Measure = "reading"
	// how many times the median of one other row of the label and the instance is that of another
	Ratio Measure = "ratio"
	// the least figure of the seeds of another row, as a paper's best of so many runs
	Least Measure = "least"
)

// Higher tells whether larger figures are better.
func (m Measure) Higher() bool {
	return m == PerSecond || m == Found || m == Share || m == OwnRate || m == Ratio
}

// A Row is one figure.
type Row struct {
	What string // as "gap after 10 s"

	// A run, or:
	Solver  string
	Variant string // empty: the default
	Backend string // empty: "cpu"
	Preset  string // empty: "default"
	Params  record.Values
	Stop    Stop

	// Do measures something that is no run; Function is its name in files of papers.
	Do       func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error)
	Function string

	Reading string // the name of a measure of the solver's own
	// of a ratio: the columns of the rows that are divided, "acs-3:ACS-SEQ" being one of another
	// table, of which the kept figures count; of a test: those it is of, without which it is of all;
	// of the least of seeds: the column of the row whose seeds they are, or the row of the column
	Of [2]string
	As AsLong // the run whose seconds are those of this one; without a Solver: none

	Instance string // a name that datasets.Load knows; empty: Do needs none
	Seeds    int    // that many, 0: 5
	First    int    // the first of them; 0: 1
	// Before is the number of iterations before the first that counts, as ga's that makes the first
	// population. Stop.Iterations has them too.
	Before int
	// Times multiplies the seconds of iterating, of a run that is only so much of what the row tells
	// of; 0: 1. Iterations up to Before are not multiplied.
	Times float64
	// Sized are parameters, or the iterations, that are so many times the size of the instance.
	Sized []Sized

	// For a paper's table:
	Label  string // of its line there
	Column string // of its column there
	// Group names rows of which the published figure is the mean over all their instances.
	Group     string
	Runs      []float64 // published, of which the published figure is the mean
	Published int       // how many runs the published figure is the mean or the best of; 0: not told
	Apart     string    // why the search is another than the published one; empty: it is that
	FullSeeds int       // of the full table; 0: Seeds
	// AllCores gives the run all cores, and counts wall seconds.
	AllCores bool
	FullOnly bool   // the quick table leaves it out
	Not      string // why it is not measured: the row only holds the published figure

	Measure Measure
	Unit    string // of the figure, as "%"; empty: the measure's own

	// Span is what Device measures: the name of a span (see solvers.Timer), as "construct", or two
	// with a slash or a minus between them. The figure is the median over Stop.Iterations iterations,
	// the tuner's before them not counted; of two spans with a slash the ratio of the medians, with a
	// minus their difference.
	Span string
	// PerSize tells that the figure of a Device is of as many tours as the instance has cities: the
	// time is multiplied by them and divided by the ants.
	PerSize bool

	reading float64 // seconds that reading the instance took

	// Units is how many units an iteration is, for PerSecond and NsPerUnit.
	Units func(inst datasets.Instance, params record.Values) float64

	Peer  Peer
	Reach float64 // the figure to reach; 0: none is stated
}

// Sized is a parameter that is Factor times the size of an instance, rounded up.
type Sized struct {
	Name   string // "iterations": those of the stop
	Factor float64
}

// A Stop ends a run at the first of its limits; 0 is none.
type Stop struct {
	// seconds, opening included; on another backend than cpu wall seconds of iterating
	CPU        float64
	Iterations int
	Gap        float64 // percent; the run ends when it is not above
	// Wall is seconds of the wall, from the instance's file on: reading, opening and iterating, on all
	// cores. PerSecond then counts evaluations a second.
	Wall float64
}

// rule is the stop without its iterations; opened are the CPU seconds that opening took. On a
// device the seconds are those of the wall.
func (s Stop) rule(opened float64, device bool, known *float64) solvers.Stop {
	return func(record.Point) func(*record.Point) string {
		return func(p *record.Point) string {
			spent := p.CPU
			if device {
				spent = p.Wall
			}
			if s.CPU > 0 && opened+spent >= s.CPU {
				return "time"
			}
			if s.Gap > 0 && solvers.Gap(p.Best, known) <= s.Gap {
				return "gap"
			}
			return ""
		}
	}
}

// A Peer is what others reach. Its figure was measured elsewhere unless the row is run with
// the program.
type Peer struct {
	Name    string  // as "linkern"
	Figure  float64 // 0: none is known, unless Known
	Known   bool    // there is a figure though it is 0
	Mark    string  // of a test: better, worse or none where the paper marks that without a p
	Where   string  // machine and source of the figure
	Program string  // of Programs; empty: it cannot be run
	Args    []string
}

// Ants counts the ants of an iteration.
func Ants(_ datasets.Instance, p record.Values) float64 {
	v, _ := p["ants"].Float()
	return v
}

var tables = map[string]Table{}

// Register adds a table. A name in use, or a row that measures nothing, is a mistake of the program
// and panics.
func Register(t Table) {
	if _, ok := tables[t.Name]; ok || t.Name == "" {
		panic(fmt.Sprintf("bench: table %q is registered twice, or has no name", t.Name))
	}
	for i, r := range t.Rows {
		if err := r.check(); err != nil {
			panic(fmt.Sprintf("bench: table %s, row %d (%s): %v", t.Name, i+1, r.What, err))
		}
	}
	tables[t.Name] = t
}

// check tells what is wrong with a row.
func (r *Row) check() error {
	own := r.Measure == Own || r.Measure == OwnRate
	sized := slices.ContainsFunc(r.Sized, func(s Sized) bool { return s.Name == "iterations" })
	switch {
	case r.Not != "":
		if r.Solver != "" || r.Do != nil {
			return fmt.Errorf("a row that is not measured names a solver or a function")
		}
	case (r.Measure == Reading) != (r.Reading != ""):
		return fmt.Errorf("a measure of the solver's own has a name, and nothing else has: " +
			"reading=hit_ratio")
	case r.Measure == Least && (r.Of[0] == "" || r.Of[1] != ""):
		return fmt.Errorf("the least of seeds is of one column or row, as of=mean")
	case r.Measure == Ratio && r.Of[1] == "":
		return fmt.Errorf("a ratio is of two columns, as of=CPU/GPU")
	case r.Of != [2]string{} && !r.derived():
		return fmt.Errorf("of= belongs to a ratio, a test of two columns or the least of seeds")
	case r.derived():
		if r.Solver != "" || r.Do != nil {
			return fmt.Errorf("a test of rows names a solver or a function")
		}
	case (r.Solver == "") == (r.Do == nil):
		return fmt.Errorf("either a solver or a function is to be measured")
	case own != (r.Do != nil):
		return fmt.Errorf("measure %q belongs to a function or to a run, not to the other", r.Measure)
	case r.Solver != "" && r.Instance == "":
		return fmt.Errorf("a run needs an instance")
	case r.As != (AsLong{}) && (r.Solver == "" || r.Stop.CPU > 0 || r.Stop.Wall > 0):
		return fmt.Errorf("as= gives a run its seconds, and nothing else does")
	case r.Solver != "" && r.Stop == (Stop{}) && !sized && r.As == (AsLong{}):
		return fmt.Errorf("a run needs a stop")
	case (r.Measure == Device) != (r.Span != ""), r.Measure == Device && r.Stop.Iterations == 0:
		return fmt.Errorf("a device's span and a number of iterations belong together")
	case r.Times != 0 && r.Measure != Seconds:
		return fmt.Errorf("times belongs to seconds, not to %s", r.Measure)
	case r.PerSize && r.Measure != Device:
		return fmt.Errorf("tours=n belongs to a device's times")
	case (r.Measure == PerSecond && r.Stop.Wall == 0 || r.Measure == NsPerUnit) != (r.Units != nil):
		return fmt.Errorf("units belong to a rate")
	}
	return nil
}

// Tables lists the tables: our own by name, then the papers' in their order.
func Tables() []Table {
	published()
	out := make([]Table, 0, len(tables))
	for _, t := range tables {
		out = append(out, t)
	}
	slices.SortFunc(out, order)
	return out
}

// Find returns the table of a name.
func Find(name string) (Table, error) {
	published()
	t, ok := tables[name]
	if !ok {
		var known []string
		for _, t := range Tables() {
			known = append(known, t.Name)
		}
		return Table{}, fmt.Errorf(
			"bench: there is no table %q; there are %s", name, strings.Join(known, ", "),
		)
	}
	return t, nil
}

// unit is the unit of the row's figure.
func (r *Row) unit() string {
	if r.Unit != "" {
		return r.Unit
	}
	switch r.Measure {
	case Gap:
		return "%"
	case Seconds:
		return "s"
	case Device:
		return "ms"
	case Memory:
		return "MB"
	case PerIteration:
		return "ms"
	case NsPerUnit:
		return "ns"
	case PerSecond:
		return "/s"
	case Found:
		return "found"
	case PValue:
		return "p"
	case Ratio:
		return "times"
	case Best, Iterations, Own, OwnRate, Least:
	}
	return ""
}

// matches tells whether the row is meant: by its number, from 1, or by words each of which begins a
// word of its name, its solver, variant or instance.
func (r *Row) matches(word string, number int) bool {
	if n, err := strconv.Atoi(word); err == nil || word == "" {
		return word == "" || n == number
	}
	all := strings.Fields(
		strings.ToLower(strings.Join([]string{r.What, r.Solver, r.Variant, r.Instance}, " ")),
	)
	for _, w := range strings.Fields(strings.ToLower(word)) {
		if !slices.ContainsFunc(all, func(have string) bool { return strings.HasPrefix(have, w) }) {
			return false
		}
	}
	return true
}
