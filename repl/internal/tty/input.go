package tty

import (
	"errors"
	"slices"
	"sync"
	"time"

	prompt "github.com/c-bata/go-prompt"
)

// The tokens handed to go-prompt. All editing happens in our editor; go-prompt gets only what it
// needs to draw or to end.
var (
	tokenEdit      = []byte{0xff}           // bound to a function: carry out the key
	tokenWake      = []byte{0x1b, '[', 'E'} // prompt.Ignore: draws, and asks whether to exit
	tokenEnter     = []byte{'\r'}           // the library ends the line
	tokenInterrupt = []byte{0x03}           // the library drops the line, and asks whether to exit
	tokenEOF       = []byte{0x04}           // the library leaves, the line being empty
)

// minCols is the least width of a screen that is accepted; go-prompt divides by it and subtracts
// from it.
const minCols = 8

// errAgain tells the library that there is no token now.
var errAgain = errors.New("tty: no key")

// An input is the prompt.ConsoleParser of the terminal. The library reads it in
// a goroutine of its own, 10 ms apart, into a channel that it throws away at
// the end of a line, with all that is in it. So only one token is ever under
// way: the next one is handed out when the frame that shows the last one has
// been drawn. That also means that the editor is never used by the library's
// two goroutines at the same time.
//
// While no token is under way the library cannot end, so Read may block; it
// waits for the terminal and for the wake pipe together, which is why a key
// waits for one of the library's two sleeps only.
type input struct {
	dev  device
	edit *editor

	cols, rows int // of the screen, the same throughout a stay in the library

	mu     sync.Mutex
	dec    decoder
	events []outcome // reasons to end that wait, in order
	redraw bool      // a frame is wanted
	away   bool      // a token is under way
	key    key       // the one to carry out, of tokenEdit
	exit   outcome   // of the token under way; outNone goes on
	woken  bool      // the token under way is a plain tokenWake
	back   chan struct{}
}

// A device is a terminal to read from.
type device interface {
	// read returns what can be read, at most len(b) bytes. It may block unless wait has reported
	// that there is something.
	read(b []byte) (int, error)
	// wait blocks until there is something to read, or wake was called, or the time is over, and
	// reports whether there is something to read; a negative time means no limit.
	wait(d time.Duration) (readable bool, err error)
	// wake ends a wait, now or the next one.
	wake()
	// size returns the size of the screen in characters.
	size() (cols, rows int)
}

func newInput(dev device, edit *editor) *input {
	return &input{dev: dev, edit: edit, back: make(chan struct{}, 1)}
}

var _ prompt.ConsoleParser = (*input)(nil)

// Setup prepares for a line. The terminal's mode is not set here: between two calls of the
// library's Input that make up one line it must not change.
func (in *input) Setup() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.away, in.exit, in.woken = false, outNone, false
	in.measure()
	return nil
}

// TearDown does nothing; see Setup.
func (in *input) TearDown() error { return nil }

// GetWinSize returns the width of the screen and no limit of its height: go-prompt
// uses the height for nothing but to wipe a small screen and refuse to work.
func (in *input) GetWinSize() *prompt.WinSize {
	return &prompt.WinSize{Row: 0xffff, Col: uint16(in.cols)}
}

// measure asks for the size of the screen. go-prompt goes on with the old one
// until it is entered again, so all that draws beside it must do so too.
func (in *input) measure() {
	cols, rows := in.dev.size()
	in.cols, in.rows = min(max(cols, minCols), 0xffff), rows
}

// size returns what measure found.
func (in *input) size() (cols, rows int) { return in.cols, in.rows }

// post asks the editing to end for a reason, from any goroutine.
func (in *input) post(why outcome) {
	in.mu.Lock()
	in.events = append(in.events, why)
	in.mu.Unlock()
	in.dev.wake()
}

// poke asks for a frame, from any goroutine.
func (in *input) poke() {
	in.mu.Lock()
	asked := in.redraw
	in.redraw = true
	in.mu.Unlock()
	if !asked {
		in.dev.wake()
	}
}

// drawn tells that a frame is on the screen: the token under way is done.
func (in *input) drawn() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.away {
		in.away = false
		select {
		case in.back <- struct{}{}:
		default:
		}
	}
}

// state returns the key to carry out, how the token under way ends the editing,
// and whether it asks for nothing but a new frame.
func (in *input) state() (k key, exit outcome, woken bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.key, in.exit, in.woken
}

// forget drops the reasons to end that came after the end, which are not meant
// for the next line. It tells whether a signal was among them.
func (in *input) forget() (signalled bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	signalled = slices.Contains(in.events, outSignal)
	in.events = slices.DeleteFunc(in.events, func(o outcome) bool { return o != outClosed })
	return signalled
}

// line takes a whole line that waits, if there is one.
func (in *input) line() (string, bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.dec.line()
}

// ahead takes all that was typed and pasted and waits for the next line; no line may be under way.
func (in *input) ahead() string {
	in.mu.Lock()
	defer in.mu.Unlock()
	for {
		readable, err := in.dev.wait(0)
		if !readable || err != nil {
			return in.dec.rest()
		}
		var buf [4096]byte
		n, err := in.dev.read(buf[:])
		if n == 0 || err != nil {
			return in.dec.rest()
		}
		in.dec.push(buf[:n], time.Now())
	}
}

// Read returns the next token.
func (in *input) Read() ([]byte, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.away {
		in.mu.Unlock()
		t := time.NewTimer(10 * time.Millisecond)
		select {
		case <-in.back:
		case <-t.C:
		}
		t.Stop()
		in.mu.Lock()
	}
	if in.away {
		return nil, errAgain
	}
	for {
		if t := in.take(time.Now()); t != nil {
			in.away = true
			select { // a notice about an earlier token, for which nothing waited
			case <-in.back:
			default:
			}
			return t, nil
		}
		wait := in.dec.wait(time.Now())
		in.mu.Unlock()
		readable, err := in.dev.wait(wait)
		var buf [4096]byte
		n := 0
		if readable && err == nil {
			n, err = in.dev.read(buf[:])
		}
		in.mu.Lock()
		if n > 0 {
			in.dec.push(buf[:n], time.Now())
		}
		if err != nil {
			in.events = append(in.events, outHangup)
		}
	}
}

// take chooses the next token, nil if there is none: reasons to end first, then keys, then frames.
func (in *input) take(now time.Time) []byte {
	in.exit, in.woken = outNone, false
	if len(in.events) > 0 {
		in.exit = in.events[0]
		in.events = in.events[1:]
		if in.exit == outInterrupt {
			return tokenInterrupt
		}
		return tokenWake
	}
	if k, ok := in.dec.next(now); ok {
		in.key = k
		in.exit = in.edit.ends(k)
		switch in.exit {
		case outNone:
			return tokenEdit
		case outEnter:
			return tokenEnter
		case outEOF:
			return tokenEOF
		case outInterrupt:
			return tokenInterrupt
		}
		return tokenWake
	}
	if in.redraw {
		in.redraw, in.woken = false, true
		return tokenWake
	}
	return nil
}
