package host

import (
	"fmt"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// noEffect ends the sentence of a parameter that only GPUs heed.
const noEffect = "Of no effect on cpu."

// idle names those of the given parameters that have no effect on the run's device.
func idle(e *Run, given record.Values) string {
	if e.run.Variant().Backend != "cpu" {
		return ""
	}
	var names []string
	for _, p := range e.Params() {
		if _, ok := given[p.Name]; ok && strings.HasSuffix(p.Doc, noEffect) {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ", ") + ": of no effect on the cpu, where this run is; on a GPU it " +
		"changes the speed and no result"
}

// havers says which variants of a solver have a parameter that one of it, own, has not on an
// instance.
func havers(own solvers.Variant, inst datasets.Instance, name string) string {
	var out []string
	for _, v := range solvers.Variants() {
		if v.Solver != own.Solver || v.Backend != own.Backend || v.Name == own.Name {
			continue
		}
		_, params, err := solvers.Resolve(solvers.Config{
			Solver: v.Solver, Variant: v.Name, Backend: v.Backend, Instance: inst,
		})
		has := func(p record.Param) bool { return p.Name == name }
		if err == nil && slices.ContainsFunc(params, has) {
			out = append(out, v.Solver+"/"+v.Name)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s is one of %s", name, strings.Join(out, ", "))
}
