package experiments

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/exchange"
	"metalab/solvers/record"
)

// Shown are the experiments of a host as pages show them, which plan none, make none and remove
// none.
type Shown struct{ h *room }

// Of returns the experiments of a host.
func Of(h *host.Host) Shown { return Shown{here.In(h)} }

// List lists all: those that go on first, then the latest.
func (x Shown) List(ctx context.Context) (*reply.ExperimentReply, error) {
	rep := &reply.ExperimentReply{Verb: "experiment"}
	if !x.h.hasExperiments() {
		return rep, nil
	}
	s, err := x.h.experiments()
	if err != nil {
		return nil, err
	}
	if rep, err = x.h.listExperiments(ctx, s); err != nil {
		return nil, err
	}
	slices.Reverse(rep.List)
	slices.SortStableFunc(rep.List, func(a, b reply.ExperimentInfo) int {
		switch {
		case a.Going != b.Going && a.Going, a.Going == b.Going && a.Began > b.Began:
			return -1
		case a.Going != b.Going, a.Began < b.Began:
			return 1
		}
		return 0
	})
	return rep, nil
}

// State returns a name of the experiment's state, which changes with each new result.
func (x Shown) State(ctx context.Context, name string) (string, error) {
	s, err := x.h.experiments()
	if err != nil {
		return "", err
	}
	info, err := s.Info(ctx, name)
	if err != nil {
		return "", noExperiment(name, err)
	}
	return stateOf(info), nil
}

// Chart is a figure of an experiment on one of its instances, or on all where none is named.
func (x Shown) Chart(ctx context.Context, name, figure, instance string) (*view.Sheet, error) {
	s, err := x.h.experiments()
	if err != nil {
		return nil, err
	}
	return x.h.chartSheet(&chartOf{ctx: ctx, store: s, name: name}, figure, instance)
}

// Units lists units of a state, all where it is empty, without the first from of them, MostUnits at
// most, and returns how many there are.
func (x Shown) Units(
	ctx context.Context, name string, state experiment.State, from int,
) (out []reply.ExperimentUnit, total int, err error) {
	s, err := x.h.experiments()
	if err == nil {
		out, total, err = x.h.unitsPage(ctx, s, name, state, from)
	}
	return out, total, noExperiment(name, err)
}

// Record writes the record of a unit.
func (x Shown) Record(ctx context.Context, name string, unit int, w io.Writer) error {
	s, err := x.h.experiments()
	if err != nil {
		return err
	}
	row, err := s.Row(ctx, name, unit)
	if err != nil {
		return err
	}
	rec, err := recordOfUnit(name, &row)
	if err != nil {
		return err
	}
	return rec.Encode(w)
}

// CSV writes all units.
func (x Shown) CSV(ctx context.Context, name string, w io.Writer) error {
	s, err := x.h.experiments()
	if err == nil {
		_, err = exchange.CSV(ctx, s, name, w)
	}
	return err
}

// MostUnits is the number of units that a page gets at a time.
const MostUnits = 50

// A Page is what a page shows of an experiment.
type Page struct {
	*reply.ExperimentReply
	Stamp string                 `json:"stamp"` // of the table's state
	Same  bool                   `json:"same,omitempty"`
	Files bool                   `json:"files"`           // units have records
	Draws [][2]string            `json:"draws,omitempty"` // figures, each with what it is
	Where []string               `json:"where,omitempty"` // instances
	Bad   []reply.ExperimentUnit `json:"bad,omitempty"`   // the first units that failed
}

