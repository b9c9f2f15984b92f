package tty

import (
	"context"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	prompt "github.com/c-bata/go-prompt"
)

// refreshEvery is the least time between two status lines.
const refreshEvery = 100 * time.Millisecond

// A Terminal is a prompt on the terminal of the process. ReadLine is for one
// goroutine at a time; the other methods are for any.
type Terminal struct {
	opts Options
	dev  *console
	in   *input
	out  *writer
	edit *editor
	lib  *prompt.Prompt

	prefix string // as drawn; it must not change within a frame
	caught *CallbackPanic
	tried  outcome // how the library was left

	reading sync.Mutex // held by ReadLine
	closed  atomic.Bool
	modes   sync.Mutex // guards mode, held and the terminal's mode
	mode    mode
	held    chan struct{} // closed at the end of a hold

	file    *historyFile // nil keeps no file
	capture *capture

	refresh redrawing
	stale   atomic.Bool // status and prompt must be asked for again
}

// redrawing is when status and prompt were drawn by themselves.
type redrawing struct {
	sync.Mutex
	last    time.Time
	pending bool
}

// libPrompt makes go-prompt's prompt. New opens /dev/tty by itself and panics
// without one, and never closes it, so this comes after the terminal has been
// opened, and once.
func (t *Terminal) libPrompt() *prompt.Prompt {
	return prompt.New(func(string) {}, t.complete,
		prompt.OptionParser(t.in),
		prompt.OptionWriter(t.out),
		prompt.OptionLivePrefix(func() (string, bool) { return t.prefix, true }),
		prompt.OptionAddASCIICodeBind(prompt.ASCIICodeBind{ASCIICode: tokenEdit, Fn: t.carryOut}),
		prompt.OptionSetExitCheckerOnInput(t.exits),
		prompt.OptionSwitchKeyBindMode(prompt.CommonKeyBind),
		prompt.OptionMaxSuggestion(maxList),
		prompt.OptionPrefixTextColor(prompt.Green),
		prompt.OptionSuggestionTextColor(listText),
		prompt.OptionSuggestionBGColor(listBack),
		prompt.OptionDescriptionTextColor(adviceText),
		prompt.OptionDescriptionBGColor(adviceBack),
		prompt.OptionScrollbarBGColor(barBack),
		prompt.OptionScrollbarThumbColor(barBack),
	)
}

// Open opens the terminal of the process. It returns an error that wraps
// [ErrNoTerminal] if there is none; then use a [LineReader]. Close must be
// called in the end, best in a defer of main, which also helps after a panic.
func Open(opts Options) (*Terminal, error) {
	dev, err := openConsole()
	if err != nil {
		return nil, err
	}
	t := &Terminal{opts: opts, dev: dev}
	var entries []string
	var trouble error
	if opts.HistoryFile != "" {
		t.file = &historyFile{path: opts.HistoryFile}
		entries, trouble = t.file.load()
	}
	t.edit = newEditor(newHistory(entries), opts.Completer, opts.CompleteOnTab)
	t.in = newInput(dev, t.edit)
	t.out = newWriter(dev.write, t.in.size)
	t.out.plain = noColour()
	t.out.drawn, t.out.poke = t.in.drawn, t.in.poke
	t.in.measure()
	t.lib = t.libPrompt()
	if opts.CaptureOutput {
		if t.capture, err = startCapture(t.Above()); err != nil {
			dev.close()
			return nil, err
		}
	}
	t.complain(trouble)
	return t, nil
}

// Close restores the terminal as it was found, makes a ReadLine under way
// return [ErrClosed], and gives back os.Stdout and os.Stderr. Later calls do
// nothing.
func (t *Terminal) Close() error {
	if t.closed.Swap(true) {
		return nil
	}
	err := t.restore()
	t.in.post(outClosed)
	if t.capture != nil {
		t.capture.stop()
	}
	// A line under way uses the terminal until it has noticed. If its callback is stuck, the
	// descriptors stay open until the process ends.
	if t.tryReading(time.Second) {
		t.dev.close()
	}
	return err
}

// tryReading waits for ReadLine to be over and keeps it so.
func (t *Terminal) tryReading(limit time.Duration) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if t.reading.TryLock() {
			return true
		}
	}
	return false
}

// Above returns a writer whose text appears above the line being typed, whole
// lines at a time; the rest of a line waits for its newline, at the latest for
// the end of ReadLine. Between calls of ReadLine it writes at the cursor. It
// may be used from any goroutine.
func (t *Terminal) Above() io.Writer { return above{t.out} }

