package bench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"metalab/datasets"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// paperTable is a file of papers while it is read.
type paperTable struct {
	name    string
	line    int
	table   Table
	run     map[string]string // what all cells share
	columns []setting
	rows    []setting
	cells   []setting // of single cells, by "row, column"
	quick   int       // seeds
	full    int
	of      int                  // published runs
	runs    map[string][]float64 // published, by "row, column"
}

// setting is what a row or a column of the table says about its cells.
type setting struct {
	label string
	is    map[string]string
}

// rates are the units that a rate may count, as files name them; see Row.Units.
var rates = map[string]func(datasets.Instance, record.Values) float64{
	"ants": Ants, "scans": scans, "neighbours": neighbours,
}

func (p *paperTable) fail(format string, args ...any) error {
	return fmt.Errorf("bench: %s: line %d: %s", p.name, p.line, fmt.Sprintf(format, args...))
}

// parsePaperTable reads a file; see the package's documentation. Its errors name file and line.
func parsePaperTable(name, text string) (Table, error) {
	p := paperTable{name: path.Base(name), quick: 3, full: 10, runs: map[string][]float64{}}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	i := 0
	for ; i < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
		whole := lines[i]
		p.line = i + 1
		for i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && lines[i+1][0] == ' ' {
			i++
			between := " "
			if strings.HasSuffix(whole, ",") && strings.HasPrefix(whole, "row") {
				between = "" // a list of instances
			}
			whole += between + strings.TrimSpace(lines[i])
		}
		if err := p.head(whole); err != nil {
			return Table{}, err
		}
	}
	if err := p.headIsWhole(); err != nil {
		return Table{}, err
	}
	first := true
	for i++; i < len(lines); i++ {
		p.line = i + 1
		cells := strings.Split(lines[i], "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		if len(cells) != len(p.columns)+1 {
			return Table{}, p.fail("%d cells, want a label and %d", len(cells), len(p.columns))
		}
		if first {
			first = false
			for k, c := range p.columns {
				if cells[k+1] != c.label {
					return Table{}, p.fail("column %d is %q, the head has %q", k+1, cells[k+1], c.label)
				}
			}
			continue
		}
		if err := p.row(cells); err != nil {
			return Table{}, err
		}
	}
	if len(p.table.Rows) == 0 {
		return Table{}, p.fail("there is no table")
	}
	for _, c := range p.cells {
		if !slices.ContainsFunc(p.table.Rows, func(r Row) bool { return r.What == c.label }) {
			return Table{}, p.fail("cell %q is none of the table, want as row, column", c.label)
		}
	}
	for of := range p.runs {
		if !slices.ContainsFunc(p.table.Rows, func(r Row) bool { return r.What == of }) {
			return Table{}, p.fail("runs of %q are of no cell of the table, want as row, column", of)
		}
	}
	return p.table, nil
}

// head reads a line of the head.
func (p *paperTable) head(line string) error {
	key, value, ok := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	if !ok || value == "" {
		return p.fail("%q, want key: value", line)
	}
	var err error
	switch key {
	case "paper":
		paper, known := FindPaper(value)
		if !known {
			return p.fail("paper is %q, which papers.txt lacks", value)
		}
		p.table.Paper, p.table.Source = value, paper.Title
	case "number":
		p.table.Number = value
	case "title":
		p.table.Title = value
	case "note":
		p.table.Notes = append(p.table.Notes, value)
	case "reason":
		p.table.Reasons = append(p.table.Reasons, value)
	case "missing":
		p.table.Missing = append(p.table.Missing, value)
	case "margin":
		if p.table.Margin, err = parseMargin(value); err != nil {
			return p.fail("%v", err)
		}
	case "published":
		n, ok := strings.CutSuffix(value, " runs")
		if p.of, err = strconv.Atoi(n); err != nil || !ok || p.of < 2 {
			return p.fail("published is %q, want as 30 runs, 2 at least", value)
		}
	case "runs":
		of, list, _ := strings.Cut(value, "|")
		var runs []float64
		for w := range strings.FieldsSeq(list) {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return p.fail("%q is no figure of a run", w)
			}
			runs = append(runs, v)
		}
		if len(runs) < 2 {
			return p.fail("%d published runs of %q, want 2 at least", len(runs), of)
		}
		p.runs[strings.TrimSpace(of)] = runs
	case "seeds":
		quick, full, two := strings.Cut(value, " of ")
		if p.quick, err = strconv.Atoi(quick); err != nil || !two {
			return p.fail("seeds are %q, want as 3 of 100: those of the quick table of all", value)
		}
		if p.full, err = strconv.Atoi(full); err != nil || p.full < p.quick {
			return p.fail("seeds are %q, want as 3 of 100: those of the quick table of all", value)
		}
	case "run":
		p.run, err = p.settings(value)
	case "column", "row", "cell":
		label, rest, _ := strings.Cut(value, "|")
		s := setting{label: strings.TrimSpace(label)}
		if s.is, err = p.settings(rest); err != nil {
			return err
		}
		switch key {
		case "column":
			p.columns = append(p.columns, s)
		case "row":
			p.rows = append(p.rows, s)
		default:
			p.cells = append(p.cells, s)
		}
	default:
		return p.fail("key is %q, want paper, number, title, note, margin, published, runs, reason, "+
			"missing, seeds, run, column, row or cell", key)
	}
	return err
}

