package bundle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"metalab/kernel/browser/bundle"
	"metalab/kernel/browser/prompt"
)

// prompting is the engine of the prompt of these sources, once for all tests.
var prompting = sync.OnceValues(func() (*bundle.Engine, error) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		return nil, err
	}
	dir, err := enginesIn("metalab-prompt-test-", &madePrompt)
	if err != nil {
		return nil, err
	}
	return bundle.BuildProgram(context.Background(), bundle.Prompt, root, dir,
		func(int64, int64, string) {})
})

var madePrompt string // the folder of that engine

// enginesIn is the folder METALAB_ENGINES, which keeps engines from package to package, or a new
// one, whose path it writes to made and which TestMain removes.
func enginesIn(name string, made *string) (string, error) {
	if dir := os.Getenv("METALAB_ENGINES"); dir != "" {
		return dir, os.MkdirAll(dir, 0o700)
	}
	var err error
	*made, err = os.MkdirTemp("", name)
	return *made, err
}

// TestSizeOfThePrompt holds the compressed engine, which is that of Go too, to what the page of the
// kernel says.
func TestSizeOfThePrompt(t *testing.T) {
	if testing.Short() {
		t.Skip("it is compiled")
	}
	e, err := prompting()
	if err != nil {
		t.Fatal(err)
	}
	const most = 10_000_000 // of what is compressed; the file holds it in base64
	if z := e.Size * 3 / 4; z > most {
		t.Errorf("the prompt's engine has %d bytes, want at most %d", z, most)
	}
	t.Logf("%d bytes", e.Size)
	if !regexp.MustCompile(`^metalab-prompt-[0-9a-f]{16}\.js$`).MatchString(e.Name()) {
		t.Errorf("the file is called %s", e.Name())
	}
	if found, err := bundle.Open(e.Path); err != nil || *found != *e {
		t.Errorf("opened: %v, %v; want %v", found, err, e)
	}
}

// TestPromptLeadsHome has the page lead to the site that it is in, and nowhere where it is in none.
func TestPromptLeadsHome(t *testing.T) {
	t.Parallel()
	for home, want := range map[string]int{"": 0, "index.html": 2} {
		page := bundle.PromptPage{Engine: &bundle.Engine{Hash: "0123456789abcdef"}, Lessons: home}
		var b bytes.Buffer
		if err := page.Write(&b); err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(b.String(), "</header>")
		if n := strings.Count(b.String(), `<a href="index.html">`); n != want ||
			(home != "") != strings.Contains(head, `<a href="index.html">`) {
			t.Errorf("in a site at %q the page has %d links to it, want %d, the first in its header",
				home, n, want)
		}
	}
}

// TestHousesOfGo holds what is not its business out of Go at the prompt: the runs are another's.
func TestHousesOfGo(t *testing.T) {
	houses(t, "metalab/repl/browser/interpreter", "metalab/kernel/eval",
		`net|net/http.*|runtime/cgo|modernc\.org/.*|`+
			`golang\.org/x/(sys|term)/?.*|gorgonia\.org/.*|metalab/(gpu|kernels|datasets)/?.*|`+
			`metalab/kernel/(host|internal/[^w]|cells).*|metalab/kernel/browser(/[^w].*)?|`+
			`metalab/solvers/(ants|genetic|ils|moves|experiment).*`)
}

// TestHousesOfThePrompt holds what is for no browser out of the prompt's engine.
func TestHousesOfThePrompt(t *testing.T) {
	houses(t, "metalab/kernel/browser/metalab", "metalab/kernel/host",
		`net/http.*|os/signal|runtime/cgo|`+
			`golang\.org/x/(sys|term)/?.*|modernc\.org/.*|gorgonia\.org/.*|metalab/(gpu|kernels|repl)/?.*|`+
			`metalab/kernel/(internal/[^gsw]|lab|cells|eval|browser/bundle).*|`+
			`metalab/kernel/host/(export/replay|serve|gpus|pages|experiments|rooms).*|`+
			`metalab/solvers/experiment/(sqlite|queue).*`)
}

// houses looks what a program imports: has must be there, and no package of the pattern not.
func houses(t *testing.T, what bundle.Program, has, not string) {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", string(what))
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	of := regexp.MustCompile(`^(` + not + `)$`)
	ok := false
	for p := range strings.FieldsSeq(string(out)) {
		ok = ok || p == has
		if of.MatchString(p) && p != "golang.org/x/sys/cpu" && p != "metalab/gpu/cuda" { // Go alone
			t.Errorf("%s imports %s", what, p)
		}
	}
	if !ok {
		t.Errorf("the list of packages of %s has no %s", what, has)
	}
}

// typed are lines whose answers hold no time and no size of the machine.
var typed = []string{
	"open acs rand-80-1 as a seed=42 local_search=none", "step a 30", "set a q0=0.9 ants=20",
	"fork a as b q0=0.5; step b 15", "step a 15", "diff a b", "params a q0", "history b",
	"journal a", "best a", "plot a tour", "plot a b", "help q0", "help fork",
	"open nothing rand-80-1", "step c 5",
	"stp a 10", "set a q0=7", "save a a.run nostate", "load a.run as c", "step c 10; best c",
	"open ils mine.tsp as m", "step m 3", "best m", "export a a.csv", "repeat a 3 n=20",
	"devices", "experiment e1 solvers=acs instances=rand-80-1 seeds=2 n=10", "dashboard",
	"quit", "undo a", "close all",
}

