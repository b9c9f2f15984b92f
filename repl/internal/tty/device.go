package tty

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	bracketsOn  = "\x1b[?2004h" // pastes come with their ends marked
	bracketsOff = "\x1b[?2004l"
	rawEnd      = bracketsOff + "\x1b[?25h" // and the cursor shows

	// maxEmpty is how often a terminal may announce input and have none. On some systems a terminal
	// that has gone does so for ever.
	maxEmpty = 50
)

// A console is the controlling terminal of the process.
type console struct {
	mu   sync.RWMutex // held for writing by close
	gone bool

	fd    int
	pipe  [2]int       // what is written into pipe[1] ends a wait
	saved unix.Termios // as it was found: a copy
	empty int          // reads in a row that gave nothing though they should have
}

// openConsole opens the controlling terminal and remembers its mode.
func openConsole() (*console, error) {
	fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: /dev/tty: %w", ErrNoTerminal, err)
	}
	saved, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("%w: /dev/tty: %w", ErrNoTerminal, err)
	}
	c := &console{fd: fd, saved: *saved}
	if err := unix.Pipe(c.pipe[:]); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("tty: wake pipe: %w", err)
	}
	for _, p := range c.pipe {
		unix.CloseOnExec(p)
		if err := unix.SetNonblock(p, true); err != nil {
			c.close()
			return nil, fmt.Errorf("tty: wake pipe: %w", err)
		}
	}
	return c, nil
}

// close gives the descriptors back. Other goroutines may still write: they get
// an error, not whatever file has the number by then.
func (c *console) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
	unix.Close(c.pipe[0])
	unix.Close(c.pipe[1])
	unix.Close(c.fd)
}

// raw sets the mode for typing a line: each byte comes at once and none is a
// signal. Output is left as it is, so a newline still returns the carriage.
// VMIN is 0, so that a read never blocks; O_NONBLOCK would reach the shell that
// shares the terminal.
func (c *console) raw() error {
	t := c.saved
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP |
		unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Lflag &^= unix.ECHO | unix.ICANON | unix.IEXTEN | unix.ISIG | unix.ECHONL
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 0, 0
	if err := unix.IoctlSetTermios(c.fd, setTermios, &t); err != nil {
		return fmt.Errorf("tty: setting the terminal's mode: %w", err)
	}
	return c.write([]byte(bracketsOn))
}

// cooked brings back the mode in which the terminal was found, after a line.
func (c *console) cooked() error {
	return errors.Join(c.write([]byte(rawEnd)), c.found())
}

// found sets the mode in which the terminal was found.
func (c *console) found() error {
	t := c.saved
	if err := unix.IoctlSetTermios(c.fd, setTermios, &t); err != nil {
		return fmt.Errorf("tty: restoring the terminal's mode: %w", err)
	}
	return nil
}

// hold sets the mode for the time in which nobody reads: nothing that is typed is shown, the keys
// that are signals stay so, and every other key waits as it was typed for the next line, also what
// came before such a signal. The usual mode would edit lines of its own and keep a byte 0 in the
// place of ^D.
func (c *console) hold() error {
	t := c.saved
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.IEXTEN
	t.Lflag |= unix.NOFLSH
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(c.fd, setTermios, &t); err != nil {
		return fmt.Errorf("tty: setting the terminal's mode: %w", err)
	}
	return nil
}

// foreground tells whether this process may set the terminal's mode.
func (c *console) foreground() bool {
	group, err := unix.IoctlGetInt(c.fd, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// write writes all of b, however busy the terminal is.
func (c *console) write(b []byte) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.gone {
		return ErrClosed
	}
	for len(b) > 0 {
		n, err := unix.Write(c.fd, b)
		switch {
		case err == nil:
			b = b[n:]
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN): // another process made it non-blocking
			time.Sleep(time.Millisecond)
		default:
			return fmt.Errorf("tty: writing to the terminal: %w", err)
		}
	}
	return nil
}

func (c *console) read(b []byte) (int, error) {
	n, err := unix.Read(c.fd, b)
	if errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if n > 0 {
		c.empty = 0
	} else if c.empty > maxEmpty {
		return 0, io.ErrUnexpectedEOF
	}
	return n, nil
}

func (c *console) wake() {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.gone {
		return
	}
	_, _ = unix.Write(c.pipe[1], []byte{0}) // if the pipe is full, the wait ends anyway
}

func (c *console) wait(d time.Duration) (bool, error) {
	readable, woken, err := waitRead(c.fd, c.pipe[0], d)
	if err != nil {
		return false, err
	}
	if readable {
		c.empty++
	}
	if woken {
		var b [256]byte
		for {
			if n, err := unix.Read(c.pipe[0], b[:]); n < len(b) || err != nil {
				break
			}
		}
	}
	return readable, nil
}

func (c *console) size() (cols, rows int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.gone {
		return 80, 24
	}
	ws, err := unix.IoctlGetWinsize(c.fd, unix.TIOCGWINSZ)
	if err != nil || ws.Col == 0 || ws.Row == 0 { // a container may not know yet
		return 80, 24
	}
	return int(ws.Col), int(ws.Row)
}

// IsTerminal tells whether a person can type here: standard input and standard
// output both are terminals. If not, use a [LineReader]; if [IsDumb], a [Dumb].
func IsTerminal() bool {
	for _, fd := range []int{0, 1} { // by number: os.Stdout may have been captured
		if _, err := unix.IoctlGetTermios(fd, getTermios); err != nil {
			return false
		}
	}
	return true
}