// Page is what a page shows of an experiment, of which it has the state seen; do is table or best.
func (x Shown) Page(
	ctx context.Context, name, do, seen string,
) (*Page, error) {
	s, err := x.h.experiments()
	if err != nil {
		return nil, err
	}
	info, err := s.Info(ctx, name)
	if err != nil {
		return nil, noExperiment(name, err)
	}
	p := &Page{
		ExperimentReply: &reply.ExperimentReply{Verb: "experiment", ExperimentInfo: x.h.infoOf(info)},
		Stamp:           stateOf(info) + do,
	}
	if p.Stamp == seen {
		p.Same = true
		return p, nil
	}
	if do == "best" {
		_, err = x.h.bestOf(ctx, s, p.ExperimentReply, name)
		return p, err
	}
	groups, err := x.h.grouped(ctx, s, name)
	if err != nil {
		return nil, err
	}
	if err := x.h.tableRows(groups, p.ExperimentReply); err != nil {
		return nil, err
	}
	for _, g := range groups {
		if !slices.Contains(p.Where, g.Instance) {
			p.Where = append(p.Where, g.Instance)
		}
	}
	p.Draws = drawable(groups)
	p.Files = slices.ContainsFunc(groups, func(g *experiment.Group) bool {
		return g.Backend != exchange.Backend
	})
	if info.Failed > 0 {
		p.Bad, _, err = x.h.unitsPage(ctx, s, name, experiment.Failed, 0)
	}
	return p, err
}

// stateOf names the state that the table of an experiment is in.
func stateOf(i experiment.Info) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(i.Name, i.Began, i.Units, i.Done, i.Failed, i.Plan)))
	return fmt.Sprintf("%x", sum[:8])
}

// drawable are the figures that there is something to draw for.
func drawable(groups []*experiment.Group) (out [][2]string) {
	var labels, places []string
	done := 0
	for _, g := range groups {
		done += len(g.Done)
		if !slices.Contains(labels, g.Label) {
			labels = append(labels, g.Label)
		}
		if !slices.Contains(places, g.Instance) {
			places = append(places, g.Instance)
		}
	}
	if done == 0 {
		return nil
	}
	other := otherObjective(groups) != ""
	names, _ := varied(groups)
	numbers := slices.ContainsFunc(names, func(n string) bool {
		_, ok := groups[0].Varied[n].Float()
		return ok
	})
	on := func(backend string) bool {
		return slices.ContainsFunc(groups, func(g *experiment.Group) bool { return g.Backend == backend })
	}
	for _, c := range wire.Charts {
		ok := true
		switch c.Name {
		case "error":
			ok = numbers
		case "heat":
			ok = len(names) >= 2
		case "parallel", "importance":
			ok = len(names) >= 1
		case "ranks":
			ok = len(labels) >= 2
		case "profile":
			ok = len(labels) >= 2 && len(places) >= 2
		case "speedup":
			ok = on("cpu") && on("cuda")
		}
		if ok && !(charts[c.Name].between && other) {
			out = append(out, [2]string{c.Name, c.Doc})
		}
	}
	return out
}

// unitsPage are MostUnits units of a state, and how many there are of that state.
func (h *room) unitsPage(
	ctx context.Context, s experiment.Store, name string, state experiment.State, from int,
) (out []reply.ExperimentUnit, total int, err error) {
	info, err := s.Info(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	now := h.infoOf(info)
	out = []reply.ExperimentUnit{}
	for r, err := range s.Rows(ctx, name) {
		if err != nil {
			return nil, 0, err
		}
		if state != "" && r.State != state {
			continue
		}
		if total >= from && len(out) < MostUnits {
			out = append(out, unitOf(&r, now.Going || now.Elsewhere))
		}
		total++
	}
	return out, total, nil
}

// noExperiment is the error about an experiment that a page asks for.
func noExperiment(name string, err error) error {
	if errors.Is(err, experiment.ErrUnknown) {
		return wrong(fmt.Sprintf("experiment: there is no experiment %.100q any more", name))
	}
	return err
}

// recordOfUnit is the record of a unit that this program can make again.
func recordOfUnit(name string, row *experiment.Row) (*record.Record, error) {
	if row.Unit.Backend == exchange.Backend {
		return nil, wrong(fmt.Sprintf("experiment: unit %d is a run of %s, which was imported: it has "+
			"no record", row.Unit.Number, row.Unit.Solver))
	}
	return row.Record(name)
}