// Passing shows a line, for example about the progress of a command, while no line is typed. The
// next output, the next Passing or the next ReadLine replaces it, and an empty one removes it. It
// is cut to the width of the screen. It does nothing while a line is typed, or after an unfinished
// line of output. All output must come through Above or be captured, for Passing does not see other
// output.
func (t *Terminal) Passing(line string) {
	cols, _ := t.dev.size()
	line = oneLine(line, cols-1)
	t.out.mu.Lock()
	defer t.out.mu.Unlock()
	t.out.showPassing(line)
}

// Size returns the size of the screen in characters, 80 by 24 if it is unknown.
func (t *Terminal) Size() (cols, rows int) { return t.dev.size() }

// Stdout returns what os.Stdout was before its capture, for a child process that
// is to have the terminal.
func (t *Terminal) Stdout() *os.File {
	if t.capture != nil {
		return t.capture.out
	}
	return os.Stdout
}

// Refresh shows prompt and status line again, soon, but at most ten times a second. It returns at
// once and may be called from any goroutine, at any rate, also when no line is being typed.
func (t *Terminal) Refresh() {
	r := &t.refresh
	r.Lock()
	defer r.Unlock()
	if r.pending {
		return
	}
	if wait := refreshEvery - time.Since(r.last); wait > 0 {
		r.pending = true
		time.AfterFunc(wait, t.refreshNow)
		return
	}
	r.last = time.Now()
	t.stale.Store(true)
	t.in.poke()
}

func (t *Terminal) refreshNow() {
	t.refresh.Lock()
	t.refresh.pending = false
	t.refresh.last = time.Now()
	t.refresh.Unlock()
	t.stale.Store(true)
	t.in.poke()
}

// Go runs f in a new goroutine. If f panics, the terminal is restored before the process ends.
func (t *Terminal) Go(f func()) {
	go func() {
		done := false
		defer func() {
			if !done { // also after runtime.Goexit, where it does no harm
				_ = t.restore()
			}
		}()
		f()
		done = true
	}()
}

// enterRaw sets the mode for typing.
func (t *Terminal) enterRaw() error {
	t.modes.Lock()
	defer t.modes.Unlock()
	if t.closed.Load() {
		return ErrClosed
	}
	if t.mode == modeHeld {
		close(t.held)
	}
	t.mode = modeRaw
	return t.dev.raw()
}

// restore brings back the mode in which the terminal was found.
func (t *Terminal) restore() error {
	t.modes.Lock()
	defer t.modes.Unlock()
	was := t.mode
	t.mode = modeUsual
	switch was {
	case modeRaw:
		return t.dev.cooked()
	case modeHeld:
		close(t.held)
		return t.dev.found()
	}
	return nil
}

// complain shows an error after which the prompt continues.
func (t *Terminal) complain(err error) {
	if err != nil {
		_, _ = io.WriteString(t.Above(), err.Error()+"\n")
	}
}

// remember adds an input to the history.
func (t *Terminal) remember(text string) {
	if !t.edit.hist.add(text) {
		return
	}
	if t.file == nil {
		return
	}
	if err := t.file.append(text); err != nil {
		t.complain(err)
		t.file = nil // once is enough
	}
}

// ReadLine reads one input, which is one line unless Incomplete asks for more; those are joined by
// newlines. The terminal is in its usual mode before and after, or held with Options.Hold, so that
// ^C is a signal while a command runs.
//
// It returns
//   - io.EOF after ^D on an empty line, or when the terminal has gone;
//   - [ErrInterrupted] after ^C, which drops what was typed, also earlier lines;
//   - the context's error when it ends; the next call has the typed text again, except for earlier
//     lines of a multi-line input;
//   - a [*SignalError] after SIGTERM or SIGHUP;
//   - [ErrClosed] after Close.
//
// A panic in one of the callbacks becomes a [*CallbackPanic].
func (t *Terminal) ReadLine(ctx context.Context) (text string, err error) {
	t.reading.Lock()
	defer t.reading.Unlock()
	if t.closed.Load() {
		return "", ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if t.capture != nil {
		t.capture.sync()
	}
	t.edit.prior = ""
	defer func() { t.complain(t.rest()) }() // also after a panic of Incomplete
	for {
		line, err := t.readOne(ctx)
		if err != nil {
			return "", err
		}
		text := t.edit.prior + line
		if t.opts.Incomplete == nil || !t.opts.Incomplete(text) {
			t.edit.prior = ""
			t.remember(text)
			return text, nil
		}
		t.edit.prior = text + "\n"
	}
}
