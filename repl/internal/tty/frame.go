package tty

import (
	"bytes"
	"strings"
	"sync"
	"time"

	prompt "github.com/c-bata/go-prompt"
	"github.com/mattn/go-runewidth"
)

// maxPending is how much output may wait above the prompt before its writers
// are slowed down, in bytes.
const maxPending = 1 << 20

// The colours with which go-prompt draws the list of suggestions. The writer recognizes the parts
// by them.
const (
	listText   = prompt.White
	listBack   = prompt.DarkGray
	adviceText = prompt.Black
	adviceBack = prompt.LightGray
	barBack    = prompt.LightGray // our lists are never longer than what shows
)

// A writer is the prompt.ConsoleWriter of the terminal. It adds to go-prompt's
// frames what the library lacks: output above the prompt, a status line, the
// highlight of the chosen suggestion. It relies on these facts of render.go of
// v0.2.6:
//
//   - Render calls HideCursor exactly once, when the cursor stands at the start
//     of the prompt, then WriteStr for the prefix and WriteStr for the line,
//     then CursorDown(1) once a suggestion; ShowCursor and Flush come last.
//   - BreakLine, outside of such a frame, calls EraseDown at the start of the
//     prompt, then WriteStr for the prefix, WriteStr for the line with its
//     newline, and Flush.
//
// Between frames only pending, partial and active may be touched by other
// goroutines, under mu.
type writer struct {
	escaper
	send  func([]byte) error // writes to the terminal
	size  func() (cols, rows int)
	drawn func() // a frame is on the screen
	poke  func() // asks for a frame soon

	screenful
	frame

	mu      sync.Mutex
	active  bool // a line is being typed
	passing bool // a line of Passing is on the screen
	midline bool // what was written last while no line was typed did not end in a newline
	pending bytes.Buffer
	drained chan struct{} // closed when pending has been taken
}

// screenful is what is on the screen, or comes with the next frame.
type screenful struct {
	status   string // of the status line; none if empty
	shown    int    // rows of status above the prompt on the screen
	shownLen int    // cells of that status
	mark     string // goes behind the line at its end, as ^C
	chosen   int    // row of the suggestion to highlight, or -1
	cursor   int    // cells from the start of the prompt to the cursor on the screen
	next     int    // the same for the next frame
	tall     bool   // the input fills the screen: nothing else fits
}

// frame is how far the present frame is.
type frame struct {
	inFrame bool
	writes  int // calls of WriteStr since the start of the frame
	row     int // of the list of suggestions
	prefix  int // cells of the prefix of this frame
}

var _ prompt.ConsoleWriter = (*writer)(nil)

func newWriter(send func([]byte) error, size func() (cols, rows int)) *writer {
	return &writer{
		send: send, size: size, drawn: func() {}, poke: func() {},
		screenful: screenful{chosen: -1}, drained: make(chan struct{}),
	}
}

// HideCursor starts a frame: it removes the old status line, writes the complete pending lines
// above the prompt, and draws the new status line.
func (w *writer) HideCursor() {
	w.inFrame, w.writes, w.row = true, 0, -1
	if w.mute {
		return
	}
	w.raw("\x1b[?25l")
	w.liftStatus()
	w.releaseLines()
	cols, rows := w.size()
	if s := oneLine(w.status, cols-1); s != "" && !w.tall && rows > 2 {
		w.raw("\x1b[2K")
		w.sgr(prompt.Black, prompt.LightGray, false)
		w.text(s)
		// The background is extended to the margin without writing cells, so that a terminal that
		// wraps lines again on a resize has nothing to wrap.
		w.raw("\x1b[K")
		w.sgr(prompt.DefaultColor, prompt.DefaultColor, false)
		w.raw("\n")
		w.shown, w.shownLen = 1, runewidth.StringWidth(s)
	}
}

// liftStatus moves onto the status line that is on the screen, to write over it.
func (w *writer) liftStatus() {
	w.CursorUp(w.shown)
	w.shown = 0
	w.raw("\r")
}

// releaseLines writes the whole lines that wait.
func (w *writer) releaseLines() {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := bytes.LastIndexByte(w.pending.Bytes(), '\n')
	if i < 0 {
		return
	}
	w.raw("\x1b[J")
	w.raw(string(w.pending.Next(i + 1)))
	close(w.drained)
	w.drained = make(chan struct{})
}

