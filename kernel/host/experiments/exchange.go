package experiments

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/exchange"
	"metalab/solvers/record"
)

// exportUnits writes an experiment for other programs.
func (h *room) exportUnits(
	c *host.Call, s experiment.Store, rep *reply.ExperimentReply, q *wire.ExperimentRequest,
) (*reply.ExperimentReply, error) {
	if q.To == "" {
		return nil, wrong(fmt.Sprintf("experiment: where to? as in: experiment %s export to %s.csv; "+
			"FILE.csv, FILE.tex, FILE.html or a folder", q.Name, q.Name))
	}
	if err := host.Absolute("experiment", q.To); err != nil {
		return nil, err
	}
	if strings.ToLower(filepath.Ext(q.To)) == wire.PageExt {
		return h.exportPage(c, rep, q)
	}
	into := func(write func(context.Context, experiment.Store, string, io.Writer) (int, error)) (
		n int, err error,
	) {
		err = record.Atomic(q.To, func(w io.Writer) error {
			n, err = write(c.Context(), s, q.Name, w)
			return err
		})
		return n, err
	}
	var n int
	var err error
	what, to := "", q.To
	switch ext := strings.ToLower(filepath.Ext(q.To)); {
	case ext == ".csv":
		what = "a CSV file"
		n, err = into(exchange.CSV)
	case ext == ".tex":
		what = "a table for LaTeX"
		n, err = into(exchange.LaTeX)
	case q.Format == "" || q.Format == "parquet":
		what = "a folder with runs.parquet, descriptors.parquet, trace.parquet and positions.parquet"
		if to, err = folderOf(q.To); err == nil {
			n, err = exchange.Parquet(c.Context(), s, q.Name, q.To)
		}
	case q.Format == "iohprofiler":
		what = "a folder in the layout of IOHprofiler"
		if to, err = folderOf(q.To); err == nil {
			n, err = exchange.IOHprofiler(c.Context(), s, q.Name, q.To)
		}
	default:
		return nil, wrong(fmt.Sprintf("experiment: format is %q, want parquet or iohprofiler", q.Format))
	}
	if err != nil {
		return nil, notCarried(c.Context(), err)
	}
	rep.Note = fmt.Sprintf("%d units of experiment %s are written to %s, %s", n, q.Name, to, what)
	return rep, nil
}

// exportPage writes an experiment as a page.
func (h *room) exportPage(
	c *host.Call, rep *reply.ExperimentReply, q *wire.ExperimentRequest,
) (*reply.ExperimentReply, error) {
	if writePage == nil {
		return nil, wrong("experiment: a page of an experiment is written by the prompt in a terminal")
	}
	r, err := writePage(h.Host, c, &wire.ExportRequest{Runs: []string{q.Name}, Path: q.To})
	if err != nil {
		return nil, err
	}
	rep.Note = "experiment " + r.String()
	return rep, nil
}

// folderOf is the path of a folder that is written to, as people are told of it; a file may not be
// there.
func folderOf(path string) (string, error) {
	if st, err := os.Stat(path); err == nil && !st.IsDir() {
		return "", wrong(fmt.Sprintf("experiment: %s is a file; parquet and iohprofiler make a folder "+
			"of several files, so want a name that no file has; .csv and .tex are one file", path))
	}
	return filepath.Clean(path) + string(filepath.Separator), nil
}

// notCarried is an error of package exchange as the host's.
func notCarried(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return wrong("experiment: " + strings.TrimPrefix(err.Error(), "exchange: "))
}

// importUnits adds the runs of other programs to an experiment.
func (h *room) importUnits(
	c *host.Call, s experiment.Store, rep *reply.ExperimentReply, q *wire.ExperimentRequest,
) (*reply.ExperimentReply, error) {
	if q.From == "" {
		return nil, wrong(fmt.Sprintf("experiment: from where? as in: experiment %s import from lkh.csv "+
			"solver=LKH; a .csv file or a folder of IOHprofiler", q.Name))
	}
	if err := host.Absolute("experiment", q.From); err != nil {
		return nil, err
	}
	runs, err := foreign(q)
	if err != nil {
		return nil, notCarried(c.Context(), err)
	}
	find := func(ctx context.Context, name string) (record.InstanceRef, error) {
		inst, err := h.loader(c.ID())(ctx, name)
		if err != nil {
			return record.InstanceRef{}, err
		}
		return solvers.RefOf(inst, ""), nil
	}
	if rep.Added, err = exchange.Add(c.Context(), s, q.Name, runs, find); err != nil {
		return nil, notCarried(c.Context(), err)
	}
	rep.Note = fmt.Sprintf("%d runs of %s are new here", rep.Added, q.From)
	if old := len(runs) - rep.Added; old > 0 {
		rep.Note += fmt.Sprintf(", %d were here", old)
	}
	return h.tableOf(c.Context(), s, rep, q.Name)
}

// foreign reads runs of other programs.
func foreign(q *wire.ExperimentRequest) ([]exchange.Foreign, error) {
	st, err := os.Stat(q.From)
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return exchange.ReadIOHprofiler(q.From)
	}
	m := exchange.Mapping{Fixed: map[string]string{}}
	if m.Columns, err = exchange.ParseColumns(q.Columns); err != nil {
		return nil, err
	}
	for field, v := range map[string]string{"solver": q.Solver, "instance": q.Instance} {
		if v != "" {
			m.Fixed[field] = v
		}
	}
	f, err := os.Open(q.From)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return exchange.ReadCSV(f, q.From, m)
}
