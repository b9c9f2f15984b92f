package view

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/kernel/view/internal/raster"
)

// A walk is a closed tour ready to be drawn.
type walk struct {
	at    []place // by city
	order []int32
	fresh []bool // by position: whether the edge to the next one is new; nil: none

	// apart makes each pair of the order an edge of its own, instead of a tour.
	apart bool

	// all draws every edge, however many.
	all bool
}

// How much ink a picture takes. A tour of n cities in a square of side a is about
// 0.7 a sqrt(n) long, so from some thousand cities on lines of a point's width
// would fill it.
const (
	fill      = 0.5   // the part of the area that lines may cover
	thinnest  = 0.12  // points; below it nothing is seen
	vertices  = 12000 // of a drawing made of vectors: about 140 kB of SVG
	cellFill  = 0.30  // the part of the dots of a terminal that lines may cover
	overdrawn = 24    // pixels drawn for each there is, at which more changes nothing
)

// edge returns the ends of edge i, and whether there is one.
func (w *walk) edge(i int) (a, b place, ok bool) {
	j := i + 1
	if w.apart {
		if i%2 == 1 {
			return a, b, false
		}
	} else if j == len(w.order) {
		j = 0
		if i == 0 || len(w.order) == 2 {
			return a, b, false
		}
	}
	u, v := w.order[i], w.order[j]
	if u < 0 || v < 0 || int(u) >= len(w.at) || int(v) >= len(w.at) {
		return a, b, false
	}
	a, b = w.at[u], w.at[v]
	return a, b, !a.gone() && !b.gone()
}

// isNew reports whether edge i is new.
func (w *walk) isNew(i int) bool { return w.fresh != nil && w.fresh[i] }

// length is the length of all edges in points; specks count as their width.
func (w *walk) length(least float32) float64 {
	sum := 0.0
	for i := range w.order {
		if a, b, ok := w.edge(i); ok {
			sum += float64(max(apart(a, b), least))
		}
	}
	return sum
}

// draw draws the walk, old edges first, new ones over them, and says what is left out; empty
// where nothing is.
func (w *walk) draw(c draw.Canvas, to target, old, fresh draw.LineStyle) (left string) {
	size := c.Size()
	area := float64(size.X * size.Y)
	if len(w.order) < 2 || !(area > 0) || !finite(area) {
		return ""
	}
	length := w.length(float32(old.Width) * 0.5)
	switch {
	case to.pixels != nil:
		return w.paint(c, to, thin(old, length, area), thin(fresh, length, area), length, area)
	case w.all:
		return w.stroke(c, old, fresh, 0, math.MaxInt, math.Inf(1))
	case to.cells:
		// One dot is Dot points wide, so the ink is length times that.
		most := cellFill * area / float64(to.dot)
		return w.stroke(c, old, fresh, to.dot*0.7, math.MaxInt, most)
	}
	return w.stroke(c, old, fresh, to.dot, vertices, math.Inf(1))
}

// thin makes lines so thin that so many points of them do not fill the area.
func thin(s draw.LineStyle, length, area float64) draw.LineStyle {
	if most := vg.Length(fill * area / max(length, 1)); s.Width > most {
		s.Width = max(most, thinnest)
	}
	return s
}

// paint draws every edge into pixels, or, where that would cover the picture many
// times over, one in so many.
func (w *walk) paint(c draw.Canvas, to target, old, fresh draw.LineStyle, length,
	area float64,
) (left string) {
	px := float32(to.dpi / 72) // pixels a point
	bounds := to.pixels.Bounds()
	height := float32(bounds.Dy())
	x0, y0 := floor(float32(c.Min.X)*px)-2, floor(height-float32(c.Max.Y)*px)-2
	x1, y1 := floor(float32(c.Max.X)*px)+3, floor(height-float32(c.Min.Y)*px)+3
	frame := image.Rect(x0, y0, x1, y1).Intersect(bounds)
	if frame.Empty() {
		return ""
	}
	every := 1 + int(length*float64(px)/(overdrawn*area*float64(px)*float64(px)))
	if w.all {
		every = 1
	}
	for pass, s := range [...]draw.LineStyle{old, fresh} {
		if pass == 1 && w.fresh == nil || s.Width <= 0 {
			continue
		}
		k := s.Color
		if k == nil {
			k = color.Black
		}
		layer := raster.New(frame.Dx(), frame.Dy())
		left, top := float32(frame.Min.X), float32(frame.Min.Y)
		for i := range w.order {
			if w.isNew(i) != (pass == 1) || !chosen(i, every) {
				continue
			}
			if a, b, ok := w.edge(i); ok {
				layer.Segment(a.x*px-left, height-a.y*px-top, b.x*px-left, height-b.y*px-top,
					float32(s.Width)*px, 1)
			}
		}
		layer.Over(to.pixels, frame.Min, to.ink(k))
	}
	if every == 1 {
		return ""
	}
	return fmt.Sprintf("1 in %d of %s edges", every, grouped(int64(len(w.order))))
}

