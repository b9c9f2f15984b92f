package notebooks_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tool builds the command kernel and installs the kernel with it. It skips where GoNB or
// goimports cannot be built.
func tool(t *testing.T) (program, prefix string) {
	t.Helper()
	if testing.Short() {
		t.Skip("executes notebooks in real kernels")
	}
	dir, err := os.MkdirTemp("", "mln") // short, for the sake of sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, d := range []string{"r", "s", "t", "p"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program, prefix = filepath.Join(dir, "kernel"), filepath.Join(dir, "p")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "metalab/kernel").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command(program, "install", "-gopls=false", "-prefix", prefix).CombinedOutput(); err != nil {
		if s := string(out); strings.Contains(s, "building GoNB") || strings.Contains(s, "building goimports") {
			t.Skip("no kernel can be put together here:", s)
		}
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "r"))
	t.Setenv("METALAB_STATE", filepath.Join(dir, "s"))
	t.Setenv("TMPDIR", filepath.Join(dir, "t"))
	return program, prefix
}

type cell struct {
	Type    string   `json:"cell_type"`
	Source  []string `json:"source"`
	Count   *int     `json:"execution_count"`
	Outputs []output `json:"outputs"`
}

type output struct {
	Type string              `json:"output_type"`
	Name string              `json:"name"`
	Text []string            `json:"text"`
	Data map[string][]string `json:"data"`
}

func read(t *testing.T, path string) []cell {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var nb struct {
		Cells []cell `json:"cells"`
	}
	if err := json.Unmarshal(b, &nb); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return nb.Cells
}

// kinds are the kinds of a cell's outputs, in order.
func (c cell) kinds() string {
	var out []string
	for _, o := range c.Outputs {
		switch {
		case o.Type == "stream":
			out = append(out, o.Name)
		case o.Data["image/svg+xml"] != nil:
			out = append(out, "picture")
		default:
			out = append(out, o.Type)
		}
	}
	return strings.Join(out, " ")
}

func (c cell) text() string {
	out := ""
	for _, o := range c.Outputs {
		out += strings.Join(o.Text, "") + strings.Join(o.Data["text/plain"], "") + "\n"
	}
	return out
}

// Every notebook runs from beginning to end, and what a reader of the file sees is what
// running it shows: as many outputs of the same kinds in the same cells.
func TestNotebooks(t *testing.T) {
	program, prefix := tool(t)
	paths, err := filepath.Glob("*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatal("no notebooks", err)
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			to := filepath.Join(prefix, path)
			if out, err := exec.Command(program, "exec", "-prefix", prefix, "-o", to, path).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			got, saved := read(t, to), read(t, path)
			for i, c := range got {
				if c.Type != "code" {
					continue
				}
				if c.Count == nil || saved[i].Count == nil || *c.Count != *saved[i].Count {
					t.Errorf("cell %d is not numbered as in the file", i+1)
				}
				if c.kinds() != saved[i].kinds() {
					t.Errorf("cell %d shows %s, in the file %s", i+1, c.kinds(), saved[i].kinds())
				}
				// No token, no path of a machine, no socket stays in a file.
				if s := saved[i].text(); strings.Contains(s, "/tmp/") || strings.Contains(s, ".sock") || strings.Contains(s, "/home/") {
					t.Errorf("cell %d of the file names a place of the machine on which it was executed: %s", i+1, s)
				}
			}
		})
	}
}

// What the first steps promise holds: the numbers in the file are those of any machine up to
// the cell that watches by the clock, and the record replays.
func TestFirstSteps(t *testing.T) {
	t.Parallel()
	const path = "00_first_steps.ipynb"
	cells := read(t, path)
	all, replayed := "", false
	for _, c := range cells {
		all += c.text()
		if strings.Contains(strings.Join(c.Source, ""), "lab.Replay(") {
			replayed = strings.Contains(c.text(), "identical: true")
		}
	}
	if !replayed {
		t.Error("the file does not show that the record replays")
	}
	if !strings.Contains(all, "q0 0.98 → 0.9 from iteration 101") {
		t.Error("the file does not show the change of q0")
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if st.Size() > 500_000 {
		t.Errorf("the file has %d bytes", st.Size())
	}
}