// ShowCursor ends a frame.
func (w *writer) ShowCursor() {
	w.inFrame = false
	w.raw("\x1b[?25h")
	if !w.mute {
		w.cursor = w.next
	}
	w.drawn()
}

// EraseDown clears from the cursor on. Outside of a frame it is the end of a
// line: the status line goes, and what waits comes out before the line does.
func (w *writer) EraseDown() {
	if !w.inFrame && !w.mute {
		w.liftStatus()
		w.raw("\x1b[J")
		w.releaseLines()
	}
	w.raw("\x1b[J")
}

// CursorDown also counts the rows of the list of suggestions.
func (w *writer) CursorDown(n int) {
	w.row++
	w.move(n, "B", "A")
}

// WriteStr writes the prefix, the line or a suggestion.
func (w *writer) WriteStr(s string) {
	cols, _ := w.size()
	w.writes++
	switch {
	case w.writes == 1:
		w.prefix = runewidth.StringWidth(s)
	case w.writes == 2 && w.inFrame:
		s = fit(s, w.prefix, cols)
	case w.writes == 2:
		s = fit(strings.TrimSuffix(s, "\n"), w.prefix, cols) + w.mark + "\n"
	}
	w.text(s)
}

// SetColor selects the colours of what comes next.
func (w *writer) SetColor(fg, bg prompt.Color, bold bool) {
	if w.inFrame && w.row >= 0 && w.row == w.chosen {
		switch {
		case fg == listText && bg == listBack:
			fg, bg, bold = prompt.Black, prompt.Turquoise, true
		case fg == adviceText && bg == adviceBack:
			fg, bg = prompt.Black, prompt.Cyan
		}
	}
	w.sgr(fg, bg, bold)
}

// Flush sends what was composed in one write, so that no half frame shows.
func (w *writer) Flush() error {
	w.writes = 0
	if len(w.buf) == 0 {
		return nil
	}
	err := w.send(w.buf)
	w.buf = w.buf[:0]
	return err
}

// begin takes the screen for a line: from now on output waits for frames.
func (w *writer) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active = true
	w.showPassing("")
}

// showPassing shows s in place of the passing line on the screen, if there is one; with an empty s
// it removes that line. It does nothing on a row that has other output.
func (w *writer) showPassing(s string) {
	switch {
	case s == "" && !w.passing, s != "" && (w.active || w.midline):
		return
	case s == "":
		_ = w.send([]byte("\r\x1b[K")) // the prompt notices if the terminal has gone
	default:
		_ = w.send([]byte("\r\x1b[2m" + s + "\x1b[0m\x1b[K"))
	}
	w.passing = s != ""
}

// end releases the screen: pending output is written, and output is direct again.
func (w *writer) end() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active = false
	w.midline = w.pending.Len() > 0 // not a whole line
	w.buf = append(w.buf, w.pending.Bytes()...)
	w.pending.Reset()
	close(w.drained)
	w.drained = make(chan struct{})
	return w.Flush()
}

// freshLine moves to the start of an empty row wherever the cursor is: as many
// blanks as a row but one has cells go over the margin unless the cursor was at
// the start.
func (w *writer) freshLine() {
	cols, _ := w.size()
	w.raw(strings.Repeat(" ", max(0, cols-1)) + "\r\x1b[J")
}

// above is the io.Writer of Terminal.Above.
type above struct{ w *writer }

// Write shows b above the prompt, or at the cursor if no line is being typed.
// It may be called from any goroutine.
func (a above) Write(b []byte) (int, error) {
	w := a.w
	w.mu.Lock()
	if !w.active {
		defer w.mu.Unlock()
		if len(b) == 0 {
			return 0, nil
		}
		w.showPassing("")
		w.midline = b[len(b)-1] != '\n'
		if err := w.send(b); err != nil {
			return 0, err
		}
		return len(b), nil
	}
	w.pending.Write(b)
	full, drained := w.pending.Len() > maxPending, w.drained
	w.mu.Unlock()
	w.poke()
	if full {
		// Wait, but not for ever: the writer may be the goroutine that draws, in a callback.
		select {
		case <-drained:
		case <-time.After(100 * time.Millisecond):
		}
	}
	return len(b), nil
}
