package view

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Ranking is the data of a critical-distance diagram: the mean ranks of solvers over instances,
// and which of them do not differ significantly.
type Ranking struct {
	Names []string
	Ranks []float64 // the mean rank of each; 1 is the best

	// Distance is the critical distance of Nemenyi's test: solvers with closer ranks do not differ. 0:
	// P decides.
	Distance float64

	// P holds the p-values of the pairs, adjusted, for example by Holm's method: pairs with at least
	// Alpha do not differ. It is square in the number of names; nil if there is a Distance.
	P     [][]float64
	Alpha float64 // 0: 0.05
}

// check returns an error where the ranking contradicts itself.
func (r *Ranking) check() error {
	n := len(r.Names)
	if len(r.Ranks) != n {
		return fmt.Errorf("view: a ranking of %d names has %d ranks, want as many", n, len(r.Ranks))
	}
	for i, v := range r.Ranks {
		if !(v >= 1 && v <= float64(n)) {
			return fmt.Errorf("view: the mean rank of %q is %v, want 1 to %d", r.Names[i], v, n)
		}
	}
	if !(r.Distance >= 0) || !finite(r.Distance) {
		return fmt.Errorf("view: the critical distance is %v, want 0 or more", r.Distance)
	}
	if r.P == nil {
		return nil
	}
	if len(r.P) != n {
		return fmt.Errorf("view: a ranking of %d names has %d rows of p-values, want as many", n,
			len(r.P))
	}
	for i, row := range r.P {
		if len(row) != n {
			return fmt.Errorf("view: row %d of the p-values has %d, want %d", i+1, len(row), n)
		}
	}
	return nil
}

// alike reports whether solvers i and j do not differ significantly.
func (r *Ranking) alike(i, j int) bool {
	if r.P != nil {
		return r.P[i][j] >= r.alpha()
	}
	return math.Abs(r.Ranks[i]-r.Ranks[j]) < r.Distance
}

func (r *Ranking) alpha() float64 {
	if r.Alpha == 0 {
		return 0.05
	}
	return r.Alpha
}

// order returns the solvers, the best first.
func (r *Ranking) order() []int {
	o := make([]int, len(r.Ranks))
	for i := range o {
		o[i] = i
	}
	slices.SortStableFunc(o, func(a, b int) int {
		switch {
		case r.Ranks[a] < r.Ranks[b]:
			return -1
		case r.Ranks[a] > r.Ranks[b]:
			return 1
		}
		return 0
	})
	return o
}

// groups returns the stretches of the order, from and to, no two of which differ, as long as
// they can be and none within another.
func (r *Ranking) groups(order []int) (out [][2]int) {
	last := -1
	for i := range order {
		j := i
	grow:
		for j+1 < len(order) {
			for k := i; k <= j; k++ {
				if !r.alike(order[k], order[j+1]) {
					break grow
				}
			}
			j++
		}
		if j > i && j > last {
			out = append(out, [2]int{i, j})
			last = j
		}
	}
	return out
}

// Ranks draws the critical-distance diagram of J. Demšar, "Statistical comparisons of
// classifiers over multiple data sets", JMLR 7 (2006): the mean ranks on an axis, the best left,
// and bars over those that do not differ significantly, by Nemenyi's critical distance or by
// adjusted p-values.
func (l Look) Ranks(w Labels, r Ranking) (*plot.Plot, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	p := l.base(w.Title)
	if len(r.Names) == 0 {
		return empty(p, "no ranks to draw"), nil
	}
	if n := len(r.Names); r.P == nil && r.Distance > float64(n-1) && n > 1 {
		return nil, fmt.Errorf("view: the critical distance is %.3g, and mean ranks of %d differ by %d "+
			"at most: on so few instances no difference is told", r.Distance, n, n-1)
	}
	names, err := l.renamed(len(r.Names), func(i int) string { return r.Names[i] })
	if err != nil {
		return nil, err
	}
	r.Names = names
	bare(p)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.Add(rankDiagram(r))
	return p, nil
}

// RanksSize returns a size for a diagram of n solvers.
func RanksSize(n int) Size {
	high := min(110+row*1.15*vg.Length((n+1)/2)+row*vg.Length(n)/3, largest)
	return Size{W: float64(defaultW), H: float64(high)}
}

// A rankDiagram draws a ranking.
type rankDiagram Ranking

// speak says the ranks and the groups.
func (d rankDiagram) speak(s *wordCanvas, order []int, groups [][2]int) {
	r := Ranking(d)
	for _, i := range order {
		s.say("%s: mean rank %.3g", r.Names[i], r.Ranks[i])
	}
	switch {
	case r.P != nil:
		s.say("groups do not differ by adjusted p-values at %v", r.alpha())
	case r.Distance > 0:
		s.say("critical distance %.3g", r.Distance)
	}
	for _, g := range groups {
		var names []string
		for _, i := range order[g[0] : g[1]+1] {
			names = append(names, r.Names[i])
		}
		s.say("not significantly different: %s", strings.Join(names, ", "))
	}
	if len(groups) == 0 && (r.P != nil || r.Distance > 0) {
		s.say("all differ significantly")
	}
}