func (p *paperTable) headIsWhole() error {
	switch t := &p.table; {
	case t.Paper == "", t.Number == "", t.Title == "", len(p.columns) == 0:
		return p.fail("the head wants paper, number, title and a column at least")
	default:
		paper, _ := FindPaper(t.Paper)
		t.Name = t.Paper + "-" + t.Number
		what := "table " + t.Number
		if figure, ok := strings.CutPrefix(t.Number, "fig"); ok {
			what = "figure " + figure
		}
		t.Title = paper.Who + ", " + what + ": " + t.Title
	}
	return nil
}

// settings reads "a=1 b=two"; not= takes all that follows.
func (p *paperTable) settings(s string) (map[string]string, error) {
	out := map[string]string{}
	if before, reason, ok := strings.Cut(" "+s, " not="); ok {
		s = before
		out["not"] = reason
	}
	for _, w := range strings.Fields(s) {
		k, v, ok := strings.Cut(w, "=")
		if _, twice := out[k]; !ok || k == "" || v == "" || twice {
			return nil, p.fail("%q, want name=value, each name once", w)
		}
		out[k] = v
	}
	return out, nil
}

// row makes the rows of Table that a line of the block stands for: one for each cell and instance.
func (p *paperTable) row(cells []string) error {
	at := slices.IndexFunc(p.rows, func(s setting) bool { return s.label == cells[0] })
	if at < 0 && len(p.rows) > 0 {
		return p.fail("row %q is not in the head", cells[0])
	}
	for k, c := range p.columns {
		if cells[k+1] == "" {
			continue // the paper's table has no such cell
		}
		is := maps.Clone(p.run)
		if is == nil {
			is = map[string]string{}
		}
		maps.Copy(is, c.is)
		if at >= 0 {
			maps.Copy(is, p.rows[at].is)
		}
		for _, s := range p.cells {
			if s.label == cells[0]+", "+c.label {
				maps.Copy(is, s.is)
			}
		}
		if err := p.cell(cells[0], c.label, cells[k+1], is); err != nil {
			return err
		}
	}
	return nil
}

// cell makes the rows of one cell.
func (p *paperTable) cell(label, column, published string, is map[string]string) error {
	what := label + ", " + column
	r := Row{
		What: what, Label: label, Column: column, Seeds: p.quick, FullSeeds: p.full,
		Params: record.Values{}, Published: p.of,
	}
	paper, _ := FindPaper(p.table.Paper)
	r.Peer = Peer{Name: paper.Who, Where: "as published"}
	switch published {
	case "-":
	case "better", "worse", "none":
		r.Peer.Mark, r.Peer.Known, r.Peer.Figure = published, true, math.NaN()
	default:
		v, err := strconv.ParseFloat(published, 64)
		if err != nil {
			return p.fail("%s: %q is no number, nor better, worse or none of a test; - stands for none, "+
				"nothing for no cell", what, published)
		}
		r.Peer.Figure, r.Peer.Known, r.Runs = v, true, p.runs[what]
	}
	instances := []string{""}
	for _, k := range slices.Sorted(maps.Keys(is)) {
		if k == "instance" {
			instances = strings.Split(is[k], ",")
			continue
		}
		if err := r.set(k, is[k]); err != nil {
			return p.fail("%s: %v", what, err)
		}
	}
	if r.Stop.Iterations > 0 {
		r.Stop.Iterations += r.Before
	}
	if !r.runs() {
		r.Solver, r.Variant, r.Backend, r.Do = "", "", "", nil
		if len(instances) > 1 && r.Measure != Ratio && r.Measure != Least {
			instances = []string{""}
		}
	}
	for _, name := range instances {
		one := r
		one.Instance = name
		if err := one.check(); err != nil {
			return p.fail("%s: %v", what, err)
		}
		p.table.Rows = append(p.table.Rows, one)
	}
	return nil
}

// measureNames are the measures as files name them.
var measureNames = map[string]Measure{
	"gap": Gap, "best": Best, "seconds": Seconds, "memory": Memory, "found": Found,
	"iterations": Iterations, "ms": PerIteration, "rate": PerSecond, "device": Device,
	"p": PValue, "share": Share, "ratio": Ratio,
	"statistic": Statistic, "least": Least,
}

