package notebooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// installed is the kernel that the tests of this package share.
var installed struct {
	sync.Once
	dir string // of this package's own, removed at the end; "" for METALAB_KERNEL

	program, prefix, skip string // skip: why there is none
	err                   error
}

// Each test has a Chromium of its own: beside the windows of others, with one process for all, the
// widgets of JupyterLab were once not there after five minutes.
func TestMain(m *testing.M) {
	code := m.Run()
	if installed.dir != "" {
		os.RemoveAll(installed.dir)
	}
	os.Exit(code)
}

// A home is the command kernel, where the kernel was installed with it, and folders of a test's own
// for sockets, states and temporary files, of which tests that run side by side share none.
type home struct{ program, prefix, dir string }

// env is the environment of a program that uses them.
func (h home) env(more ...string) []string {
	return append(append(os.Environ(), "XDG_RUNTIME_DIR="+filepath.Join(h.dir, "r"),
		"METALAB_STATE="+filepath.Join(h.dir, "s"), "TMPDIR="+filepath.Join(h.dir, "t")), more...)
}

// exec executes a notebook without Jupyter, by the command kernel, and writes it to another path.
func (h home) exec(t *testing.T, path, to string) {
	t.Helper()
	cmd := exec.Command(h.program, "exec", "-q", "-prefix", h.prefix, "-o", to, path)
	cmd.Env = h.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// sessions are those that answer.
func (h home) sessions(ctx context.Context) (all []reply.Hello) {
	socks, _ := filepath.Glob(filepath.Join(h.dir, "r", "metalab", "*.sock"))
	for _, path := range socks {
		if c, err := wire.Dial(ctx, path, "test"); err == nil {
			all = append(all, c.Hello())
			c.Close()
		}
	}
	return all
}

// tool returns a home for a test. The kernel is that of the prefix METALAB_KERNEL, or installed for
// all tests of the package; the test is passed over where GoNB or goimports cannot be built.
func tool(t *testing.T) home {
	t.Helper()
	if testing.Short() {
		t.Skip("executes notebooks in real kernels")
	}
	installed.Do(func() {
		if p := os.Getenv("METALAB_KERNEL"); p != "" {
			installed.program = filepath.Join(p, "share", "jupyter", "kernels", "metalab", "bin",
				"metalab-kernel")
			installed.prefix = p
			_, installed.err = os.Stat(installed.program)
			return
		}
		if installed.dir, installed.err = os.MkdirTemp("", "mln"); installed.err != nil {
			return
		}
		installed.program, installed.prefix = filepath.Join(installed.dir, "kernel"),
			filepath.Join(installed.dir, "p")
		if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", installed.program,
			"metalab/kernel").CombinedOutput(); err != nil {
			installed.err = fmt.Errorf("%w: %s", err, out)
			return
		}
		if out, err := exec.Command(installed.program, "install", "-gopls=false", "-prefix",
			installed.prefix).CombinedOutput(); err != nil {
			installed.err = fmt.Errorf("%w: %s", err, out)
			if s := string(out); strings.Contains(s, "building GoNB") ||
				strings.Contains(s, "building goimports") {
				installed.skip = "no kernel can be put together here: " + s
			}
		}
	})
	if installed.skip != "" {
		t.Skip(installed.skip)
	}
	if installed.err != nil {
		t.Fatal(installed.err)
	}
	dir, err := os.MkdirTemp("", "mln") // short, for the sake of sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, d := range []string{"r", "s", "t"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return home{installed.program, installed.prefix, dir}
}

type cell struct {
	Type    string   `json:"cell_type"`
	Source  []string `json:"source"`
	Count   *int     `json:"execution_count"`
	Outputs []output `json:"outputs"`
}

type output struct {
	Type string          `json:"output_type"`
	Name string          `json:"name"`
	Text []string        `json:"text"`
	Data map[string]text `json:"data"`
	Meta struct {
		PNG struct {
			Width int    `json:"width"`
			Alt   string `json:"alt"`
		} `json:"image/png"`
	} `json:"metadata"`
}

// left reports whether an output tells only of what lies there from before.
func (o output) left() bool {
	for line := range strings.Lines(strings.Join(o.Text, "")) {
		if !strings.HasPrefix(line, "saved before: ") && strings.TrimSpace(line) != "" {
			return false
		}
	}
	return o.Type == "stream"
}

// A text is lines in a file, or one string, as a PNG is, or what else JSON holds.
type text []string

func (x *text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' { // of a view of widgets
		*x = text{string(b)}
		return nil
	}
	if len(b) > 0 && b[0] == '"' {
		*x = make(text, 1)
		return json.Unmarshal(b, &(*x)[0])
	}
	return json.Unmarshal(b, (*[]string)(x))
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

// kinds are the kinds of a cell's outputs, in order, and whether it printed anything, without the
// lines that say how a call went: those that were long say so by themselves, and what is long
// depends on the machine. What a session before this one has left is left out, too. GoNB takes what
// is printed and what is shown from two pipes, so on a busy machine their order may be another.
func (c cell) kinds() string {
	var out []string
	printed := map[string]bool{}
	for _, o := range c.Outputs {
		switch {
		case strings.HasPrefix(strings.Join(o.Data["text/html"], ""), "<p>"), o.left():
		case o.Data["application/vnd.jupyter.widget-view+json"] != nil: // only where there are widgets
		case strings.Contains(strings.Join(o.Data["text/html"], ""), ": the values</summary>"): // so too
		case o.Type == "stream":
			printed[o.Name] = true
		case o.Data["image/png"] != nil:
			out = append(out, "picture")
		default:
			out = append(out, o.Type)
		}
	}
	return strings.Join(append(out, slices.Sorted(maps.Keys(printed))...), " ")
}

