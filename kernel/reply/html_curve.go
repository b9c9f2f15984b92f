package reply

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The size of a small curve and its edges, in CSS pixels.
const (
	curveW, curveH = 300, 150
	curveEdge      = 6  // left and right
	curveLine      = 18 // above and below: a line of text
	curvePlotW     = curveW - 2*curveEdge
	curvePlotH     = curveH - 2*curveLine
)

// The colours of a small curve show on white and on black, for it cannot know its page.
const (
	curveBest    = "#3987e5"
	curveIter    = "#9a9a9a"
	curveOptimum = "#2f9e6e"
	curveSet     = "#d9822b"
	curveText    = "#888888"
)

// Curve returns a small picture of a history, as HTML: the best so far, the iterations' bests
// behind it, the best known value, and a mark at each change of a parameter. It is empty for fewer
// than two points.
func Curve(ps []Point, sets []int64, optimum Num, alt string) string {
	if len(ps) < 2 || ps[len(ps)-1].Iter <= ps[0].Iter {
		return ""
	}
	return picture("image/svg+xml", []byte(curveSVG(ps, sets, optimum)), curveW, alt)
}

// columnsOf thins points to the last one in each of this many columns.
func columnsOf(ps []Point, columns int) []Point {
	first, last := ps[0].Iter, ps[len(ps)-1].Iter
	var out []Point
	at := int64(-1)
	for _, p := range ps {
		c := int64(float64(p.Iter-first) / float64(last-first) * float64(columns))
		if c != at {
			out, at = append(out, p), c
		} else {
			out[len(out)-1] = p
		}
	}
	return out
}

// curveScale is what the curve's lower and upper edge stand for, and the highest value seen. The
// scale is that of the best so far; iterations' bests outside it are cut. A start far above the
// rest would flatten the curve, so a little of the beginning may be cut too.
func curveScale(ps []Point, optimum Num) (lo, hi, top float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i, p := range ps {
		if v := float64(p.Best); p.Best.Known() {
			lo = min(lo, v)
			if i >= len(ps)/20 {
				hi = max(hi, v)
			}
		}
		if v := float64(p.IterBest); p.IterBest.Known() && i >= len(ps)/5 {
			hi = max(hi, v)
		}
	}
	top = hi
	if optimum.Known() && float64(optimum) <= lo && lo-float64(optimum) < 3*(hi-lo) {
		lo = float64(optimum)
	}
	if !(hi > lo) {
		hi, lo = lo+1, lo-1
	}
	margin := (hi - lo) * 0.05
	return lo - margin, hi + margin, top
}

func curveSVG(ps []Point, sets []int64, optimum Num) string {
	first, last := ps[0].Iter, ps[len(ps)-1].Iter
	ps = columnsOf(ps, curvePlotW/2)
	lo, hi, top := curveScale(ps, optimum)
	x := func(iter int64) float64 {
		return curveEdge + curvePlotW*float64(iter-first)/float64(last-first)
	}
	y := func(v Num) float64 {
		return min(max(curveLine+curvePlotH*(hi-float64(v))/(hi-lo), curveLine), curveLine+curvePlotH)
	}
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`, curveW,
		curveH, curveW, curveH)
	line := func(x1, y1, x2, y2 float64, colour, dash string) {
		fmt.Fprintf(&b, `<path d="M%s %sL%s %s" stroke="%s" stroke-dasharray="%s" fill="none"/>`,
			short(x1), short(y1), short(x2), short(y2), colour, dash)
	}
	line(curveEdge, curveLine+curvePlotH, curveEdge+curvePlotW, curveLine+curvePlotH,
		curveText, "none")
	for _, s := range sets {
		if s >= first && s <= last {
			line(x(s), curveLine, x(s), curveLine+curvePlotH, curveSet, "2 2")
		}
	}
	if optimum.Known() && float64(optimum) >= lo {
		line(curveEdge, y(optimum), curveEdge+curvePlotW, y(optimum), curveOptimum, "4 3")
	}
	draw := func(colour string, width float64, steps bool, value func(Point) Num) {
		var d strings.Builder
		pen := "M"
		before := 0.0
		for _, p := range ps {
			v := value(p)
			if !v.Known() {
				pen = "M"
				continue
			}
			if steps && pen == "L" && y(v) != before {
				fmt.Fprintf(&d, "L%s %s", short(x(p.Iter)), short(before))
			}
			before = y(v)
			fmt.Fprintf(&d, "%s%s %s", pen, short(x(p.Iter)), short(before))
			pen = "L"
		}
		if d.Len() > 0 {
			fmt.Fprintf(&b, `<path d="%s" stroke="%s" stroke-width="%s" fill="none"/>`, d.String(), colour,
				short(width))
		}
	}
	draw(curveIter, 0.8, false, func(p Point) Num { return p.IterBest })
	draw(curveBest, 2, true, func(p Point) Num { return p.Best })
	text := func(x, y float64, anchor, s string) {
		fmt.Fprintf(&b,
			`<text x="%s" y="%s" text-anchor="%s" fill="%s" `+
				`font-family="sans-serif" font-size="10">%s</text>`,
			short(x), short(y), anchor, curveText, Escape(s))
	}
	text(curveEdge, curveLine-6, "start", rounded(top))
	text(curveEdge+curvePlotW, curveLine-6, "end", "best "+ps[len(ps)-1].Best.String())
	text(curveEdge, curveH-5, "start", fmt.Sprint(first))
	text(curveEdge+curvePlotW, curveH-5, "end", fmt.Sprintf("iteration %d", last))
	return b.String() + "</svg>"
}

// short is a coordinate with a digit behind the point.
func short(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// rounded is a value in few digits.
func rounded(v float64) string {
	if math.Abs(v) >= 1000 {
		v = math.Round(v)
	}
	return Num(v).String()
}
