package cells

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"metalab/kernel/lab/front"
)

// A Trace passes on a cell's output to standard error, except for the Go runtime's output when it
// ends a program: that becomes a line, once the cell has ended.
type Trace struct {
	to    io.Writer
	where func(line int) (cell, inCell int) // of a line of the program
	this  int                               // the number of the cell

	mu   sync.Mutex
	held bytes.Buffer // what is not passed on: a line that has just begun, or all since the end began
	end  bool
}

// NewTrace returns a Trace of the cell with a number. Its function where tells for a line of the
// program the cell that it is of and the line there, from 1 on; cell 0 means none.
func NewTrace(to io.Writer, this int, where func(line int) (cell, inCell int)) *Trace {
	_ = os.Remove(said()) // of a cell before
	return &Trace{to: to, this: this, where: where}
}

// ends lists the beginnings of the runtime's output when it ends a program.
var ends = []string{
	"panic: ", "fatal error: ", "runtime: ", "SIGABRT: ", "SIGQUIT: ",
	"unexpected fault address ",
}

// Write passes on whole lines, and holds back from the first on that may be the runtime's.
func (t *Trace) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held.Write(p)
	for !t.end {
		b := t.held.Bytes()
		whole := bytes.IndexByte(b, '\n') + 1
		if ending(b) {
			t.end = true
			break
		}
		if whole == 0 {
			if mayBegin(b) || len(b) == 0 {
				break
			}
			whole = len(b)
		}
		if _, err := t.to.Write(b[:whole]); err != nil {
			return 0, err
		}
		t.held.Next(whole)
	}
	return len(p), nil
}

// ending reports whether a line is the first that the runtime writes.
func ending(line []byte) bool {
	for _, e := range ends {
		if bytes.HasPrefix(line, []byte(e)) {
			return true
		}
	}
	return false
}

// mayBegin reports whether a line of which only the beginning is there may become one.
func mayBegin(line []byte) bool {
	for _, e := range ends {
		if strings.HasPrefix(e, string(line)) {
			return true
		}
	}
	return false
}

// End receives the error of the cell's end, nil if there was none, and whether the cell was
// interrupted. It returns the error to show: what package lab has left, or a line for the runtime's
// output, or how the program ended. If the runtime has not ended the program, End passes on what
// was held back.
func (t *Trace) End(err error, interrupted bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		if left, ok := front.ReadSaid(said()); ok {
			err = t.left(left)
		} else {
			err = errors.New(ended(err.Error(), interrupted))
		}
	}
	if t.end && err != nil && strings.Contains(err.Error(), "exit status 2") {
		return errors.New(panicLine(t.held.String(), t.this, t.where))
	}
	if t.held.Len() > 0 {
		_, _ = t.to.Write(t.held.Bytes()) // a notebook that has gone needs no output
		t.held.Reset()
	}
	t.end = false
	return err
}

var (
	stackPlace = regexp.MustCompile(`^\t\S*/main(?:_test)?\.go:(\d+)`)
	stackFunc  = regexp.MustCompile(
		`^(?:created by )?main\.([^\s]+?)(?:\(.*\))?(?: in goroutine \d+)?$`)
	closures   = regexp.MustCompile(`(?:\.func\d+|\.gowrap\d+|\.\d+)+$`)
	repanicked = regexp.MustCompile(` \[recovered(?:, repanicked)?\]$`)
	anAddress  = regexp.MustCompile(`\((?:0x[0-9a-f]+(?:, )?)+\)$`)
)

// panicLine condenses the runtime's output at the end of a program into one line: why, at which
// line, in which function, and from where that was called.
func panicLine(trace string, this int, where func(line int) (cell, inCell int)) string {
	lines := strings.Split(trace, "\n")
	why := ""
	for _, l := range lines {
		if ending([]byte(strings.TrimSpace(l))) && !strings.HasPrefix(l, "runtime: ") {
			why = repanicked.ReplaceAllString(strings.TrimSpace(l), "")
			break
		}
	}
	if why == "" {
		why = strings.TrimSpace(lines[0])
	}
	why = strings.Replace(strings.Replace(why, "panic: runtime error: ", "panic: ", 1),
		"fatal error: ", "", 1)
	var frames []frame
	started := false
	for i, l := range lines {
		if strings.HasPrefix(l, "goroutine ") {
			if started {
				break // others than the one that failed
			}
			started = true
		}
		m := stackPlace.FindStringSubmatch(l)
		if m == nil || i == 0 {
			continue
		}
		n, _ := strconv.Atoi(m[1]) // it is digits
		cell, line := where(n)
		if cell == 0 {
			continue
		}
		in := ""
		if f := stackFunc.FindStringSubmatch(lines[i-1]); f != nil {
			in = f[1]
		}
		frames = append(frames, frame{place(cell, this, line), plainFunc(in)})
	}
	return placed(why, frames)
}

// A frame is a call of a cell: its place, and the function in which it stands.
type frame struct{ place, in string }

// plainFunc is the name of a function without arguments and closures.
func plainFunc(in string) string {
	return closures.ReplaceAllString(
		strings.TrimSuffix(anAddress.ReplaceAllString(in, ""), "(...)"), "")
}

// placed says at which line, in which function, and from where that was called, something went
// wrong.
func placed(why string, frames []frame) string {
	if len(frames) == 0 {
		return why
	}
	first := frames[0]
	s := first.place + ": " + why
	if first.in != "" && first.in != "main" {
		s += ", in " + first.in
		for _, f := range frames[1:] {
			if f.in == "main" {
				s += ", called from " + f.place
				break
			}
		}
	}
	return s
}

// left is the error that package lab has left: at the line of the cell that called it.
func (t *Trace) left(s front.Said) error {
	text := ofMain.ReplaceAllStringFunc(colours.ReplaceAllString(s.Text, ""), func(m string) string {
		n, _ := strconv.Atoi(ofMain.FindStringSubmatch(m)[1]) // it is digits
		cell, line := t.where(n)
		if cell == 0 {
			return ""
		}
		return place(cell, t.this, line) + ": "
	})
	if s.Stopped {
		return stopped(text)
	}
	var frames []frame
	for _, f := range s.At {
		if cell, line := t.where(f.Line); cell != 0 {
			frames = append(frames, frame{place(cell, t.this, line), plainFunc(f.In)})
		}
	}
	return errors.New(placed(text, frames))
}

// stopped is the error of a cell that its reader has stopped.
type stopped string

func (s stopped) Error() string { return string(s) }

// StoppedEarly is the message of a cell that was stopped before it was compiled.
const StoppedEarly = "interrupted: the cell was stopped before its program began"

// interruptedCell is the message of a cell that was stopped and did not end by itself.
const interruptedCell = "interrupted: the program of this cell was stopped; what runs have done " +
	"stays, the next cell can go on"

// said is the file into which package lab writes in words how a cell failed; empty: none.
func said() string { return os.Getenv(front.EnvSaid) }

// ended describes the end of a cell without output, from the system's message.
func ended(err string, interrupted bool) string {
	switch {
	case interrupted && strings.HasPrefix(err, "signal: "):
		return interruptedCell
	case err == "signal: killed":
		return "the cell's program was killed: the system ends programs so that need more " +
			"memory than there is"
	}
	return fmt.Sprintf("the cell's program ended with %s", err)
}
