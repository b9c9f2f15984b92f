package pages

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"metalab/kernel/host"
	"metalab/kernel/host/export"
	"metalab/kernel/host/serve"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// A pictureRequest is what all pictures have that a page asks for.
type pictureRequest struct {
	Figure     string  `json:"figure"`
	W          float64 `json:"w"` // pixels of the page, 1/96 inch
	H          float64 `json:"h"`
	Background string  `json:"background"` // "#rrggbb"
	Seen       string  `json:"seen"`       // the stamp of the picture that the page has
}

// figureRequest is a picture of runs.
type figureRequest struct {
	pictureRequest
	Runs []string `json:"runs"`
}

// chartRequest is a picture of an experiment.
type chartRequest struct {
	pictureRequest
	Name     string `json:"name"`
	Instance string `json:"instance"` // empty: all
}

// headerStamp names the state that a picture shows.
const headerStamp = "X-Metalab-Stamp"

// figureAge is how long a picture of runs that go on is new enough if they have only made
// iterations since: several windows share it, and drawing leaves most of the processor's time to
// the runs.
const figureAge = 150 * time.Millisecond

// maxFigures is the number of stored pictures.
const maxFigures = 32

// whoPages stands for all pages as the viewer of a tour, whose changes since the last picture are
// marked.
const whoPages = "pages"

// figureCache keeps the latest pictures of pages. They are drawn one at a time.
type figureCache struct {
	mu   sync.Mutex
	kept map[string]*figure
}

type figure struct {
	svg     []byte
	changes string // what is drawn, as the runs and how often each was changed
	stamp   string // that, and their iterations
	at      time.Time
}

var hexColour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// pageFigure draws a picture for a page, unless the page has it already.
func (h *pages) pageFigure(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q figureRequest
	if !readPage(w, r, &q) {
		return
	}
	f, err := h.runsFigure(r.Context(), &q)
	q.send(w, f, err)
}

// pageChart draws a picture of an experiment for a page, unless the page has it already.
func (h *pages) pageChart(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q chartRequest
	if !readPage(w, r, &q) {
		return
	}
	f, err := h.experimentFigure(r.Context(), &q)
	q.send(w, f, err)
}

// send answers with a picture.
func (q *pictureRequest) send(w http.ResponseWriter, f *figure, err error) {
	if err != nil {
		serve.WriteError(w, host.WireError("figure", err))
		return
	}
	head := w.Header()
	head.Set("Access-Control-Expose-Headers", headerStamp)
	head.Set(headerStamp, f.stamp)
	if f.stamp == q.Seen {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	head.Set("Content-Type", "image/svg+xml")
	_, _ = w.Write(f.svg) // it fails only if the page has gone
}

// check says what is wrong with the size or the colour.
func (q *pictureRequest) check() error {
	if !(q.W >= 80 && q.W <= 4000 && q.H >= 60 && q.H <= 4000) {
		return wrong(fmt.Sprintf("figure: %v by %v pixels, want 80 to 4000 by 60 to 4000", q.W, q.H))
	}
	if !hexColour.MatchString(q.Background) {
		return wrong(fmt.Sprintf("figure: background is %.20q, want #rrggbb", q.Background))
	}
	return nil
}

// runsFigure is a picture of runs.
func (h *pages) runsFigure(ctx context.Context, q *figureRequest) (*figure, error) {
	if len(q.Runs) == 0 || len(q.Runs) > 64 {
		return nil, wrong(fmt.Sprintf("figure: %d runs, want 1 to 64", len(q.Runs)))
	}
	es := make([]*host.Run, len(q.Runs))
	var changes, iterations strings.Builder
	moves := false
	for i, name := range q.Runs {
		var err error
		if es[i], err = h.Find(name); err != nil {
			return nil, err
		}
		state := es[i].Engine().State() // before the last point: an event tells of what comes later
		moves = moves || state == solvers.Stepping || state == solvers.Running
		fmt.Fprintf(&changes, "%p.%d ", es[i], len(es[i].Engine().Journal()))
		last := es[i].Engine().Last()
		fmt.Fprintf(&iterations, "%d.%x.%d ", last.Iter, last.Digest, es[i].Engine().Seeds())
	}
	if !moves { // nothing may tell the page that there is a newer picture: it gets the newest
		changes.WriteString(iterations.String())
		iterations.Reset()
	}
	return h.figures.draw(&q.pictureRequest, fmt.Sprintf("%q", q.Runs), changes.String(),
		iterations.String(), func() (*view.Sheet, error) {
			// The page says what one picture is.
			s, err := host.Draw(ctx, es, host.Figure{
				Verb: "figure", Who: whoPages, Names: q.Figure, Look: view.Look{NoTitle: len(es) == 1},
			})
			if err == nil && len(s.Plots) == 1 {
				s.Plots[0].Title.Text = ""
			}
			return s, err
		})
}

// draw returns the picture of something in a state, which is changes and iterations: one that was
// drawn before, or a new one of what sheet returns.
func (c *figureCache) draw(
	q *pictureRequest, what, changes, iterations string, sheet func() (*view.Sheet, error),
) (*figure, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%s %s %gx%g %s", q.Figure, what, q.W, q.H, q.Background)
	c.mu.Lock()
	defer c.mu.Unlock()
	f := &figure{changes: changes, stamp: stampOf(changes + iterations), at: time.Now()}
	if old := c.kept[key]; old != nil && (old.stamp == f.stamp || old.changes == f.changes &&
		f.at.Sub(old.at) < figureAge) {
		return old, nil
	}
	drawn, err := sheet()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	s := view.Sink{
		Graphics: view.SVG, Background: q.Background,
		Size: view.Size{W: q.W * 0.75, H: q.H * 0.75},
	}
	if err := drawn.Render(&b, s); err != nil {
		return nil, wrong("figure: " + err.Error())
	}
	f.svg, f.at = b.Bytes(), time.Now()
	if c.kept == nil {
		c.kept = map[string]*figure{}
	}
	if len(c.kept) >= maxFigures {
		oldest := ""
		for k, v := range c.kept {
			if oldest == "" || v.at.Before(c.kept[oldest].at) {
				oldest = k
			}
		}
		delete(c.kept, oldest)
	}
	c.kept[key] = f
	return f, nil
}

// stampOf returns a short name of a state.
func stampOf(s string) string { k := hashOf(s); return fmt.Sprintf("%x", k[:8]) }

// pageRecord sends the record of a run, or its history as CSV.
func (h *pages) pageRecord(w http.ResponseWriter, r *http.Request, _ *grant) {
	var q struct {
		Run  string `json:"run"`
		Form string `json:"form"`
	}
	if !readPage(w, r, &q) {
		return
	}
	e, err := h.Find(q.Run)
	var b bytes.Buffer
	switch {
	case err != nil:
	case q.Form == "record":
		var rec *record.Record
		if rec, err = e.Engine().Record(r.Context()); err == nil {
			err = rec.Encode(&b)
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
	case q.Form == "csv":
		_, err = export.CSV(&b, []*host.Run{e}, e.Points(), false)
		w.Header().Set("Content-Type", "text/csv")
	default:
		err = &wire.Error{
			Code:    wire.CodeRequest,
			Message: fmt.Sprintf("record: form is %.20q, want record or csv", q.Form),
		}
	}
	if err != nil {
		serve.WriteError(w, host.WireError("record", err))
		return
	}
	_, _ = w.Write(b.Bytes()) // it fails only if the page has gone
}
