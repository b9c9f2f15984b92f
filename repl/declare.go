package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"metalab/kernel/wire"
	"metalab/repl/eval"
)

// Go at the prompt is interpreted, which is slow, and ends with the prompt. A solver that is
// declared at the prompt runs at full speed and continues after the prompt has ended: the
// declarations that it needs become a separate program, which Go compiles.

// declare builds the program of a solver that the present input declares, and returns the request
// for the host, and a function to call afterwards.
func (f *front) declare(ctx context.Context,
	solver string,
) (q wire.DeclareRequest, done func(), err error) {
	done = func() {}
	ev, ok := f.eval.(interface {
		Standalone(pkg, function, first string) ([]byte, int, error)
	})
	if !ok {
		return q, done, errors.New("declare: no Go is typed here")
	}
	src, line, err := ev.Standalone("lab", "Declare", solver)
	if err != nil {
		return q, done, fmt.Errorf("declare: %s: at the prompt the name is a string in the line "+
			"itself, and the constructor stands beside it: %w", solver, err)
	}
	root, err := source()
	if err != nil {
		return q, done, err
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
		cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o",
			q.Program, filepath.Join(dir, "main.go"))
		cmd.Dir = root
		out, berr := cmd.CombinedOutput()
		if berr == nil {
			q.Source, q.Line = src, line
			return q, done, nil
		}
		smaller, changed := eval.Unused(src, string(out))
		if line -= strings.Count(string(src), "\n") - strings.Count(string(smaller), "\n"); !changed {
			err = f.buildError(solver, string(out), berr)
			break
		}
		src = smaller
	}
	done()
	return q, func() {}, err
}

// buildError is the compiler's first error.
func (f *front) buildError(solver, out string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("declare: a solver is compiled, and there is no Go here: install it from " +
			"go.dev/dl, or declare the solver in a notebook")
	}
	for line := range strings.Lines(out) {
		_, msg, ok := strings.Cut(strings.TrimSpace(line), "main.go:")
		if !ok {
			continue
		}
		_, msg, _ = strings.Cut(msg, ": ")
		if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
			for _, v := range f.eval.Vars() {
				if v.Name == name {
					return fmt.Errorf("declare: %s uses the variable %s, which it does not have in a process of "+
						"its own: make it a constant, a parameter or a field", solver, name)
				}
			}
		}
		return fmt.Errorf("declare: %s: %s", solver, msg)
	}
	return fmt.Errorf("declare: %s: go build: %w: %s", solver, err, strings.TrimSpace(out))
}

// source is the folder of metalab's source, from which this program was made.
func source() (string, error) {
	_, file, _, ok := runtime.Caller(0)
	for dir := filepath.Dir(file); ok && len(dir) > 1; dir = filepath.Dir(dir) {
		if b, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil &&
			strings.HasPrefix(string(b), "module metalab") {
			return dir, nil
		}
	}
	return "", errors.New("declare: a solver is compiled with metalab's source, and that is not " +
		"where this program was made of it: start the prompt with go run ./repl there")
}
