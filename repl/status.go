package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

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
	if e.Status != nil && e.Kind != wire.EventClosed {
		d.update(*e.Status)
		d.measure(*e.Status)
	}
	note := ""
	switch e.Kind {
	case wire.EventClosed:
		if e.Status != nil {
			d.forget(e.Status.Run)
		}
	case wire.EventChange:
		if e.Status == nil || e.Change == nil {
			return
		}
		d.front.mu.Lock()
		delete(d.params, e.Status.Run)
		d.front.mu.Unlock()
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

// status returns the line above the prompt: the runs that go on, else the last one used.
func (d *desk) status() string {
	runs := d.Runs()
	d.front.mu.Lock()
	current := d.current
	d.front.mu.Unlock()
	var parts []string
	for _, r := range runs {
		if r.State == "running" || r.State == "stepping" || r.Repeat != nil {
			parts = append(parts, d.part(r))
		}
	}
	if len(parts) == 0 {
		for _, r := range runs {
			if r.Run == current {
				parts = append(parts, d.part(r))
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, "  │  ")
}

// part is one run in the status line.
func (d *desk) part(r reply.Status) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s  it %d", r.Run, r.Solver, r.Instance, r.Iteration)
	if r.Best.Known() {
		fmt.Fprintf(&b, "  best %s", r.Best)
	}
	if r.Gap.Known() {
		fmt.Fprintf(&b, "  gap %.2f %%", float64(r.Gap))
	}
	if p := r.Repeat; p != nil {
		fmt.Fprintf(&b, "  repeat %d/%d", int(p.Done), p.Seeds)
		if left := (&wire.Event{LeftS: p.LeftS}).Left(); left != "" {
			b.WriteString(", " + left)
		}
	}
	if r.State != "running" && r.State != "stepping" {
		if r.Repeat == nil {
			fmt.Fprintf(&b, "  %s", r.State)
		}
		return b.String()
	}
	if m := d.rate[r.Run]; m != nil && m.rate > 0 {
		fmt.Fprintf(&b, "  %s it/s", short(m.rate))
	}
	if c := d.curve[r.Run]; len(c) > 2 && view.Unicode(os.Getenv) {
		b.WriteString("  " + view.Sparkline(c, 12))
	}
	return b.String()
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
