package lab

import (
	"context"
	"encoding/base64"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// showCell shows a result in the output of a cell, with its text for readers of text. A long step
// has shown its result already.
func showCell(r reply.Reply) bool {
	if all, ok := r.(reply.Replies); ok {
		return !slices.ContainsFunc(all, func(r reply.Reply) bool { return !showCell(r) })
	}
	step, _ := r.(*reply.StepReply)
	here.Lock()
	told := here.shown[step]
	here.Unlock()
	return told || display("", forms(r)...)
}

// forms are the forms of a result: a picture, or HTML, and text.
func forms(r reply.Reply) []mime {
	if p, ok := r.(*reply.PlotReply); ok && p.Path == "" && p.Data != nil {
		text := p.Figure // of one's own
		if len(p.Runs) > 0 {
			text += " of " + strings.Join(p.Runs, ", ")
		}
		if p.Run != "" { // not an experiment
			text += "; " + p.Reached()
		}
		return []mime{picture(p), textForm(text)}
	}
	return textForms(r)
}

// textForms returns the forms of a result that is no picture. It shows lines to type as Go.
func textForms(r reply.Reply) []mime {
	return []mime{htmlForm(goHints(r.HTML())), textForm(goHints(r.String()))}
}

// picture returns the form of a figure: a PNG, which all programs that show or convert notebooks
// support. A frame of a running run is SVG within HTML, for which a page does not wait.
func picture(p *reply.PlotReply) mime {
	if p.Mime == "image/png" {
		return mime{
			"image/png", base64.StdEncoding.EncodeToString(p.Data),
			&pixels{int64(p.Wide), int64(p.High), p.Words},
		}
	}
	// Not wider than the page.
	return htmlForm(strings.Replace(svgOnly(p.Data), "<svg ",
		`<svg style="max-width:100%;height:auto" `, 1))
}

// plotSink says in which form figures are drawn for a cell.
func plotSink() *wire.Sink {
	if !inCell() {
		return nil
	}
	return &wire.Sink{Graphics: "png", Kept: true}
}

// svgOnly is the element of an SVG file.
func svgOnly(file []byte) string {
	s := string(file)
	return strings.TrimSpace(s[max(strings.Index(s, "<svg"), 0):])
}

// displays counts the displays that this cell redraws.
var displays atomic.Int64

// newDisplay is an id for something that is redrawn.
func newDisplay() string {
	return fmt.Sprintf("metalab-%d-%d-%d", os.Getpid(), time.Now().UnixNano(), displays.Add(1))
}

// frameTime is the shortest time between two frames of what is redrawn.
const frameTime = 250 * time.Millisecond

// watchCell redraws figures of runs in the cell's output until no run is going any more; the last
// frame stays. Without a figure it draws the curve and, for a single run on cities, the tour.
func watchCell(ctx context.Context, c *wire.Client, q wire.PlotRequest) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	names := q.Runs
	w := watching{c: c, id: newDisplay(), q: q, status: map[string]reply.Status{}}
	events := c.Events(ctx, 0) // opened before the runs are looked at, so that no end is missed
	var all reply.RunsReply
	if err := c.Do(ctx, "runs", wire.RunsRequest{}, &all); err != nil {
		return err
	}
	for _, s := range all.Runs {
		if slices.Contains(names, s.Run) {
			w.status[s.Run] = s
		}
	}
	for _, n := range names {
		if _, ok := w.status[n]; !ok {
			return &wire.Error{Code: wire.CodeRun, Message: fmt.Sprintf("there is no run %q", n)}
		}
	}
	if q.Figure == "" && len(names) == 1 {
		var one reply.ShowReply
		if err := c.Do(ctx, "show", wire.RunRequest{Run: names[0]}, &one); err != nil {
			return err
		}
		if one.Kind == "tsp" || one.Kind == "atsp" {
			w.q.Figure = "best,tour"
		}
	}
	if err := w.draw(ctx, false); err != nil {
		return err
	}
	news, failed := received(ctx, events)
	stale := false
	next := time.NewTimer(frameTime)
	defer next.Stop()
	for w.going() {
		select {
		case e := <-news:
			if e.Status != nil && slices.Contains(names, e.Status.Run) {
				w.status[e.Status.Run], stale = *e.Status, true
				if e.Kind == wire.EventClosed {
					return nil
				}
			}
		case err := <-failed:
			if ctx.Err() == nil {
				return err
			}
			return w.leave(ctx)
		case <-next.C:
			t0 := time.Now()
			if stale {
				if err := w.draw(ctx, false); err != nil {
					if ctx.Err() != nil {
						return w.leave(ctx)
					}
					return err
				}
				stale = false
			}
			// After each frame the run has the processor for at least half the time that the frame took.
			next.Reset(max(frameTime-time.Since(t0), time.Since(t0)/2))
		case <-ctx.Done():
			return w.leave(ctx)
		}
	}
	return w.draw(ctx, true)
}

