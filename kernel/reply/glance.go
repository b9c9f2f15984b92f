package reply

import (
	"fmt"
	"strings"
)

// A BarSeries is a series of bars in a picture.
type BarSeries struct {
	Name   string `json:"name"`
	Values []Num  `json:"values"`
}

// A GlanceReply summarizes what a paper's tables show, as published and as measured here.
type GlanceReply struct {
	Verb   string      `json:"verb"`
	Paper  string      `json:"paper"`
	Shapes Shapes      `json:"shapes"`
	Alt    string      `json:"alt"`  // description of the picture
	Unit   string      `json:"unit"` // with the prefix "log " for a logarithmic scale
	Labels []string    `json:"labels"`
	Series []BarSeries `json:"series"`
}

// Picture returns the main result of the paper, as published and as measured here.
func (r *GlanceReply) Picture() *Sketch {
	unit, log := strings.CutPrefix(r.Unit, "log ")
	var series []Sample
	for _, s := range r.Series {
		out := Sample{Name: s.Name}
		for _, v := range s.Values {
			out.Values = append(out.Values, float64(v))
		}
		series = append(series, out)
	}
	return Bars(r.Alt, unit, log, r.Labels, series...)
}

// String returns the table.
func (r *GlanceReply) String() string { return r.Shapes.String() }

// HTML returns the picture, with the table folded below it.
func (r *GlanceReply) HTML() string {
	const says = "What each table shows, as published and as measured"
	return r.Picture().HTML() + (&Folded{Summary: says, Of: Replies{r.Shapes}}).HTML()
}

// A Folded holds replies under a summary line; a page shows them when a reader opens it.
type Folded struct {
	Summary string
	Of      Replies
}

// String returns the line, and the replies.
func (f *Folded) String() string { return Printable(f.Summary) + "\n" + f.Of.String() }

// HTML returns the line, with the replies folded below it.
func (f *Folded) HTML() string {
	return fmt.Sprintf(`<details><summary style="cursor:pointer">%s</summary>%s</details>`,
		Escape(f.Summary), f.Of.HTML())
}
