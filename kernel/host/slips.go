package host

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers"
)

// misplaced returns an error if a request to open a run lacks solver or instance, or has the
// instance in the solver's place.
func misplaced(q *wire.OpenRequest) error {
	if q.Solver == "" {
		return wrong("open: solver and instance are needed, as in: open acs pr1002 as a")
	}
	kind, swapped := kindOf(q.Solver)
	if q.Instance != "" && swapped {
		_, second := kindOf(q.Instance)
		swapped = !second
	}
	switch {
	case swapped:
		with := filepath.Base(q.Instance)
		if q.Instance == "" {
			with = solverFor(kind)
		}
		return wrong(fmt.Sprintf("open: %s is an instance, and the solver stands before it: "+
			"open %s %s; solvers lists them, and solve %s chooses one", q.Solver, with, q.Solver, q.Solver))
	case q.Instance == "":
		return wrong(fmt.Sprintf("open: instance is missing (the name or the file of one), as in: "+
			"open %s pr1002 as a; instances lists them", q.Solver))
	}
	return nil
}

// kindOf is the kind of the instance that a word names, empty where it is not known; ok is false
// for a word that names a solver, or no instance.
func kindOf(word string) (kind datasets.Kind, ok bool) {
	if isSolver(word) {
		return "", false
	}
	if isFileName(word) {
		return "", true
	}
	return datasets.KindOf(word)
}

// isFileName reports whether a word ends as files of instances do.
func isFileName(word string) bool {
	switch strings.ToLower(filepath.Ext(word)) {
	case ".tsp", ".atsp", ".dat", ".col", ".mc", ".coo", ".qubo", ".sparse", ".csv", ".tsv":
		return true
	}
	return false
}

// elsewhere adds to the error of a parameter that a variant has not what the name is an argument
// of, or which variants have it.
func elsewhere(err error, run string, v solvers.Variant, inst datasets.Instance) error {
	var unknown *solvers.UnknownParamError
	if !errors.As(err, &unknown) {
		return err
	}
	say := ""
	switch unknown.Name {
	case "time", "wall", "seconds", "budget", "timeout", "limit", "maxtime", "max_time", "time_limit":
		say = "how long it goes on is said to step: step %s 60s"
	case "cpu":
		say = "how long it goes on is said to step: step %s 60cpu"
	case "iterations", "n", "iters", "steps", "generations", "maxiter", "max_iter":
		say = "how many iterations are made is said to step: step %s 1000"
	case "until", "gap", "target", "stall":
		say = "when it ends is said to step: step %s until gap<1"
	case "seeds", "repeats", "trials", "runs", "repeat", "tries":
		say = "the same over many seeds is made by repeat: repeat %s 10"
	default:
		return fmt.Errorf("%w%s", err, havers(v, inst, unknown.Name))
	}
	return fmt.Errorf("%w; "+say, err, run)
}
