package tty

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"golang.org/x/sys/unix"
)

// Dumb is a prompt on a terminal that knows no cursor, such as the consoles of editors: the
// terminal itself shows and edits the line. It has the methods of a [Terminal], of which those that
// draw do nothing.
type Dumb struct {
	opts Options
	in   *LineReader
}

// IsDumb tells whether the terminal says that it knows no cursor.
func IsDumb() bool { return os.Getenv("TERM") == "dumb" }

// OpenDumb returns a prompt on standard input and output; of opts it heeds Prompt and Incomplete.
func OpenDumb(opts Options) *Dumb { return &Dumb{opts, NewLineReader(os.Stdin, nil)} }

// ReadLine reads one input; see [Terminal.ReadLine].
func (d *Dumb) ReadLine(ctx context.Context) (string, error) {
	typing, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	prefix := "> "
	if d.opts.Prompt != nil {
		prefix = d.opts.Prompt()
	}
	for text := ""; ; prefix = "...> " {
		fmt.Print(prefix)
		line, err := d.in.ReadLine(typing)
		if err != nil {
			fmt.Println()
		}
		switch {
		case err != nil && typing.Err() != nil && ctx.Err() == nil:
			return "", ErrInterrupted
		case errors.Is(err, io.EOF) && text != "":
			return "", ErrInterrupted
		case err != nil:
			return "", err
		}
		if text += line; d.opts.Incomplete == nil || !d.opts.Incomplete(text) {
			return text, nil
		}
		text += "\n"
	}
}

// DropAhead drops what was typed or pasted ahead, as far as it was read, and says what that was.
func (d *Dumb) DropAhead() {
	if say := droppedLine(d.in.rest()); say != "" {
		fmt.Println(say)
	}
}

// Above returns standard output: nothing stands below a line.
func (d *Dumb) Above() io.Writer { return os.Stdout }

// Stdout returns os.Stdout.
func (d *Dumb) Stdout() *os.File { return os.Stdout }

// Size returns the size of the terminal, 80 by 24 if it is unknown.
func (d *Dumb) Size() (cols, rows int) {
	ws, err := unix.IoctlGetWinsize(1, unix.TIOCGWINSZ)
	if err != nil || ws.Col == 0 || ws.Row == 0 {
		return 80, 24
	}
	return int(ws.Col), int(ws.Row)
}

// Go runs f in a new goroutine.
func (d *Dumb) Go(f func()) { go f() }

// Close does nothing, as the terminal was not changed.
func (d *Dumb) Close() error { return nil }

// Hold does nothing.
func (d *Dumb) Hold() {}

// Release does nothing.
func (d *Dumb) Release() {}

// Refresh does nothing.
func (d *Dumb) Refresh() {}

// Passing does nothing.
func (d *Dumb) Passing(string) {}

// droppedLine is a line about text that was typed ahead and is not carried out; empty if there is
// none.
func droppedLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	say := "dropped, not carried out: "
	switch n := len(lines); n {
	case 0:
		return ""
	case 1:
	default:
		say = fmt.Sprintf("dropped, not carried out, %d lines: ", n)
	}
	return say + strings.Join(lines, "; ")
}
