package host

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

var _ = handle("instances", (*Host).instances)

func (h *Host) instances(_ *Call, q *wire.InstancesRequest) (*reply.InstancesReply, error) {
	rep := &reply.InstancesReply{
		Verb: "instances", Names: []string{}, Instances: []reply.ListedInstance{},
	}
	word := strings.ToLower(q.Match)
	for _, in := range h.guests.Problems() {
		if word == string(in.Kind()) || strings.Contains(strings.ToLower(in.Name()), word) {
			i := reply.ListedInstance{
				Name: in.Name(), Kind: string(in.Kind()), Size: in.Size(), Best: nan, Place: "declared",
			}
			if b, ok := in.BestKnown(); ok {
				i.Best, i.Source = value(in.Form().Sense(), b.Value), b.Source
			}
			rep.Names, rep.Instances = append(rep.Names, i.Name), append(rep.Instances, i)
		}
	}
	kind := slices.Contains(datasets.Kinds(), datasets.Kind(word))
	for _, e := range datasets.Catalogue() {
		if kind && string(e.Kind) != word ||
			!kind && !strings.Contains(strings.ToLower(e.Name), word) {
			continue
		}
		i := reply.ListedInstance{
			Name: e.Name, Kind: string(e.Kind), Size: e.Size, Best: nan,
			Place: string(e.Place), Path: e.Path,
		}
		if e.HasBest {
			i.Best = value(record.Sense(e.Maximise), e.Best.Value)
			i.Proven, i.Source = e.Best.Proven, e.Best.Source
		}
		rep.Names = append(rep.Names, e.Name)
		rep.Instances = append(rep.Instances, i)
	}
	return rep, nil
}

var _ = handle("instance", (*Host).instance)

func (h *Host) instance(c *Call, q *wire.InstanceRequest) (*reply.InstanceReply, error) {
	if q.Name == "" {
		return nil, wrong("instance: which one? as in: instance pr1002")
	}
	t0 := time.Now()
	inst, err := h.load1(c, q.Name)
	if err != nil {
		return nil, err
	}
	rep := &reply.InstanceReply{Verb: "instance", LoadS: reply.Num(time.Since(t0).Seconds())}
	rep.Instance = reply.Instance{
		Name: inst.Name(), Kind: string(inst.Kind()), Size: inst.Size(),
		Best: nan, SHA256: inst.SHA256(),
	}
	rep.Warning = datasets.NotesText(inst)
	if t, ok := inst.(*datasets.TSP); ok {
		rep.Fixed = t.FixedText()
	}
	if filepath.IsAbs(q.Name) {
		rep.Path = q.Name
	}
	if b, ok := inst.BestKnown(); ok {
		rep.Best = value(solvers.SenseOf(inst), b.Value)
		rep.Proven, rep.Source = b.Proven, b.Source
	}
	if t, ok := inst.(*datasets.TSP); ok {
		rep.Metric = t.Metric.String()
	}
	if q.Picture {
		if rep.Picture = instancePicture(inst); rep.Picture != nil {
			rep.PictureMime = mimeOf(view.PNG)
		}
	}
	return rep, nil
}

var _ = handle("solvers", (*Host).solvers)

