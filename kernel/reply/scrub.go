package reply

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
)

// A ScrubReply is the course of a run, as a sequence of its best solutions.
type ScrubReply struct {
	Status
	Frames  []Frame  `json:"frames"`         // some of the best solutions, first and last among them
	Curve   []Mark   `json:"curve"`          // when the best improved; a part if there are many
	Changes []Change `json:"changes"`        // of the journal
	X       []Num    `json:"x,omitempty"`    // of the cities, by number; none: no map
	Y       []Num    `json:"y,omitempty"`    // upwards
	Note    string   `json:"note,omitempty"` // why there is no map
}

// A Frame is a best solution.
type Frame struct {
	Iter int64   `json:"iter"`
	Best Num     `json:"best"`
	Tour []int32 `json:"tour,omitempty"` // the cities in order, from 0; none: no map
}

// A Mark is an iteration with its best value.
type Mark struct {
	Iter int64 `json:"iter"`
	Best Num   `json:"best"`
}

// String lists the frames.
func (r *ScrubReply) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d iterations, of which %d are shown in a notebook\n", Printable(r.Run),
		r.Iteration, len(r.Frames))
	// A change stands behind the best of its iteration, from which on it takes effect.
	changes := r.Changes
	upTo := func(iter int64) {
		for ; len(changes) > 0 && changes[0].Iter <= iter; changes = changes[1:] {
			fmt.Fprintf(&b, "  iteration %s\n", Printable(changes[0].String()))
		}
	}
	for _, f := range r.Frames {
		upTo(f.Iter - 1)
		fmt.Fprintf(&b, "  iteration %d, best %s\n", f.Iter, f.Best)
	}
	upTo(math.MaxInt64)
	return strings.TrimSuffix(b.String(), "\n")
}

// scrubScript moves the figure with the slider.
//
//go:embed scrub.js
var scrubScript string

// side is the size of each of the two drawings.
const side = 360

// HTML returns the figure: a slider over the iterations, the curve with a line for each change, and
// the tour. It contains the script with all data, so the figure works without a kernel on any page
// that allows scripts; others show the end of the run.
func (r *ScrubReply) HTML() string {
	if len(r.Frames) == 0 {
		return "<p>" + Escape(r.String()) + "</p>"
	}
	at, up := r.scales()
	d := scrubData{End: r.Iteration}
	curve := ""
	for i, m := range r.Curve {
		x, y := at(m.Iter), up(float64(m.Best))
		if i == 0 {
			curve = fmt.Sprintf("M%s %s", tenths(x), tenths(y))
			continue
		}
		curve += fmt.Sprintf("H%sV%s", tenths(x), tenths(y))
	}
	curve += fmt.Sprintf("H%d", side)
	marks := ""
	for _, c := range r.Changes {
		words := "iteration " + c.String()
		d.Changes = append(d.Changes, scrubChange{c.Iter, words})
		marks += fmt.Sprintf(`<path d="M%s 0V%d" stroke="#c60" stroke-dasharray="4 3"><title>%s`+
			`</title></path>`, tenths(at(c.Iter)), side, Escape(words))
	}
	px, py := r.places()
	for i := range px {
		d.X, d.Y = append(d.X, int(math.Round(px[i]))), append(d.Y, int(math.Round(py[i])))
	}
	for _, f := range r.Frames {
		d.Frames = append(d.Frames, scrubFrame{f.Iter, f.Best.String(), f.Tour})
	}
	last := r.Frames[len(r.Frames)-1]
	data, err := json.Marshal(d) // which writes < as \u003c
	if err != nil {
		return "<p>" + Escape(err.Error()) + "</p>"
	}
	h := fnv.New64a()
	_, _ = h.Write(data)
	id := fmt.Sprintf("metalab-scrub-%x", h.Sum64())
	svg := func(name, about, inner string) string {
		return fmt.Sprintf(`<svg data-part="%s" role="img" aria-label="%s" viewBox="-6 -6 %d %d" `+
			`width="%d" height="%d" fill="none" stroke="currentColor">%s</svg>`, name, Escape(about),
			side+12, side+12, side, side, inner)
	}
	out := fmt.Sprintf(`<div id="%s"><p><label>iteration <input type="range" min="0" max="%d" `+
		`value="%d" step="1" style="width:24em;vertical-align:middle"/></label> <output>%s</output></p>`,
		id, r.Iteration, r.Iteration, Escape(words(r.Iteration, last.Best.String())))
	out += svg("curve", "best of "+r.Run+" by iteration", fmt.Sprintf(
		`<path d="M0 0V%d H%d" opacity=".4"/>%s<path d="%s" stroke="#07c" stroke-width="2"/>`+
			`<path data-part="now" d="M%d 0V%d" stroke="#c22"/>`, side, side, marks, curve, side, side))
	if d.X != nil {
		line := ""
		for i, c := range last.Tour {
			line += fmt.Sprintf("%c%d %d", "ML"[min(i, 1)], d.X[c], d.Y[c])
		}
		out += svg("tour", "tour of "+r.Run, `<path data-part="line" d="`+line+`Z"/>`)
	}
	if r.Note != "" {
		out += "<p>" + Escape(r.Note) + "</p>"
	}
	// The mark lets it be XML too, in which "<" may not stand as it is.
	return out + "<script type=\"text/javascript\">//<![CDATA[\n(" +
		strings.TrimSpace(scrubScript) + ")(" + `"` + id + `",` + string(data) +
		")\n//]]></script></div>"
}

// words is what stands beside the slider.
func words(iter int64, best string) string { return fmt.Sprintf("%d, best %s", iter, best) }

// scrubData is what the script draws.
type scrubData struct {
	End     int64         `json:"end"`
	X       []int         `json:"x"`
	Y       []int         `json:"y"`
	Frames  []scrubFrame  `json:"frames"`
	Changes []scrubChange `json:"changes"`
}

type scrubFrame struct {
	Iter int64   `json:"i"`
	Best string  `json:"b"`
	Tour []int32 `json:"t"`
}

type scrubChange struct {
	Iter  int64  `json:"i"`
	Words string `json:"w"`
}

// tenths is a place in a drawing, in tenths.
func tenths(v float64) string { return Num(math.Round(v*10) / 10).String() }

// scales are where iterations and values lie on the curve.
func (r *ScrubReply) scales() (at func(int64) float64, up func(float64) float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, m := range r.Curve {
		lo, hi = min(lo, float64(m.Best)), max(hi, float64(m.Best))
	}
	return func(i int64) float64 { return side * float64(i) / float64(max(r.Iteration, 1)) },
		func(v float64) float64 {
			if !(hi > lo) {
				return side / 2
			}
			return side * (hi - v) / (hi - lo)
		}
}

// places are the cities in the drawing, both axes with the same scale.
func (r *ScrubReply) places() (x, y []float64) {
	if len(r.X) == 0 || len(r.X) != len(r.Y) {
		return nil, nil
	}
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i := range r.X {
		x0, x1 = min(x0, float64(r.X[i])), max(x1, float64(r.X[i]))
		y0, y1 = min(y0, float64(r.Y[i])), max(y1, float64(r.Y[i]))
	}
	wide := max(x1-x0, y1-y0)
	if wide == 0 {
		wide = 1
	}
	for i := range r.X {
		x = append(x, side*(float64(r.X[i])-x0)/wide)
		y = append(y, side*(y1-float64(r.Y[i]))/wide)
	}
	return x, y
}
