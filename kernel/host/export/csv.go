package export

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/experiment/exchange/cell"
	"metalab/solvers/record"
)

// otherFiles are what files are written by that export does not write, by their ending.
var otherFiles = map[string]string{
	".xlsx": inSpreadsheets, ".xls": inSpreadsheets, ".ods": inSpreadsheets,
	".svg": byPlot, ".png": byPlot, ".pdf": byPlot,
	".run": bySave, ".json": bySave, ".jsonl": bySave,
	".htm": byPage, pageFile: byPage, host.TourFile: bySmall, host.SumFile: bySmall,
	".parquet": byExperiment, ".tex": byExperiment, ".ioh": byExperiment,
}

const (
	inSpreadsheets = "spreadsheets open a name that ends in .csv"
	byPlot         = "figures are written by plot, as in plot a to a.svg"
	bySave         = "records, which are JSON, are written by save, as in save a a.run"
	byPage         = "a page, which makes the run again, has a name that ends in .html"
	bySmall        = "the best solution is written by an ending in small letters, as in a.tour"
	byExperiment   = "tables of this kind are written by experiment e1 export to"
)

// endings are the endings of the files that export writes, with what they hold.
const endings = ".csv the history, .tour or .sln the best solution, .html a page, and with the " +
	"word best .txt the best solution of any problem"

// pageFile is the ending of pages.
const pageFile = ".html"

// page writes pages; nil where package replay is not linked.
var page Writer

// A Writer writes a file of a run.
type Writer func(h *host.Host, c *host.Call, q *wire.ExportRequest) (*reply.FileReply, error)

// Pages lets f write pages. Package replay below calls it when it is linked.
func Pages(f Writer) { page = f }

func init() {
	host.Handle("export", func(c *host.Call, q *wire.ExportRequest) (*reply.FileReply, error) {
		return export(c.Host(), c, q)
	})
}

// export writes the history of a run (the iterations that it keeps, or all), or the results of its
// repeats, or its best solution, or a page, as the file's ending says.
func export(h *host.Host, c *host.Call, q *wire.ExportRequest) (*reply.FileReply, error) {
	if err := named(h, q); err != nil {
		return nil, err
	}
	if filepath.Ext(q.Path) == pageFile {
		if page == nil {
			return nil, wrong("export: a page that makes the run again is written by the prompt in a " +
				"terminal, of a record that save wrote: export a.run a.html")
		}
		return page(h, c, q)
	}
	if q.Inline || q.Engine != "" {
		return nil, wrong("export: inline and engine are of a page, as in: export a a.html inline")
	}
	if q.Title+q.Text+q.Link != "" && filepath.Ext(q.Path) != pageFile {
		return nil, wrong("export: title, text and link are of a page, as in: export a a.html " +
			`title="Ants on a grid"`)
	}
	var of []*host.Run
	for _, name := range q.Runs {
		e, err := h.Find(name)
		if err != nil {
			return nil, err
		}
		of = append(of, e)
	}
	e := of[0]
	if len(of) > 1 && !q.Seeds {
		return nil, wrong(fmt.Sprintf("export: %d runs are named, and a file holds what one has: export "+
			"each, or with the word seeds the seeds of all", len(of)))
	}
	ext := filepath.Ext(q.Path)
	if ext == host.TourFile || ext == host.SumFile {
		return h.ExportBest(c, e, q)
	}
	if q.Best && ext != ".txt" {
		return nil, wrong(fmt.Sprintf("export: the best solution as text has a name that ends in .txt, "+
			"not %s: export %s %s.txt best", filepath.Base(q.Path), e.Name(), e.Name()))
	}
	if q.Best {
		return h.ExportBest(c, e, q)
	}
	if by := otherFiles[strings.ToLower(filepath.Ext(q.Path))]; by != "" {
		return nil, wrong(fmt.Sprintf("export: %s would hold CSV: %s", filepath.Base(q.Path), by))
	}
	if strings.ToLower(ext) != ".csv" {
		return nil, wrong(fmt.Sprintf("export: what would %s hold? the name says it: "+endings,
			filepath.Base(q.Path)))
	}
	if err := rows(q, of); err != nil {
		return nil, err
	}
	file := fileOf(q, of)
	ps := e.Points()
	if q.All {
		if err := h.May(file); err != nil { // before the iterations are made again
			return nil, err
		}
		var err error
		if ps, err = h.EveryPoint(c, e, "export "+filepath.Base(q.Path)); err != nil {
			return nil, fmt.Errorf("export: %w", err)
		}
	}
	rep := &reply.FileReply{Status: e.Status("export"), Path: q.Path}
	var err error
	rep.Bytes, err = h.Write(file, func(w io.Writer) (err error) {
		rep.Seeds, err = CSV(w, of, ps, q.Seeds)
		return err
	})
	if err != nil {
		return nil, err
	}
	if n := len(ps); n > 0 && rep.Seeds == 0 {
		rep.Rows, rep.Of = int64(n), ps[n-1].Iter
	}
	return rep, nil
}

