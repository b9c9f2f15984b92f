package bundle_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/browser/bundle"
	"metalab/solvers"
)

// Repeats begin with the seed that a fork has given the run, as the prompt's do.
func TestSeedOfRepeats(t *testing.T) {
	t.Parallel()
	inst, err := datasets.Uniform(20, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{Name: "a", Solver: "acs", Instance: inst, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Step(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	seed := uint64(9)
	f, err := r.Fork(t.Context(), solvers.Fork{Name: "b", Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := f.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	page := bundle.Page{Record: rec, Instance: inst, Engine: &bundle.Engine{Hash: "0123456789abcdef"}}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Seed uint64 `json:"seed,string"`
	}
	text := regexp.MustCompile(`keptText = "([^"]*)"`).FindStringSubmatch(b.String())
	packed, err := base64.StdEncoding.DecodeString(text[1])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&kept); err != nil || kept.Seed != f.Seed() || kept.Seed != 9 {
		t.Errorf("repeats begin with seed %d, want %d: %v", kept.Seed, f.Seed(), err)
	}
}

// functions are some of those of the page's script, by name, and what stands before them.
func functions(t *testing.T, names ...string) string {
	t.Helper()
	b, err := os.ReadFile("page.js")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range names {
		f := regexp.MustCompile(`(?ms)^(async )?function ` + n + `\(.*?^}$`).FindString(string(b))
		if f == "" {
			t.Fatalf("page.js has no function %s", n)
		}
		out = append(out, f)
	}
	return strings.Join(out, "\n")
}

// says runs a script under Node and returns what it prints.
func says(t *testing.T, script string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node on PATH (apt install nodejs)")
	}
	out, err := exec.CommandContext(t.Context(), node, "-e", script).CombinedOutput()
	if err != nil {
		t.Fatalf("node: %v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// The value that a page shows of a knob is the one from which a fork goes on there: the engine
// leaves out what the record changes in the same place.
func TestKnobIsWhatIsForked(t *testing.T) {
	t.Parallel()
	got := says(t, functions(t, "valueAt")+`
const kept = {params: {q0: 0.9}, journal: [
  {i: 30, change: "set", name: "q0", new: 0.5}, {i: 50, change: "fork", name: "b", with: {q0: 0.2}},
]}
console.log([0, 29, 30, 31, 50, 51].map(i => valueAt("q0", i)).join(" "))`)
	if want := "0.9 0.9 0.9 0.5 0.5 0.2"; got != want {
		t.Errorf("q0 is %s, want %s", got, want)
	}
}

// A page says that walks are the same only as far as they were compared.
func TestWordsOfForks(t *testing.T) {
	t.Parallel()
	got := says(t, functions(t, "partsOf")+`
const kept = {end: 60}
for (const f of [
  {at: 20, end: 50, parts: 21, best_parts: 23, compared: 50},
  {at: 20, end: 50, parts: 21, compared: 50},
  {at: 20, end: 70, compared: 60}, {at: 20, end: 50, compared: 50}, {at: 20, end: 50, compared: 40},
  {at: 20, end: 50}, {at: 60, end: 70},
]) console.log(partsOf(f))`)
	want := []string{
		"the walks part in iteration 21, the best values in 23",
		"the walks part in iteration 21, the best values do not",
		"it is the same walk as far as both go", "it is the same walk as far as both go",
		"it is the same walk up to iteration 40, and the record was not made again beyond",
		"they are not compared, for the record was not made again so far", "the record ends there",
	}
	if got != strings.Join(want, "\n") {
		t.Errorf("a page says\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// When a worker fails, the others do not go on with seeds that nobody waits for.
func TestRepeatEndsWithItsWorkers(t *testing.T) {
	t.Parallel()
	got := says(t, functions(t, "repeat", "stop")+`
Object.defineProperty(globalThis, "navigator", {value: {hardwareConcurrency: 2}})
const fields = {until: {value: "9"}, seeds: {value: "5"}, results: {replaceChildren() {}}, said: {}}
const at = id => fields[id] || {}
const kept = {seed: "18446744073709551615"}, verdict = ["", ""], done = []
const say = () => {}, table = () => {}
let others = [], wrong = "", stopped = 0
class Stopped extends Error {}
class Bench {
  async do({seed}) { throw new Error("no memory for " + seed) }
  stop() {}
  end() {}
}
const working = async (words, what) => { try { await what() } catch (err) { wrong = err.message } }
const bench = {
  opening: {}, stop() { stopped++ },
  async do({seed}) {
    await new Promise(next => setTimeout(next, 5))
    done.push(seed)
    return {seeded: {}}
  },
}
repeat().then(() => setTimeout(() => console.log([wrong, done, stopped].join("; ")), 100))`)
	if want := "no memory for 0; 18446744073709551615; 1"; got != want {
		t.Errorf("a page did %s, want %s", got, want)
	}
}
