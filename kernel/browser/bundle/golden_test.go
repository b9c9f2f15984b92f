package bundle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalab/datasets"
	"metalab/kernel/browser"
	"metalab/kernel/browser/bundle"
	"metalab/solvers"
	_ "metalab/solvers/anneal"
	_ "metalab/solvers/ants"
	_ "metalab/solvers/cmaes"
	_ "metalab/solvers/genetic"
	_ "metalab/solvers/ils"
	_ "metalab/solvers/moves"
	"metalab/solvers/record"
	_ "metalab/solvers/spins"
	_ "metalab/solvers/threshold"
)

// built is the engine of these sources, once for all tests.
var built = sync.OnceValues(func() (*bundle.Engine, error) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		return nil, err
	}
	dir, err := enginesIn("metalab-engine-test-", &made)
	if err != nil {
		return nil, err
	}
	return bundle.Build(context.Background(), root, dir, func(int64, int64, string) {})
})

// instances are small ones of all kinds; those without a generated name are carried as text.
func instances(t *testing.T) []datasets.Instance {
	var all []datasets.Instance
	for _, name := range []string{
		"rand-60-1", "rand-35-2", "tai10a", "tai12a", "ppp-21x21-1", "weierstrass-4", "queen5_5",
		"myciel4", "gnp-30-50-1-k6", "G11", "glass-6x6-1",
	} {
		inst, ok, err := datasets.Generate(name)
		if err != nil || !ok {
			t.Fatalf("%s: %v %v", name, ok, err)
		}
		all = append(all, inst)
	}
	var x, y []float64
	var m []int32
	for i := range 40 { // on a spiral, and not whole
		a := float64(i) / 3
		x, y = append(x, 100+3*a*math.Sin(a)), append(y, 100.125+2*a*math.Cos(a))
	}
	for i := range 25 * 25 {
		m = append(m, int32(1+(i*i*7+i*13)%97))
	}
	own := func(inst datasets.Instance, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, inst)
	}
	tsp, err := datasets.NewTSP("spiral", datasets.Euc2D, x, y)
	own(tsp, err)
	atsp, err := datasets.NewMatrixTSP("skew", 25, m, true)
	own(atsp, err)
	qap, err := datasets.NewQAP("own", 12, m[:144], m[200:344])
	own(qap, err)
	graph, err := datasets.NewColouring("wheel", 9, [][2]int32{
		{0, 1},
		{1, 2},
		{2, 3},
		{3, 4},
		{4, 5},
		{5, 6},
		{6, 7},
		{7, 0},
		{8, 0},
		{8, 1},
		{8, 2},
		{8, 3},
		{8, 4},
		{8, 5},
		{8, 6},
		{8, 7},
	}, 3)
	own(graph, err)
	return all
}