// named returns an error where no run or no absolute path is named.
func named(h *host.Host, q *wire.ExportRequest) error {
	if len(q.Runs) == 0 {
		return wrong("export: which run? as in: export a a.csv")
	}
	for _, name := range q.Runs { // the words stand for each other where the first is no run
		if first := filepath.Base(q.Path); h.Lookup(name) == nil && filepath.Ext(name) != "" &&
			filepath.Ext(first) == "" {
			return wrong(fmt.Sprintf("export: %s is no open run (runs lists them); of an experiment: "+
				"experiment %s export to %s.csv, and experiment %s open 12 as u; export u u.html", first,
				first, first, first))
		}
	}
	if err := host.Absolute("export", q.Path); err != nil {
		return err
	}
	return nil
}

// rows returns an error where the rows that are asked for are not there.
func rows(q *wire.ExportRequest, of []*host.Run) error {
	switch {
	case q.Seeds && q.All:
		return wrong("export: all is of the iterations, and seeds of the repeats: give one of them")
	case q.Seeds:
		for _, e := range of {
			if e.Engine().Seeds() == 0 {
				return wrong(fmt.Sprintf("export: %s was not repeated; repeat %s 10 does it",
					e.Name(), e.Name()))
			}
		}
	}
	return nil
}

// fileOf is the file of a history, or of the results of repeats.
func fileOf(q *wire.ExportRequest, of []*host.Run) *host.File {
	f := &host.File{
		Verb: "export", Path: q.Path, Ends: []string{".csv"}, Force: q.Force,
		Holds: host.OfRuns("history", of...),
	}
	if q.Seeds {
		f.Holds = host.OfRuns("repeats", of...)
	}
	return f
}

// writePoints writes a history; a value that is not a number becomes an empty field. The column
// evals has the evaluations since the start, where the solver counts, and skipped how many
// iterations are left out before the row.
func writePoints(
	w io.Writer, ps []record.Point, names []string, best *float64, sense record.Sense,
) error {
	b := bufio.NewWriter(w)
	head := csv.NewWriter(b) // a declared solver's measures may have any names
	fixed := []string{
		"iteration", "best", "iter_best", "mean", "gap", "digest", "wall_s", "cpu_s", "evals", "skipped",
	}
	if err := head.Write(cell.Texts(append(fixed, names...))); err != nil {
		return err
	}
	head.Flush()
	num := func(v float64) {
		b.WriteByte(',')
		b.WriteString(host.Number(v))
	}
	last := int64(0)
	for _, p := range ps {
		fmt.Fprintf(b, "%d", p.Iter)
		shown := sense.Point(p)
		num(shown.Best)
		num(shown.IterBest)
		num(shown.Mean)
		num(solvers.Gap(p.Best, best))
		fmt.Fprintf(b, ",%016x", p.Digest)
		num(p.Wall)
		num(p.CPU)
		if p.Evals > 0 {
			num(float64(p.Evals))
		} else {
			b.WriteByte(',')
		}
		num(float64(p.Iter - last - 1))
		for _, m := range p.Measures {
			num(m)
		}
		b.WriteByte('\n')
		last = p.Iter
	}
	return b.Flush()
}