func (c cell) text() string {
	out := ""
	for _, o := range c.Outputs {
		out += strings.Join(o.Text, "") + strings.Join(o.Data["text/plain"], "") + "\n"
	}
	return out
}

// TestExecuted is [TestNotebooks] for the notebooks that Jupyter has executed into the folder
// METALAB_EXECUTED, without answers.
func TestExecuted(t *testing.T) {
	dir := os.Getenv("METALAB_EXECUTED")
	if dir == "" {
		t.Skip("METALAB_EXECUTED names no folder of executed notebooks: .ci/notebooks makes one")
	}
	for _, path := range notebooks(t) {
		asKept(t, filepath.Join(dir, path), path, 0)
	}
}

// notebooks are the notebooks of this folder.
func notebooks(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatal("no notebooks", err)
	}
	return paths
}

// asKept checks that a notebook that was executed, with so many answers behind it, shows as many
// outputs of the same kinds in the same cells as the file that is kept, and nothing of the machine.
func asKept(t *testing.T, executed, kept string, answers int) {
	t.Helper()
	b, err := os.ReadFile(executed)
	if err != nil {
		t.Fatal(err)
	}
	clean(t, executed, string(b))
	got, saved := read(t, executed), read(t, kept)
	if len(got) != len(saved)+answers {
		t.Fatalf("%s has %d cells, %d of them answers, and %d in the file", kept, len(got), answers,
			len(saved))
	}
	for i, c := range got[:len(saved)] {
		if c.Type != "code" {
			continue
		}
		if c.Count == nil || saved[i].Count == nil || *c.Count != *saved[i].Count {
			t.Errorf("%s: cell %d is not numbered as in the file", kept, i+1)
		}
		if c.kinds() != saved[i].kinds() {
			t.Errorf("%s: cell %d shows %s, in the file %s:\n%s", kept, i+1, c.kinds(),
				saved[i].kinds(), c.text())
		}
	}
}

// What the notebook about tuning tells is what its file shows.
func TestTuning(t *testing.T) {
	t.Parallel()
	cells := read(t, "02_tuning_while_it_runs.ipynb")
	for source, wants := range map[string][]string{
		"lab.Sliders(": {"q0", "ants", "rho", "local_period"},
		"w.Go()":       {"w: running"},
		"w.Set(":       {"w: q0 0.98 → 0.6 from iteration "},
		"lab.Watch(":   {"a: iteration 250,"},
		".Journal()": {
			"150: q0 0.98 → 0.6 from iteration 151 (cell)",
			"150: ants 6 → 12 from iteration 151 (cell)", "250: stopped: after 100 iterations",
		},
		".Fork(": {"q0=0.98", "best of a, b"},
		"lab.Repeat(": {
			"of 8: repeat a", "Mann-Whitney U p = ", "no significant difference",
			"a medium effect", "the CPU time of b",
		},
		`Plot("trails")`: {"trails of a"},
	} {
		found := false
		for _, c := range cells {
			if c.Type != "code" || !strings.Contains(strings.Join(c.Source, ""), source) {
				continue
			}
			found = true
			for _, w := range wants {
				if !strings.Contains(c.text(), w) {
					t.Errorf("%s does not show %q but %s", source, w, c.text())
				}
			}
		}
		if !found {
			t.Errorf("no cell with %s", source)
		}
	}
	// The first that is set by code is set of a run that goes on by itself, in a cell of its own:
	// while one cell makes steps, another waits.
	first := slices.IndexFunc(cells, func(c cell) bool {
		return c.Type == "code" && strings.Contains(strings.Join(c.Source, ""), ".Set(")
	})
	before := ""
	for _, c := range cells[:max(first, 0)] {
		before += strings.Join(c.Source, "")
	}
	if !strings.Contains(before, ".Go()") || !strings.Contains(before, "waits for its end") ||
		strings.Contains(strings.Join(cells[first].Source, ""), ".Step(") {
		t.Errorf("before the first Set stands %s", before)
	}
	// The text says that the fork with the high q0 stands better at its end.
	var bests []string
	for _, c := range cells {
		for _, m := range regexp.MustCompile(
			`(?m)^[ab]: iteration 310, best (\d+) .*; 60 iterations`).FindAllStringSubmatch(c.text(), -1) {
			bests = append(bests, m[1])
		}
	}
	if len(bests) != 2 || len(bests[0]) != len(bests[1]) || bests[1] >= bests[0] {
		t.Errorf("a and its fork have come to %s: the second is to be the better", bests)
	}
}

// What the first steps promise holds: the change is told, and the record replays.
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
}

// The notebook about experiments shows a test over instances, its diagram, costs, a table, a file
// for print, and that the record of a unit replays.
func TestExperiments(t *testing.T) {
	t.Parallel()
	all, pictures := "", 0
	for _, c := range read(t, "07_from_an_experiment_to_a_paper.ipynb") {
		all += c.text()
		pictures += strings.Count(c.kinds(), "picture")
	}
	for _, want := range []string{
		"180 of 180 units done", "compared by the Friedman test", "expected running times (ERT)",
		"medians within equal evaluations", "ranks of six", `\begin{tabular}{lrrr}`,
		"curve.pdf %PDF-1.4", "identical: true",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the file does not show %q", want)
		}
	}
	if pictures != 3 {
		t.Errorf("%d pictures, want 3", pictures)
	}
}