// Plot draws the diagram.
func (d rankDiagram) Plot(c draw.Canvas, plt *plot.Plot) {
	to := targetOf(c)
	r := Ranking(d)
	order := r.order()
	groups := r.groups(order)
	if to.words != nil {
		d.speak(to.words, order, groups)
		return
	}
	n := len(order)
	style := draw.TextStyle{
		Font: to.font(tickSize), Color: ink, Handler: plt.X.Label.TextStyle.Handler, YAlign: draw.YCenter,
	}
	wide := c.Size().X * 0.34
	label := rankLabels(r, func(s string) bool { return style.Width(s)*to.slack() <= wide })
	widest := vg.Length(0)
	for _, s := range label {
		widest = max(widest, min(style.Width(s)*to.slack(), wide))
	}
	left, right := c.Min.X+widest+10, c.Max.X-widest-10
	most := float64(max(n, 2))
	at := func(rank float64) vg.Length {
		return left + (right-left)*vg.Length((rank-1)/(most-1))
	}

	// In cells, rows are whole rows of cells.
	step := row
	top := c.Max.Y - row/2
	if to.cells {
		top = vg.Length(math.Floor(float64(c.Max.Y/row)))*row - row/2
	}
	if r.Distance > 0 && r.P == nil {
		top = d.distance(c, to, style, left, at, top)
	}
	style.XAlign = draw.XCenter
	every := 1
	for n/every > 12 {
		every++
	}
	for k := 1; k <= n; k += every {
		c.FillText(style, vg.Point{X: at(float64(k)), Y: top}, fmt.Sprint(k))
	}
	axis := top - row*0.75
	c.StrokeLine2(line(ink, 1), at(1), axis, at(most), axis)
	for k := 1; k <= n; k++ {
		c.StrokeLine2(line(ink, 0.6), at(float64(k)), axis, at(float64(k)), axis+3)
	}

	gap := max(step*0.45, 2*to.dot)
	if to.cells {
		gap = 6
	}
	spans := make([][2]vg.Length, len(groups))
	for i, g := range groups {
		spans[i] = [2]vg.Length{at(r.Ranks[order[g[0]]]) - 3, at(r.Ranks[order[g[1]]]) + 3}
	}
	below := groupBars(c, spans, axis, gap) - row*0.8
	if to.cells {
		below = vg.Length(math.Floor(float64(below/row)))*row + row/2
	}
	half := (n + 1) / 2
	if room := below - c.Min.Y - row/2; !to.cells && half > 1 {
		step = min(row*1.15, max(room/vg.Length(half-1), 4))
	}
	for pos, i := range order {
		level, edge, side := pos, left-4, draw.XRight
		if pos >= half {
			level, edge, side = n-1-pos, right+4, draw.XLeft
		}
		x, y := at(r.Ranks[i]), below-step*vg.Length(level)
		c.StrokeLines(line(ink, 0.7), []vg.Point{{X: x, Y: axis}, {X: x, Y: y}, {X: edge, Y: y}})
		style.XAlign = side
		out := edge - 3
		if side == draw.XLeft {
			out = edge + 3
		}
		c.FillText(style, vg.Point{X: out, Y: y}, label[i])
	}
}

// rankLabels returns names with their ranks: without the words that all names have, if one does not
// fit, and then cut where it does not differ from others.
func rankLabels(r Ranking, fits func(string) bool) []string {
	names, out := r.Names, make([]string, len(r.Names))
	write := func(i int, name string) string { return fmt.Sprintf("%s %.2f", name, r.Ranks[i]) }
	for i, n := range names {
		if !fits(write(i, n)) {
			names = distinct(names)
			break
		}
	}
	for i, n := range names {
		out[i] = write(i, n)
		for k := len([]rune(n)) - 1; k > 1 && !fits(out[i]); k-- {
			out[i] = write(i, shortened(n, k))
		}
	}
	return out
}

// groupBars draws the bars of groups below y, those that do not overlap in one row, and returns the
// height of the lowest row.
func groupBars(c draw.Canvas, spans [][2]vg.Length, y, gap vg.Length) vg.Length {
	var ends []vg.Length
	for _, s := range spans {
		k := slices.IndexFunc(ends, func(e vg.Length) bool { return e < s[0]-4 })
		if k < 0 {
			k, ends = len(ends), append(ends, 0)
		}
		ends[k] = s[1]
		row := y - gap*vg.Length(k+1)
		c.StrokeLine2(line(vermilion, 2.6), s[0], row, s[1], row)
	}
	return y - gap*vg.Length(len(ends))
}

// distance draws the critical distance above the axis and returns where the axis goes on.
func (d rankDiagram) distance(
	c draw.Canvas, to target, style draw.TextStyle, left vg.Length, at func(float64) vg.Length,
	y vg.Length,
) vg.Length {
	x := at(1 + d.Distance)
	x = min(x, at(float64(max(len(d.Names), 2))))
	thin := line(ink, 1)
	c.StrokeLine2(thin, left, y, x, y)
	c.StrokeLine2(thin, left, y-3, left, y+3)
	c.StrokeLine2(thin, x, y-3, x, y+3)
	text, place := fmt.Sprintf("critical distance %.3g", d.Distance), x+6
	if place+style.Width(text)*to.slack() > c.Max.X { // the bar is long: left of it is room
		style.XAlign, place = draw.XRight, left-6
		text = cut(style, text, (place-c.Min.X)/to.slack())
	}
	c.FillText(style, vg.Point{X: place, Y: y}, text)
	if to.cells {
		return y - row
	}
	return y - row*1.3
}
