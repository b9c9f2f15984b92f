package interpret

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/go-zeromq/zmq4"

	"metalab/kernel/cells"
	"metalab/kernel/internal/jupyter/messages"
	"metalab/solvers/record"
)

// serve carries out what comes on a socket until it is closed; cells wait for each other, and all
// else does not wait for them.
func (k *kernel) serve(on zmq4.Socket, end func()) {
	for {
		m, err := k.Receive(on)
		if err != nil {
			return
		}
		k.heard(on, m, end)
	}
}

// heard carries out a message.
func (k *kernel) heard(on zmq4.Socket, m messages.Message, end func()) {
	var content map[string]any
	_ = json.Unmarshal(m.Content, &content)
	answer := func(kind string, content any) error { return k.Answer(on, m, kind, content) }
	publish := k.publisher(m)
	switch kind := m.Header.Type; kind {
	case "execute_request":
		k.queue.Came()
		k.orders <- m
		return
	case "comm_open", "comm_msg", "comm_close", "comm_info_request":
		switch {
		case kind == "comm_open" && cells.Ours(content):
			k.status(m, "busy")
			if kind, said := k.cells.Comm(content); kind != "" {
				_ = publish(kind, said, nil, nil)
			}
			k.status(m, "idle")
		default:
			k.cells.Widgets.Message(kind, content, publish, answer)
		}
		return
	case "complete_request", "inspect_request":
		if k.cells.Words(kind, content, publish, answer) {
			return
		}
	}
	k.status(m, "busy")
	switch m.Header.Type {
	case "kernel_info_request":
		_ = answer("kernel_info_reply", about())
	case "complete_request":
		_ = answer("complete_reply", k.complete(content))
	case "inspect_request":
		_ = answer("inspect_reply", k.inspect(content))
	case "is_complete_request":
		_ = answer("is_complete_reply", complete(content))
	case "history_request":
		_ = answer("history_reply", map[string]any{"status": "ok", "history": []any{}})
	case "interrupt_request":
		k.interrupt()
		_ = answer("interrupt_reply", map[string]any{"status": "ok"})
	case "shutdown_request":
		again, _ := content["restart"].(bool)
		k.interrupt()
		_ = answer("shutdown_reply", map[string]any{"status": "ok", "restart": again})
		k.status(m, "idle")
		end()
		return
	}
	k.status(m, "idle")
}

// status says what the kernel does about a message.
func (k *kernel) status(m messages.Message, state string) {
	_ = k.Publish(m.Raw, "status", map[string]any{"execution_state": state}, nil, nil)
}

// about is what the kernel says of itself.
func about() map[string]any {
	return map[string]any{
		"status": "ok", "protocol_version": "5.3", "implementation": "metalab",
		"implementation_version": record.Release[1:],
		"banner":                 record.Build() + ": Go, interpreted; lab.Open opens a search",
		"language_info": map[string]any{
			"name": "go", "version": "1.26", "mimetype": "text/x-go", "file_extension": ".go",
			"pygments_lexer": "go", "codemirror_mode": "text/x-go",
		},
		"help_links": []any{},
	}
}

// at is the place of the cursor in a cell, in bytes.
func at(content map[string]any) (code string, pos int) {
	code, _ = content["code"].(string)
	n, _ := content["cursor_pos"].(float64)
	for pos < len(code) && n > 0 {
		_, size := utf8.DecodeRuneInString(code[pos:])
		pos += size
		n--
	}
	return code, pos
}

// complete are the names of Go that may stand at a place.
func (k *kernel) complete(content map[string]any) map[string]any {
	code, pos := at(content)
	text := quiet(code)
	end := utf8.RuneCountInString(code[:pos])
	from, matches := end, []string{}
	line := strings.TrimSpace(code[strings.LastIndexByte(code[:pos], '\n')+1 : pos])
	command := strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!")
	if len(text) == len(code) && !command {
		for _, s := range k.eval.Complete(text, pos) {
			from = utf8.RuneCountInString(code[:s.Start])
			matches = append(matches, s.Text)
		}
	}
	return map[string]any{
		"status": "ok", "matches": matches, "cursor_start": from, "cursor_end": end,
		"metadata": map[string]any{},
	}
}

// inspect tells about the name at a place.
func (k *kernel) inspect(content map[string]any) map[string]any {
	code, pos := at(content)
	data := map[string]any{}
	text, ok := k.eval.Describe(nameAt(code, pos))
	if ok {
		data["text/plain"] = text
	}
	return map[string]any{"status": "ok", "found": ok, "data": data, "metadata": map[string]any{}}
}

// nameAt is the name with its package or variable, as lab.Open, that a place is in.
func nameAt(code string, pos int) string {
	part := func(c byte) bool {
		return c == '_' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	from, to := pos, pos
	for from > 0 && part(code[from-1]) {
		from--
	}
	for to < len(code) && part(code[to]) && code[to] != '.' {
		to++
	}
	return code[from:to]
}
