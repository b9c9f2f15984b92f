package glance

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"metalab/kernel/reply"
)

// An Ask returns a table of a paper: of its name, and of words of the names of its rows.
type Ask func(table, rows string) (*reply.PaperReply, error)

// papers are the papers by the name that their tables begin with.
var papers = map[string]func(*page){
	"mmas": mmas, "acs": acs, "fosin": fosin, "kang": kang, "luong": luong,
}

// Papers are the names of the papers.
func Papers() []string { return slices.Sorted(maps.Keys(papers)) }

// Of returns the findings of a paper's tables. Its error lists the papers, or is that of ask.
func Of(paper string, ask Ask) (*reply.GlanceReply, error) {
	write, ok := papers[paper]
	if !ok {
		return nil, fmt.Errorf("paper is %q, want one of %s", paper, strings.Join(Papers(), ", "))
	}
	p := &page{ask: ask, tables: map[[2]string]*reply.PaperReply{}}
	p.reply.Paper = paper
	write(p)
	if p.err != nil {
		return nil, p.err
	}
	p.reply.Shapes = p.shapes
	return &p.reply, nil
}

// A page is the summary of a paper.
type page struct {
	ask    Ask
	err    error // the first
	tables map[[2]string]*reply.PaperReply
	shapes reply.Shapes
	reply  reply.GlanceReply
}

// table is a table of the paper; an empty one after an error. Its rows are the caller's own.
func (p *page) table(name, rows string) *reply.PaperReply {
	key := [2]string{name, rows}
	t := p.tables[key]
	if t == nil {
		var err error
		if t, err = p.ask(name, rows); err != nil {
			p.err = firstOf(p.err, err)
			t = &reply.PaperReply{}
		}
		p.tables[key] = t
	}
	own := *t
	return &own
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// rows adds a line that counts rows of a table.
func (p *page) rows(t *reply.PaperReply, says string,
	holds func(v func(column string) float64) bool,
) {
	p.shapes = append(p.shapes, t.Shape(says, holds))
}

// line adds a line whose rows are counted already.
func (p *page) line(table, says string, published, measured reply.Count) {
	p.shapes = append(p.shapes, reply.Shape{
		Table: table, Says: says, Published: published, Measured: measured,
	})
}

// picture sets the picture: bars of figures under each label.
func (p *page) picture(alt, unit string, labels []string, series ...reply.BarSeries) {
	p.reply.Alt, p.reply.Unit, p.reply.Labels, p.reply.Series = alt, unit, labels, series
}

// told is a sentence of a picture's text: what is said, and in how many rows it is so.
func told(s reply.Shape) string {
	return fmt.Sprintf(" %s%s: published %s, measured %s.", strings.ToUpper(s.Says[:1]), s.Says[1:],
		s.Published, s.Measured)
}

// bars is a series of a picture.
func bars(name string, values []float64) reply.BarSeries {
	s := reply.BarSeries{Name: name}
	for _, v := range values {
		s.Values = append(s.Values, reply.Num(v))
	}
	return s
}

// A cell is a figure of a table: its row and column.
type cell struct{ table, row, column string }

// figure is the published or the measured figure of a cell: NaN where there is none or where it
// does not compare, infinite where a run did not come so far.
func (p *page) figure(c cell, measured bool) float64 {
	t := p.table(c.table, "")
	i := slices.Index(t.Labels(), c.row)
	if i < 0 {
		return math.NaN()
	}
	v := t.Figures(measured, c.column)[i]
	k := slices.Index(t.Columns, c.column)
	if measured && k >= 0 && k < len(t.Rows[i].Cells) && !t.Rows[i].Cells[k].Judges() {
		return math.NaN()
	}
	if measured && math.IsNaN(v) && len(t.Values(c.row, c.column)) > 0 {
		return math.Inf(1)
	}
	return v
}

// quality is figure of what is the same on a GPU and on a CPU, whose column stands in where the GPU
// was not measured.
func (p *page) quality(c cell, measured bool) float64 {
	v := p.figure(c, measured)
	if cpu, ok := strings.CutSuffix(c.column, ", GPU"); ok && math.IsNaN(v) {
		return p.figure(cell{c.table, c.row, cpu}, measured)
	}
	return v
}

// less adds a line that counts the pairs of cells of which the first figure is below so many times
// the second; a run that did not come so far is above all that did.
func (p *page) less(table, says string, times float64, pairs ...[2]cell) {
	count := func(measured bool) (c reply.Count) {
		for _, pair := range pairs {
			a, b := p.quality(pair[0], measured), times*p.quality(pair[1], measured)
			if math.IsNaN(a) || math.IsNaN(b) || math.IsInf(a, 1) && math.IsInf(b, 1) {
				continue
			}
			c.Of++
			if a < b {
				c.So++
			}
		}
		return c
	}
	p.line(table, says, count(false), count(true))
}

// below counts where the first of two figures is the smaller one.
func below(a, b []float64) (c reply.Count) {
	for i := range min(len(a), len(b)) {
		if x := a[i] + b[i]; !math.IsNaN(x) {
			c.Of++
			if a[i] < b[i] {
				c.So++
			}
		}
	}
	return c
}

// ratio divides figures by others.
func ratio(a, b []float64) []float64 {
	var out []float64
	for i := range min(len(a), len(b)) {
		out = append(out, a[i]/b[i])
	}
	return out
}
