package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"metalab/kernel/view"
	"metalab/kernel/wire"
)

// redraw is the time between two pictures of a panel.
const redraw = 250 * time.Millisecond

// A panel shows a figure in the upper rows of the screen, again and again, while the
// prompt goes on in the rows below: those become the scrolling region of the terminal.
// Each picture is one write, so it does not tear what the prompt writes.
type panel struct {
	tty   io.Writer
	size  func() (cols, rows int)
	fetch func(ctx context.Context, sink *wire.Sink) ([]byte, error)

	cancel context.CancelFunc
	done   sync.WaitGroup
	rows   int // of the picture
}

// panelRows is the height of the picture on a screen of so many rows; 0 when the screen
// is too small for one.
func panelRows(rows int) int {
	if rows < 20 {
		return 0
	}
	return rows * 3 / 5
}

// open clears the upper rows and begins to draw.
func (p *panel) open() error {
	cols, rows := p.size()
	p.rows = panelRows(rows)
	if p.rows == 0 {
		return fmt.Errorf("the screen has %d rows and %d columns; watching beside the prompt needs 20 rows", rows, cols)
	}
	// What is on the screen scrolls away, so that it can still be scrolled back to.
	var b bytes.Buffer
	b.WriteString(strings.Repeat("\n", rows))
	fmt.Fprintf(&b, "\x1b[%d;%dr\x1b[%d;1H", p.rows+1, rows, p.rows+1)
	if _, err := p.tty.Write(b.Bytes()); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	p.done.Go(func() { p.loop(ctx) })
	return nil
}

// loop draws until ctx ends.
func (p *panel) loop(ctx context.Context) {
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	for {
		p.draw(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (p *panel) draw(ctx context.Context) {
	cols, rows := p.size()
	h := panelRows(rows)
	if h == 0 {
		return // too small for the moment
	}
	pic, err := p.fetch(ctx, sinkOf(view.Terminal(envCells, true, cols-1, h-1)))
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		pic = []byte(err.Error())
	}
	lines := strings.Split(strings.TrimRight(string(pic), "\n"), "\n")
	var b bytes.Buffer
	// The region again each time: a resize of the window resets it.
	fmt.Fprintf(&b, "\x1b7\x1b[?25l\x1b[%d;%dr", h+1, rows)
	for i := range h - 1 {
		fmt.Fprintf(&b, "\x1b[%d;1H\x1b[0m", i+1)
		if i < len(lines) {
			b.WriteString(strings.TrimRight(lines[i], "\r"))
		}
		b.WriteString("\x1b[0m\x1b[K")
	}
	fmt.Fprintf(&b, "\x1b[%d;1H\x1b[2m%s\x1b[0m\x1b8\x1b[?25h", h, strings.Repeat("─", cols-1))
	_, _ = p.tty.Write(b.Bytes()) // a terminal that is gone is noticed by the prompt
	p.rows = h
}

// close stops drawing and gives the whole screen back; the last picture stays until it
// scrolls away.
func (p *panel) close() {
	p.cancel()
	p.done.Wait()
	_, _ = io.WriteString(p.tty, "\x1b7\x1b[r\x1b8")
}
