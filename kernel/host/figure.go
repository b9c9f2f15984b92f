package host

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"gonum.org/v1/plot/vg"

	"metalab/datasets"
	"metalab/kernel/view"
	"metalab/kernel/view/cells"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// plot draws a figure. Drawing is the host's, so that clients need not link it.
func (h *Host) plot(c *call, q *wire.PlotRequest) (*wire.PlotReply, error) {
	if len(q.Runs) == 0 {
		return nil, wrong("plot: which run? as in: plot a tour")
	}
	q.Figure = or(q.Figure, view.Kinds()[0].Name)
	if q.Figure == "curve" {
		q.Figure = "best" // what people also call it
	}
	s := view.Sink{Graphics: view.SVG}
	if q.Sink != nil {
		s = sinkOf(*q.Sink)
	}
	if q.To != "" {
		if err := absolute("plot", q.To); err != nil {
			return nil, err
		}
		g, err := view.Format(q.To)
		if err != nil {
			return nil, err
		}
		s.Graphics = g
	}
	es := make([]*entry, len(q.Runs))
	data := make([]view.Data, len(q.Runs))
	for i, name := range q.Runs {
		var err error
		if es[i], err = h.find(name); err != nil {
			return nil, err
		}
		if data[i], err = es[i].data(c.ctx, c.who, q.Figure); err != nil {
			return nil, err
		}
	}
	p, err := view.Draw(q.Figure, data...)
	if err != nil {
		return nil, wrong("plot: " + err.Error())
	}
	if s.Size == (view.Size{}) {
		s.Size = usualSize(q.Figure, data[0])
	}
	var b bytes.Buffer
	if err := view.Render(&b, p, s); err != nil {
		return nil, wrong("plot: " + err.Error())
	}
	rep := &wire.PlotReply{Status: es[0].status("plot"), Runs: q.Runs, Figure: q.Figure, Mime: mimeOf(s.Graphics)}
	if q.To == "" {
		rep.Data = b.Bytes()
		return rep, nil
	}
	rep.Path = q.To
	err = record.Atomic(q.To, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
	if err != nil {
		return nil, fmt.Errorf("plot: %w", err)
	}
	return rep, nil
}

func sinkOf(s wire.Sink) view.Sink {
	return view.Sink{
		Graphics: view.Graphics(s.Graphics), Cols: s.Cols, Rows: s.Rows, CellW: s.CellW, CellH: s.CellH,
		Depth: cells.Depth(s.Depth), Tmux: s.Tmux, Background: s.Background, DPI: s.DPI,
		Size: view.Size{W: vg.Length(s.Size.W), H: vg.Length(s.Size.H)},
	}
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

// usualSize is the size that suits a figure; zero, the default, for measures.
func usualSize(figure string, d view.Data) view.Size {
	for _, k := range view.Kinds() {
		if k.Name == figure {
			return k.Size(d)
		}
	}
	return view.Size{}
}

// objectives name what is minimised, by the kind of problem.
var objectives = map[datasets.Kind]string{
	datasets.KindTSP: "tour length", datasets.KindATSP: "tour length", datasets.KindQAP: "cost",
	datasets.KindPPP: "violations", datasets.KindWeierstrass: "function value",
	datasets.KindColouring: "conflicts",
}

// data is what a figure needs of a run. The tour of the picture before is the one that
// the same client saw last.
func (e *entry) data(ctx context.Context, who, figure string) (view.Data, error) {
	hd := e.run.Header()
	p := e.run.Last()
	d := view.Data{
		Name: e.name, Objective: objectives[e.run.Instance().Kind()], Measures: hd.Measures,
		Journal: e.run.Journal(), Best: bestKnown(e.run), Points: e.run.History(),
	}
	v := e.run.Variant()
	d.Title = fmt.Sprintf("%s: %s/%s on %s, iteration %d", e.name, v.Solver, v.Name, hd.Instance.Name, p.Iter)
	if p.Iter > 0 {
		d.Title += ", best " + wire.Num(p.Best).String()
		if n := len(d.Points); n == 0 || d.Points[n-1].Iter < p.Iter {
			d.Points = append(d.Points, p)
		}
	}
	if t, ok := e.run.Instance().(*datasets.TSP); ok {
		d.X, d.Y = t.ShowX, t.ShowY
	}
	var err error
	switch figure {
	case "tour", "trails", "heat":
		best, err := e.run.Best(ctx)
		if err != nil {
			return d, err
		}
		d.Tour = best.Solution.Perm
		if figure == "tour" {
			e.mu.Lock()
			d.PrevTour = e.shown[who]
			if len(e.shown) < 16 || d.PrevTour != nil {
				e.shown[who] = d.Tour
			}
			e.mu.Unlock()
			return d, nil
		}
		ts, err := e.trails(ctx, maxTrails)
		if err != nil {
			return d, err
		}
		for _, t := range ts {
			d.Trails = append(d.Trails, view.Trail{I: t.From, J: t.To, V: t.Strength})
		}
	case "lengths":
		d.Lengths, err = e.lengths(ctx)
	case "assignment", "multiset", "slice", "neighbourhood":
		d.Problem, err = e.problem(ctx, figure)
	}
	return d, err
}
