package host

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/solvers/record"
)

var _ = handle("plot", (*Host).plot)

// plot draws a figure. The host does this so that clients need not link the drawing code.
func (h *Host) plot(c *Call, q *wire.PlotRequest) (*reply.PlotReply, error) {
	if len(q.Runs) == 0 {
		return nil, wrong("plot: which run? as in: plot a tour")
	}
	q.Figure = or(q.Figure, view.Kinds()[0].Name)
	d, err := DrawingOf("plot", q.Sink, q.To, q.Force)
	if err != nil {
		return nil, err
	}
	look, err := lookOf(q.PlotLook, &d.sink)
	if err != nil {
		return nil, wrong("plot: " + err.Error())
	}
	es := make([]*Run, len(q.Runs))
	for i, name := range q.Runs {
		if es[i], err = h.Find(name); err != nil {
			return nil, err
		}
	}
	if err := oneObjective(es); err != nil {
		return nil, err
	}
	// Iterations that the history does not hold run again.
	every := func(e *Run) ([]record.Point, error) {
		ps, err := h.EveryPoint(c, e, "plot "+e.name)
		return timed(ps), err
	}
	sheet, err := Draw(c.ctx, es, Figure{
		Verb: "plot", Who: c.who, Names: q.Figure, Look: look, Every: every,
	})
	if err != nil {
		return nil, err
	}
	rep := &reply.PlotReply{
		Status: es[0].Status("plot"), Runs: q.Runs, Figure: q.Figure, Look: q.PlotLook,
	}
	return rep, d.Put(h, rep, sheet, OfRuns("figure", es...))
}

// oneObjective refuses runs on one instance whose values do not compare.
func oneObjective(es []*Run) error {
	own := ObjectivesOf(es[0].run.Instance())
	if len(own) == 0 {
		return nil
	}
	first := ObjectiveBy(own, present(es[0]))
	for _, e := range es[1:] {
		if e.run.Instance().SHA256() != es[0].run.Instance().SHA256() {
			continue
		}
		if other := ObjectiveBy(own, present(e)); other != first {
			return wrong("plot: " + OtherObjectives(es[0].run.Instance().Name(), first, other) +
				"; plot each alone")
		}
	}
	return nil
}

// timed fills in the times of points that have none, between those of their neighbours.
func timed(ps []record.Point) []record.Point {
	known := -1
	for i := range ps {
		if math.IsNaN(ps[i].Wall) {
			continue
		}
		from := record.Point{}
		if known >= 0 {
			from = ps[known]
		}
		for j := known + 1; j < i; j++ {
			part := float64(j-known) / float64(i-known)
			ps[j].Wall = from.Wall + float64(part*(ps[i].Wall-from.Wall))
			ps[j].CPU = from.CPU + float64(part*(ps[i].CPU-from.CPU))
		}
		known = i
	}
	return ps
}

// A Figure names what to draw of runs, and for whom.
type Figure struct {
	Verb, Who string
	Names     string // several with commas between them
	Look      view.Look

	Every func(*Run) ([]record.Point, error) // all iterations, where Look asks for them
}

// Draw makes the figures of runs.
func Draw(ctx context.Context, es []*Run, f Figure) (*view.Sheet, error) {
	names := strings.Split(f.Names, ",")
	curves := false
	for i, n := range names {
		if names[i] = strings.TrimSpace(n); names[i] == "curve" {
			names[i] = "best" // another name for it
		}
		// For the best values of several runs the kept points are enough.
		at := slices.IndexFunc(view.Kinds(), func(k view.Kind) bool { return k.Name == names[i] })
		curves = curves || (at < 0 || view.Kinds()[at].Curves) && (names[i] != "best" || len(es) == 1)
	}
	data := make([]view.Data, len(es))
	for i, e := range es {
		var err error
		if data[i], err = e.data(ctx, f.Who, names, f.Look.All); err != nil {
			return nil, err
		}
		if f.Look.All && curves {
			if data[i].Points, err = f.Every(e); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Verb, err)
			}
		}
	}
	addSeeds(es, data)
	sheet, err := view.Draw(strings.Join(names, ","), f.Look, data...)
	if err != nil {
		return nil, wrong(f.Verb + ": " + strings.TrimPrefix(err.Error(), "view: ") +
			nearFigure(names, data))
	}
	return sheet, nil
}

// nearFigure is "; did you mean tour?" for the first name that is no figure and nearly one, else
// empty.
func nearFigure(names []string, data []view.Data) string {
	var known []string
	for _, k := range view.Kinds() {
		known = append(known, k.Name)
	}
	for _, d := range data {
		known = append(known, d.Measures...)
	}
	for _, n := range names {
		if near := words.Near(n, known); !slices.Contains(known, n) && near != "" {
			return "; did you mean " + near + "?"
		}
	}
	return ""
}

// addSeeds adds the results of the runs' repeats with their present parameters, for one budget if
// all have it.
func addSeeds(es []*Run, data []view.Data) {
	all := make([][]record.Series, len(es))
	for i, e := range es {
		all[i], _ = e.ofNow()
	}
	for i, s := range together(all) {
		if s == nil {
			continue
		}
		data[i].Seeds = &view.Seeds{Budget: s.Budget.String(), Results: s.Seeds}
		if len(data[i].Points) == 0 {
			v := es[i].run.Variant()
			data[i].Title = fmt.Sprintf("%s: %s/%s on %s, %s", es[i].name, v.Solver, v.Name,
				data[i].Instance, es[i].series(s).Head())
		}
	}
}

