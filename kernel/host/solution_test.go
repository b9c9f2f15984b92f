package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A best solution is written as TSPLIB and QAPLIB do, and runs begin at what is read back; the
// record keeps it, so that replay needs no file.
func TestSolutionsInFiles(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := filepath.Dir(l.o.StateDir)
	l.do("open acs rand-100-1 as a; step a 3; export a " + dir + "/a.tour")
	best := l.show("a").Best
	l.do("open ils rand-100-1 as i start=" + dir + "/a.tour; step i 2; repeat i 2 n=2; save i " +
		dir + "/i.run")
	if s := l.show("i"); s.Best > best {
		t.Errorf("the best is %v, and the run began at %v", s.Best, best)
	}
	if r := l.do("open ils rand-100-1 as i start=" + dir + "/a.tour").(*reply.OpenReply); !r.Attached {
		t.Errorf("the same again: %+v", r)
	}
	l.fails("open ils rand-100-1 as i", wire.CodeDiffers, "start was given")
	l.do("open ils rand-100-1 as n start=nn") // the parameter
	l.fails("open acs rand-100-1 as b start="+dir+"/a.tour", wire.CodeRequest,
		"acs/seq takes none: its ants build each tour anew", "mmas/focused", "ils/queue")
	l.fails("open ils rand-90-1 as b start="+dir+"/a.tour", wire.CodeRequest, "100 entries, want 90")
	if err := os.Remove(dir + "/a.tour"); err != nil {
		t.Fatal(err)
	}
	if r := l.do("replay " + dir + "/i.run").(*reply.ReplayReply); !r.Identical {
		t.Errorf("replay: %v", r)
	}
	l.do("load " + dir + "/i.run as j")

	l.do("open tabu tai10a as q; step q 2; export q " + dir + "/q.sln; open tabu tai10a as r start=" +
		dir + "/q.sln; step r 1")
	if q, r := l.show("q"), l.show("r"); r.Best > q.Best {
		t.Errorf("tabu begins at %v and has %v", q.Best, r.Best)
	}
	text, err := os.ReadFile(dir + "/q.sln")
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), "10 ", "10 1", 1)
	if err := os.WriteFile(dir+"/w.sln", []byte(wrong), 0o600); err != nil {
		t.Fatal(err)
	}
	l.fails("open tabu tai10a as w start="+dir+"/w.sln", wire.CodeRequest, "says that its cost is 1")
	l.fails("export q "+dir+"/q.tour", wire.CodeRequest, "want .sln")
	l.fails("export a "+dir+"/a.tour all", wire.CodeRequest, "of histories")
	l.fails("open tabu queen5_5 as c start="+dir+"/q.sln", wire.CodeRequest, "of kind colouring")
}
