package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	"metalab/repl/internal/tty"
)

// desk is the prompt in a terminal.
type desk struct {
	*shell
	term terminal
	said view.Reply // which pictures the terminal says it can show

	mu    sync.Mutex
	curve map[string][]float64 // the latest bests of each run, for the status line
	rate  map[string]*meter
	panel *panel
	doing string // how far the host is with a long call, by its events

	asking  bool   // the user is asked something
	instead string // what was typed in place of an answer

	leaving bool // the session is being ended from here
	ended   bool // the host has said that it ends
}

// A terminal is where lines are typed: a [tty.Terminal], or a [tty.Dumb] where there is no cursor.
type terminal interface {
	ReadLine(ctx context.Context) (string, error)
	Above() io.Writer
	Stdout() *os.File
	Size() (cols, rows int)
	Go(f func())
	Hold()
	Release()
	Passing(line string)
	DropAhead()
	Refresh()
	Close() error
}

// openTerminal opens the terminal, and tells whether it is one without a cursor.
func (d *desk) openTerminal(history string) (t terminal, dumb bool, err error) {
	opts := tty.Options{
		Prompt:        d.prompt,
		Incomplete:    incomplete,
		Completer:     d.complete,
		Status:        d.status,
		HistoryFile:   history,
		Hold:          true,
		CaptureOutput: true,
	}
	if tty.IsDumb() {
		return tty.OpenDumb(opts), true, nil
	}
	t, err = tty.Open(opts)
	return t, false, err
}

// meter measures the speed of a run.
type meter struct {
	iter int64
	at   time.Time
	rate float64 // iterations a second
}

const welcome = `metalab: a laboratory for metaheuristics. help lists the verbs, Tab completes.`

const tryThis = `Try:  open acs E1k.0 as a;  step a 200;  plot a tour`

// interact reads and carries out lines until the user leaves.
func interact(ctx context.Context, f *shell, history string, l *link, said view.Reply) error {
	d := &desk{shell: f, curve: map[string][]float64{}, rate: map[string]*meter{}, said: said}
	term, dumb, err := d.openTerminal(history)
	if err != nil {
		return err
	}
	d.term = term
	defer term.Close()
	defer d.unwatch()
	f.out = os.Stdout
	f.width = func() int { cols, _ := term.Size(); return cols }
	if !dumb { // else pictures are text, as they are in a script
		f.sink, f.watch, f.clear, f.rest = d.sink, d.watch, d.clear, d.unwatch
	}
	f.confirm = d.confirm
	events, cancel := context.WithCancel(ctx)
	defer cancel()
	term.Go(func() { d.follow(events, l) })
	term.Go(func() { // so that the first line of Go need not wait for it
		if ev, err := f.goEval(); err == nil {
			if w, ok := ev.(interface{ Warm() }); ok {
				w.Warm()
			}
		}
	})
	d.greet(ctx, l)
	term.Go(func() { d.ahead(events) })
	for {
		line, err := d.next(ctx)
		var sig *tty.SignalError
		switch {
		case errors.Is(err, tty.ErrInterrupted):
			continue
		case errors.Is(err, io.EOF):
			if d.leave(ctx, l) {
				return nil
			}
			continue
		case errors.As(err, &sig):
			return nil // the host autosaves when its front end ends
		case err != nil:
			return err
		}
		if err := d.carryOut(ctx, line); errors.Is(err, errQuit) {
			if d.leave(ctx, l) {
				return nil
			}
		} else if err != nil {
			d.complain(err)
		}
		if ctx.Err() != nil {
			return nil
		}
	}
}

// prompt is what stands before a line that is typed.
func (d *desk) prompt() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.asking {
		return "replace it? y/n> "
	}
	return "lab> "
}

// next is the next line: what was typed in place of an answer, or a new one.
func (d *desk) next(ctx context.Context) (string, error) {
	d.mu.Lock()
	line := d.instead
	d.instead = ""
	d.mu.Unlock()
	if line != "" {
		return line, nil
	}
	return d.term.ReadLine(ctx)
}

// confirm asks whether a file is to be replaced. A line that is no answer is carried out next, and
// the file stays.
func (d *desk) confirm(ctx context.Context, about string) bool {
	about, _, _ = strings.Cut(about, "; take another name")
	fmt.Fprintln(d.out, d.wrapped(about))
	ask := func(on bool) {
		d.mu.Lock()
		d.asking = on
		d.mu.Unlock()
	}
	ask(true)
	defer ask(false)
	line, err := d.term.ReadLine(ctx)
	if err != nil {
		return false
	}
	switch line = strings.TrimSpace(line); strings.ToLower(line) {
	case "y", "yes":
		return true
	case "n", "no", "":
		return false
	}
	d.mu.Lock()
	d.instead = line
	d.mu.Unlock()
	return false
}

// message returns an error in one line; for ^C it says so.
func message(err error) string {
	var said *wire.Error
	switch {
	case errors.As(err, &said) && said.Code == wire.CodeCanceled:
		return said.Message
	case errors.Is(err, context.Canceled):
		return "interrupted"
	}
	return "error: " + strings.ReplaceAll(strings.TrimSpace(wire.FileText(err)), "\n", "; ")
}

// complain prints an error, and which commands of the line were not carried out for it.
func (d *desk) complain(err error) {
	fmt.Fprintln(os.Stderr, d.wrapped(message(err)))
	var left *leftError
	if errors.As(err, &left) {
		fmt.Fprintln(os.Stderr, d.wrapped("not carried out: "+strings.Join(left.rest, "; ")))
	}
}

