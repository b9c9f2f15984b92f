package pages_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
)

// Pages see experiments, those of an earlier session too: how far they are, their table, figures,
// units and records that replay.
func TestPagesShowExperiments(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("experiment e solvers=walk instances=rand-60-1,rand-60-2 seeds=30 n=20 moves=1,100")
	l.End()
	v := (&lab{l.Next()}).visit()
	get := func(path, body string, into any) {
		t.Helper()
		status, _, b := v.ask("POST", path, body)
		if err := json.Unmarshal(b, into); err != nil || status != 200 {
			t.Fatalf("%s: %d %s", path, status, b)
		}
	}
	var list reply.ExperimentReply
	get("/v1/experiments", `{}`, &list)
	if len(list.List) != 1 || list.List[0].Name != "e" || list.List[0].Done != 120 {
		t.Errorf("%+v", list)
	}
	var page struct {
		reply.ExperimentReply
		Stamp string
		Same  bool
		Draws [][2]string
		Where []string
	}
	get("/v1/experiment", `{"name":"e"}`, &page)
	if len(page.Rows) != 4 || page.Same || len(page.Where) != 2 || page.Done != 120 {
		t.Errorf("%+v", page)
	}
	names := ""
	for _, d := range page.Draws {
		names += d[0] + " "
	}
	if !strings.HasPrefix(names, "box violin error median ecdf ") ||
		!strings.Contains(names, "ranks profile ") || strings.Contains(names, "heat") ||
		strings.Contains(names, "speedup") {
		t.Errorf("figures %s", names)
	}
	get("/v1/experiment", `{"name":"e","seen":"`+page.Stamp+`"}`, &page)
	if !page.Same {
		t.Error("the page got again what it has")
	}
	var units struct {
		Of    []reply.ExperimentUnit
		Total int
	}
	get("/v1/units", `{"name":"e","state":"done","from":100}`, &units)
	if len(units.Of) != 20 || units.Total != 120 || units.Of[0].Number != 101 {
		t.Errorf("%+v", units)
	}
	chart := `{"name":"e","figure":"box","instance":"rand-60-2","w":400,"h":300,` +
		`"background":"#102030","seen":"`
	status, h, b := v.ask("POST", "/v1/chart", chart+`"}`)
	if status != 200 || !strings.Contains(string(b), "</svg>") {
		t.Fatalf("chart: %d %.200s", status, b)
	}
	seen := h.Get("X-Metalab-Stamp")
	if status, _, _ := v.ask("POST", "/v1/chart", chart+seen+`"}`); status != 204 {
		t.Errorf("the same chart again: %d", status)
	}
	_, _, b = v.ask("POST", "/v1/unit", `{"name":"e","unit":7,"form":"record"}`)
	path := filepath.Join(hosttest.Folder(t), "e-7.run")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := v.Do("replay " + path).(*reply.ReplayReply); !r.Identical || r.Iteration != 20 {
		t.Errorf("replay: %+v", r)
	}
	_, _, b = v.ask("POST", "/v1/unit", `{"name":"e","form":"csv"}`)
	if strings.Count(string(b), "\n") != 121 {
		t.Errorf("csv: %.300s", b)
	}
	for path, body := range map[string]string{
		"/v1/experiment": `{"name":"f"}`,
		"/v1/units":      `{"name":"f"}`,
		"/v1/chart":      `{"name":"e","figure":"pie","w":400,"h":300,"background":"#102030"}`,
		"/v1/unit":       `{"name":"e","unit":121,"form":"record"}`,
	} {
		if status, _, b := v.ask("POST", path, body); status < 400 || !strings.Contains(string(b),
			`"error"`) {
			t.Errorf("%s %s: %d %s", path, body, status, b)
		}
		if status, _, _ := v.ask("POST", path, body, "Authorization", ""); status != 401 {
			t.Errorf("%s without a token: %d", path, status)
		}
	}
	status, _, b = v.ask("POST", "/v1/do/experiment", `{"name":"e","do":"remove"}`)
	if status != 403 {
		t.Errorf("a page may remove: %d %s", status, b)
	}
}
