package know

import (
	"context"
	"slices"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

var _ words.Knowledge = (*Known)(nil)

// Runs implements words.Knowledge.
func (k *Known) Runs() []reply.Status {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.runs)
}

// Params implements words.Knowledge: the parameters of a run, asked for once and again
// after each change.
func (k *Known) Params(run string) []reply.Param { return k.paramsOf(run, soon) }

func (k *Known) paramsOf(run string, wait time.Duration) []reply.Param {
	k.mu.Lock()
	ps, known := k.params[run]
	open := slices.ContainsFunc(k.runs, func(r reply.Status) bool { return r.Run == run })
	k.mu.Unlock()
	if known || !open {
		return ps
	}
	var r reply.ParamsReply
	if !k.ask(wait, "params", &wire.ParamsRequest{Run: run}, &r) {
		return nil
	}
	k.mu.Lock()
	k.params[run] = r.Params
	k.mu.Unlock()
	return r.Params
}

// SolverParams implements words.Knowledge.
func (k *Known) SolverParams(solver string) []reply.Param {
	var r reply.SolversReply
	if !k.ask(soon, "solvers", &wire.SolversRequest{Solver: solver}, &r) {
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
func (k *Known) Solvers() []reply.Variant { return k.solversWithin(soon) }

func (k *Known) solversWithin(wait time.Duration) []reply.Variant {
	k.mu.Lock()
	vs := k.solvers
	k.mu.Unlock()
	if vs != nil {
		return vs
	}
	var r reply.SolversReply
	if !k.ask(wait, "solvers", &wire.SolversRequest{}, &r) {
		return nil
	}
	k.mu.Lock()
	k.solvers, k.named = r.Variants, r.Names
	k.mu.Unlock()
	return r.Variants
}

// Names implements words.Knowledge and words.Book.
func (k *Known) Names() []reply.SolverName { return k.namesWithin(soon) }

func (k *Known) namesWithin(wait time.Duration) []reply.SolverName {
	k.solversWithin(wait) // asks for both
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.named
}

// Instances implements words.Knowledge.
func (k *Known) Instances() []string { return k.instancesWithin(soon) }

func (k *Known) instancesWithin(wait time.Duration) []string {
	k.mu.Lock()
	names := k.names
	k.mu.Unlock()
	if names != nil {
		return names
	}
	var r reply.InstancesReply
	if !k.ask(wait, "instances", &wire.InstancesRequest{}, &r) {
		return nil
	}
	k.mu.Lock()
	k.names, k.kinds = r.Names, map[string]string{}
	for _, i := range r.Instances {
		k.kinds[i.Name] = i.Kind
	}
	k.mu.Unlock()
	return r.Names
}

// KindOf implements words.Knowledge.
func (k *Known) KindOf(instance string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kinds[instance]
}

// Tables implements words.Knowledge.
func (k *Known) Tables() []reply.BenchTable {
	k.mu.Lock()
	tables := k.tables
	k.mu.Unlock()
	if tables != nil {
		return tables
	}
	var r reply.BenchReply
	if !k.ask(soon, "bench", &wire.BenchRequest{}, &r) {
		return nil
	}
	k.mu.Lock()
	k.tables = r.Tables
	k.mu.Unlock()
	return r.Tables
}

// Autosaves implements words.Knowledge: the last list of recover, or a new one if that is old.
func (k *Known) Autosaves() []reply.Autosave {
	k.mu.Lock()
	list, old := k.saved, time.Since(k.savedAt) > 2*time.Second
	k.mu.Unlock()
	if !old {
		return list
	}
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	k.ListSaved(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.saved
}

// ListSaved asks the host for the list of autosaves; without an answer in time the old list stays.
func (k *Known) ListSaved(ctx context.Context) {
	var r reply.RecoverReply
	if k.Host().Do(ctx, "recover", &wire.RecoverRequest{}, &r) != nil {
		return
	}
	k.mu.Lock()
	k.saved, k.savedAt = r.Autosaves, time.Now()
	k.mu.Unlock()
}

// Variants implements words.Book.
func (k *Known) Variants(q wire.SolversRequest) []reply.Variant {
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	var r reply.SolversReply
	if k.Host().Do(ctx, "solvers", &q, &r) != nil {
		return nil // no solver has this name, or none has such a parameter
	}
	return r.Variants
}

// How long an answer is waited for: by completion, while somebody types, and by help.
const (
	soon    = 100 * time.Millisecond
	patient = 10 * time.Second
)

// ask asks the host for something that completion or help needs; it does not wait for longer.
func (k *Known) ask(wait time.Duration, verb string, request, reply any) bool {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	return k.Host().Do(ctx, verb, request, reply) == nil
}

// Patient is what is known for help, which unlike completion waits for a slow answer. With what
// is said of names of Go it is a words.Book.
type Patient struct{ *Known }

// Params implements words.Book.
func (p Patient) Params(run string) []reply.Param { return p.paramsOf(run, patient) }

// Names implements words.Book.
func (p Patient) Names() []reply.SolverName { return p.namesWithin(patient) }

// Instances implements words.Book.
func (p Patient) Instances() []string { return p.instancesWithin(patient) }
