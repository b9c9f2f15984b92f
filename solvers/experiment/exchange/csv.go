package exchange

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"metalab/solvers/experiment"
)

// columns are the columns of a CSV file of runs before those of varied parameters.
var columns = []string{
	"unit", "label", "solver", "variant", "backend", "instance", "size", "seed", "budget", "state",
	"best", "optimum", "gap", "iterations", "evaluations", "wall_s", "cpu_s", "ended", "machine",
	"device", "why", "error",
}

// about are the columns after them, of what is said of the instance: which values are better, the
// kind of problem, the hash of the data, and of a problem of somebody's own the parameters that are
// its, as "penalty=1", or none.
var about = []string{"sense", "kind", "sha256", "own"}

// CSV writes a line for each unit of an experiment, after a line with the names of the columns:
// fixed ones, four that say which values are better and what the instance is, and one for each
// varied parameter. Unknown values are empty. It returns the number of units. Cell formats texts.
func CSV(ctx context.Context, s experiment.Store, name string, w io.Writer) (units int, err error) {
	seen := map[string]bool{}
	for r, err := range s.Rows(ctx, name) {
		if err != nil {
			return 0, fmt.Errorf("exchange: %w", err)
		}
		for n := range r.Unit.Varied {
			seen[n] = true
		}
	}
	varied := slices.Sorted(maps.Keys(seen))
	out := csv.NewWriter(w)
	head := slices.Concat(columns, about)
	for _, n := range varied {
		if isFixed(n) {
			n = prefix + n
		}
		head = append(head, n)
	}
	if err := out.Write(Cells(head)); err != nil {
		return 0, fmt.Errorf("exchange: %w", err)
	}
	for r, err := range s.Rows(ctx, name) {
		if err != nil {
			return units, fmt.Errorf("exchange: %w", err)
		}
		units++
		if err := out.Write(Cells(fields(runOf(r), &r.Unit, varied))); err != nil {
			return units, fmt.Errorf("exchange: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return units, fmt.Errorf("exchange: %w", err)
	}
	return units, nil
}

// fields are the fields of a line.
func fields(r Run, u *experiment.Unit, varied []string) []string {
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	count := func(v int64) string { return strconv.FormatInt(v, 10) }
	ended := ""
	if r.Ended != nil {
		ended = time.UnixMicro(*r.Ended).UTC().Format(layout)
	}
	kind, sum, own := aboutOf(u)
	out := []string{
		count(int64(r.Unit)), r.Label, r.Solver, r.Variant, r.Backend, r.Instance, count(r.Size),
		strconv.FormatUint(u.Seed, 10), r.Budget, r.State,
		number(r.Best), number(r.Optimum), number(r.Gap), count(r.Iterations), count(r.Evaluations),
		number(r.Wall), number(r.CPU), ended, r.Machine, r.Device, r.Why, r.Error,
		senseWord(u.Instance.Maximise), kind, sum, own,
	}
	for _, n := range varied {
		out = append(out, u.Varied[n].String())
	}
	return out
}
