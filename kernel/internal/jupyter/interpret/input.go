package interpret

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"metalab/kernel/cells"
	"metalab/kernel/internal/jupyter/messages"
)

// input serves what a cell reads from its standard input until ctx ends: whenever it waits for a
// line, the front end that sent the cell shows a box. Where that has none, and when the cell ends
// or is interrupted, reading ends. end ends it, and reports whether a box was open.
func (k *kernel) input(ctx context.Context, m messages.Message, allowed bool) (end func() bool) {
	w, err := inputs()
	if err != nil {
		return func() bool { return false }
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan bool, 1)
	go func() {
		waits := allowed && k.ask(ctx, m, w)
		w.Close()
		ended <- waits
	}()
	return func() bool {
		cancel()
		return <-ended
	}
}

// ask writes what is typed into the box to w, until ctx ends. It reports whether a box was open
// then.
func (k *kernel) ask(ctx context.Context, m messages.Message, w *os.File) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(cells.InputPause):
		}
		if !cells.Reads(os.Getpid()) {
			continue
		}
		k.drain()       // what the cell asked with, above the box
		k.typed.clear() // of a box that is closed
		if k.Ask(m, "input_request", map[string]any{"prompt": " ", "password": false}) != nil {
			return false
		}
		select {
		case <-ctx.Done():
			return true
		case text := <-k.typed:
			if _, err := w.WriteString(text + "\n"); err != nil {
				return false
			}
		}
	}
}

// answers holds the line that is typed into a box until the cell reads it: the line may come before
// ask waits for it.
type answers chan string

func newAnswers() answers { return make(answers, 1) }

// put keeps a line; one that the cell has not read yet stays.
func (a answers) put(line string) {
	select {
	case a <- line:
	default:
	}
}

// clear drops a line that no cell has read.
func (a answers) clear() {
	select {
	case <-a:
	default:
	}
}

// listen passes on what is typed into boxes.
func (k *kernel) listen() {
	for {
		m, err := k.Receive(k.Stdin)
		if err != nil {
			return
		}
		var q struct {
			Value string `json:"value"`
		}
		if m.Header.Type != "input_reply" || json.Unmarshal(m.Content, &q) != nil {
			continue
		}
		k.typed.put(q.Value)
	}
}
