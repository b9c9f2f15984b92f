package exchange

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// version is that of the layout, which readers look at: the one of an IOHexperimenter that writes
// it.
const version = "0.3.17"

// The JSON of the layout.
type (
	iohFile struct {
		Version      string              `json:"version"`
		Suite        string              `json:"suite"`
		FunctionID   int                 `json:"function_id"`
		FunctionName string              `json:"function_name"`
		Maximization bool                `json:"maximization"`
		Algorithm    iohAlgorithm        `json:"algorithm"`
		Experiment   []map[string]string `json:"experiment_attributes,omitempty"`
		RunAttrs     []string            `json:"run_attributes,omitempty"`
		Attributes   []string            `json:"attributes"`
		Scenarios    []iohScenario       `json:"scenarios"`

		budget string  // of the runs
		own    *iohOwn // of the attributes; nil: the instance is no problem of somebody's own
	}
	iohOwn struct {
		names  []string
		values record.Values
	}
	iohAlgorithm struct {
		Name string `json:"name"`
		Info string `json:"info"`
	}
	iohScenario struct {
		Dimension int      `json:"dimension"`
		Path      string   `json:"path"`
		Runs      []iohRun `json:"runs"`
	}
	iohRun struct {
		Instance int     `json:"instance"`
		Evals    int64   `json:"evals"`
		Best     iohBest `json:"best"`

		Seed *float64 `json:"seed,omitempty"`
		Wall *float64 `json:"wall_s,omitempty"`
		CPU  *float64 `json:"cpu_s,omitempty"`
	}
	iohBest struct {
		Evals int64     `json:"evals"`
		Y     float64   `json:"y"`
		X     []float64 `json:"x"`
	}
)

// suite is that of the files that this package writes.
const suite = "metalab"

// ownAttribute is the attribute that has the parameters of a problem of somebody's own.
const ownAttribute = "own"

// runAttributes are the numbers that each run has.
var runAttributes = []string{"seed", "wall_s", "cpu_s"}

// A scenario is the runs of a label on an instance, whose traces are written as they come.
type scenario struct {
	file   iohFile
	folder string // of the label
	done   []experiment.Row
}

// A run is a label on an instance for a budget.
type run struct {
	column
	budget string
}

// IOHprofiler writes the units of an experiment that are done into a folder in the layout of
// IOHprofiler; see the package's text. The folder must be missing or empty. It returns the number
// of units.
func IOHprofiler(ctx context.Context, s experiment.Store, name, dir string) (units int, err error) {
	scenarios, err := scenariosOf(ctx, s, name)
	if err != nil {
		return 0, err
	}
	switch list, err := os.ReadDir(dir); {
	case err == nil && len(list) > 0:
		return 0, fmt.Errorf("exchange: folder %s is not empty, want a new one: old files beside new "+
			"ones would be read, too", dir)
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return 0, fmt.Errorf("exchange: %w", err)
	}
	for _, sc := range scenarios {
		if err := sc.write(ctx, s, name, dir); err != nil {
			return units, err
		}
		units += len(sc.done)
	}
	return units, nil
}

// scenariosOf reads what is done, by label and instance.
func scenariosOf(ctx context.Context, s experiment.Store, name string) ([]*scenario, error) {
	var out []*scenario
	at := map[run]*scenario{}
	budgets := map[string]bool{}
	var functions []place // by number, from 1 on
	folders := map[[2]string]string{}
	for r, err := range s.Rows(ctx, name) {
		if err != nil {
			return nil, fmt.Errorf("exchange: %w", err)
		}
		u := &r.Unit
		on := place{u.Instance.Name, u.Instance.SHA256}
		if !slices.Contains(functions, on) {
			functions = append(functions, on)
		}
		if r.State != experiment.Done || math.IsNaN(r.Result.Best) {
			continue
		}
		key := run{column{on, u.Label}, u.Budget.String()}
		budgets[key.budget] = true
		sc := at[key]
		if sc == nil {
			called := [2]string{u.Label, key.budget}
			if folders[called] == "" {
				folders[called] = fmt.Sprintf("%d_%s", len(folders)+1, plain(u.Label))
			}
			sc = &scenario{folder: folders[called], file: iohFile{
				Version: version, Suite: suite, FunctionID: slices.Index(functions, on) + 1,
				Maximization: u.Instance.Maximise,
				Algorithm:    iohAlgorithm{Name: u.Label, Info: u.Solver + "/" + u.Variant},
				budget:       key.budget,
				Experiment:   attributes(u), RunAttrs: runAttributes,
				Attributes: []string{"evaluations", "raw_y"},
			}}
			at[key] = sc
			out = append(out, sc)
		}
		sc.done = append(sc.done, r)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("exchange: experiment %s has no unit that is done", name)
	}
	for _, sc := range out {
		if len(budgets) > 1 {
			sc.file.Algorithm.Name += ", " + sc.file.budget // as in tables
		}
		sc.file.FunctionName = functions[sc.file.FunctionID-1].in(functions)
	}
	return out, nil
}

