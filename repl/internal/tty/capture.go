package tty

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"time"
)

// keep holds the files that os.Stdout and os.Stderr were before they were
// captured. Without a reference their finalizers would close file descriptors 1
// and 2, and with them the prompt.
var keep struct {
	sync.Mutex
	files []*os.File
}

// A capture redirects os.Stdout, os.Stderr and the standard logger to a writer. All share one pipe,
// so that their lines stay in order.
type capture struct {
	out, err *os.File  // as they were
	logs     io.Writer // likewise
	pipe     *os.File  // what they are now
	met      chan struct{}
	done     chan struct{}
}

// startCapture begins to capture.
func startCapture(to io.Writer) (*capture, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("tty: capturing output: %w", err)
	}
	c := &capture{
		out: os.Stdout, err: os.Stderr, logs: log.Writer(), pipe: w,
		met: make(chan struct{}, 1), done: make(chan struct{}),
	}
	keep.Lock()
	keep.files = append(keep.files, os.Stdout, os.Stderr)
	keep.Unlock()
	os.Stdout, os.Stderr = w, w
	log.SetOutput(w)
	go c.copy(r, to)
	return c, nil
}

// copy writes what comes through the pipe. A NUL is the mark of sync.
func (c *capture) copy(r *os.File, to io.Writer) {
	defer close(c.done)
	defer r.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		b := buf[:n]
		marks := bytes.Count(b, []byte{0})
		if marks > 0 {
			b = bytes.ReplaceAll(b, []byte{0}, nil)
		}
		if len(b) > 0 {
			_, _ = to.Write(b) // there is nowhere else to say that it failed
		}
		if marks > 0 {
			select {
			case c.met <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// sync waits until all earlier output is written, so that a command's last lines come before the
// next prompt.
func (c *capture) sync() {
	select {
	case <-c.met: // the mark of another call
	default:
	}
	if _, err := c.pipe.Write([]byte{0}); err != nil {
		return // closed
	}
	select {
	case <-c.met:
	case <-c.done:
	case <-time.After(time.Second): // endless output: let it continue above the prompt
	}
}

// stop restores all of them.
func (c *capture) stop() {
	if log.Writer() == io.Writer(c.pipe) {
		log.SetOutput(c.logs)
	}
	if os.Stdout == c.pipe {
		os.Stdout = c.out
	}
	if os.Stderr == c.pipe {
		os.Stderr = c.err
	}
	c.sync()
	c.pipe.Close()
	// A child process may keep the pipe open; do not wait for it.
	select {
	case <-c.done:
	case <-time.After(200 * time.Millisecond):
	}
}
