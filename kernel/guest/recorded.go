package guest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A Recorded is a code of a declared solver as a record holds it.
type Recorded struct {
	ID     string
	Text   string // as it stands in the record: a line about it, and the source
	Source string // that makes the solver; empty where the record has none

	problem string // the name of the problem that it makes; empty: a solver
}

// Problem is the name of the problem that the code makes; empty: it makes a solver.
func (r Recorded) Problem() string { return r.problem }

// Lines is the number of lines of the source.
func (r Recorded) Lines() int { return strings.Count(r.Source, "\n") }

// Codes are the codes that a record's run had, in their order; none where its solver was not
// declared by somebody.
func Codes(rec *record.Record) (all []Recorded) {
	if ref := rec.Header.Instance; ref.Kind == string(datasets.KindOwn) && len(ref.SHA256) >= 10 {
		r := Recorded{ID: ref.SHA256[:10], problem: ref.Name}
		r.Text = rec.Header.Sources[r.ID]
		_, source, _ := strings.Cut(r.Text, "\n")
		if hash(source) == r.ID {
			r.Source = source
		}
		all = append(all, r)
	}
	if rec.Header.Variant != VariantName {
		return all
	}
	need := func(v record.Value, sources map[string]string) {
		id, ok := v.Word()
		if !ok || slices.ContainsFunc(all, func(r Recorded) bool { return r.ID == id }) {
			return
		}
		r := Recorded{ID: id, Text: sources[id]}
		_, source, _ := strings.Cut(r.Text, "\n")
		if hash(source) == id { // else it is not what the run had, or could not be had
			r.Source = source
		}
		all = append(all, r)
	}
	need(rec.Header.Params[codeParam], rec.Header.Sources)
	for _, c := range rec.Journal {
		switch {
		case c.Kind == record.KindSet && c.Name == codeParam:
			need(c.New, c.Sources)
		case c.Kind == record.KindFork:
			need(c.With[codeParam], c.Sources)
		}
	}
	return all
}

// Lacking are the codes of a record that were not declared to this session.
func (s *Session) Lacking(rec *record.Record) []Recorded {
	ref, known := rec.Header.Instance, s.Known(rec.Header.Solver)
	return slices.DeleteFunc(Codes(rec), func(r Recorded) bool {
		if r.problem != "" {
			return s.coded(ref.Name, ref.SHA256) != nil
		}
		return slices.Contains(known, r.ID)
	})
}

// Restore compiles the codes in a record, and registers them as if they had been declared before
// all that this session knows of the solver. It calls each after each compilation.
func (s *Session) Restore(
	ctx context.Context, solver string, codes []Recorded, each func(done int),
) error {
	before := 0
	if len(codes) > 0 && codes[0].problem != "" {
		_, _, err := s.DeclareProblem(ctx, wire.DeclareRequest{
			Solver: codes[0].problem, Source: []byte(codes[0].Source), Exact: true, Problem: true,
		})
		each(1)
		if err != nil || len(codes) == 1 {
			return err
		}
		codes, before = codes[1:], 1
	}
	if err := s.makeDir(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(s.dir, "build*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, errs := make([]string, len(codes)), make([]error, len(codes))
	var mu sync.Mutex
	done := 0
	var wg sync.WaitGroup
	free := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)) // go build uses several cores
	for i, c := range codes {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			programs[i], errs[i] = compile(ctx, filepath.Join(dir, c.ID), false, c.Source)
			mu.Lock()
			defer mu.Unlock()
			done++
			each(before + done)
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("code %s of %s: %w", codes[i].ID, solver, err)
		}
	}
	newest := len(s.Known(solver)) > 0 // of this session; it stays the newest
	if newest {
		slices.Reverse(codes)
		slices.Reverse(programs)
	}
	for i, c := range codes {
		_, _, err := s.declare(ctx, wire.DeclareRequest{
			Solver: solver, Program: programs[i], Source: []byte(c.Source), Exact: true,
		}, newest)
		if err != nil {
			return err
		}
	}
	return nil
}

// compile makes a program of the source of a solver, and of other files, in a new folder; with gpu
// the layer of GPUs is built in.
func compile(
	ctx context.Context, dir string, gpu bool, source string, more ...string,
) (program string, err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "solver")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		return "", err
	}
	files := []string{file}
	for i, text := range more {
		files = append(files, filepath.Join(dir, fmt.Sprintf("more%d.go", i)))
		if err := os.WriteFile(files[i+1], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	out, err := build(ctx, files, program, gpu)
	if err == nil {
		return program, nil
	}
	for line := range strings.Lines(out) {
		if _, msg, ok := strings.Cut(line, "main.go:"); ok {
			return "", fmt.Errorf("line %s", strings.TrimSpace(msg))
		}
	}
	if out = strings.TrimSpace(out); out == "" {
		return "", err
	}
	return "", fmt.Errorf("%w: %s", err, out)
}
