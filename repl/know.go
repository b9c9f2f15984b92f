package main

import (
	"context"
	"slices"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

var (
	_ words.Knowledge = (*front)(nil)
	_ words.Book      = (*front)(nil)
)

// Runs implements words.Knowledge.
func (f *front) Runs() []reply.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.runs)
}

// Params implements words.Knowledge: the parameters of a run, asked for once and again
// after each change.
func (f *front) Params(run string) []reply.Param {
	f.mu.Lock()
	ps, known := f.params[run]
	open := slices.ContainsFunc(f.runs, func(r reply.Status) bool { return r.Run == run })
	f.mu.Unlock()
	if known || !open {
		return ps
	}
	var r reply.ParamsReply
	if !f.ask("params", &wire.ParamsRequest{Run: run}, &r) {
		return nil
	}
	f.mu.Lock()
	f.params[run] = r.Params
	f.mu.Unlock()
	return r.Params
}

// SolverParams implements words.Knowledge.
func (f *front) SolverParams(solver string) []reply.Param {
	var r reply.SolversReply
	if !f.ask("solvers", &wire.SolversRequest{Solver: solver}, &r) {
		return nil
	}
	for _, v := range r.Variants {
		if v.Default || len(r.Variants) == 1 {
			return v.Params
		}
	}
	return nil
}

// Solvers implements words.Knowledge.
func (f *front) Solvers() []reply.Variant {
	f.mu.Lock()
	vs := f.solvers
	f.mu.Unlock()
	if vs != nil {
		return vs
	}
	var r reply.SolversReply
	if !f.ask("solvers", &wire.SolversRequest{}, &r) {
		return nil
	}
	f.mu.Lock()
	f.solvers, f.named = r.Variants, r.Names
	f.mu.Unlock()
	return r.Variants
}

// Names implements words.Knowledge and words.Book.
func (f *front) Names() []reply.SolverName {
	f.Solvers() // asks for both
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.named
}

// Instances implements words.Knowledge.
func (f *front) Instances() []string {
	f.mu.Lock()
	names := f.names
	f.mu.Unlock()
	if names != nil {
		return names
	}
	var r reply.InstancesReply
	if !f.ask("instances", &wire.InstancesRequest{}, &r) {
		return nil
	}
	f.mu.Lock()
	f.names = r.Names
	f.mu.Unlock()
	return r.Names
}

// Tables implements words.Knowledge.
func (f *front) Tables() []reply.BenchTable {
	f.mu.Lock()
	tables := f.tables
	f.mu.Unlock()
	if tables != nil {
		return tables
	}
	var r reply.BenchReply
	if !f.ask("bench", &wire.BenchRequest{}, &r) {
		return nil
	}
	f.mu.Lock()
	f.tables = r.Tables
	f.mu.Unlock()
	return r.Tables
}

// Autosaves implements words.Knowledge: the last list of recover, or a new one if that is old.
func (f *front) Autosaves() []reply.Autosave {
	f.mu.Lock()
	list, old := f.saved, time.Since(f.savedAt) > 2*time.Second
	f.mu.Unlock()
	if !old {
		return list
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	f.autosaves(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.saved
}

// autosaves asks the host for the list of autosaves; without an answer in time the old list stays.
func (f *front) autosaves(ctx context.Context) {
	var r reply.RecoverReply
	if f.host().Do(ctx, "recover", &wire.RecoverRequest{}, &r) != nil {
		return
	}
	f.mu.Lock()
	f.saved, f.savedAt = r.Autosaves, time.Now()
	f.mu.Unlock()
}

// Variants implements words.Book.
func (f *front) Variants(q wire.SolversRequest) []reply.Variant {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var r reply.SolversReply
	if f.host().Do(ctx, "solvers", &q, &r) != nil {
		return nil // no solver has this name, or none has such a parameter
	}
	return r.Variants
}

// Go implements words.Book.
func (f *front) Go(name string) (string, bool) {
	ev, err := f.goEval()
	if err != nil {
		return "", false
	}
	d, ok := ev.(interface {
		Describe(name string) (string, bool)
	})
	if !ok {
		return "", false
	}
	return d.Describe(name)
}

// Dir implements words.Knowledge.
func (f *front) Dir() string { return f.dir }

// ask asks the host for something that completion needs; it does not wait for a slow answer.
func (f *front) ask(verb string, request, reply any) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	return f.host().Do(ctx, verb, request, reply) == nil
}
