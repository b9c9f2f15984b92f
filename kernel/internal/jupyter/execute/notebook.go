package execute

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalab/kernel/internal/jupyter"
)

// A notebook is a file of nbformat 4. Fields without a name here stay as they were read.
type notebook struct {
	top   map[string]json.RawMessage
	cells []map[string]json.RawMessage
}

func readNotebook(path string) (*notebook, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n := &notebook{}
	if err := json.Unmarshal(b, &n.top); err != nil {
		return nil, fmt.Errorf("%s: not a notebook: %w", path, err)
	}
	var format int
	if err := json.Unmarshal(n.top["nbformat"], &format); err != nil || format != 4 {
		return nil, fmt.Errorf("%s: nbformat %s, want 4", path, n.top["nbformat"])
	}
	if err := json.Unmarshal(n.top["cells"], &n.cells); err != nil {
		return nil, fmt.Errorf("%s: cells: %w", path, err)
	}
	return n, nil
}

// isCode reports whether cell i is code.
func (n *notebook) isCode(i int) bool { return n.word(i, "cell_type") == "code" }

func (n *notebook) word(i int, key string) string {
	var s string
	_ = json.Unmarshal(n.cells[i][key], &s) // another type is another word
	return s
}

// tagged reports whether cell i has a tag.
func (n *notebook) tagged(i int, tag string) bool {
	var meta struct {
		Tags []string `json:"tags"`
	}
	return json.Unmarshal(n.cells[i]["metadata"], &meta) == nil && slices.Contains(meta.Tags, tag)
}

// source is the text of cell i, which the file has as a string or as a list of lines.
func (n *notebook) source(i int) string {
	var lines []string
	if json.Unmarshal(n.cells[i]["source"], &lines) == nil {
		return strings.Join(lines, "")
	}
	return n.word(i, "source")
}

// setResult puts the outputs of an execution into cell i; count 0 means that it was not
// executed.
func (n *notebook) setResult(i, count int, outs []Output) error {
	list := make([]json.RawMessage, len(outs))
	for j, o := range outs {
		b, err := marshal(o.fields())
		if err != nil {
			return err
		}
		list[j] = b
	}
	b, err := marshal(list)
	if err != nil {
		return err
	}
	n.cells[i]["outputs"] = b
	n.cells[i]["execution_count"] = json.RawMessage("null")
	if count > 0 {
		n.cells[i]["execution_count"] = json.RawMessage(fmt.Sprint(count))
	}
	return nil
}

// setKernel writes into the notebook which kernel it is for.
func (n *notebook) setKernel() error {
	meta := map[string]json.RawMessage{}
	if raw := n.top["metadata"]; raw != nil {
		if err := json.Unmarshal(raw, &meta); err != nil {
			return fmt.Errorf("metadata: %w", err)
		}
	}
	meta["kernelspec"] = json.RawMessage(`{"display_name":"` + jupyter.DisplayName +
		`","language":"go","name":"` + jupyter.KernelName + `"}`)
	about := map[string]json.RawMessage{}
	if raw := meta["language_info"]; raw != nil {
		if err := json.Unmarshal(raw, &about); err != nil {
			return fmt.Errorf("metadata: language_info: %w", err)
		}
	}
	for key, word := range map[string]string{
		"file_extension": `".go"`, "mimetype": `"text/x-go"`, "name": `"go"`, "pygments_lexer": `"go"`,
	} {
		if was := string(about[key]); was == "" || was == `""` {
			about[key] = json.RawMessage(word)
		}
	}
	raw, err := marshal(about)
	if err != nil {
		return err
	}
	meta["language_info"] = raw
	b, err := marshal(meta)
	n.top["metadata"] = b
	return err
}

// write writes the notebook as Jupyter does: keys in order, indented by one.
func (n *notebook) write(path string) error {
	cells, err := marshal(n.cells)
	if err != nil {
		return err
	}
	n.top["cells"] = cells
	b, err := marshal(n.top)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", " "); err != nil {
		return err
	}
	out.WriteByte('\n')
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to // a link stays one
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".nb-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if st, err := os.Stat(path); err == nil {
		_ = tmp.Chmod(st.Mode().Perm())
	} else {
		_ = tmp.Chmod(0o644)
	}
	_, err = tmp.Write(out.Bytes())
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// marshal is JSON with "<" as it is, as Jupyter writes it.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// An Output is an output of a cell in nbformat 4.
type Output struct {
	Kind     string // stream, display_data or error
	name     string // of a stream, or of an error
	Text     string // of a stream, or the value of an error
	Trace    []string
	Data     map[string]any
	Metadata map[string]any
	id       string // by which a display is replaced
}

func (o Output) fields() map[string]any {
	switch o.Kind {
	case "stream":
		return map[string]any{"output_type": "stream", "name": o.name, "text": lines(o.Text)}
	case "error":
		return map[string]any{
			"output_type": "error", "ename": o.name, "evalue": o.Text,
			"traceback": o.Trace,
		}
	}
	data := map[string]any{}
	for mime, v := range o.Data {
		if s, ok := v.(string); ok && !strings.HasPrefix(mime, "image/png") {
			data[mime] = lines(s)
		} else {
			data[mime] = v
		}
	}
	meta := o.Metadata
	if meta == nil {
		meta = map[string]any{}
	}
	return map[string]any{"output_type": "display_data", "data": data, "metadata": meta}
}

// lines splits text after each newline, as nbformat stores it.
func lines(s string) []string {
	out := []string{}
	for l := range strings.Lines(s) {
		out = append(out, l)
	}
	return out
}

// Outputs collects the outputs of a cell from the messages of its execution.
type Outputs []Output

// add takes a message in; it reports whether the message said that the cell has ended.
func (o *Outputs) add(kind string, content json.RawMessage) (idle bool, err error) {
	var c struct {
		Name      string         `json:"name"`
		Text      string         `json:"text"`
		Data      map[string]any `json:"data"`
		Metadata  map[string]any `json:"metadata"`
		Transient struct {
			ID string `json:"display_id"`
		} `json:"transient"`
		ErrName  string   `json:"ename"`
		ErrValue string   `json:"evalue"`
		Trace    []string `json:"traceback"`
		State    string   `json:"execution_state"`
		Wait     bool     `json:"wait"`
	}
	switch kind {
	case "stream", "display_data", "update_display_data", "execute_result", "error", "status",
		"clear_output":
		if err := json.Unmarshal(content, &c); err != nil {
			return false, fmt.Errorf("jupyter: %s: %w", kind, err)
		}
	}
	switch kind {
	case "stream":
		if n := len(*o); n > 0 && (*o)[n-1].Kind == "stream" && (*o)[n-1].name == c.Name {
			(*o)[n-1].Text += c.Text
			return false, nil
		}
		*o = append(*o, Output{Kind: "stream", name: c.Name, Text: c.Text})
	case "display_data", "update_display_data", "execute_result":
		d := Output{Kind: "display_data", Data: c.Data, Metadata: c.Metadata, id: c.Transient.ID}
		for i := range *o {
			if d.id != "" && (*o)[i].id == d.id {
				(*o)[i] = d
				return false, nil
			}
		}
		if kind != "update_display_data" { // of another cell's output
			*o = append(*o, d)
		}
	case "error":
		trace := c.Trace
		if trace == nil {
			trace = []string{}
		}
		*o = append(*o, Output{Kind: "error", name: c.ErrName, Text: c.ErrValue, Trace: trace})
	case "clear_output":
		*o = nil
	case "status":
		return c.State == "idle", nil
	}
	return false, nil
}
