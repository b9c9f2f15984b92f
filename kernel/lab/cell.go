package lab

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"metalab/kernel/wire"
)

// showCell shows a result in the output of a cell, with its text for readers of text. A step
// that was long has shown its own already.
func showCell(r wire.Reply) bool {
	step, _ := r.(*wire.StepReply)
	here.Lock()
	told := here.shown[step]
	here.Unlock()
	return told || display("", forms(r)...)
}

// forms are the forms of a result: a picture, or HTML, and text.
func forms(r wire.Reply) []mime {
	text := mime{"text/plain", r.String()}
	if p, ok := r.(*wire.PlotReply); ok && p.Path == "" && p.Mime == "image/svg+xml" {
		text.text = p.Figure + " of " + strings.Join(p.Runs, ", ") + "; " + p.Line()
		return []mime{{"image/svg+xml", svgOnly(p.Data)}, text}
	}
	return []mime{{"text/html", r.HTML()}, text}
}

// svgOnly is the element of an SVG file.
func svgOnly(file []byte) string {
	s := string(file)
	return strings.TrimSpace(s[max(strings.Index(s, "<svg"), 0):])
}

// beside puts pictures into one, side by side.
func beside(svgs []string) string {
	if len(svgs) == 1 {
		return svgs[0]
	}
	var inner strings.Builder
	x, height := 0.0, 0.0
	for _, s := range svgs {
		w, h := svgSize(s)
		fmt.Fprintf(&inner, `<svg x="%g"%s`+"\n", x, strings.TrimPrefix(s, "<svg"))
		x, height = x+w, max(height, h)
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%gpt" height="%gpt" viewBox="0 0 %g %g" style="max-width:100%%;height:auto">`+"\n%s</svg>",
		x, height, x, height, unitless(inner.String()))
}

// svgSize is the size of a picture by its viewBox.
func svgSize(s string) (w, h float64) {
	_, box, _ := strings.Cut(s, `viewBox="`)
	box, _, _ = strings.Cut(box, `"`)
	f := strings.Fields(box)
	if len(f) == 4 {
		w, _ = strconv.ParseFloat(f[2], 64)
		h, _ = strconv.ParseFloat(f[3], 64)
	}
	return w, h
}

// unitless makes the sizes of pictures in a picture numbers of the outer one's units.
func unitless(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "<svg ")
		if i < 0 {
			break
		}
		n := strings.IndexByte(s[i:], '>')
		if n < 0 {
			break
		}
		b.WriteString(s[:i])
		b.WriteString(strings.ReplaceAll(s[i:i+n], `pt"`, `"`))
		s = s[i+n:]
	}
	return b.String() + s
}

// displays counts the displays that this cell redraws.
var displays int

// newDisplay is an id for something that is redrawn.
func newDisplay() string {
	displays++
	return fmt.Sprintf("metalab-%d-%d-%d", os.Getpid(), time.Now().UnixNano(), displays)
}

// frameTime is the shortest time between two frames of what is redrawn.
const frameTime = 250 * time.Millisecond

// watchCell redraws figures of runs in the cell's output until none of the runs goes on;
// the last frame stays. Without a figure these are the curve and, of one run through
// cities, the tour.
func watchCell(ctx context.Context, c *wire.Client, figure string, names []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := watching{c: c, id: newDisplay(), names: names, figures: []string{figure}, status: map[string]wire.Status{}}
	events := c.Events(ctx, 0) // from before the look at the runs, so that no end is missed
	var all wire.RunsReply
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
	if figure == "" {
		w.figures = []string{"best"}
		if len(names) == 1 {
			w.figures = append(w.figures, "tour")
		}
	}
	if err := w.draw(ctx); err != nil {
		return err
	}
	news := make(chan wire.Event)
	failed := make(chan error, 1)
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
				if err := w.draw(ctx); err != nil {
					if ctx.Err() != nil {
						return w.leave(ctx)
					}
					return err
				}
				stale = false
			}
			// However long a frame takes, half as long is for the run alone.
			next.Reset(max(frameTime-time.Since(t0), time.Since(t0)/2))
		case <-ctx.Done():
			return w.leave(ctx)
		}
	}
	return w.draw(ctx)
}

// watching is what watchCell draws.
type watching struct {
	c       *wire.Client
	id      string
	names   []string
	figures []string
	status  map[string]wire.Status
}

func (w *watching) going() bool {
	for _, s := range w.status {
		if s.State == "running" || s.State == "stepping" {
			return true
		}
	}
	return false
}

// draw draws a frame.
func (w *watching) draw(ctx context.Context) error {
	var svgs []string
	var drawn []string
	for _, f := range w.figures {
		q := wire.PlotRequest{Runs: w.names, Figure: f}
		if len(w.figures) > 1 { // both fit beside each other on a page
			q.Sink = &wire.Sink{Graphics: "svg", Size: wire.SinkSize{W: 310, H: 250}}
			if f == "tour" {
				q.Sink.Size.W = 290 // its title is as wide
			}
		}
		var r wire.PlotReply
		if err := w.c.Do(ctx, "plot", q, &r); err != nil {
			if len(svgs) > 0 && wire.CodeOf(err) == wire.CodeRequest {
				continue // there is no tour of this kind of instance
			}
			return err
		}
		svgs, drawn = append(svgs, svgOnly(r.Data)), append(drawn, f)
	}
	w.figures = drawn
	text := make([]string, len(w.names))
	for i, n := range w.names {
		text[i] = w.status[n].Line()
	}
	lines := strings.Join(text, "\n")
	if !display(w.id, mime{"image/svg+xml", beside(svgs)}, mime{"text/plain", lines}) {
		fmt.Println(lines)
	}
	return nil
}

// leave draws the last frame of what goes on without being watched.
func (w *watching) leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := w.draw(ctx); err != nil {
		return err
	}
	for _, n := range w.names {
		if s := w.status[n]; s.State == "running" || s.State == "stepping" {
			fmt.Printf("%s goes on; lab.Get(%q).Pause() pauses it\n", n, n)
		}
	}
	return nil
}

// stepping shows how far a long step of a run is, until the function that it returns is
// called with the outcome, or nil; that reports whether the outcome is shown now. Short steps
// show nothing.
func stepping(c *wire.Client, run string, n int64) (end func(outcome wire.Reply) bool) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	shown := false
	id := newDisplay()
	start, ok := statusOf(ctx, c, run)
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
			made := s.Iteration - start.Iteration
			of := ""
			if n > 0 {
				of = fmt.Sprintf("%d of %d: ", made, n)
			}
			if !display(id, mime{"text/html", "<p>" + bar(made, n) + wire.Escape(s.Line()) + "</p>"}, mime{"text/plain", of + s.Line()}) {
				return
			}
		}
	}()
	return func(outcome wire.Reply) bool {
		cancel()
		<-done
		if !shown || outcome == nil {
			return false
		}
		return display(id, mime{"text/html", outcome.HTML()}, mime{"text/plain", outcome.String()})
	}
}

// statusOf is how a run stands, without waiting for its iteration.
func statusOf(ctx context.Context, c *wire.Client, run string) (wire.Status, bool) {
	var all wire.RunsReply
	if c.Do(ctx, "runs", wire.RunsRequest{}, &all) == nil {
		for _, s := range all.Runs {
			if s.Run == run {
				return s, true
			}
		}
	}
	return wire.Status{}, false
}