// stroke draws polylines, simplified to at most so many vertices and so many points of length. It
// drops details finer than the tolerance, which are invisible. left describes what else it dropped,
// and is empty if there is nothing else.
func (w *walk) stroke(c draw.Canvas, old, fresh draw.LineStyle, tolerance vg.Length, vertices int,
	length float64,
) (left string) {
	size := c.Size()
	coarse := float32(max(size.X, size.Y)) / 25
	every := 1
	for tol := float32(tolerance); ; {
		s := simpler{tol: tol, every: every}
		lines := s.simplify(w)
		if s.vertices <= vertices && s.length <= length {
			area := float64(size.X * size.Y)
			strokeAll(c, thin(old, s.length, area), lines[0])
			strokeAll(c, thin(fresh, s.length, area), lines[1])
			if tol == float32(tolerance) && every == 1 {
				return ""
			}
			segments := s.vertices - len(lines[0]) - len(lines[1])
			return fmt.Sprintf("%s edges drawn as %s segments", grouped(int64(len(w.order))),
				grouped(int64(segments)))
		}
		if tol*1.5 < coarse {
			tol *= 1.5
			continue
		}
		// Long edges, as of a random tour: no simpler line is like it, but a part of
		// its edges is.
		every = 1 + int(float64(every)*max(float64(s.vertices)/float64(vertices), s.length/length, 1.5))
		if every > len(w.order) {
			return fmt.Sprintf("none of %s edges", grouped(int64(len(w.order))))
		}
	}
}

// A simpler builds polylines whose vertices are at least tol apart. The edges between two vertices
// form one stretch, which counts as new if at least a third of its edges, by length, are.
type simpler struct {
	tol   float32
	every int // draw one stretch in so many

	vertices int
	length   float64

	lines [2][][]vg.Point
	line  []vg.Point
	kind  int     // of the stretches of line: 0 old, 1 new
	from  place   // where the stretch began
	end   place   // of the last edge
	open  bool    // whether there is a stretch
	count int     // of the stretches so far
	sum   float64 // the length of the stretch's edges
	fresh float64 // that of the new ones among them
}

// simplify returns the polylines of old and of new edges.
func (s *simpler) simplify(w *walk) [2][][]vg.Point {
	for i := range w.order {
		a, b, ok := w.edge(i)
		if !ok {
			s.close()
			continue
		}
		if s.open && a != s.end {
			s.close()
		}
		if !s.open {
			s.open, s.from = true, a
		}
		d := float64(apart(a, b))
		s.sum += d
		if w.isNew(i) {
			s.fresh += d
		}
		s.end = b
		if apart(s.from, b) >= s.tol {
			s.put()
		}
	}
	s.close()
	return s.lines
}

// put ends the stretch and begins the next one at its end.
func (s *simpler) put() {
	s.count++
	if !chosen(s.count, s.every) {
		s.flush()
		s.from, s.sum, s.fresh = s.end, 0, 0
		return
	}
	kind := 0
	if s.fresh*3 >= s.sum && s.fresh > 0 {
		kind = 1
	}
	if kind != s.kind {
		s.flush()
		s.kind = kind
	}
	if len(s.line) == 0 {
		s.line = append(s.line, vg.Point{X: vg.Length(s.from.x), Y: vg.Length(s.from.y)})
	}
	s.line = append(s.line, vg.Point{X: vg.Length(s.end.x), Y: vg.Length(s.end.y)})
	s.length += float64(apart(s.from, s.end))
	s.from, s.sum, s.fresh = s.end, 0, 0
}

// flush moves the line to lines.
func (s *simpler) flush() {
	if len(s.line) > 1 {
		s.vertices += len(s.line)
		s.lines[s.kind] = append(s.lines[s.kind], s.line)
	}
	s.line = nil
}

// close ends the stretch and the line.
func (s *simpler) close() {
	if s.open && (s.from != s.end || len(s.line) == 0) {
		s.put()
	}
	s.flush()
	s.open, s.sum, s.fresh = false, 0, 0
}

// chosen picks one number in every so many, and without a rhythm, which would
// beat with that of the tour.
func chosen(i, every int) bool {
	if every <= 1 {
		return true
	}
	h := uint64(i) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return (h>>32)*uint64(every)>>32 == 0
}

// strokeAll strokes lines as one path, so that a drawing made of vectors states
// their style once.
func strokeAll(c draw.Canvas, s draw.LineStyle, lines [][]vg.Point) {
	n := 0
	for _, l := range lines {
		n += len(l)
	}
	if n == 0 || s.Width <= 0 {
		return
	}
	path := make(vg.Path, 0, n)
	for _, l := range lines {
		for i, p := range l {
			if i == 0 {
				path.Move(p)
			} else {
				path.Line(p)
			}
		}
	}
	c.SetLineStyle(s)
	c.Stroke(path)
}

func floor(v float32) int { return int(math.Floor(float64(v))) }
