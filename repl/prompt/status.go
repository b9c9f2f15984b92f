package prompt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
)

// curvePoints is the number of best values in a sparkline.
const curvePoints = 120

// follow reads the host's events, and prints what other clients did. If a host that this prompt
// started has died, follow starts another one.
func (d *desk) follow(ctx context.Context, l *link) {
	for {
		err := d.listen(ctx)
		d.mu.Lock()
		leaving, ended := d.leaving, d.ended
		d.ended = false
		d.mu.Unlock()
		if ctx.Err() != nil || leaving {
			return
		}
		d.move(d.host())
		if !ended { // the host has not said why
			d.note(err.Error())
		}
		said := "another host was started; recover lists what there is of the runs"
		if !l.owned() {
			said = "this prompt goes on with a session of its own; recover lists what there is of the runs"
		}
		if err := l.start(ctx); err != nil {
			d.note("no other host starts: " + err.Error())
			return
		}
		d.move(l.client)
		d.note(said)
		d.term.Refresh()
	}
}

// listen reads events until there are no more.
func (d *desk) listen(ctx context.Context) error {
	for e, err := range d.host().Events(ctx, 0) {
		if err != nil {
			return err
		}
		d.take(e)
		d.term.Refresh()
	}
	return errors.New("the host has gone")
}

// note prints a message above the line that is being typed.
func (d *desk) note(s string) {
	fmt.Fprintln(d.term.Above(), d.wrapped("· "+strings.ReplaceAll(s, "\n", "; ")))
}

// take handles an event.
func (d *desk) take(e wire.Event) {
	d.Take(e)
	if e.Status != nil && e.Kind != wire.EventClosed {
		d.measure(*e.Status)
	}
	note := ""
	switch e.Kind {
	case wire.EventChange:
		if e.Status == nil || e.Change == nil {
			return
		}
		if e.Change.Who != d.host().Who() && e.Change.Kind == "set" {
			note = fmt.Sprintf("%s: %s %s → %s from iteration %d (%s)", e.Status.Run, e.Change.Name,
				e.Change.Old, e.Change.New, e.Change.Iter+1, e.Change.Who)
		}
	case wire.EventState:
		switch {
		case e.Status == nil:
		case e.Status.State == "failed":
			note = e.Status.Run + " failed: " + e.Note
		case e.Status.State == "paused" && strings.Contains(e.Note, " by ") &&
			!strings.HasSuffix(e.Note, " by "+d.host().Who()):
			note = fmt.Sprintf("%s: %s at iteration %d", e.Status.Run, e.Note, e.Status.Iteration)
		}
	case wire.EventProgress:
		if e.Call != "" { // else it runs in the background
			d.mu.Lock()
			d.doing = far(e)
			d.mu.Unlock()
		}
	case wire.EventNotice:
		note = e.Note
	case wire.EventEnds:
		d.mu.Lock()
		d.ended = true
		if !d.leaving {
			note = e.Note
		}
		d.mu.Unlock()
	case wire.EventLost:
		note = fmt.Sprintf("%d events were missed", e.Lost)
	}
	if note != "" {
		d.note(note)
	}
}

// far returns how far the host is with a long call.
func far(e wire.Event) string {
	s := " "
	part, ok := e.Part()
	if ok {
		s += bar(part) + fmt.Sprintf(" %.0f %%  ", 100*part)
	}
	if left := e.Left(); left != "" {
		s += left + "  "
	}
	s += reply.Printable(e.Note)
	if !ok && e.Done > 0 {
		s += fmt.Sprintf("  %d", e.Done)
	}
	return s
}

// bar is a bar of letters that every terminal has.
func bar(part float64) string {
	const width = 16
	n := int(part * width)
	return "[" + strings.Repeat("=", n) + strings.Repeat(" ", width-n) + "]"
}

// measure stores what the status line shows of a run.
func (d *desk) measure(s reply.Status) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.Best.Known() {
		c := append(d.curve[s.Run], float64(s.Best))
		if len(c) > curvePoints {
			c = c[len(c)-curvePoints:]
		}
		d.curve[s.Run] = c
	}
	now := time.Now()
	m := d.rate[s.Run]
	switch {
	case m == nil || s.Iteration < m.iter:
		d.rate[s.Run] = &meter{iter: s.Iteration, at: now}
	case now.Sub(m.at) > 500*time.Millisecond:
		m.rate = float64(s.Iteration-m.iter) / now.Sub(m.at).Seconds()
		m.iter, m.at = s.Iteration, now
	}
}

