package prompt

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"metalab/kernel/view"
	"metalab/kernel/wire"
)

// redraw is the time between two pictures of a panel.
const redraw = 250 * time.Millisecond

// A panel keeps redrawing a figure in the upper rows of the screen, while the prompt continues in
// the rows below, which become the scrolling region of the terminal. Each picture is one write, so
// it is not mixed with what the prompt writes.
type panel struct {
	tty    io.Writer
	size   func() (cols, rows int)
	redraw func()        // draws the prompt again
	state  func() string // differs if the picture differs

	mu    sync.Mutex
	fetch fetchFunc
	drawn string // the state of the picture on the screen; empty when there is none

	cancel     context.CancelFunc
	done       sync.WaitGroup
	cols, rows int // of the screen, when it was drawn last
}

// A fetchFunc returns a picture for a sink.
type fetchFunc func(ctx context.Context, sink *wire.Sink) ([]byte, error)

// show changes the figure that is drawn.
func (p *panel) show(f fetchFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fetch, p.drawn = f, ""
}

// again draws the figure anew on a screen that was cleared.
func (p *panel) again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drawn = ""
	_, rows := p.size()
	fmt.Fprintf(p.tty, "\x1b[%d;1H", panelRows(rows)+1)
}

// panelRows returns the height of the picture on a screen of this many rows; 0 if the screen is too
// small for one.
func panelRows(rows int) int {
	if rows < 20 {
		return 0
	}
	return rows * 3 / 5
}

// open clears the upper rows and begins to draw.
func (p *panel) open() error {
	cols, rows := p.size()
	h := panelRows(rows)
	if h == 0 {
		return fmt.Errorf("the screen has %d rows and %d columns; watching beside the "+
			"prompt needs 20 rows", rows, cols)
	}
	// The text on the screen scrolls away, so that the user can still scroll back to it.
	var b bytes.Buffer
	b.WriteString(strings.Repeat("\n", rows))
	fmt.Fprintf(&b, "\x1b[%d;%dr\x1b[%d;1H", h+1, rows, h+1)
	if _, err := p.tty.Write(b.Bytes()); err != nil {
		return err
	}
	p.cols, p.rows = cols, rows
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
		if p.rows != 0 { // the screen is too small at present
			p.release()
			p.rows = 0
			p.mu.Lock()
			p.drawn = ""
			p.mu.Unlock()
		}
		return
	}
	state := fmt.Sprint(cols, rows, p.state())
	p.mu.Lock()
	fetch, same := p.fetch, state == p.drawn
	p.drawn = state
	p.mu.Unlock()
	if same {
		return // while the run is paused nothing is drawn
	}
	sink := view.Terminal(envCells, true, cols-1, h-1)
	pic, err := fetch(ctx, &sink)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		pic = []byte(err.Error())
		p.mu.Lock()
		p.drawn = ""
		p.mu.Unlock()
	}
	lines := strings.Split(strings.TrimRight(string(pic), "\n"), "\n")
	var b bytes.Buffer
	if resized := cols != p.cols || rows != p.rows; resized {
		// Terminals wrap the picture again, and move it. So everything is cleared, and the prompt,
		// which knows the positions of its rows only relative to each other, continues at the
		// bottom.
		fmt.Fprintf(&b, "\x1b[r\x1b[2J\x1b[%d;1H", rows)
		p.cols, p.rows = cols, rows
		defer p.redraw()
	}
	// The region again each time: a resize of the window resets it.
	fmt.Fprintf(&b, "\x1b7\x1b[?25l\x1b[%d;%dr", h+1, rows)
	for i := range h - 1 {
		fmt.Fprintf(&b, "\x1b[%d;1H\x1b[0m", i+1)
		if i < len(lines) {
			b.WriteString(strings.TrimRight(lines[i], "\r"))
		}
		b.WriteString("\x1b[0m\x1b[K")
	}
	fmt.Fprintf(&b, "\x1b[%d;1H\x1b[2m%s\x1b[0m\x1b8\x1b[?25h", h, strings.Repeat(rule(), cols-1))
	_, _ = p.tty.Write(b.Bytes()) // the prompt notices if the terminal has gone
}

// rule is the character of the line below the picture.
func rule() string {
	if view.Unicode(os.Getenv) {
		return "─"
	}
	return "-"
}

// release gives the whole screen back.
func (p *panel) release() { _, _ = io.WriteString(p.tty, "\x1b7\x1b[r\x1b8") }

// close stops drawing and gives the whole screen back; the last picture stays until it
// scrolls away.
func (p *panel) close() {
	p.cancel()
	p.done.Wait()
	p.release()
}
