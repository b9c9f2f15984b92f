package tty

import (
	"io"
	"os"
	"os/signal"
	"syscall"
)

// A mode is how the terminal takes what is typed.
type mode int

const (
	modeUsual mode = iota // as it was found
	modeHeld              // nothing that is typed shows, and it waits for the next line
	modeRaw               // each key comes at once: a line is being typed
)

// Hold hides what is typed from now on, which would otherwise appear among a command's output and
// in the line of [Terminal.Passing]. Nothing of it is lost: it appears on the line of the next
// ReadLine, which ends the hold, as Close does. Keys that are signals stay so: ^Z, and ^C, which
// drops what was typed or pasted before it, as DropAhead does. It does nothing while a line is
// typed, or where the process is not in the foreground of its terminal.
//
// A process that dies of a signal leaves the terminal as it is, so a program that holds should
// catch SIGTERM and SIGHUP, and close; Hold handles SIGQUIT, and during a hold no SIGINT ends the
// process: a program that wants to know of ^C asks for it. After ^Z a shell sets the mode
// that it wants, as shells do, and the hold goes on when it continues the process.
func (t *Terminal) Hold() {
	t.modes.Lock()
	defer t.modes.Unlock()
	if t.closed.Load() || t.mode != modeUsual || !t.dev.foreground() {
		return
	}
	t.complain(t.beginHold())
}

// Release ends a hold: the terminal returns to its original mode, as for a command that reads the
// keyboard itself. Keys typed during the hold remain to be read.
func (t *Terminal) Release() { t.complain(t.restore()) }

// DropAhead drops what was typed or pasted ahead and waits for the next ReadLine, and says in a
// line what that was. It must not be called while a line is typed.
func (t *Terminal) DropAhead() {
	cols, _ := t.dev.size()
	if say := droppedLine(t.in.ahead()); say != "" {
		_, _ = io.WriteString(t.Above(), oneLine(say, cols-1)+"\n")
	}
}

// rest ends the typing of a line: with Options.Hold the terminal is held from then on, without a
// moment in its usual mode.
func (t *Terminal) rest() error {
	if t.opts.Hold && t.restHeld() {
		return nil
	}
	return t.restore()
}

// restHeld is rest where a hold can follow the typing at once.
func (t *Terminal) restHeld() bool {
	t.modes.Lock()
	defer t.modes.Unlock()
	if t.closed.Load() || t.mode != modeRaw || !t.dev.foreground() {
		return t.mode == modeHeld
	}
	return t.dev.write([]byte(rawEnd)) == nil && t.beginHold() == nil
}

// beginHold sets the mode of a hold; modes is locked.
func (t *Terminal) beginHold() error {
	if err := t.dev.hold(); err != nil {
		return err
	}
	t.mode, t.held = modeHeld, make(chan struct{})
	ch := make(chan os.Signal, 3)
	signal.Notify(ch, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGCONT)
	go t.guard(ch, t.held)
	return nil
}

// guard handles the signals that concern a hold, until over is closed. It does not catch SIGTSTP: a
// Go program that has caught it once is never stopped by it again.
func (t *Terminal) guard(ch chan os.Signal, over chan struct{}) {
	defer signal.Stop(ch)
	for {
		select {
		case <-over:
			return
		case s := <-ch:
			switch s {
			case syscall.SIGCONT: // the shell may have changed the mode
				t.during(over, t.dev.hold)
				continue
			case syscall.SIGINT: // for the program, if it wants to know; it dies of none
				t.during(over, func() error { t.DropAhead(); return nil })
				continue
			}
			t.during(over, t.dev.found)
			endBy(s)
		}
	}
}

// during sets a mode unless the hold is over or this process is not in the foreground.
func (t *Terminal) during(over chan struct{}, set func() error) {
	t.modes.Lock()
	defer t.modes.Unlock()
	select {
	case <-over:
	default:
		if t.dev.foreground() {
			t.complain(set())
		}
	}
}
