package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"
	_ "metalab/kernel/host/export/replay"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

func init() {
	solvers.Register(solvers.Variant{
		Solver: "racer", Name: "one", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Title: "exchanges that race",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return hosttest.NewWalk(inst), nil
		},
	})
}

func TestExportedPageSaysWhatItCannot(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	page := filepath.Join(dir, "a.html")
	l.Do("open walk rand-30-1 as a seed=7; open walk rand-30-1 as b seed=8")
	l.Fails("export a "+page, wire.CodeRequest, "a has made no iterations yet")
	l.Do("step a 5; step b 5")
	two := wire.ExportRequest{Runs: []string{"a", "b"}, Path: page}
	err := l.C.Do(t.Context(), "export", two, &reply.FileReply{})
	if err == nil || !strings.Contains(err.Error(), "a page has one run") {
		t.Errorf("two runs: %v", err)
	}
	l.Fails("export a "+page+" all", wire.CodeRequest, "neither all nor seeds")
	l.Fails("export a "+dir+"/a.csv inline", wire.CodeRequest, "of a page, as in: export a a.html")
	l.Fails("export c "+page, wire.CodeRun, "c")
	l.Fails("export "+dir+"/no.run "+page, wire.CodeFile, "no.run")
	other := filepath.Join(dir, "other.js")
	if err := os.WriteFile(other, []byte("alert(1)"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Fails("export a "+page+" engine="+other, wire.CodeRequest, other+" is no engine of pages")
	l.Do("open racer rand-30-1 as r; step r 3")
	l.Fails("export r "+page, wire.CodeRequest, "racer/one on cpu: the variant races")
	file := filepath.Join(dir, "own.run")
	l.Do("save a " + file)
	rec, err := record.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rec.Header.Instance = record.InstanceRef{
		Kind: string(datasets.KindOwn), Name: "sack", SHA256: strings.Repeat("1f", 32),
	}
	if err := rec.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	l.Fails("export "+file+" "+page, wire.CodeRequest, "a is of sack, a problem of somebody's own")
	if _, err := os.Stat(page); err == nil {
		t.Error("a page was written all the same")
	}
}
