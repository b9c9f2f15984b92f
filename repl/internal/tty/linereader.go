package tty

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine is the longest line that a LineReader takes, in bytes.
const maxLine = 16 << 20

// A LineReader reads inputs from a pipe or a file: no prompt, no history, no editing. It joins
// lines by the same rule as a [Terminal].
type LineReader struct {
	in         *bufio.Reader
	incomplete func(string) bool
	first      int         // number of the first line of the last input
	read       int         // lines read
	asked      chan lineIn // a read under way, left behind by an ended context
}

type lineIn struct {
	text string
	err  error
}

// NewLineReader returns a reader of the lines of r. Incomplete may be nil; see
// [Options].
func NewLineReader(r io.Reader, incomplete func(text string) bool) *LineReader {
	return &LineReader{in: bufio.NewReader(r), incomplete: incomplete}
}

// ReadLine returns the next input without its last newline, or io.EOF when there is none. An input
// that is incomplete when the lines end is returned as it is, so that its evaluation reports what
// is missing. When ctx ends it returns its error; the line that was being waited for comes with the
// next call.
func (l *LineReader) ReadLine(ctx context.Context) (string, error) {
	text := ""
	for n := 0; ; n++ {
		line, err := l.next(ctx)
		if err != nil {
			if n > 0 && errors.Is(err, io.EOF) {
				return strings.TrimSuffix(text, "\n"), nil
			}
			return "", err
		}
		l.read++
		if l.read == 1 {
			line = strings.TrimPrefix(line, "\ufeff") // as some editors begin a file
		}
		if n == 0 {
			l.first = l.read
		}
		text += line
		if l.incomplete == nil || !l.incomplete(text) {
			return text, nil
		}
		text += "\n"
	}
}

// Line returns the number of the line, from 1, at which the last input began.
func (l *LineReader) Line() int { return l.first }

// rest takes what was read and not returned yet.
func (l *LineReader) rest() string {
	if l.asked != nil {
		return "" // a read under way has it
	}
	b, _ := l.in.Peek(l.in.Buffered())
	text := string(b)
	_, _ = l.in.Discard(len(b))
	return text
}

// next reads a line. A read cannot be cancelled, so with a context that may end it runs in a
// goroutine.
func (l *LineReader) next(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if ctx.Done() == nil && l.asked == nil {
		return l.scan()
	}
	if l.asked == nil {
		ch := make(chan lineIn, 1)
		l.asked = ch
		go func() {
			text, err := l.scan()
			ch <- lineIn{text, err}
		}()
	}
	select {
	case got := <-l.asked:
		l.asked = nil
		return got.text, got.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// scan reads up to a newline, without it.
func (l *LineReader) scan() (string, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return "", fmt.Errorf("line %d is longer than %d bytes", l.read+1, maxLine)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
		case errors.Is(err, io.EOF):
			return "", io.EOF
		case err != nil:
			return "", fmt.Errorf("line %d: %w", l.read+1, err)
		}
		s := strings.TrimSuffix(string(line), "\n")
		return strings.TrimSuffix(s, "\r"), nil
	}
}
