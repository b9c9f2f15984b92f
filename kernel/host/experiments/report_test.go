package experiments_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A report picks the test: over seeds on few instances, over instances where there are enough.
func TestExperimentReport(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	report := func(line string) string {
		t.Helper()
		l.Do(line)
		return l.Do("experiment " + strings.Fields(line)[1] + " report").String()
	}
	text := report("experiment e solvers=walk instances=rand-60-1 seeds=6 n=20 moves=1,50,100")
	for _, want := range []string{
		"On rand-60-1:", "3 independent groups of 6 values were compared by the Kruskal-Wallis test",
		"moves=1 against moves=50: moves=50 is better", "Holm for 3 tests", "Assumed: all values are",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	many := "rand-60-1,rand-60-2,rand-60-3,rand-60-4,rand-60-5,rand-60-6"
	text = report("experiment f solvers=walk instances=" + many + " seeds=1 n=20 moves=1,100")
	for _, want := range []string{
		"2 groups over the same 6 instances were compared by the Wilcoxon signed-rank test",
		"moves=100 is better", "Values are median errors",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	text = report("experiment g solvers=walk instances=rand-60-1 seeds=2 n=20 moves=1,100")
	if !strings.Contains(text, "no test with fewer than two rows of 5 seeds each") {
		t.Errorf("two seeds:\n%s", text)
	}
	if r := l.Do("experiment g").(*reply.ExperimentReply); len(r.Report) > 0 {
		t.Errorf("a table has a report: %v", r.Report)
	}
	l.Do("experiment h solvers=walk instances=rand-60-1 seeds=2 n=2")
	l.Fails("experiment h report", wire.CodeRequest, "nothing to compare")
}

// What belongs to another word is not dropped: no file is missing without a word.
func TestArgumentsOfOtherWords(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("experiment e solvers=walk instances=rand-60-1 seeds=2 n=2")
	for _, does := range []string{
		"", "table", "go", "pause", "units", "failures", "slowest", "open 1", "best", "targets",
		"budgets", "report", "import from /tmp/e.csv", "drop solver=walk", "remove",
	} {
		l.Fails("experiment e "+does+" to /tmp/f.csv", wire.CodeRequest, "to is no part of ",
			"experiment e export to FILE takes it")
	}
	for line, why := range map[string]string{
		"experiment e units again":  "experiment e again takes it",
		"experiment e best seeds=3": "experiment e seeds=… takes it",
		"experiment e go 1":         "experiment e open UNIT takes it",
		"chart e box at=1":          "chart e ecdf at=…, or chart e ert at=… takes it",
		"recover x discard as y":    "of recover without discard",
	} {
		l.Fails(line, wire.CodeRequest, why)
	}
	if r := l.Do("experiment e").(*reply.ExperimentReply); r.Done != 2 {
		t.Errorf("an error took units away: %+v", r)
	}
}
