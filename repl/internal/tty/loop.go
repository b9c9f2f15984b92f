package tty

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	prompt "github.com/c-bata/go-prompt"
	"github.com/mattn/go-runewidth"
	"golang.org/x/sys/unix"
)

// readOne reads one line of an input.
func (t *Terminal) readOne(ctx context.Context) (string, error) {
	t.in.measure()
	t.stale.Store(false)
	t.ask()
	t.rethrow()
	if line, ok := t.nextPasted(); ok {
		return line, nil
	}
	w := watch(ctx, t.in, func() { _ = t.restore() })
	end := t.restore // also after a panic of go-prompt itself
	defer func() {
		t.out.mute = false
		t.complain(end())
		_ = t.out.end()
		w.stop()
	}()
	if err := t.enterRaw(); err != nil {
		return "", err
	}
	t.out.begin()
	t.out.freshLine()
	for {
		out := t.input()
		t.rethrow()
		switch out {
		case outEnter:
			end = stay
			line := t.edit.line.String()
			t.edit.finish()
			return line, nil
		case outRedraw:
			t.reposition()
		case outSuspend:
			if err := t.suspend(); err != nil {
				return "", err
			}
		case outInterrupt:
			end = t.rest
			t.edit.finish()
			return "", ErrInterrupted
		case outEOF:
			end = t.rest
			t.edit.finish()
			if t.edit.prior != "" { // a way out of an input that stays incomplete
				return "", ErrInterrupted
			}
			return "", io.EOF
		case outHangup:
			return "", io.EOF
		case outCancel:
			return "", ctx.Err()
		case outSignal:
			return "", &SignalError{Signal: w.signal()}
		default:
			return "", ErrClosed
		}
	}
}

// stay leaves the terminal in its mode: ReadLine ends it once the input is complete. Between the
// lines of one input the mode must not change, or a key typed there may be lost: in the usual mode
// a terminal keeps a byte 0 in the place of ^D.
func stay() error { return nil }

// input runs go-prompt until it ends, and returns why. Its own Run loop must not be used: it leaks
// a signal channel a command, and can wait for ever between a resize and Enter.
func (t *Terminal) input() outcome {
	t.tried, t.out.mark = outNone, ""
	_ = prompt.OptionHistory(nil)(t.lib) // our history is elsewhere; this one must not grow
	t.lib.Input()
	t.out.mute = false
	if t.tried == outNone { // Enter and ^D end it without asking
		_, t.tried, _ = t.in.state()
	}
	return t.tried
}

// exits is go-prompt's question whether to end, after a key that we did not
// handle.
func (t *Terminal) exits(string, bool) bool {
	_, exit, woken := t.in.state()
	if woken && t.caught != nil {
		exit = outPanic
	}
	t.tried = exit
	switch exit {
	case outNone, outEnter: // asked after Enter too, when it ends anyway
		return false
	case outInterrupt, outRedraw, outSuspend:
		// The line has ended already, or will be drawn again elsewhere.
		t.out.mute = true
	}
	return true
}

// carryOut is bound to tokenEdit: it lets the editor have the key, and makes
// go-prompt's buffer show the result.
func (t *Terminal) carryOut(buf *prompt.Buffer) {
	k, _, _ := t.in.state()
	if k.act == actClear {
		t.out.raw("\x1b[H\x1b[2J")
		t.out.shown = 0
		return
	}
	searching := t.edit.search.on
	t.safely(func() { t.edit.handle(k) })
	if t.edit.search.on != searching {
		t.setPrefix()
	}
	text, pos := view(t.edit.line.text, t.edit.line.pos)
	mirror(buf, text, pos)
}

// mirror makes text the whole of buf, the cursor before rune pos.
func mirror(buf *prompt.Buffer, text string, pos int) {
	prompt.GoLineEnd(buf)
	buf.DeleteBeforeCursor(len([]rune(buf.Text())))
	buf.InsertText(text, false, true)
	buf.CursorLeft(len([]rune(text)) - pos)
}

// complete is go-prompt's completer. The library calls it before each frame, so it also prepares
// the contents of the frame.
func (t *Terminal) complete(prompt.Document) []prompt.Suggest {
	switch _, exit, woken := t.in.state(); {
	case exit == outInterrupt:
		t.out.mark = "^C" // the library asks here before it ends the line
	case woken && exit == outNone && t.stale.Swap(false):
		t.ask()
	}
	cols, rows := t.in.size()
	if c, _ := t.dev.size(); c != cols && c >= minCols {
		// The window has changed and the library does not know: it would start
		// the frame in a wrong row, over what is above. The redraw comes before
		// any other key.
		if _, exit, _ := t.in.state(); exit == outNone {
			t.out.mute = true
			t.in.post(outRedraw)
		}
	}
	before, after := t.cells()
	t.out.next = before
	used := after/cols + 1
	t.out.tall = used >= rows
	free := rows - used
	if t.out.status != "" && !t.out.tall {
		free--
	}
	if before/cols != after/cols { // the list would cover the end of the line
		free = 0
	}
	list, chosen := t.edit.popup.window(free)
	t.out.chosen = chosen
	suggests := make([]prompt.Suggest, len(list))
	for i, s := range list {
		text, _ := view([]rune(s.Text), 0)
		suggests[i] = prompt.Suggest{Text: text, Description: oneLine(s.Description, cols)}
	}
	return suggests
}