func (h *Host) solvers(_ *Call, q *wire.SolversRequest) (*reply.SolversReply, error) {
	rep := &reply.SolversReply{
		Verb: "solvers", Variants: []reply.Variant{}, Details: q.Solver != "",
		Full: q.Full || q.Param != "", NoGPU: whyNoGPU(), Asked: q.Solver,
	}
	names, author := named(q.Solver)
	if q.Param == "" {
		rep.Names = wireNames(names)
	}
	solver, variant, _ := strings.Cut(q.Solver, "/")
	if n, ok := byName(q.Solver); ok {
		solver, variant = n.Solver, n.Variant
	}
	if author {
		rep.Details = false
	}
	var known []string
	for _, v := range solvers.Variants() {
		if !slices.Contains(known, v.Solver) {
			known = append(known, v.Solver)
		}
		if author && !isOf(v, q.Solver) {
			continue
		}
		if !author && solver != "" &&
			(v.Solver != solver || (variant != "" && v.Name != variant)) {
			continue
		}
		if n := len(rep.Variants); n > 0 && rep.Variants[n-1].Solver == v.Solver &&
			rep.Variants[n-1].Variant == v.Name {
			rep.Variants[n-1].Backends = append(rep.Variants[n-1].Backends, v.Backend)
			continue
		}
		w := reply.Variant{
			Solver: v.Solver, Variant: v.Name, Backends: []string{v.Backend}, Default: v.Default,
			Revision: v.Revision,
			Kinds:    []string{}, Deterministic: v.Deterministic, Title: v.Title, Source: v.Source,
			GPU: solvers.Offered(v.Solver, v.Name, "cuda"),
		}
		for _, p := range v.AllPresets() {
			w.Presets, w.PresetDocs = append(w.Presets, p.Name), append(w.PresetDocs, p.Doc)
		}
		for _, k := range v.Kinds {
			w.Kinds = append(w.Kinds, string(k))
		}
		if solver != "" && !author || q.Param != "" {
			ps, counts, err := declared(v)
			if err != nil {
				return nil, err
			}
			w.Params, w.Counts = ps, counts
		}
		if q.Param != "" {
			w.Params = slices.DeleteFunc(w.Params, func(p reply.Param) bool { return p.Name != q.Param })
			if len(w.Params) == 0 {
				continue
			}
		}
		rep.Variants = append(rep.Variants, w)
	}
	if len(rep.Variants) == 0 && q.Param != "" && (q.Solver == "" || slices.Contains(known, solver)) {
		return nil, wrong(fmt.Sprintf("solvers: no solver has a parameter %q", q.Param))
	}
	if len(rep.Variants) == 0 && q.Solver != "" {
		return nil, wrong(fmt.Sprintf("solvers: there is no %q; there are %s%s", q.Solver,
			strings.Join(known, ", "), NearSolver(solver, variant)))
	}
	return rep, nil
}

// declared returns the parameters of a variant with their defaults for a small instance, and what
// it counts as evaluations.
func declared(v solvers.Variant) (params []reply.Param, counts string, err error) {
	for _, name := range []string{
		"rand-100-1", "tai10a", "ppp-73x73-1", "weierstrass-5", "glass-6x6-1",
	} {
		inst, ok, err := datasets.Generate(name)
		if !ok || err != nil || !slices.Contains(v.Kinds, inst.Kind()) {
			continue
		}
		a, err := v.New(inst)
		if err != nil {
			return nil, "", fmt.Errorf("solvers: %s/%s: %w", v.Solver, v.Name, err)
		}
		if c, ok := a.(solvers.Counter); ok {
			counts = c.Counts()
		}
		var t solvers.Params
		a.Declare(&t)
		list := t.List()
		if _, ok := a.(solvers.Admitter); ok {
			list = append(list, solvers.IslandParams()...)
		}
		return wireParams(list), counts, nil
	}
	return nil, "", nil // of a kind of which no small instance is generated
}

var _ = handle("about", (*Host).about)

func (h *Host) about(*Call, *wire.Empty) (*reply.AboutReply, error) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	rep := &reply.AboutReply{
		Verb: "about", Hello: h.Hello(), UptimeS: reply.Num(time.Since(h.started).Seconds()),
		Clients: int(h.conns.Load()),
		Runs:    len(h.entries()), MemoryMB: reply.Num(float64(m.Sys) / (1 << 20)),
		StateDir:   h.o.StateDir,
		Iterations: solvers.IterationsMade(), CPUS: reply.Num(usedCPU().Seconds()),
		Autosaves: len(h.store.all(false)), CUDA: "usable", Attached: h.following.names(),
	}
	rep.Build = record.Made().String()
	if why := whyNoGPU(); why != "" {
		rep.CUDA = why
	}
	return rep, nil
}

var _ = handle("detach", (*Host).detach)

func (h *Host) detach(*Call, *wire.Empty) (*reply.NoteReply, error) {
	h.detached.Store(true)
	return &reply.NoteReply{Verb: "detach", Note: fmt.Sprintf(
		"session %s lives on by itself; it ends when nothing has been stepping and nobody "+
			"attached for %v", h.o.Session, h.o.Idle)}, nil
}

var _ = handle("shutdown", (*Host).shutdown)

func (h *Host) shutdown(c *Call, q *wire.ShutdownRequest) (*reply.ShutdownReply, error) {
	h.discard.Store(q.Discard)
	h.spare.Store(q.Recovered)
	rep := &reply.ShutdownReply{Verb: "shutdown", Session: h.o.Session}
	rep.Autosaved, rep.Lost = h.leaves()
	// The answer is sent first: the server waits for it when it shuts down.
	time.AfterFunc(20*time.Millisecond,
		func() { h.stop(fmt.Errorf("%w by %s", ErrEnded, or(c.who, "a client"))) })
	return rep, nil
}
