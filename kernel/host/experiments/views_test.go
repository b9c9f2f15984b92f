package experiments_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// The views of fixed targets and budgets are those of hand-made traces.
func TestExperimentViews(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	ask := func(line string) *reply.ExperimentReply {
		t.Helper()
		return l.Do(line).(*reply.ExperimentReply)
	}
	// Two programs of five runs, whose first values are 130 and last ones 100 after 10, 20, .. and,
	// of the second, after 40 evaluations in two runs only.
	dir := hosttest.Folder(t)
	about := `{"version": "0.3.5", "suite": "x", "function_id": 1, "function_name": "mine",
"maximization": false, "algorithm": {"name": "ALG", "info": ""}, "scenarios": [{"dimension": 5,
"path": "DAT", "runs": [RUNS]}]}`
	for alg, ends := range map[string][]string{
		"p": {"10 100", "20 100", "30 100", "40 100", "50 100"},
		"q": {"40 100", "40 100", "50 120", "50 120", "50 120"},
	} {
		var runs []string
		data := ""
		for _, end := range ends {
			at, best, _ := strings.Cut(end, " ")
			runs = append(runs, `{"instance": 1, "evals": `+at+`, "best": {"evals": `+at+`, "y": `+best+
				`, "x": []}}`)
			data += "evaluations raw_y\n1 130\n" + end + "\n"
		}
		text := strings.NewReplacer("ALG", alg, "DAT", alg+".dat", "RUNS", strings.Join(runs, ",")).
			Replace(about)
		for name, text := range map[string]string{alg + ".json": text, alg + ".dat": data} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	ask("experiment e import from " + dir)
	v := ask("experiment e targets at=0,25 by=evaluations")
	if w := v.View; w == nil || !w.Found || w.At[0] != 25 || len(w.Rows) != 2 {
		t.Fatalf("%+v", v)
	}
	p, q := v.View.Rows[0], v.View.Rows[1]
	if p.Label != "p" {
		p, q = q, p
	}
	// ERT: (10+20+30+40+50)/5; (40+40+50+50+50)/2.
	if p.Values[1] != 30 || p.Reached[1] != 5 || q.Values[1] != 115 || q.Reached[1] != 2 ||
		q.Values[0] != 46 {
		t.Errorf("targets: %+v, %+v", p, q)
	}
	if text := v.String(); !strings.Contains(text, "115 (2)") ||
		!strings.Contains(text, "or the best one found here") {
		t.Errorf("%s", text)
	}
	if text := v.Fit(30); strings.Contains(text, "seeds  ") || !strings.Contains(text, "115 (2)") {
		t.Errorf("in 30 columns:\n%s", text)
	}
	b := ask("experiment e budgets at=30,5 by=evaluations")
	p, q = b.View.Rows[0], b.View.Rows[1]
	if p.Label != "p" {
		p, q = q, p
	}
	if b.View.At[0] != 5 || p.Values[0] != 30 || p.Values[1] != 0 || q.Values[1] != 30 {
		t.Errorf("budgets: %+v, %+v", p, q)
	}
	if len(b.Report) != 2 || !strings.HasPrefix(b.Report[0], "mine within 30 evaluations: 2 indep") ||
		!strings.HasPrefix(b.Report[1], "A run that ended") {
		t.Errorf("%q", b.Report)
	}
	if r := ask("experiment e targets by=evaluations"); len(r.View.At) == 0 || r.View.At[0] != 20 {
		t.Errorf("%+v", r.View)
	}
	for _, line := range []string{
		"chart e ert by=evaluations", "chart e ecdf by=evaluations at=0,25",
		"chart e median by=evaluations",
	} {
		if p := l.Do(line).(*reply.PlotReply); !strings.Contains(string(p.Data), "evaluations") {
			t.Errorf("%s: %.200s", line, p.Data)
		}
	}
	// A run without a course counts with its end, where that has the cost.
	file := filepath.Join(dir, "r.csv")
	if err := os.WriteFile(file, []byte("instance,best,evaluations,seed\nmine,105,7,1\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	ask("experiment e import from " + file + " solver=r")
	last := func(v *reply.ExperimentReply) reply.ExperimentViewRow {
		return v.View.Rows[len(v.View.Rows)-1]
	}
	x := last(ask("experiment e targets at=25 by=evaluations"))
	if x.Label != "r" || x.Values[0] != 7 {
		t.Errorf("%+v", x)
	}
	if err := os.WriteFile(file, []byte("instance,best,evaluations,seed\nmine,105,60,1\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	ask("experiment e import from " + file + " solver=late")
	if v := ask("experiment e budgets by=evaluations").View; v.At[len(v.At)-1] != 60 {
		t.Errorf("budgets where some runs end before others have a value: %v", v.At)
	}
	if err := os.WriteFile(file, []byte("instance,best,wall_s,seed\nmine,105,7,1\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	r := ask("experiment e import from " + file + " solver=s")
	if x := r.Rows[len(r.Rows)-1]; x.Label != "s" || x.WallS != 7 || x.CPUS.Known() {
		t.Errorf("CPU time of a run that has none: %+v", x)
	}
	r = ask("experiment e targets at=25 by=evaluations")
	if last(r).Label != "late" || len(r.Report) != 1 ||
		!strings.HasSuffix(r.Report[0], "evaluations: s.") {
		t.Errorf("%q", r.Report)
	}
	for line, want := range map[string]string{
		"experiment e targets at=1,x": `at is "x", want numbers`,
		"experiment e budgets by=h":   `by is "h", want iterations, evaluations, wall or cpu`,
		"experiment e targets by=cpu": "is measured in CPU time",
		"chart e ert at=-1":           `at is "-1", want numbers of at least 0`,
	} {
		l.Fails(line, wire.CodeRequest, want)
	}
}