// cells returns the cells from the start of the prompt to the cursor and to the
// end of the line.
func (t *Terminal) cells() (before, after int) {
	text, pos := view(t.edit.line.text, t.edit.line.pos)
	n := runewidth.StringWidth(t.prefix)
	return n + runeWidths([]rune(text)[:pos]), n + runewidth.StringWidth(text)
}

// ask updates status and prompt.
func (t *Terminal) ask() {
	t.setPrefix()
	t.out.status = ""
	if t.opts.Status != nil {
		t.safely(func() { t.out.status = t.opts.Status() })
	}
}

func (t *Terminal) setPrefix() {
	t.prefix = "> "
	switch {
	case t.edit.search.on:
		t.prefix = searchPrompt
	case t.edit.prior != "" && t.opts.Continuation != "":
		t.prefix = t.opts.Continuation
	case t.edit.prior != "":
		t.prefix = "...> "
	case t.opts.Prompt != nil:
		t.safely(func() { t.prefix = t.opts.Prompt() })
	}
	t.prefix, _ = view([]rune(clean(t.prefix)), 0)
}

// safely calls a callback. A panic must not pass through go-prompt, which would leave a goroutine
// behind that reads the terminal, so safely stores it until the library has ended normally.
func (t *Terminal) safely(f func()) {
	defer func() {
		if v := recover(); v != nil && t.caught == nil {
			t.caught = &CallbackPanic{Value: v, Stack: debug.Stack()}
			t.in.poke()
		}
	}()
	f()
}

// rethrow raises the panic that safely has caught. The typed text stays for the next call.
func (t *Terminal) rethrow() {
	if p := t.caught; p != nil {
		t.caught = nil
		panic(p)
	}
}

// nextPasted takes the next line of a paste that waits, without a detour over
// the terminal, which would cost some 30 ms a line.
func (t *Terminal) nextPasted() (string, bool) {
	if len(t.edit.line.text) > 0 || t.edit.search.on {
		return "", false
	}
	line, ok := t.in.line()
	if !ok {
		return "", false
	}
	if !t.opts.Hold {
		t.complain(t.restore()) // of a hold
	}
	t.out.freshLine()
	t.complain(t.out.Flush())
	text, _ := view([]rune(line), 0)
	_, _ = fmt.Fprintf(t.Above(), "%s%s\n", t.prefix, text)
	return line, true
}

// reposition goes back to where the prompt started and clears what is below, after the window has
// changed its size. Terminals that wrap their lines again have moved the cursor's row relative to
// that; the others have not.
func (t *Terminal) reposition() {
	up := t.out.cursor / t.in.cols
	t.in.measure()
	if cols := t.in.cols; reflows() {
		up = t.out.cursor / cols
		if t.out.shown > 0 {
			t.out.shown = (t.out.shownLen + cols - 1) / cols
		}
	}
	t.out.CursorUp(up)
	t.out.liftStatus()
	t.out.raw("\x1b[J")
	t.complain(t.out.Flush())
	t.complain(t.enterRaw()) // after a stop the shell may have changed the mode
}

// suspend stops the process as ^Z does elsewhere, and comes back when it is
// continued.
func (t *Terminal) suspend() error {
	t.reposition()
	if err := t.restore(); err != nil {
		return err
	}
	if err := unix.Kill(0, unix.SIGTSTP); err != nil {
		return fmt.Errorf("tty: stopping: %w", err)
	}
	if err := t.enterRaw(); err != nil {
		return err
	}
	t.out.freshLine()
	return nil
}

// reflows tells whether the terminal wraps lines again when its width changes. There is no way to
// ask it.
func reflows() bool {
	for _, name := range []string{
		"TMUX", "VTE_VERSION", "KITTY_WINDOW_ID", "WEZTERM_PANE",
		"ALACRITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION",
	} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	switch os.Getenv("TERM_PROGRAM") {
	case "iTerm.app", "Apple_Terminal", "vscode", "ghostty":
		return true
	}
	return false
}

// noColour heeds the convention of no-color.org.
func noColour() bool { return os.Getenv("NO_COLOR") != "" }
