package interpret

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"metalab/kernel/internal/jupyter/messages"
)

// TestInput reads in cells: a box for each line that a cell waits for, an interrupt while it waits,
// and a front end that has no boxes.
func TestInput(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("who waits for input is known on Linux")
	}
	t.Parallel()
	r := start(t)
	stdin, err := r.DialStdin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	// run sends a cell, answers its boxes, and returns its reply.
	run := func(code string, lines ...string) (status, value string) {
		id, err := r.Send(r.Socket, "execute_request", messages.Execute{
			Code: code, Store: true, StopErr: true, Stdin: true, Exprs: map[string]any{},
		})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for _, line := range lines {
				m, err := r.Receive(stdin)
				if err != nil || m.Header.Type != "input_request" || m.Parent.ID != id {
					t.Errorf("%s: asks %v, %v", code, m.Header, err)
					return
				}
				if line == "interrupt" {
					err = r.Interrupt()
				} else {
					_, err = r.Send(stdin, "input_reply", map[string]any{"value": line})
				}
				if err != nil {
					t.Error(err)
				}
			}
		}()
		m, err := r.Reply(id)
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			Status string `json:"status"`
			Value  string `json:"evalue"`
		}
		if err := json.Unmarshal(m.Content, &c); err != nil {
			t.Fatal(err)
		}
		return c.Status, c.Value
	}
	prints := func(code, want string) {
		t.Helper()
		res, err := r.Do(t.Context(), code)
		if err != nil || said(res.Outputs) != want {
			t.Errorf("%s: %q %s, %v; want %q", code, said(res.Outputs), res.Failed, err, want)
		}
	}
	if status, v := run("var n, k int\nfmt.Scan(&n); fmt.Scan(&k)", "6", "7"); status != "ok" {
		t.Errorf("two numbers: %s %s", status, v)
	}
	prints("n * k", "42")
	if status, v := run("in := bufio.NewScanner(os.Stdin)\nin.Scan()\nline := in.Text()",
		"a whole line"); status != "ok" {
		t.Errorf("a line: %s %s", status, v)
	}
	prints("line", `"a whole line"`)
	for _, code := range []string{"fmt.Scan(&n)", "fmt.Scan(&n)\nfor { n++ }"} {
		if status, v := run(code, "interrupt"); status != "error" || !strings.Contains(v, "interrupted") {
			t.Errorf("%s, interrupted: %s %s", code, status, v)
		}
	}
	prints("_, err := fmt.Scan(&n)\nerr", "EOF") // without boxes
}