// status returns the line above the prompt: the runs that go on, else the last one used. The more
// of them there are, the less it says of each, so that all fit on the screen.
func (d *desk) status() string {
	runs := d.Runs()
	current := d.Current()
	var on []reply.Status
	for _, r := range runs {
		if r.State == "running" || r.State == "stepping" || r.Repeat != nil {
			on = append(on, r)
		}
	}
	if len(on) == 0 {
		for _, r := range runs {
			if r.Run == current {
				on = append(on, r)
			}
		}
	}
	return statusLine(on, d.width()-1, d.part)
}

// A detail is how much the status line says of each run.
type detail int

const (
	inFull  detail = iota
	noCurve        // no sparkline
	noSpeed        // nor the iterations a second
	noPlace        // nor solver and instance
	gapOnly        // name and gap, or best
	bare           // the same without these words
	details        // the number of details
)

// statusLine is what is said of some runs in so many columns, with as much detail as there is room
// for; runs for which there is none are counted.
func statusLine(runs []reply.Status, cols int, part func(reply.Status, detail) string) string {
	if len(runs) == 0 {
		return ""
	}
	for of := range details {
		var parts []string
		for _, r := range runs {
			parts = append(parts, part(r, of))
		}
		gap := "  │  "
		if of >= noPlace {
			gap = " │ "
		}
		if !view.Unicode(os.Getenv) {
			gap = strings.ReplaceAll(gap, "│", "|")
		}
		line := " " + strings.Join(parts, gap)
		if utf8.RuneCountInString(line) <= cols {
			return line
		}
		for n := len(parts) - 1; of == details-1 && n > 0; n-- {
			line = " " + strings.Join(parts[:n], gap) + fmt.Sprintf("%s%d more", gap, len(parts)-n)
			if utf8.RuneCountInString(line) <= cols || n == 1 {
				return line
			}
		}
	}
	return " " + part(runs[0], details-1)
}

// part is one run in the status line.
func (d *desk) part(r reply.Status, of detail) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := []string{r.Run}
	if of < noPlace {
		b[0] = fmt.Sprintf("%s %s %s", r.Run, r.Solver, r.Instance)
	}
	if of < gapOnly {
		b = append(b, fmt.Sprintf("it %d", r.Iteration))
	}
	if r.Readying() && of < noPlace {
		b = append(b, "is made ready")
	}
	best, gap := "best ", "gap "
	if of >= bare {
		best, gap = "", ""
	}
	if r.Best.Known() && (of < noPlace || !r.Gap.Known()) {
		b = append(b, best+r.Best.String())
	}
	if r.Gap.Known() {
		b = append(b, fmt.Sprintf("%s%.2f %%", gap, float64(r.Gap)))
	}
	if p := r.Repeat; p != nil {
		say := fmt.Sprintf("repeat %d/%d", int(p.Done), p.Seeds)
		if left := (&wire.Event{LeftS: p.LeftS}).Left(); left != "" && of < noPlace {
			say += ", " + left
		}
		b = append(b, say)
	}
	switch on := r.State == "running" || r.State == "stepping"; {
	case !on && r.Repeat == nil:
		b = append(b, r.State)
	case on:
		if m := d.rate[r.Run]; m != nil && m.rate > 0 && of < noSpeed {
			b = append(b, short(m.rate)+" it/s")
		}
		if c := d.curve[r.Run]; len(c) > 2 && of < noCurve && view.Unicode(os.Getenv) {
			b = append(b, view.Sparkline(c, 12))
		}
	}
	if of >= noPlace {
		return strings.Join(b, " ")
	}
	return strings.Join(b, "  ")
}

// short is a rate in about three digits.
func short(v float64) string {
	switch {
	case v >= 99_950:
		return fmt.Sprintf("%.0fk", v/1000)
	case v >= 1000:
		return fmt.Sprintf("%.1fk", v/1000)
	case v >= 10:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2g", v)
}