// functions are what is no run, as files name them.
var functions = map[string]struct {
	do   func(ctx context.Context, inst datasets.Instance, seed uint64) (float64, error)
	unit string
}{
	"3opt-pass":         {passTime(tours.BestThree), "ms"},
	"3opt-ordered-pass": {passTime(tours.BestOrdered), "ms"},
}

// set gives a row one setting of a file.
func (r *Row) set(key, value string) error {
	number := func(p *float64) error {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("%s is %q, want a number", key, value)
		}
		*p = v
		return nil
	}
	var v float64
	switch key {
	case "solver":
		r.Solver, r.Variant, _ = strings.Cut(value, "/")
	case "backend":
		r.Backend = value
	case "preset":
		r.Preset = value
	case "measure":
		m, ok := measureNames[value]
		if !ok {
			return fmt.Errorf(
				"measure is %q, want one of %s", value,
				strings.Join(slices.Sorted(maps.Keys(measureNames)), ", "),
			)
		}
		r.Measure = m
	case "do":
		f, ok := functions[value]
		if !ok {
			return fmt.Errorf(
				"do is %q, want one of %s", value, strings.Join(slices.Sorted(maps.Keys(functions)), ", "),
			)
		}
		r.Do, r.Function, r.Measure, r.Unit = f.do, value, Own, f.unit
	case "unit":
		r.Unit = strings.ReplaceAll(value, "_", " ")
	case "reading":
		r.Measure, r.Reading = Reading, value
	case "of":
		a, b, two := strings.Cut(strings.ReplaceAll(value, "_", " "), "/")
		if a == "" || two && b == "" {
			return fmt.Errorf("of is %q, want two columns, as CPU/GPU, or one", value)
		}
		r.Of = [2]string{a, b}
	case "units":
		f, ok := rates[value]
		if !ok {
			return fmt.Errorf(
				"units are %q, want one of %s", value, strings.Join(slices.Sorted(maps.Keys(rates)), ", "),
			)
		}
		r.Units = f
	case "cores":
		if value != "all" {
			return fmt.Errorf("cores is %q: a run has one core, or all: cores=all", value)
		}
		r.AllCores = true
	case "span":
		r.Span = value
	case "cpu":
		return number(&r.Stop.CPU)
	case "until":
		return number(&r.Stop.Gap)
	case "as":
		var err error
		r.As, err = parseAsLong(value)
		return err
	case "iterations":
		if f, ok := record.TimesSize(value); ok {
			r.Sized = append(slices.Clip(r.Sized), Sized{key, f})
			return nil
		}
		err := number(&v)
		r.Stop.Iterations = int(v)
		return err
	case "before":
		err := number(&v)
		r.Before = int(v)
		return err
	case "times":
		err := number(&r.Times)
		if err == nil && r.Times <= 1 {
			err = fmt.Errorf("times is %q, want a number above 1", value)
		}
		return err
	case "seeds":
		err := number(&v)
		r.Seeds, r.FullSeeds = int(v), max(int(v), r.FullSeeds)
		return err
	case "first":
		err := number(&v)
		if r.First = int(v); err == nil && v < 1 {
			err = fmt.Errorf("first is %q, want a seed from 1 on", value)
		}
		return err
	case "mean":
		r.Group = strings.ReplaceAll(value, "_", " ")
	case "only":
		if value != "full" {
			return errors.New(`only is an option of the full table: only=full`)
		}
		r.FullOnly = true
	case "tours":
		if value != "n" {
			return errors.New("a device's times are of the iteration's tours, or of n: tours=n")
		}
		r.PerSize = true
	case "not":
		r.Not = value
	case "apart":
		r.Apart = strings.ReplaceAll(value, "_", " ")
	default:
		if f, ok := record.TimesSize(value); ok {
			r.Sized = append(slices.Clip(r.Sized), Sized{key, f})
			return nil
		}
		r.Params[key] = record.Parse(value)
	}
	return nil
}

// parseMargin reads "10 %, at least 0.1 points".
func parseMargin(s string) (Margin, error) {
	wrong := func() (Margin, error) {
		return Margin{}, fmt.Errorf("margin is %q, want as 10 %%, at least 0.1 points: percent above 0 "+
			"and at most 100, points from 0 to 100", s)
	}
	a, b, ok := strings.Cut(s, "%, at least ")
	b, points := strings.CutSuffix(b, " points")
	if !ok || !points {
		return wrong()
	}
	percent, err1 := strconv.ParseFloat(strings.TrimSpace(a), 64)
	least, err2 := strconv.ParseFloat(strings.TrimSpace(b), 64)
	if err1 != nil || err2 != nil || !(percent > 0 && percent <= 100) ||
		!(least >= 0 && least <= 100) {
		return wrong()
	}
	return Margin{percent, least}, nil
}