// received hands over events, until ctx ends or one cannot be had.
func received(
	ctx context.Context, events iter.Seq2[wire.Event, error],
) (<-chan wire.Event, <-chan error) {
	news, failed := make(chan wire.Event), make(chan error, 1)
	go func() {
		for e, err := range events {
			if err != nil {
				failed <- err
				return
			}
			select {
			case news <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	return news, failed
}

// watching is the state that watchCell draws.
type watching struct {
	c      *wire.Client
	id     string
	q      wire.PlotRequest
	status map[string]reply.Status
}

func (w *watching) going() bool {
	for _, s := range w.status {
		if s.State == "running" || s.State == "stepping" {
			return true
		}
	}
	return false
}

// draw draws a frame; the last one as the notebook keeps it.
func (w *watching) draw(ctx context.Context, ended bool) error {
	w.q.Sink = plotSink()
	if w.going() && !ended {
		w.q.Sink = &wire.Sink{Graphics: "svg"}
	}
	var r reply.PlotReply
	if err := w.c.Do(ctx, "plot", w.q, &r); err != nil {
		return err
	}
	text := make([]string, len(w.q.Runs))
	for i, n := range w.q.Runs {
		if text[i] = w.status[n].Line(); ended {
			text[i] = w.status[n].Reached()
		}
	}
	lines := strings.Join(text, "\n")
	if !display(w.id, picture(&r), textForm(lines)) {
		fmt.Println(lines)
	}
	return nil
}

// leave draws the last frame when watching ends and runs go on.
func (w *watching) leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := w.draw(ctx, true); err != nil {
		return err
	}
	for _, n := range w.q.Runs {
		if s := w.status[n]; s.State == "running" || s.State == "stepping" {
			fmt.Printf("%s goes on; lab.Get(%q).Pause() pauses it\n", n, n)
		}
	}
	return nil
}

// stepping shows how far a long step of a run is, and how long the rest will take. The caller calls
// the returned function with the outcome, or nil, when the step has ended; it reports whether it
// has shown the outcome. Short steps show nothing.
func stepping(c *wire.Client, run string, q wire.StepRequest) (end func(outcome reply.Reply) bool) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	shown := false
	id := newDisplay()
	start, ok := statusOf(ctx, c, run)
	t0 := time.Now()
	go func() {
		defer close(done)
		if !ok {
			return
		}
		for wait := 2 * frameTime; ; wait = frameTime {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			s, ok := statusOf(ctx, c, run)
			if !ok || ctx.Err() != nil {
				return
			}
			shown = true
			part, left := stepPart(q, start, s, time.Since(t0))
			text := s.Line()
			if s.Iteration == start.Iteration { // nothing else shows that the run continues
				text += fmt.Sprintf("; for %.0f s", time.Since(t0).Seconds())
			}
			if l := (&wire.Event{LeftS: reply.Num(left)}).Left(); l != "" {
				text += "; " + l
			}
			of := ""
			if q.N > 0 {
				of = fmt.Sprintf("%d of %d: ", s.Iteration-start.Iteration, q.N)
			}
			line := "<p>" + bar(int64(1000*part), 1000) + reply.Escape(text) + "</p>"
			if !display(id, htmlForm(line), textForm(of+text)) {
				return
			}
		}
	}()
	return func(outcome reply.Reply) bool {
		cancel()
		<-done
		if !shown || outcome == nil {
			return false
		}
		return display(id, htmlForm(outcome.HTML()), textForm(outcome.String()))
	}
}

// statusOf returns the status of a run without waiting for its iteration.
func statusOf(ctx context.Context, c *wire.Client, run string) (reply.Status, bool) {
	var all reply.RunsReply
	if c.Do(ctx, "runs", wire.RunsRequest{}, &all) == nil {
		for _, s := range all.Runs {
			if s.Run == run {
				return s, true
			}
		}
	}
	return reply.Status{}, false
}