// mine is a file that the reader drops on the page.
const mine = "NAME: mine\nTYPE: TSP\nDIMENSION: 6\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n" +
	"1 0 0\n2 10 0\n3 20 3\n4 20 12\n5 9 15\n6 1 11\nEOF\n"

// inPage carries lines out under Node, in the engine and with the files of a page, and returns what
// it says of each, and in the end of each completion.
func inPage(t *testing.T, lines, heads []string) (said []string, offers [][]prompt.Suggestion) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node on PATH (apt install nodejs)")
	}
	e, err := prompting()
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	script.WriteString(`const node = require("fs"), zip = require("zlib"), args = process.argv
let file = null
globalThis.self = globalThis
self.metalabEngine = f => { file = f }
;(0, eval)(node.readFileSync(args[1], "utf8"))
const lines = JSON.parse(args[2]), heads = JSON.parse(args[3])
`)
	worker := ""
	for _, name := range []string{"memfs.js", "promptworker.js"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "memfs.js" {
			script.Write(b)
			script.WriteString(";(0, eval)(atob(file.exec))\n")
			continue
		}
		worker = string(b)
	}
	script.WriteString(`const asks = [
  ...lines.map(text => ({do: "line", text, cols: 100})),
  ...heads.map(text => ({do: "complete", text})),
]
let out = []
const answers = []
globalThis.postMessage = ([id, text]) => {
  if (id === "ready") {
    self.onmessage({data: {name: "mine.tsp", bytes: new TextEncoder().encode(` +
		fmt.Sprintf("%q", mine) + `)}})
    return self.onmessage({data: ["0", JSON.stringify(asks[0])]})
  }
  if (id === "") throw new Error(text)
  const e = JSON.parse(text)
  if (id === "events" || e.kind === "progress") return
  if (e.kind === "out") return void out.push(e.text || e.svg)
  const i = Number(id)
  answers.push({said: out, error: e.kind === "error" ? e.text : "", offers: e.offers || []})
  out = []
  const next = asks[i + 1]
  if (next) return self.onmessage({data: [String(i + 1), JSON.stringify(next)]})
  console.log(JSON.stringify(answers))
  nodeProcess.exit(0)
}
`)
	script.WriteString(worker)
	script.WriteString(`
const wasm = zip.gunzipSync(Buffer.from(file.wasm, "base64"))
WebAssembly.compile(wasm).then(m => self.onmessage({data: m}))
`)
	all := "const nodeProcess = process\n" + script.String()
	ls, _ := json.Marshal(lines)
	hs, _ := json.Marshal(heads)
	cmd := exec.CommandContext(t.Context(), node, "-e", all, e.Path, string(ls), string(hs))
	out, err := cmd.Output()
	if err != nil {
		var stderr []byte
		if x, ok := err.(*exec.ExitError); ok {
			stderr = x.Stderr
		}
		t.Fatalf("node: %v: %s%s", err, out, stderr)
	}
	var answers []struct {
		Said   []string
		Error  string
		Offers []prompt.Suggestion
	}
	if err := json.Unmarshal(out[strings.LastIndex(strings.TrimSpace(string(out)), "\n")+1:],
		&answers); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for i, a := range answers {
		if i >= len(lines) {
			offers = append(offers, a.Offers)
			continue
		}
		said = append(said, strings.Join(a.Said, "\n")+"|"+a.Error)
	}
	return said, offers
}

// onMachine carries lines out by the same session on this machine.
func onMachine(t *testing.T, lines, heads []string) (said []string, offers [][]prompt.Suggestion) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.tsp"), []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	s, done, err := prompt.Start(ctx, dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	defer end()
	go s.Follow(ctx, func(prompt.Event) {})
	for i, text := range append(append([]string{}, lines...), heads...) {
		q := prompt.Request{Do: "line", Text: text, Cols: 100}
		if i >= len(lines) {
			q.Do = "complete"
		}
		var out []string
		s.Do(ctx, fmt.Sprint(i), q, func(e prompt.Event) {
			switch e.Kind {
			case "out":
				out = append(out, e.Text+e.SVG)
			case "error":
				said = append(said, strings.Join(out, "\n")+"|"+e.Text)
			case "done":
				if q.Do == "complete" {
					offers = append(offers, e.Offers)
					return
				}
				said = append(said, strings.Join(out, "\n")+"|")
			}
		})
	}
	for i := range said {
		said[i] = strings.ReplaceAll(said[i], dir, prompt.Folder)
	}
	return said, offers
}

// what is left to the clock in an answer
var clocks = regexp.MustCompile(`[0-9.]+(e\+[0-9]+)? ?(ms|s|it/s|bytes|kB)\b`)

// timeless is an answer without what is left to the clock, and to how wide that is.
func timeless(s string) string {
	return strings.Join(strings.Fields(clocks.ReplaceAllString(s, "…")), " ")
}

// TestPromptIsTheSame types lines into the prompt of a page, under Node, and into the same on this
// machine: what they say is the same, to the last digit.
func TestPromptIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("it is compiled")
	}
	heads := []string{"", "op", "open ac", "set a ", "open acs rand-80-1 q0=", "help fo", "load "}
	got, offered := inPage(t, typed, heads)
	want, offers := onMachine(t, typed, heads)
	for i, line := range typed {
		g, w := timeless(got[i]), timeless(want[i])
		if g != w {
			t.Errorf("%s: a page says\n%s\nthis machine\n%s", line, g, w)
		}
	}
	for i, head := range heads {
		if fmt.Sprint(offered[i]) != fmt.Sprint(offers[i]) {
			t.Errorf("%q: a page offers\n%v\nthis machine\n%v", head, offered[i], offers[i])
		}
	}
}
