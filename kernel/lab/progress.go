package lab

import (
	"context"
	"fmt"
	"strings"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// progressing shows in a cell how far a long call is, by its host's events, until the returned
// function is called with its outcome; a line stays, without a bar: what was made, or where it
// ended. Calls that are answered within half a second, and those without events, show nothing.
func progressing(c *wire.Client, call, verb string) (end func(err error)) {
	if !inCell() {
		return func(error) {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	id := newDisplay()
	var last wire.Event
	shown := false
	go func() {
		defer close(done)
		select {
		case <-ctx.Done():
			return
		case <-time.After(2 * frameTime):
		}
		var at time.Time
		for e, err := range c.Events(ctx, 0) {
			if err != nil {
				return
			}
			if e.Kind != wire.EventProgress || e.Call != call {
				continue
			}
			if last = e; time.Since(at) < frameTime {
				continue
			}
			at = time.Now()
			text := progressText(verb, e)
			if !display(id, htmlForm("<p>"+progressBar(e)+reply.Escape(text)+"</p>"),
				textForm(text)) {
				return
			}
			shown = true
		}
	}()
	return func(err error) {
		cancel()
		<-done
		if shown {
			if last.LeftS = 0; err == nil {
				last = ended(last)
			}
			text := progressText(verb, last)
			display(id, htmlForm("<p>"+reply.Escape(text)+"</p>"), textForm(text))
		}
	}
}

// ended is the event at the end of a call that was carried out. It has no word of the part that
// happened to be the last, and no times, so that saved notebooks hold the same again and again.
func ended(e wire.Event) wire.Event {
	if e.Total > 0 {
		e.Done = e.Total // events may be thinned
	}
	what, _, parts := strings.Cut(e.Note, "; ")
	if e.Note = what; !parts {
		e.Note = "" // of a step: how far the run is, which its answer tells
	}
	return e
}

// progressText describes the progress of a call.
func progressText(verb string, e wire.Event) string {
	text := e.Note
	if text == "" {
		text = verb
	}
	if e.Total > 0 {
		text = fmt.Sprintf("%d of %d: %s", e.Done, e.Total, text)
	}
	if left := e.Left(); left != "" {
		text += "; " + left
	}
	return reply.Printable(text)
}

// stepPart returns the finished fraction of a step that began at start, from 0 to 1, and the
// seconds left at the present speed, until the first limit by iterations or time. Both are 0 if
// there is no such limit.
func stepPart(q wire.StepRequest, start, now reply.Status,
	took time.Duration,
) (part, left float64) {
	iterations := float64(now.Iteration - start.Iteration)
	wall, cpu := float64(now.WallS-start.WallS), float64(now.CPUS-start.CPUS)
	reach := func(made, of float64) {
		if !(made > 0) || !(of > 0) {
			return
		}
		p := min(made/of, 1)
		if part == 0 || p > part {
			part, left = p, took.Seconds()*(1-p)/p
		}
	}
	reach(iterations, float64(q.N))
	reach(wall, float64(q.Wall))
	reach(cpu, float64(q.CPU))
	if conds, err := wire.ParseConds(q.Until); q.Until != "" && err == nil {
		for _, c := range conds {
			switch c.Name {
			case "iteration":
				reach(iterations, c.Value-float64(start.Iteration))
			case "time":
				reach(wall, c.Value)
			case "cpu":
				reach(cpu, c.Value)
			}
		}
	}
	return part, left
}

// progressBar is the bar of a call; empty when there is no end in sight.
func progressBar(e wire.Event) string {
	part, ok := e.Part()
	if !ok {
		return ""
	}
	return bar(int64(1000*part), 1000)
}

// bar is a bar of progress for a page; empty when there is no end in sight.
func bar(done, total int64) string {
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf(
		`<progress max="%d" value="%d" style="width:16em;vertical-align:middle"></progress> `, total,
		min(done, total))
}
