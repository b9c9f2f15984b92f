package execute

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// small reads the notebook of a cell of text and a cell of code.
func small(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("testdata/small.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestNotebookFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "n.ipynb")
	if err := os.WriteFile(path, []byte(small(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	nb, err := readNotebook(path)
	if err != nil {
		t.Fatal(err)
	}
	if nb.isCode(0) || !nb.isCode(1) || nb.source(0) != "a < b" ||
		nb.source(1) != "%%\nfmt.Println(1)" {
		t.Errorf("cells %q, %q", nb.source(0), nb.source(1))
	}
	var outs Outputs
	for _, m := range [][2]string{
		{"status", `{"execution_state":"busy"}`},
		{"stream", `{"name":"stdout","text":"1\n"}`},
		{"stream", `{"name":"stdout","text":"2"}`},
		{"display_data", `{"data":{"text/plain":"<first>"},"transient":{"display_id":"d"}}`},
		{"stream", `{"name":"stderr","text":"e"}`},
		{"update_display_data", `{"data":{"text/plain":"<second>"},"transient":{"display_id":"d"}}`},
		{
			"update_display_data",
			`{"data":{"text/plain":"of another cell"},"transient":{"display_id":"z"}}`,
		},
		{"error", `{"ename":"E","evalue":"v"}`},
	} {
		if idle, err := outs.add(m[0], json.RawMessage(m[1])); idle || err != nil {
			t.Fatal(m, idle, err)
		}
	}
	if idle, _ := outs.add("status", json.RawMessage(`{"execution_state":"idle"}`)); !idle {
		t.Error("the end of the cell is not seen")
	}
	if err := nb.setResult(1, 3, outs); err != nil {
		t.Fatal(err)
	}
	if err := nb.setKernel(); err != nil {
		t.Fatal(err)
	}
	if err := nb.write(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(`"<second>"`)) || !bytes.HasSuffix(b, []byte("}\n")) {
		t.Errorf("not written as Jupyter does: %s", b)
	}
	var got any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	cells := got.(map[string]any)["cells"].([]any)
	if diff := cmp.Diff([]any{"kept"},
		cells[0].(map[string]any)["metadata"].(map[string]any)["tags"]); diff != "" {
		t.Error(diff)
	}
	want := []any{
		map[string]any{"output_type": "stream", "name": "stdout", "text": []any{"1\n", "2"}},
		map[string]any{
			"output_type": "display_data",
			"data":        map[string]any{"text/plain": []any{"<second>"}}, "metadata": map[string]any{},
		},
		map[string]any{"output_type": "stream", "name": "stderr", "text": []any{"e"}},
		map[string]any{"output_type": "error", "ename": "E", "evalue": "v", "traceback": []any{}},
	}
	if diff := cmp.Diff(want, cells[1].(map[string]any)["outputs"]); diff != "" {
		t.Error(diff)
	}
	if cells[1].(map[string]any)["execution_count"] != 3.0 {
		t.Error("the cell is not numbered")
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want the file's own", st.Mode(), err)
	}
}

// The lexer of nbconvert is Go's, and what else a notebook says of its language stays.
func TestLanguage(t *testing.T) {
	t.Parallel()
	for meta, want := range map[string]string{
		`{}`: `{"file_extension":".go","mimetype":"text/x-go","name":"go","pygments_lexer":"go"}`,
		`{"language_info":{"name":"go","pygments_lexer":"","version":"go1.26.8"}}`: `{"file_extension":` +
			`".go","mimetype":"text/x-go","name":"go","pygments_lexer":"go","version":"go1.26.8"}`,
	} {
		n := notebook{top: map[string]json.RawMessage{"metadata": json.RawMessage(meta)}}
		if err := n.setKernel(); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Info json.RawMessage `json:"language_info"`
		}
		if err := json.Unmarshal(n.top["metadata"], &got); err != nil || string(got.Info) != want {
			t.Errorf("%s: %s, want %s (%v)", meta, got.Info, want, err)
		}
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	for meta, want := range map[string]bool{
		`{"tags":["raises-exception"]}`: true, `{"tags":["a","raises-exception"]}`: true,
		`{"tags":["raises"]}`: false, `{"tags":"raises-exception"}`: false, `{}`: false,
		`7`: false, ``: false,
	} {
		n := notebook{cells: []map[string]json.RawMessage{{"metadata": json.RawMessage(meta)}}}
		if got := n.tagged(0, "raises-exception"); got != want {
			t.Errorf("%s: %v, want %v", meta, got, want)
		}
	}
}

func TestNotANotebook(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", `{"nbformat":3}`, `{"nbformat":4,"cells":7}`} {
		path := filepath.Join(t.TempDir(), "n.ipynb")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readNotebook(path); err == nil || !strings.Contains(err.Error(), "n.ipynb") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