// carryOut carries out a line; ^C ends it, and drops what was typed or pasted ahead. Without ^C
// what is typed meanwhile becomes the next line.
func (d *desk) carryOut(ctx context.Context, line string) error {
	if words.Uncommented(line) == "" {
		return nil
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	if reads(line) {
		d.term.Release()
		err := d.do(ctx, line)
		if ctx.Err() != nil {
			d.term.DropAhead()
		}
		return err
	}
	d.term.Hold()
	d.mu.Lock()
	d.doing = ""
	d.mu.Unlock()
	progress, done := context.WithCancel(ctx)
	var shown sync.WaitGroup
	shown.Go(func() { d.progress(progress, firstWord(line)) })
	defer shown.Wait()
	defer done()
	return d.do(ctx, line)
}

// reads tells whether a line is Go that reads the keyboard while it runs: then what is typed must
// be shown, without a status line in between.
func reads(line string) bool {
	return !words.IsCommand(line) &&
		(strings.Contains(line, "Scan") || strings.Contains(line, "Stdin"))
}

// progress shows the progress of the runs while a long command waits.
func (d *desk) progress(ctx context.Context, verb string) {
	began := time.Now()
	wait := time.NewTimer(600 * time.Millisecond)
	defer wait.Stop()
	defer d.term.Passing("")
	for {
		select {
		case <-ctx.Done():
			return
		case <-wait.C:
			wait.Reset(200 * time.Millisecond)
		}
		d.mu.Lock()
		s, asking := d.doing, d.asking
		d.mu.Unlock()
		if asking {
			d.term.Passing("")
			continue
		}
		if s == "" {
			s = d.status()
		}
		if s == "" {
			s = fmt.Sprintf(" %s  %.0f s", verb, time.Since(began).Seconds())
		}
		d.term.Passing(s)
	}
}

// sink returns the form of pictures in this terminal.
func (d *desk) sink() *wire.Sink {
	cols, rows := d.term.Size()
	env := os.Getenv
	if d.watching() {
		env = envCells // pictures of pixels ignore the scrolling region
		rows -= panelRows(rows)
	}
	// As wide as the screen, and not much higher than wide, so that the prompt stays visible.
	s := view.Terminal(env, true, cols-1, max(min(rows-2, max(26, cols/5)), 8))
	s.Grow = true
	if !d.watching() {
		s = d.said.Apply(s)
	}
	return &s
}

// envCells is an environment in which pictures consist of character cells.
func envCells(name string) string {
	if name == view.Override {
		return "cells"
	}
	return os.Getenv(name)
}

func (d *desk) watching() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.panel != nil
}

// watch opens the panel; the prompt continues below it.
func (d *desk) watch(ctx context.Context, q wire.PlotRequest) error {
	fetch := func(ctx context.Context, sink *wire.Sink) ([]byte, error) {
		var r reply.PlotReply
		q := q
		q.Sink, q.Size = sink, "" // the panel's
		err := d.host().Do(ctx, "plot", &q, &r)
		return r.Data, err
	}
	if _, err := fetch(ctx, d.sink()); err != nil {
		return err // for a run or a figure that does not exist, before the screen is divided
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.panel != nil {
		d.panel.show(fetch)
	} else {
		p := &panel{
			tty: d.term.Stdout(), size: d.term.Size, redraw: d.term.Refresh, state: d.stand,
			fetch: fetch,
		}
		if err := p.open(); err != nil {
			return err
		}
		d.panel = p
	}
	fmt.Fprintln(d.out, "watching; watch off ends it")
	return nil
}

// clear clears the screen; what is watched is drawn again.
func (d *desk) clear() {
	fmt.Fprint(d.term.Stdout(), "\x1b[H\x1b[2J")
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.panel != nil {
		d.panel.again()
	}
}

// stand returns how far all runs are.
func (d *desk) stand() string {
	var b strings.Builder
	for _, r := range d.Runs() {
		fmt.Fprintf(&b, " %s %d %s", r.Run, r.Iteration, r.Doing())
	}
	return b.String()
}

func (d *desk) unwatch() {
	d.mu.Lock()
	p := d.panel
	d.panel = nil
	d.mu.Unlock()
	if p != nil {
		p.close()
	}
}

// complete offers completions of commands and of Go.
func (d *desk) complete(text string, pos int) (int, []tty.Suggestion) {
	text = text[:pos]
	first := strings.TrimSpace(text)
	if words.IsCommand(text) || !strings.ContainsAny(first, " .(:=") {
		from, list := words.Complete(text, d.shell)
		if out := suggestions(list); len(out) > 0 || words.IsCommand(text) && !words.IsHelp(text) {
			return from, out
		}
	}
	d.shell.mu.Lock()
	ev := d.eval
	d.shell.mu.Unlock()
	if ev == nil {
		return pos, nil
	}
	from := pos
	var out []tty.Suggestion
	for _, s := range ev.Complete(text, pos) {
		from = s.Start
		out = append(out, tty.Suggestion{Text: s.Text, Description: s.About})
	}
	return from, out
}

func suggestions(list []words.Suggestion) []tty.Suggestion {
	out := make([]tty.Suggestion, len(list))
	for i, s := range list {
		out[i] = tty.Suggestion{Text: s.Text, Description: s.Doc}
	}
	return out
}
