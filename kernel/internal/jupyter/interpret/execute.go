package interpret

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"metalab/kernel/cells"
	"metalab/kernel/eval"
	"metalab/kernel/internal/jupyter/messages"
	"metalab/kernel/lab"
	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
)

// work carries out cells, one after the other.
func (k *kernel) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-k.orders:
			k.cell(ctx, m)
		}
	}
}

// interrupt ends the cell that is carried out.
func (k *kernel) interrupt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cancel != nil {
		k.cancel()
	}
}

// cell carries out a cell and answers.
func (k *kernel) cell(ctx context.Context, m messages.Message) {
	var q messages.Execute
	_ = json.Unmarshal(m.Content, &q)
	var content map[string]any
	_ = json.Unmarshal(m.Content, &content)
	k.status(m, "busy")
	defer k.status(m, "idle")
	if !k.queue.Next() { // one before it failed
		_ = k.Answer(k.Shell, m, "execute_reply", map[string]any{"status": "aborted"})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	k.mu.Lock()
	if k.now, k.ctx, k.cancel = m, ctx, cancel; !q.Silent {
		k.count++
	}
	n := k.count
	k.mu.Unlock()
	k.cells.Widgets.Busy(func() { k.status(m, "busy") })
	if !q.Silent {
		_ = k.Publish(m.Raw, "execute_input", map[string]any{
			"code": q.Code, "execution_count": n,
		}, nil, nil)
	}
	end := k.input(ctx, m, q.Stdin)
	err := k.carryOut(ctx, q.Code)
	if end() && err == nil { // it was interrupted while it waited for input, as its last deed
		err = eval.ErrInterrupted
	}
	k.drain()
	k.cells.Widgets.Busy(nil)
	stopped := ctx.Err() != nil
	cancel()
	k.mu.Lock()
	k.ctx, k.cancel = nil, nil
	k.mu.Unlock()
	k.queue.Ended(content, err != nil, stopped)
	said := map[string]any{
		"status": "ok", "execution_count": n, "payload": []any{}, "user_expressions": map[string]any{},
	}
	if err != nil {
		text := err.Error()
		said = map[string]any{
			"status": "error", "execution_count": n, "ename": nameOf(err), "evalue": text,
			"traceback": []string{front.Red(text)},
		}
		_ = k.Publish(m.Raw, "error", said, nil, nil)
	}
	_ = k.Answer(k.Shell, m, "execute_reply", said)
}

// nameOf is the kind of an error, as front ends show it before its text.
func nameOf(err error) string {
	if errors.Is(err, eval.ErrInterrupted) {
		return "interrupted"
	}
	return "error"
}

// carryOut evaluates a cell and shows the values of its last statement.
func (k *kernel) carryOut(ctx context.Context, code string) error {
	if compiles(code) {
		return k.compiled(ctx, code)
	}
	if err := cells.Refused(code, true); err != nil {
		return err
	}
	s := source(code)
	if s.err != nil {
		return s.err
	}
	values, err := k.eval.Eval(ctx, s.text)
	for _, v := range values {
		if serr := show(v); err == nil {
			err = serr
		}
	}
	return told(err)
}

// told is an error of a cell in a line that begins with its place.
func told(err error) error {
	var said *lab.Error
	var placed *eval.Error
	line := ""
	if errors.As(err, &placed) {
		if at, ok := placed.In(1); ok {
			line, _, _ = strings.Cut("line "+at, ":")
			line += ": "
		}
	}
	switch {
	case errors.As(err, &said): // a panic of lab, with a message for people
		return fmt.Errorf("%s%w", line, said)
	case line != "":
		return errors.New(line + placed.Text())
	}
	return err
}

// show shows a value; what its text panics with is an error, as that of lab.GPU(0) without a GPU.
func show(v any) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *lab.Error:
			err = r
		default:
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	r, ok := v.(reply.Reply)
	if !ok {
		r, ok = reply.Of(v)
	}
	if ok {
		lab.Show(r)
		return nil
	}
	if v != nil { // no error, say
		fmt.Println(eval.Text(v))
	}
	return nil
}

// A typed is a cell as Go that is interpreted, or why it is none.
type typed struct {
	text string
	err  error
}

// quiet is a cell for who reads it as Go: what is no Go is spaces, so that no place changes.
func quiet(code string) string {
	lines := strings.Split(cells.Quiet(code), "\n")
	for i, l := range lines {
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "%") || strings.HasPrefix(t, "!") {
			lines[i] = strings.Repeat(" ", len(l))
		}
	}
	return strings.Join(lines, "\n")
}

// source makes Go of a cell: lines of the prompt become calls, and lines of the kernel that
// compiles cells which say nothing here are left out. No line changes its number.
func source(code string) typed {
	var t typed
	lines := strings.Split(cells.Typed(code), "\n")
	main := false
	for i, l := range lines {
		switch word := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "//gonb:")); {
		case strings.HasPrefix(word, "func main()"):
			main = true
		case strings.HasPrefix(word, "%%") && cells.Behind(word) != "":
			lines[i] = strings.TrimPrefix(cells.Behind(word), "; ")
		case word == "%%", word == "%main", word == "%autoget", word == "%noautoget":
			lines[i] = ""
		case strings.HasPrefix(word, "%"), strings.HasPrefix(word, "!"):
			if first := strings.Fields(word)[0]; t.err == nil {
				t.err = fmt.Errorf("line %d: %s is of the kernel that compiles cells: this one, which "+
					"interprets them, has Go and lines of the prompt (%%lab)", i+1, first)
			}
		}
	}
	t.text = strings.Join(lines, "\n")
	if main {
		t.text += "\nmain()"
	}
	return t
}

// complete says whether a cell is whole, for consoles.
func complete(content map[string]any) map[string]any {
	code, _ := content["code"].(string)
	if !compiles(code) && eval.Incomplete(source(code).text) {
		return map[string]any{"status": "incomplete", "indent": "\t"}
	}
	return map[string]any{"status": "complete"}
}
