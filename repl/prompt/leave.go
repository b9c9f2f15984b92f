package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// mostNamed is the number of autosaves that a sentence names.
const mostNamed = 4

// endPatience is how long the host may take to say what it autosaves. It pauses its runs for that,
// each at the end of an iteration.
const endPatience = 5 * time.Second

// end ends the host of this front end and returns a sentence about its autosaves; empty if the host
// does not end. With discard only recovered runs are autosaved.
func (f *shell) end(l *link, discard bool) string {
	if !l.owned() || f.Free() {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), endPatience)
	defer cancel()
	var r reply.ShutdownReply
	q := wire.ShutdownRequest{Discard: discard, Recovered: discard}
	if err := f.host().Do(ctx, "shutdown", q, &r); err != nil {
		return "" // it has ended already, and its runs are autosaved
	}
	lost := ""
	if len(r.Lost) > 0 {
		lost = "not autosaved, and lost: " + few(r.Lost)
	}
	if len(r.Autosaved) == 0 {
		return lost
	}
	if lost != "" {
		lost = "; " + lost
	}
	var names []string
	for _, a := range r.Autosaved {
		names = append(names, a.Left())
	}
	first := r.Autosaved[0]
	return fmt.Sprintf("autosaved: %s; to go on: repl, then recover %s/%s%s",
		few(names), first.Session, first.Run, lost)
}

// few joins the first of some words.
func few(words []string) string {
	if n := len(words) - mostNamed; n > 0 {
		return strings.Join(words[:mostNamed], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(words, ", ")
}

// endScript ends the host of a script. A script without error leaves only what it saved, and
// recovered runs; one that failed says what is autosaved.
func (f *shell) endScript(l *link, err error) {
	well := err == nil || errors.Is(err, errQuit)
	if s := f.end(l, well); s != "" && !well {
		complain("%s", s)
	}
}

// others returns the other clients that follow the session, such as prompts and pages.
func (f *shell) others() []string {
	ctx, cancel := context.WithTimeout(context.Background(), endPatience)
	defer cancel()
	var r reply.AboutReply
	if f.host().Do(ctx, "about", nil, &r) != nil {
		return nil
	}
	return slices.DeleteFunc(r.Attached, func(who string) bool { return who == f.host().Who() })
}

// leave asks the user what to do if runs go on or other clients are attached, and reports whether
// to leave. If so it ends the host, unless another front end started it or it was detached.
func (d *desk) leave(ctx context.Context, l *link) bool {
	if !l.owned() || d.Free() {
		return true
	}
	var live []string
	for _, r := range d.Runs() {
		if r.State == "running" || r.State == "stepping" || r.Repeat != nil {
			live = append(live, r.Run)
		}
	}
	var why []string
	if len(live) > 0 {
		why = append(why, few(live)+are(live)+"still running")
	}
	others := d.others()
	if len(others) > 0 {
		why = append(why, few(others)+are(others)+"attached to this session")
	}
	if len(why) > 0 && !d.sure(ctx, why, len(others) > 0) {
		return false
	}
	if d.Free() {
		return true
	}
	d.mu.Lock()
	d.leaving = true
	d.mu.Unlock()
	if s := d.end(l, false); s != "" {
		fmt.Fprintln(d.out, d.wrapped(s))
	}
	return true
}

func are(names []string) string {
	if len(names) == 1 {
		return " is "
	}
	return " are "
}

// sure asks whether to end the session although runs go on or others are attached. A line that is
// no answer is carried out, and the prompt stays.
func (d *desk) sure(ctx context.Context, why []string, shared bool) bool {
	end, stay := "to pause and autosave", "to leave the host running"
	if shared {
		end, stay = "to end it for all, which autosaves the runs", "to leave it to them"
	}
	text := fmt.Sprintf("%s. Press ^D again %s, or type detach %s.", strings.Join(why, ", and "), end,
		stay)
	fmt.Fprintln(d.out, d.wrapped(text))
	line, err := d.term.ReadLine(ctx)
	if errors.Is(err, io.EOF) {
		return true
	}
	line = strings.TrimSpace(line)
	if err != nil || line == "" {
		return false
	}
	if err := d.carryOut(ctx, line); err != nil && !errors.Is(err, errQuit) {
		d.complain(err)
		return false
	}
	return line == "detach" || line == "quit"
}

// recent is how old an autosave may be that a prompt mentions at its start.
const recent = 24 * time.Hour

// greet prints the first lines of a prompt: the session that was joined and its runs, or the
// autosaves of earlier sessions.
func (d *desk) greet(ctx context.Context, l *link) {
	fmt.Fprintln(d.out, welcome)
	if !l.owned() {
		h := d.host().Hello()
		s := fmt.Sprintf("joined session %s, which lives since %s",
			h.Session, h.Started.Local().Format("2 January 15:04"))
		var r reply.RunsReply
		if err := d.host().Do(ctx, "runs", &wire.RunsRequest{}, &r); err == nil {
			s += "\n" + r.String()
		}
		fmt.Fprintln(d.out, d.wrapped(s))
		return
	}
	fmt.Fprintln(d.out, tryThis)
	d.unfinished(ctx)
	d.ListSaved(ctx)
	var names []string
	first := ""
	for _, a := range d.Autosaves() {
		if a.Closed || a.Solver == "" || time.Since(a.At) > recent {
			continue
		}
		if names = append(names, a.String()); len(names) == 1 {
			first = a.Run
		}
	}
	if len(names) == 0 {
		return
	}
	more := ""
	if n := len(names) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	fmt.Fprintln(d.out, d.wrapped(fmt.Sprintf("autosaved: %s%s; recover %s goes on, recover lists",
		names[0], more, first)))
}

// unfinished says which experiment of late has units left that nobody makes.
func (d *desk) unfinished(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, time.Second)
	defer stop()
	if slices.Contains(d.host().Hello().Lacks, "experiment") {
		return // it would have the host grow
	}
	var r reply.ExperimentReply
	if d.host().Do(ctx, "experiment", &wire.ExperimentRequest{}, &r) != nil {
		return // the verb says what is wrong
	}
	if s := r.Unfinished(time.Now().Add(-recent)); s != "" {
		fmt.Fprintln(d.out, d.wrapped(s))
	}
}