// short is a run of 20 iterations with a change after the 12th, where a parameter can be changed.
func short(t *testing.T, v solvers.Variant, inst datasets.Instance, seed uint64) *record.Record {
	r, err := solvers.Open(solvers.Config{
		Name: "a", Solver: v.Solver, Variant: v.Name, Instance: inst, Seed: seed,
	})
	if err != nil {
		return nil // the instance is of a kind, or a size, that it does not take
	}
	defer r.Close()
	if err := r.Step(t.Context(), 12); err != nil {
		t.Fatal(err)
	}
	params, err := r.Params(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range params {
		at, ok := p.Value.Float()
		if p.Class != record.Live || !ok || at >= p.Max {
			continue
		}
		to := at + (math.Min(p.Max, at+1)-at)/2
		if p.Type == record.Int {
			to = at + 1
		}
		if _, err := r.Set(t.Context(), record.Of(p.Name, to), "test"); err == nil {
			break
		}
	}
	if err := r.Step(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// A job is a record that Node makes again.
type job struct {
	Name     string           `json:"name"`
	Record   string           `json:"record"`
	Instance browser.Instance `json:"instance"`
	want     string
}

func jobOf(t *testing.T, name string, rec *record.Record, inst datasets.Instance) job {
	var text strings.Builder
	if err := rec.Encode(&text); err != nil {
		t.Fatal(err)
	}
	packed, err := browser.Pack(inst)
	if err != nil {
		t.Fatal(err)
	}
	return job{name, text.String(), packed, fmt.Sprintf("identical over %d iterations", rec.End)}
}

// runner loads the engine as a page does, and makes the jobs again.
const runner = `
const fs = require("fs"), zlib = require("zlib"), vm = require("vm")
const [engine, jobs, out] = process.argv.slice(2)
let file
globalThis.self = globalThis
globalThis.metalabEngine = f => { file = f }
vm.runInThisContext(fs.readFileSync(engine, "utf8"))
vm.runInThisContext(Buffer.from(file.exec, "base64").toString())
const waiting = new Map(), answers = {}
let ready
const begun = new Promise(done => { ready = done })
globalThis.metalabSay = (id, text) => {
  if (id === "") return ready()
  const event = JSON.parse(text)
  if (event.kind !== "progress") waiting.get(id)(event)
}
const ask = (id, q) => new Promise(done => {
  waiting.set(id, done)
  metalabAsk(id, JSON.stringify(q))
})
const go = new Go()
const wasm = zlib.gunzipSync(Buffer.from(file.wasm, "base64"))
WebAssembly.instantiate(wasm, go.importObject).then(async r => {
  go.run(r.instance)
  await begun
  for (const j of JSON.parse(fs.readFileSync(jobs, "utf8"))) {
    let e = await ask(j.name + " open", {do: "open", record: j.record, instance: j.instance})
    if (e.kind === "done") e = await ask(j.name, {do: "replay"})
    answers[j.name] = e.error || e.verdict.words
  }
  fs.writeFileSync(out, JSON.stringify(answers))
  process.exit(0)
})
`

// TestRecordsReplayInWebAssembly makes a short run of each variant here, and again by the engine of
// pages under Node.
func TestRecordsReplayInWebAssembly(t *testing.T) {
	if testing.Short() {
		t.Skip("without -short it makes some seventy runs, here and under Node")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node on PATH (apt install nodejs): the engine of pages is tested in Chromium alone")
	}
	engine, err := built()
	if err != nil {
		t.Fatal(err)
	}
	var jobs []job
	const most = 3 // instances of a variant
	insts := instances(t)
	slices.Reverse(insts) // those that are carried as text come first
	var cuda *record.Record
	for _, v := range solvers.Variants() {
		if v.Backend != "cpu" || !v.Deterministic {
			continue
		}
		n := 0
		for _, inst := range insts {
			if n == most || !slices.Contains(v.Kinds, inst.Kind()) {
				continue
			}
			rec := short(t, v, inst, uint64(40+n))
			if rec == nil {
				continue
			}
			n++
			name := fmt.Sprintf("%s/%s on %s", v.Solver, v.Name, inst.Name())
			jobs = append(jobs, jobOf(t, name, rec, inst))
			if v.Solver == "mmas" && cuda == nil {
				c := *rec
				c.Header.Backend = "cuda"
				cuda = &c
				jobs = append(jobs, jobOf(t, "of a GPU", cuda, inst))
			}
			if v.Solver == "tabu" && n == 1 {
				bad := *rec
				bad.Points = slices.Clone(rec.Points)
				bad.Points[4].IterBest++
				j := jobOf(t, "tampered "+name, &bad, inst)
				j.want = fmt.Sprintf("differs from the record, first at iteration 5: iter_best: %v "+
					"against %v", bad.Points[4].IterBest, rec.Points[4].IterBest)
				jobs = append(jobs, j)
			}
		}
		if n == 0 {
			t.Errorf("no instance of this test is for %s/%s, of kinds %v", v.Solver, v.Name, v.Kinds)
		}
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "jobs.json"), filepath.Join(dir, "out.json")
	b, err := json.Marshal(jobs)
	if err == nil {
		err = os.WriteFile(in, b, 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "run.js"), []byte(runner), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join(dir, "run.js"), engine.Path, in, out)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("node: %v: %s", err, said)
	}
	answers := map[string]string{}
	if b, err = os.ReadFile(out); err == nil {
		err = json.Unmarshal(b, &answers)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if got := answers[j.Name]; got != j.want {
			t.Errorf("%s: %q, want %q", j.Name, got, j.want)
		}
	}
	t.Logf("%d records of %d bytes", len(jobs), len(b))
}