// write writes the files of the scenario.
func (sc *scenario) write(ctx context.Context, s experiment.Store, name, dir string) error {
	slices.SortStableFunc(sc.done, func(a, b experiment.Row) int {
		switch {
		case a.Unit.Seed < b.Unit.Seed:
			return -1
		case a.Unit.Seed > b.Unit.Seed:
			return 1
		}
		return a.Unit.Number - b.Unit.Number
	})
	f := &sc.file
	u := &sc.done[0].Unit
	stem := fmt.Sprintf("f%d_%s", f.FunctionID, plain(f.FunctionName))
	size := max(u.Instance.Size, 1)
	data := fmt.Sprintf("data_%s/IOHprofiler_f%d_DIM%d.dat", stem, f.FunctionID, size)
	base := filepath.Join(dir, sc.folder)
	if err := os.MkdirAll(filepath.Join(base, filepath.Dir(data)), 0o755); err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	scene := iohScenario{Dimension: size, Path: data}
	err := record.Atomic(filepath.Join(base, data), func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		for _, r := range sc.done {
			points, err := s.Trace(ctx, name, r.Unit.Number)
			if err != nil {
				return err
			}
			run := traceLines(b, r.Result, points, u.Instance.Sense())
			seed := float64(r.Unit.Seed)
			run.Seed, run.Wall, run.CPU = &seed, known(r.Result.Wall), known(r.Result.CPU)
			scene.Runs = append(scene.Runs, run)
		}
		return b.Flush()
	})
	if err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	f.Scenarios = []iohScenario{scene}
	err = record.Atomic(filepath.Join(base, "IOHprofiler_"+stem+".json"), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "\t")
		return e.Encode(f)
	})
	if err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	return nil
}

// traceLines writes the trace of a run and returns what is said of it.
func traceLines(
	b *bufio.Writer, v experiment.Result, points []experiment.TracePoint, sense record.Sense,
) iohRun {
	b.WriteString("evaluations raw_y\n")
	counts := func(p experiment.TracePoint) int64 { // what the solver counts, or its iterations
		if v.Evaluations > 0 {
			return p.Evaluations
		}
		return p.Iteration
	}
	line := func(at int64, y float64) {
		b.WriteString(strconv.FormatInt(at, 10))
		b.WriteByte(' ')
		b.WriteString(strconv.FormatFloat(sense.Value(y), 'f', -1, 64))
		b.WriteByte('\n')
	}
	all := max(v.Evaluations, 1)
	if v.Evaluations == 0 {
		all = max(v.Iterations, 1)
	}
	if len(points) == 0 {
		points = []experiment.TracePoint{{Iteration: all, Evaluations: all, Best: v.Best}}
	}
	run := iohRun{Instance: 1, Evals: all, Best: iohBest{Y: sense.Value(v.Best), X: []float64{}}}
	last := int64(0)
	for _, p := range points {
		if !finite(p.Best) {
			continue
		}
		at := counts(p)
		if last == 0 && at != 1 {
			line(1, p.Best)
			last = 1
		}
		if at > last {
			line(at, p.Best)
			last = at
		}
		if run.Best.Evals == 0 && p.Best <= v.Best {
			run.Best.Evals = max(at, 1)
		}
	}
	if run.Best.Evals == 0 {
		run.Best.Evals = all
	}
	run.Evals = max(all, last)
	return run
}

// finite reports whether v is a number, and not infinite.
func finite(v float64) bool { return known(v) != nil }

// attributes are what is constant of a label on an instance.
func attributes(u *experiment.Unit) []map[string]string {
	all := map[string]string{
		"solver": u.Solver, "variant": u.Variant, "backend": u.Backend, "budget": u.Budget.String(),
	}
	for n, v := range u.Params {
		if n = plain(n); !reserved[n] {
			all[n] = v.String()
		}
	}
	if own := ownText(u); own != "" {
		all[ownAttribute] = own
	}
	var out []map[string]string
	for _, n := range slices.Sorted(maps.Keys(all)) {
		text := all[n]
		if evaluated[text] {
			text = strconv.Quote(text)
		}
		out = append(out, map[string]string{n: text})
	}
	return out
}

// reserved are attributes that mean something else to the readers.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for n := range strings.FieldsSeq(`
		data_id algorithm_name algorithm_info suite function_name function_id dimension instance run_id
		evals best_y funcId funcName maximization algId DIM attributes version datafile maxRT finalFV
		final_pos names dim dimnames class levels row.names format ID seed wall_s cpu_s constrained
		contains_full_FV tsp`) {
		m[n] = true
	}
	return m
}()

// evaluated are words that IOHinspector, which evaluates attributes as Python, takes for
// functions; quoted they are words.
var evaluated = func() map[string]bool {
	m := map[string]bool{}
	for n := range strings.FieldsSeq(`
		abs all any ascii bin bool bytes chr compile complex dict dir divmod exit field filter float
		format hash help hex id input int iter json len list map max min next np object oct open ord os
		pl pow print quit range re repr round set slice sorted str sum super tuple type vars warnings
		zip`) {
		m[n] = true
	}
	return m
}()

// plain is text as a part of a file's name: letters, digits and a few signs, at most 60.
func plain(s string) string {
	r := []rune(s)
	r = r[:min(len(r), 60)]
	for i, c := range r {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("._=-", c)) {
			r[i] = '_'
		}
	}
	return string(r)
}