// lookOf reads the options of a figure; a size goes into the sink.
func lookOf(q reply.PlotLook, s *wire.Sink) (l view.Look, err error) {
	if l.X, err = view.ParseAxis(q.X); err != nil {
		return l, err
	}
	if q.Range != "" {
		if l.Range, err = view.ParseRange(q.Range); err != nil {
			return l, err
		}
	}
	if q.Columns < 0 {
		return l, fmt.Errorf("columns is %d, want 1 or more", q.Columns)
	}
	l.Columns, l.All = q.Columns, q.All
	if l.Title = q.Title; l.Title == "off" {
		l.Title, l.NoTitle = "", true
	}
	if q.Legend == "off" {
		l.NoLegend = true
	} else if q.Legend != "" {
		for name := range strings.SplitSeq(q.Legend, ",") {
			l.Legend = append(l.Legend, strings.TrimSpace(name))
		}
	}
	if q.Size == "" {
		return l, nil
	}
	switch s.Graphics {
	case view.Cells, view.Kitty, view.ITerm, view.Sixel, view.None:
		cols, rows, ok := strings.Cut(q.Size, "x")
		var errs [2]error
		s.Cols, errs[0] = strconv.Atoi(cols)
		s.Rows, errs[1] = strconv.Atoi(rows)
		if !ok || errors.Join(errs[:]...) != nil || s.Cols < 1 || s.Rows < 1 {
			return l, fmt.Errorf("size is %q, want columns x rows on a screen, as 80x24", q.Size)
		}
	default:
		s.Size, err = view.ParseSize(q.Size)
	}
	return l, err
}

func mimeOf(g view.Graphics) string {
	switch g {
	case view.SVG:
		return "image/svg+xml"
	case view.PNG:
		return "image/png"
	case view.PDF:
		return "application/pdf"
	}
	return "text/plain; charset=utf-8"
}

// data returns what figures need of a run. The tour of the picture before is the one that the same
// client saw last.
func (e *Run) data(ctx context.Context, who string, figures []string,
	all bool,
) (view.Data, error) {
	p := e.run.Last()
	d := view.History(e.run)
	d.Points = e.Points()
	if p.Iter > 0 {
		d.Title += ", best " + value(d.Sense, p.Best).String()
	}
	if sound, doubt := e.run.Doubt(); doubt != nil {
		d.Title = fmt.Sprintf("%s, iteration %d: %v", e.name, p.Iter, doubt)
		d.Points = slices.DeleteFunc(d.Points, func(p record.Point) bool { return p.Iter > sound })
	} else if trouble := e.run.Trouble(); trouble != "" {
		d.Title += "; " + trouble
	}
	for _, f := range figures {
		if err := e.more(ctx, who, f, all, &d); err != nil {
			return d, err
		}
	}
	return d, nil
}

// more adds to d what one figure needs in addition to the history.
func (e *Run) more(ctx context.Context, who, figure string, all bool, d *view.Data) (err error) {
	switch figure {
	case "tour", "trails", "heat":
		best, err := e.run.Best(ctx)
		if err != nil {
			return err
		}
		d.Tour = best.Solution.Perm
		if figure == "tour" {
			e.mu.Lock()
			d.PrevTour = e.shown[who]
			if len(e.shown) < 16 || d.PrevTour != nil {
				e.shown[who] = d.Tour
			}
			e.mu.Unlock()
			return nil
		}
		limit := maxTrails
		if all {
			limit = math.MaxInt32
		}
		ts, of, err := e.trails(ctx, limit)
		if err != nil {
			return err
		}
		d.Trails, d.AllTrails = make([]view.Trail, len(ts)), of
		for i, t := range ts {
			d.Trails[i] = view.Trail{I: t.From, J: t.To, V: t.Strength}
		}
	case "islands":
		err = e.eachIsland(ctx, d)
	case "lengths":
		d.Lengths, err = e.lengths(ctx)
		d.Lengths = d.Sense.Values(d.Lengths)
	case "spans":
		d.Spans, d.NoSpans, err = e.spans(ctx)
	case "assignment", "multiset", "slice", "neighbourhood", "solution":
		p, err := e.problem(ctx, figure)
		if err != nil {
			return err
		}
		d.Problem = d.Problem.With(p)
	}
	return err
}

// spans returns the times of the parts of the last timed iteration, or why there are none. It
// starts the timing of iterations.
func (e *Run) spans(ctx context.Context) (out []view.Span, none string, err error) {
	if err := e.run.Time(ctx, true); err != nil {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		return nil, fmt.Sprintf("no device times it: it runs on %s", e.run.Header().Backend), nil
	}
	spans, err := e.run.Spans(ctx)
	for _, s := range spans {
		out = append(out, view.Span{Name: s.Name, Time: s.Time})
	}
	return out, "the next iterations are timed: step the run, and plot again", err
}
