package bench

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"metalab/datasets"
)

// AsLong is a run whose seconds are the limit of another's, on the same backend, instance and seed.
type AsLong struct {
	Solver, Variant string
	Preset          string // empty: "default"
	Iterations      int
}

// parseAsLong reads "acs/alt,preset=paper,iterations=1000".
func parseAsLong(s string) (AsLong, error) {
	wrong := func(what string) (AsLong, error) {
		return AsLong{}, fmt.Errorf("as is %q: %s, want as acs/alt,preset=paper,iterations=1000", s, what)
	}
	parts := strings.Split(s, ",")
	a := AsLong{}
	a.Solver, a.Variant, _ = strings.Cut(parts[0], "/")
	if a.Solver == "" || a.Variant == "" {
		return wrong("it begins with no variant")
	}
	for _, p := range parts[1:] {
		k, v, _ := strings.Cut(p, "=")
		switch {
		case k == "preset" && v != "" && a.Preset == "":
			a.Preset = v
		case k == "iterations" && a.Iterations == 0:
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 {
				return wrong(fmt.Sprintf("iterations are %q", v))
			}
			a.Iterations = n
		default:
			return wrong(fmt.Sprintf("%q has no meaning there", p))
		}
	}
	if a.Iterations == 0 {
		return wrong("it tells no iterations")
	}
	return a, nil
}

// String is the run as files of papers name it.
func (a AsLong) String() string {
	s := a.Solver + "/" + a.Variant
	if a.Preset != "" {
		s += ",preset=" + a.Preset
	}
	return fmt.Sprintf("%s,iterations=%d", s, a.Iterations)
}

// seconds makes the run and returns what it took: seconds of the CPU with those of opening, on
// another backend seconds of the wall of iterating, as the limit of a row counts them.
func (a AsLong) seconds(
	ctx context.Context, backend string, inst datasets.Instance, seed uint64,
) (float64, error) {
	r := Row{
		Solver: a.Solver, Variant: a.Variant, Backend: backend, Preset: a.Preset,
		Stop: Stop{Iterations: a.Iterations}, Measure: Seconds,
	}
	s, _, err := r.once(ctx, inst, seed)
	return s, err
}
