package agents_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/agents"
	"metalab/solvers"
	"metalab/solvers/record"
)

// The calls of the guide's page are made again, and their record replays without the agent.
func TestGuide(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../notebooks/guide/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	calls := regexp.MustCompile(`(?m)^\{"name": .*\}$`).FindAllString(string(page), -1)
	if len(calls) < 6 {
		t.Fatalf("the page has %d calls", len(calls))
	}
	dir := t.TempDir()
	a := start(t, agents.Options{Folder: dir, Iterations: 200_000, CPU: 600})
	for _, line := range calls {
		var c struct {
			Name      string
			Arguments json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		r := a.try(c.Name, c.Arguments)
		if r.IsError {
			t.Fatalf("%s: %s", line, text(r))
		}
		if c.Name == "plot" {
			a.picture(r)
		}
	}
	rec, err := record.ReadFile(filepath.Join(dir, "tuned.run"))
	if err != nil {
		t.Fatal(err)
	}
	by := 0
	for _, c := range rec.Journal {
		if strings.HasPrefix(c.Who, "agent tuner") {
			by++
		}
	}
	if by != len(rec.Journal) || by == 0 || rec.End != 100 {
		t.Errorf("%d of %d changes are the agent's, and the record ends at %d", by, len(rec.Journal),
			rec.End)
	}
	inst, err := datasets.Load(rec.Header.Instance.Name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := solvers.Replay(t.Context(), rec, inst, solvers.ReplayOptions{})
	if d != nil || err != nil {
		t.Errorf("the record replays with %v, %v", d, err)
	}
}
