package main

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
	term *tty.Terminal
	said view.Reply // which pictures the terminal says it can show

	mu    sync.Mutex
	curve map[string][]float64 // the latest bests of each run, for the status line
	rate  map[string]*meter
	panel *panel
	doing string // how far the host is with a long call, by its events

	leaving bool // the session is being ended from here
	ended   bool // the host has said that it ends
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
	term, err := tty.Open(tty.Options{
		Prompt:        func() string { return "lab> " },
		Incomplete:    incomplete,
		Completer:     d.complete,
		Status:        d.status,
		HistoryFile:   history,
		Hold:          true,
		CaptureOutput: true,
	})
	if err != nil {
		return err
	}
	d.term = term
	defer term.Close()
	defer d.unwatch()
	f.out = os.Stdout
	f.sink = d.sink
	f.width = func() int { cols, _ := term.Size(); return cols }
	f.watch, f.clear = d.watch, d.clear
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
	for {
		line, err := term.ReadLine(ctx)
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

// message returns an error in one line; for ^C it says so.
func message(err error) string {
	var said *wire.Error
	switch {
	case errors.As(err, &said) && said.Code == wire.CodeCanceled:
		return said.Message
	case errors.Is(err, context.Canceled):
		return "interrupted"
	}
	return "error: " + strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
}

// complain prints an error.
func (d *desk) complain(err error) { fmt.Fprintln(os.Stderr, d.wrapped(message(err))) }

// carryOut carries out a line; ^C ends it. What is typed meanwhile becomes the next line.
func (d *desk) carryOut(ctx context.Context, line string) error {
	if words.Uncommented(line) == "" {
		return nil
	}
	if w := strings.Fields(line); len(w) == 2 && w[0] == "watch" && w[1] == "off" {
		d.unwatch()
		return nil
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	if reads(line) {
		d.term.Release()
		return d.do(ctx, line)
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
		s := d.doing
		d.mu.Unlock()
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
