package interpret

import (
	"bytes"
	"os"
	"unicode/utf8"

	"metalab/kernel/internal/jupyter/messages"
	"metalab/kernel/internal/widgets"
)

// A spout carries what is printed to the cell that prints it.
type spout struct {
	to     *os.File
	mark   []byte
	passed chan struct{} // told when a mark has come through
}

// spouts make the standard output and error of this process those of its cells. What the process
// itself has to say it says before.
func (k *kernel) spouts() error {
	for i, std := range []**os.File{&os.Stdout, &os.Stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		s := &spout{to: w, mark: []byte("\x00" + messages.NewID() + "\x00"), passed: make(chan struct{})}
		k.said[i], *std = s, w
		name := []string{"stdout", "stderr"}[i]
		go s.carry(r, func(text string) { k.stream(name, text) })
	}
	return nil
}

// carry passes on what comes, as soon as it comes, in whole characters.
func (s *spout) carry(from *os.File, say func(text string)) {
	var held []byte
	b := make([]byte, 1<<15)
	for {
		n, err := from.Read(b)
		held = append(held, b[:n]...)
		for {
			before, behind, found := bytes.Cut(held, s.mark)
			if !found {
				break
			}
			if len(before) > 0 {
				say(string(before))
			}
			held = append([]byte(nil), behind...)
			s.passed <- struct{}{}
		}
		if n := whole(held, s.mark); n > 0 {
			say(string(held[:n]))
			held = append(held[:0], held[n:]...)
		}
		if err != nil {
			return
		}
	}
}

// whole is how much of b may be passed on: not the beginning of a mark or of a character.
func whole(b, mark []byte) int {
	if i := bytes.IndexByte(b, mark[0]); i >= 0 && len(b)-i < len(mark) &&
		bytes.HasPrefix(mark, b[i:]) {
		return i
	}
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return len(b) - n
			}
			break
		}
	}
	return len(b)
}

// drain returns when all that was printed before was passed on.
func (k *kernel) drain() {
	for _, s := range k.said {
		if _, err := s.to.Write(s.mark); err == nil {
			<-s.passed
		}
	}
}

func (k *kernel) stream(name, text string) {
	_ = k.Publish(k.parent().Raw, "stream", map[string]any{"name": name, "text": text}, nil, nil)
}

// display shows forms by media type in the cell's output; see front.Front.
func (k *kernel) display(id string, forms, about map[string]any) bool {
	k.drain()
	parent := k.parent()
	k.cells.Widgets.Shown(forms, k.publisher(parent))
	kind, transient := "display_data", map[string]any{}
	if id != "" {
		transient["display_id"] = id
		k.mu.Lock()
		if k.shown[id] {
			kind = "update_display_data"
		}
		k.shown[id] = true
		k.mu.Unlock()
	}
	return k.Publish(parent.Raw, kind, map[string]any{
		"data": forms, "metadata": about, "transient": transient,
	}, nil, nil) == nil
}

// publisher publishes as the answer to a message.
func (k *kernel) publisher(to messages.Message) widgets.Publish {
	return func(kind string, content any, metadata map[string]any, buffers [][]byte) error {
		return k.Publish(to.Raw, kind, content, metadata, buffers)
	}
}
