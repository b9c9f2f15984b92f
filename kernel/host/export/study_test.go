package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// The page of an experiment has its plan, table, tests, charts and units without a script; where a
// variant is in no engine, it says so.
func TestExportedExperimentSaysWhatItCannot(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	page := filepath.Join(dir, "e1.html")
	l.Fails("export e1 "+page, wire.CodeRun, `no run "e1"`, `nor is there an experiment "e1"`)
	l.Do("experiment e1 solvers=racer instances=rand-30-1,rand-30-2 seeds=5 n=4 moves=1,9")
	l.Fails("export e1 "+page+" all", wire.CodeRequest, "neither all nor seeds")
	rep := l.Do("export e1 " + page).(*reply.FileReply)
	if rep.Units != 20 || rep.Replay != 0 || rep.Engine != "" ||
		!strings.Contains(rep.String(), "20 units, none of which a page makes again") {
		t.Errorf("export: %v", rep)
	}
	text := read(t, page)
	for _, want := range []string{
		"<h1>Experiment e1</h1>", "rand-30-1", "Mann-Whitney", `data-figure="box on rand-30-1"`,
		`data-figure="ecdf on rand-30-2"`, "variant races",
		"None of the 20 units can be made again", "experiment e1 open 1 as a",
		"Revision 1 of racer/one on cpu",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(text, "keptText") || strings.Contains(text, `id="all"`) {
		t.Error("a page that makes nothing again would do it")
	}
	if !strings.Contains(text, `id="upto"`) || !strings.Contains(text, "overText") {
		t.Error("there is no slider over the iterations")
	}
	note := l.Do("experiment e1 export to " + dir + "/by.html").(*reply.ExperimentReply).Note
	if !strings.Contains(note, "20 units") || read(t, dir+"/by.html") != text {
		t.Errorf("experiment export: %q", note)
	}

	l.Do("open walk rand-30-1 as e1") // the run is meant
	l.Fails("export e1 "+dir+"/run.html", wire.CodeRequest, "e1 has made no iterations yet")
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
