package reply

import (
	"fmt"
	"strings"
)

// A BarSeries is a series of bars of a picture.
type BarSeries struct {
	Name   string `json:"name"`
	Values []Num  `json:"values"`
}

// GlanceReply says of a paper what its tables show, as published and as measured here.
type GlanceReply struct {
	Verb   string      `json:"verb"`
	Paper  string      `json:"paper"`
	Shapes Shapes      `json:"shapes"`
	Alt    string      `json:"alt"`  // what the picture shows
	Unit   string      `json:"unit"` // with "log " before it on a logarithmic scale
	Labels []string    `json:"labels"`
	Series []BarSeries `json:"series"`
}

// Picture is the main result of the paper, as published and as measured here.
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

// String is the table.
func (r *GlanceReply) String() string { return r.Shapes.String() }

// HTML is the picture, and the table for who asks for it.
func (r *GlanceReply) HTML() string {
	const says = "What each table shows, as published and as measured"
	return r.Picture().HTML() + (&Folded{Summary: says, Of: Replies{r.Shapes}}).HTML()
}

// Folded are replies that a page shows when its reader asks for them, under a line that says what
// they are.
type Folded struct {
	Summary string
	Of      Replies
}

// String is the line, and the replies.
func (f *Folded) String() string { return Printable(f.Summary) + "\n" + f.Of.String() }

// HTML is the line; the replies are seen when it is chosen.
func (f *Folded) HTML() string {
	return fmt.Sprintf(`<details><summary style="cursor:pointer">%s</summary>%s</details>`,
		Escape(f.Summary), f.Of.HTML())
}
