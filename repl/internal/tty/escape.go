package tty

import (
	"strconv"
	"strings"

	prompt "github.com/c-bata/go-prompt"
)

// An escaper builds the escape sequences that go-prompt asks for. It implements
// most of prompt.ConsoleWriter; the library's own writer cannot be built upon,
// since its buffer is private, its Flush gives up on a busy terminal and it
// knows no way to be silent.
type escaper struct {
	buf   []byte
	mute  bool // drop everything: go-prompt draws what must not be seen
	plain bool // no colours, as NO_COLOR asks
}

func (w *escaper) raw(s string) {
	if !w.mute {
		w.buf = append(w.buf, s...)
	}
}

func (w *escaper) csi(n int, final string) { w.raw("\x1b[" + strconv.Itoa(n) + final) }

// move emits one of two opposite movements by |n|.
func (w *escaper) move(n int, forth, back string) {
	switch {
	case n > 0:
		w.csi(n, forth)
	case n < 0:
		w.csi(-n, back)
	}
}

// text emits s without escape sequences, so that no text or name can control the terminal.
func (w *escaper) text(s string) { w.raw(strings.ReplaceAll(s, "\x1b", "?")) }

// The methods of prompt.ConsoleWriter that only write their sequence.
func (w *escaper) WriteRaw(b []byte)    { w.raw(string(b)) }
func (w *escaper) WriteRawStr(s string) { w.raw(s) }
func (w *escaper) Write(b []byte)       { w.text(string(b)) }
func (w *escaper) EraseScreen()         { w.raw("\x1b[2J") }
func (w *escaper) EraseUp()             { w.raw("\x1b[1J") }
func (w *escaper) EraseStartOfLine()    { w.raw("\x1b[1K") }
func (w *escaper) EraseEndOfLine()      { w.raw("\x1b[K") }
func (w *escaper) EraseLine()           { w.raw("\x1b[2K") }
func (w *escaper) CursorUp(n int)       { w.move(n, "A", "B") }
func (w *escaper) CursorForward(n int)  { w.move(n, "C", "D") }
func (w *escaper) CursorBackward(n int) { w.move(n, "D", "C") }
func (w *escaper) AskForCPR()           { w.raw("\x1b[6n") }
func (w *escaper) SaveCursor()          { w.raw("\x1b7") }
func (w *escaper) UnSaveCursor()        { w.raw("\x1b8") }
func (w *escaper) ScrollDown()          { w.raw("\x1bD") }
func (w *escaper) ScrollUp()            { w.raw("\x1bM") }
func (w *escaper) CursorGoTo(row, c int) {
	w.raw("\x1b[" + strconv.Itoa(row) + ";" + strconv.Itoa(c) + "H")
}

// SetTitle does nothing: the title of the window is not ours, and go-prompt
// empties it after each line.
func (w *escaper) SetTitle(string) {}

// ClearTitle does nothing; see SetTitle.
func (w *escaper) ClearTitle() {}

// sgr selects colours. Without colours a background becomes reverse video.
func (w *escaper) sgr(fg, bg prompt.Color, bold bool) {
	if w.plain {
		s := "\x1b[0"
		if bg != prompt.DefaultColor {
			s += ";7"
		}
		if bold {
			s += ";1"
		}
		w.raw(s + "m")
		return
	}
	s := "\x1b[0;"
	if bold {
		s = "\x1b[0;1;"
	}
	w.raw(s + strconv.Itoa(colour(fg, 30, 90)) + ";" + strconv.Itoa(colour(bg, 40, 100)) + "m")
}

// colour returns the code of c: the dark colours follow dark, the bright ones
// bright, and the terminal's own is dark+9.
func colour(c prompt.Color, dark, bright int) int {
	switch {
	case c >= prompt.DarkGray && c <= prompt.White:
		return bright + int(c-prompt.DarkGray)
	case c >= prompt.Black && c <= prompt.LightGray:
		return dark + int(c-prompt.Black)
	}
	return dark + 9
}
