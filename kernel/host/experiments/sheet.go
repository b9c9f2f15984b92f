package experiments

import (
	"context"
	"errors"
	"slices"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// A PageWriter writes an experiment as a page.
type PageWriter func(*host.Host, *host.Call, *wire.ExportRequest) (*reply.FileReply, error)

// writePage writes pages; nil where package replay is not linked.
var writePage PageWriter

// Pages lets f write experiments as pages. Package kernel/host/export/replay calls it when it is
// linked.
func Pages(f PageWriter) { writePage = f }

// A Sheet is all that a page which stands by itself shows of an experiment.
type Sheet struct {
	Table   *reply.ExperimentReply // as experiment NAME prints it
	Report  []string               // as experiment NAME report prints it, or why there is none
	Figures []string               // that there is something to draw for
	Where   []string               // instances
	Rows    []experiment.Row       // the units
	Units   []reply.ExperimentUnit // the same, as experiment NAME units prints them
}

// Has reports whether there is an experiment of this name.
func (x Shown) Has(ctx context.Context, name string) (bool, error) {
	if !experimentName.MatchString(name) || !x.h.hasExperiments() {
		return false, nil
	}
	s, err := x.h.experiments()
	if err != nil {
		return false, err
	}
	if _, err = s.Info(ctx, name); errors.Is(err, experiment.ErrUnknown) {
		return false, nil
	}
	return err == nil, err
}

// Sheet gathers what there is of an experiment.
func (x Shown) Sheet(ctx context.Context, name string) (*Sheet, error) {
	s, err := x.h.experiments()
	if err != nil {
		return nil, err
	}
	out := &Sheet{Table: &reply.ExperimentReply{Verb: "experiment"}}
	groups, err := x.h.groupsOf(ctx, s, out.Table, name)
	if err != nil {
		return nil, noExperiment(name, err)
	}
	if err := x.h.tableRows(groups, out.Table); err != nil {
		return nil, err
	}
	for _, g := range groups {
		if !slices.Contains(out.Where, g.Instance) {
			out.Where = append(out.Where, g.Instance)
		}
	}
	for _, d := range drawable(groups) {
		out.Figures = append(out.Figures, d[0])
	}
	rep, err := x.h.reportOf(ctx, s, &reply.ExperimentReply{}, name)
	var no *wire.Error
	switch {
	case errors.As(err, &no) && no.Code == wire.CodeRequest:
		out.Report = []string{strings.TrimPrefix(no.Message, "experiment: ")}
	case err != nil:
		return nil, err
	default:
		out.Report = rep.Report
	}
	for r, err := range s.Rows(ctx, name) {
		if err != nil {
			return nil, err
		}
		out.Rows = append(out.Rows, r)
		out.Units = append(out.Units, unitOf(&r, out.Table.Going || out.Table.Elsewhere))
	}
	return out, nil
}

// RecordOfUnit is the record of a unit that has a result; the error says why there is none.
func RecordOfUnit(name string, row *experiment.Row) (*record.Record, error) {
	return recordOfUnit(name, row)
}

// Traces are the traces of all units that have one, by their numbers.
func (x Shown) Traces(ctx context.Context, name string) (map[int][]experiment.TracePoint, error) {
	s, err := x.h.experiments()
	if err != nil {
		return nil, err
	}
	out := map[int][]experiment.TracePoint{}
	for t, err := range s.Traces(ctx, name) {
		if err != nil {
			return nil, err
		}
		out[t.Number] = t.Points
	}
	return out, nil
}
