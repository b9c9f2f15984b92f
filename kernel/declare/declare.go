// Package declare makes programs of solvers and problems that are declared where Go is interpreted:
// at the prompt and in the cells of a kernel that interprets them.
//
// Interpreted Go is slow, and ends with its session. A solver that is declared there runs at full
// speed and continues afterwards: the declarations that it needs become a separate program, which
// Go compiles.
package declare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"metalab/kernel/eval"
	"metalab/kernel/guest"
	"metalab/kernel/wire"
)

// standalone cuts out of the present input the source of a program.
type standalone interface {
	Standalone(pkg, function, first string) ([]byte, int, error)
}

// Solver builds the program of a solver that the present input of an evaluator declares, and
// returns the request for the host, and a function to call afterwards.
func Solver(ctx context.Context, in eval.Evaluator, solver string) (
	q wire.DeclareRequest, done func(), err error,
) {
	done = func() {}
	ev, ok := in.(standalone)
	if !ok {
		return q, done, errors.New("declare: no Go is typed here")
	}
	src, line, err := ev.Standalone("lab", "Declare", solver)
	if err != nil {
		return q, done, fmt.Errorf("declare: %s: where Go is interpreted the name is a string in the "+
			"call itself, and the constructor stands beside it: %w", solver, err)
	}
	dir, err := os.MkdirTemp("", "metalab-declare-*")
	if err != nil {
		return q, done, err
	}
	done = func() { os.RemoveAll(dir) }
	q = wire.DeclareRequest{Solver: solver, Program: filepath.Join(dir, solver)}
	for {
		if err = os.WriteFile(filepath.Join(dir, "main.go"), src, 0o600); err != nil {
			break
		}
		out, berr := guest.Build(ctx, filepath.Join(dir, "main.go"), q.Program)
		if berr == nil {
			q.Source, q.Line = src, line
			return q, done, nil
		}
		smaller, changed := eval.Unused(src, out)
		if line -= strings.Count(string(src), "\n") - strings.Count(string(smaller), "\n"); !changed {
			err = buildError(in, solver, out, berr)
			break
		}
		src = smaller
	}
	done()
	return q, func() {}, err
}

// Problem returns the source of a problem that the present input of an evaluator declares, which
// the host compiles.
func Problem(in eval.Evaluator, problem string) (wire.DeclareRequest, error) {
	q := wire.DeclareRequest{Solver: problem, Problem: true}
	ev, ok := in.(standalone)
	if !ok {
		return q, errors.New("declare: no Go is typed here")
	}
	var err error
	if q.Source, q.Line, err = ev.Standalone("lab", "DeclareProblem", problem); err != nil {
		return q, fmt.Errorf("declare: %s: where Go is interpreted the name is a string in the "+
			"call itself, and the constructor stands beside it: %w", problem, err)
	}
	return q, nil
}

// buildError is the compiler's first error.
func buildError(in eval.Evaluator, solver, out string, err error) error {
	if errors.Is(err, guest.ErrNoGo) || out == "" {
		return fmt.Errorf("declare: %w", err)
	}
	for line := range strings.Lines(out) {
		_, msg, ok := strings.Cut(strings.TrimSpace(line), "main.go:")
		if !ok {
			continue
		}
		_, msg, _ = strings.Cut(msg, ": ")
		if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
			for _, v := range in.Vars() {
				if v.Name == name {
					return fmt.Errorf("declare: %s uses the variable %s, which it does not have in a process of "+
						"its own: variables of numbers and strings, and slices, arrays and maps of these, to "+
						"64 KiB, go there with their values; make it a constant, a parameter or a field", solver,
						name)
				}
			}
		}
		return fmt.Errorf("declare: %s: %s", solver, msg)
	}
	return fmt.Errorf("declare: %s: go build: %w: %s", solver, err, strings.TrimSpace(out))
}
