package experiments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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
	ext := strings.ToLower(filepath.Ext(q.To))
	if err := formatOf(q, ext); err != nil {
		return nil, err
	}
	if ext == wire.PageExt {
		return h.exportPage(c, rep, q)
	}
	into := func(write func(context.Context, experiment.Store, string, io.Writer) (int, error)) (
		n int, err error,
	) {
		_, err = h.Write(&host.File{
			Verb: "experiment", Path: q.To, Holds: host.OfExperiment("table", q.Name), Force: q.Force,
		}, func(w io.Writer) error {
			n, err = write(c.Context(), s, q.Name, w)
			return err
		})
		return n, err
	}
	var n int
	var err error
	what, to := "", q.To
	switch {
	case ext == ".csv":
		what = "a CSV file"
		n, err = into(exchange.CSV)
	case ext == ".tex":
		what = "a table for LaTeX"
		n, err = into(func(
			ctx context.Context, s experiment.Store, name string, w io.Writer,
		) (int, error) {
			objective, err := h.objectiveOf(ctx, s, name)
			if err != nil {
				return 0, err
			}
			return exchange.LaTeX(ctx, s, name, w, objective)
		})
	case q.Format != iohprofiler:
		what = "a folder with runs.parquet, descriptors.parquet, trace.parquet and positions.parquet"
		if to, err = folderOf(q.To); err == nil {
			n, err = h.parquet(c.Context(), s, q)
		}
	default:
		what = "a folder in the layout of IOHprofiler"
		if to, err = folderOf(q.To); err == nil {
			n, err = exchange.IOHprofiler(c.Context(), s, q.Name, q.To)
		}
	}
	if errors.As(err, new(*record.TakenError)) {
		return nil, err
	}
	if err != nil {
		return nil, notCarried(c.Context(), err)
	}
	rep.Note = fmt.Sprintf("%d units of experiment %s are written to %s, %s", n, q.Name, to, what)
	return rep, nil
}

const iohprofiler = "iohprofiler"

// formatOf returns an error unless the format is one of a folder, and the path that of none of the
// files that have no format.
func formatOf(q *wire.ExperimentRequest, ext string) error {
	var names []string
	for _, c := range wire.ExchangeFormats {
		names = append(names, c.Name)
	}
	switch {
	case q.Format == "":
	case !slices.Contains(names, q.Format):
		return wrong(fmt.Sprintf("experiment: format is %q, want %s, of a folder; FILE.csv, FILE.tex "+
			"and FILE.html need none", q.Format, strings.Join(names, " or ")))
	case ext == ".csv" || ext == ".tex" || ext == wire.PageExt:
		return wrong(fmt.Sprintf("experiment: format is %s, which is that of a folder, and %s is a %s "+
			"file: leave format out, or name a folder", q.Format, q.To, ext))
	}
	return nil
}

// parquet writes an experiment as tables in a folder, if none of them is there that is not to be
// replaced.
func (h *room) parquet(
	ctx context.Context, s experiment.Store, q *wire.ExperimentRequest,
) (units int, err error) {
	var files []*host.File
	for _, name := range exchange.ParquetFiles() {
		f := &host.File{
			Verb: "experiment", Path: filepath.Join(q.To, name), Force: q.Force,
			Holds: host.OfExperiment("table", q.Name),
		}
		if err := h.May(f); err != nil {
			return 0, err
		}
		files = append(files, f)
	}
	units, err = exchange.Parquet(ctx, s, q.Name, q.To)
	if err == nil {
		for _, f := range files {
			h.Wrote(f)
		}
	}
	return units, err
}

// exportPage writes an experiment as a page.
func (h *room) exportPage(
	c *host.Call, rep *reply.ExperimentReply, q *wire.ExperimentRequest,
) (*reply.ExperimentReply, error) {
	if writePage == nil {
		return nil, wrong("experiment: a page of an experiment is written by the prompt in a terminal")
	}
	r, err := writePage(h.Host, c, &wire.ExportRequest{
		Runs: []string{q.Name}, Path: q.To, Force: q.Force,
	})
	if err != nil {
		return nil, err
	}
	rep.Note = "experiment " + r.String()
	return rep, nil
}

// otherFiles are endings of files that hold something else than an experiment, so that no folder
// gets such a name by mistake.
var otherFiles = []string{
	".run", ".json", ".jsonl", ".tour", ".sln", ".tsp", ".atsp", ".dat", ".col", ".mc", ".coo",
	".qubo", ".sparse", ".txt", ".xlsx", ".xls", ".ods", ".svg", ".png", ".pdf", ".go", ".htm", ".zip",
	".gz", ".lab", ".ipynb",
}

// folderOf returns the path of a target folder, as users see it; a file must not be there.
func folderOf(path string) (string, error) {
	if ext := strings.ToLower(filepath.Ext(path)); slices.Contains(otherFiles, ext) {
		return "", wrong(fmt.Sprintf("experiment: the path is %s, and an experiment is written to "+
			"FILE.csv, FILE.tex, FILE.html, or a folder, whose name does not end in %s", path, ext))
	}
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
	return wrong("experiment: " + strings.TrimPrefix(wire.FileText(err), "exchange: "))
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
	unknown := map[string]bool{}
	find := func(ctx context.Context, name string) (record.InstanceRef, error) {
		inst, err := h.loader(c.ID())(ctx, name)
		if err != nil {
			unknown[name] = true
			return record.InstanceRef{}, err
		}
		return solvers.RefOf(inst, ""), nil
	}
	if rep.Added, err = exchange.Add(c.Context(), s, q.Name, runs, find); err != nil {
		return nil, notCarried(c.Context(), err)
	}
	rep.Note = fmt.Sprintf("%d runs of %s are new here", rep.Added, q.From)
	left := 0
	assumed := map[string]bool{}
	for i := range runs {
		if runs[i].Left {
			left++
		}
		if f := &runs[i]; f.Sense == nil && unknown[f.Instance] {
			assumed[f.Instance] = true
		}
	}
	if old := len(runs) - left - rep.Added; old > 0 {
		rep.Note += fmt.Sprintf(", %d were here", old)
	}
	if left > 0 {
		rep.Note += fmt.Sprintf(", %d without a result left out", left)
	}
	if len(assumed) > 0 {
		rep.Note += fmt.Sprintf("; neither the file nor this session says which values of %s are "+
			"better: smaller ones are taken as better; where greater ones are, remove the experiment "+
			"and import a file with a column sense that says maximise",
			strings.Join(sortedKeys(assumed), ", "))
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
