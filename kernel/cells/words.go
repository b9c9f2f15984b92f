package cells

import "metalab/kernel/internal/widgets"

// Words answers a message that asks what may follow a place in a cell (complete_request) or what
// stands there (inspect_request), where that takes no gopls, and reports whether it does. It waits
// for no cell that runs.
func (k *Kernel) Words(kind string, content any, publish widgets.Publish, answer Reply) bool {
	q, _ := content.(map[string]any)
	code, isText := q["code"].(string)
	at, isNumber := q["cursor_pos"].(float64)
	if !isText || !isNumber {
		return false
	}
	var said map[string]any
	switch kind {
	case "complete_request":
		list, from, to, ok := k.Complete(code, int(at))
		if !ok {
			return false
		}
		kind, said = "complete_reply", map[string]any{
			"status": "ok", "matches": list, "cursor_start": from, "cursor_end": to,
			"metadata": map[string]any{},
		}
	case "inspect_request":
		text, ok := k.Inspect(code, int(at))
		if !ok {
			return false
		}
		data := map[string]any{}
		if text != "" {
			data["text/plain"] = text
		}
		kind, said = "inspect_reply", map[string]any{
			"status": "ok", "found": text != "", "data": data, "metadata": map[string]any{},
		}
	default:
		return false
	}
	k.Widgets.beside(publish, func() { _ = answer(kind, said) })
	return true
}
