package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

func TestExportedPageSaysWhatItCannot(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := t.TempDir()
	page := filepath.Join(dir, "a.html")
	l.do("open walk rand-30-1 as a seed=7; open walk rand-30-1 as b seed=8")
	l.fails("export a "+page, wire.CodeRequest, "a has made no iterations yet")
	l.do("step a 5; step b 5")
	two := wire.ExportRequest{Runs: []string{"a", "b"}, Path: page}
	err := l.c.Do(t.Context(), "export", two, &reply.FileReply{})
	if err == nil || !strings.Contains(err.Error(), "a page has one run") {
		t.Errorf("two runs: %v", err)
	}
	l.fails("export a "+page+" all", wire.CodeRequest, "neither all nor seeds")
	l.fails("export a "+dir+"/a.csv inline", wire.CodeRequest, "of a page, as in: export a a.html")
	l.fails("export c "+page, wire.CodeRun, "c")
	l.fails("export "+dir+"/no.run "+page, wire.CodeFile, "no.run")
	other := filepath.Join(dir, "other.js")
	if err := os.WriteFile(other, []byte("alert(1)"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.fails("export a "+page+" engine="+other, wire.CodeRequest, other+" is no engine of pages")
	if _, err := os.Stat(page); err == nil {
		t.Error("a page was written all the same")
	}
}
