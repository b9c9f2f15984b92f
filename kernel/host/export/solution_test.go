package export_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/host"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
	_ "metalab/solvers/spins"
)

// A best solution is written as TSPLIB and QAPLIB do, and runs begin at what is read back; the
// record keeps it, so that replay needs no file.
func TestSolutionsInFiles(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	l.Do("open acs rand-100-1 as a; step a 3; export a " + dir + "/a.tour")
	best := l.Show("a").Best
	l.Do("open ils rand-100-1 as i start=" + dir + "/a.tour; step i 2; repeat i 2 n=2; save i " +
		dir + "/i.run")
	if s := l.Show("i"); s.Best > best {
		t.Errorf("the best is %v, and the run began at %v", s.Best, best)
	}
	if r := l.Do("open ils rand-100-1 as i start=" + dir + "/a.tour").(*reply.OpenReply); !r.Attached {
		t.Errorf("the same again: %+v", r)
	}
	l.Fails("open ils rand-100-1 as i", wire.CodeDiffers, "start was given")
	l.Do("open ils rand-100-1 as n start=nn") // the parameter
	l.Fails("open acs rand-100-1 as b start="+dir+"/a.tour", wire.CodeRequest,
		"acs/seq takes none: its ants build each tour anew", "mmas/focused", "ils/queue")
	l.Fails("open ils rand-90-1 as b start="+dir+"/a.tour", wire.CodeRequest, "100 entries, want 90")
	if err := os.Remove(dir + "/a.tour"); err != nil {
		t.Fatal(err)
	}
	if r := l.Do("replay " + dir + "/i.run").(*reply.ReplayReply); !r.Identical {
		t.Errorf("replay: %v", r)
	}
	l.Do("load " + dir + "/i.run as j")

	l.Do("open tabu tai10a as q; step q 2; export q " + dir + "/q.sln; open tabu tai10a as r start=" +
		dir + "/q.sln; step r 1")
	if q, r := l.Show("q"), l.Show("r"); r.Best > q.Best {
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
	l.Fails("open tabu tai10a as w start="+dir+"/w.sln", wire.CodeRequest, "says that its cost is 1")

	l.Do("open anneal/spins G11 as s; step s 3; export s " + dir + "/s.txt best; " +
		"open anneal/spins G11 as u walks=1 start=" + dir + "/s.txt; step u 1")
	if s, u := l.Show("s"), l.Show("u"); u.Best < s.Best {
		t.Errorf("spins begin at a cut of %v and have %v", s.Best, u.Best)
	}
	l.Fails("export u "+dir+"/q.sln", wire.CodeRequest, "FILE.txt best writes it as text")
	l.Fails("open anneal/spins G11 as x start="+dir+"/q.sln", wire.CodeRequest, "expected 0 or 1")
	l.Fails("export q "+dir+"/q.tour", wire.CodeRequest, "want .sln")
	l.Fails("export a "+dir+"/a.tour all", wire.CodeRequest, "of histories")
	l.Fails("open tabu queen5_5 as c start="+dir+"/q.sln", wire.CodeRequest, "of kind colouring")
}

// A best solution of any problem is written as text, and its entries cost what the file says.
func TestSolutionsAsText(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	for name, instance := range map[string]string{
		"c": "queen5_5", "q": "tai10a", "b": "ppp-73x73-1", "w": "weierstrass-2", "t": "rand-20-1",
	} {
		path := dir + "/" + name + ".txt"
		l.Do("open tabu " + instance + " as " + name + "; step " + name + " 3; export " + name + " " +
			path + " best")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		var s record.Solution
		for _, line := range lines[2:] {
			x, err := strconv.ParseFloat(line, 64)
			if err != nil {
				t.Errorf("%s: %v", instance, err)
			}
			s.Perm, s.Bits = append(s.Perm, int32(x)), append(s.Bits, int8(x))
			s.Real = append(s.Real, x)
		}
		switch name {
		case "b":
			s.Perm, s.Real = nil, nil
		case "w":
			s.Perm, s.Bits = nil, nil
		default:
			s.Bits, s.Real = nil, nil
		}
		inst, err := datasets.Load(instance)
		if err != nil {
			t.Fatal(err)
		}
		cost, err := solvers.Cost(inst, s)
		if want := "# objective " + host.Number(cost); err != nil || lines[1] != want ||
			cost != float64(l.Show(name).Best) ||
			!strings.HasPrefix(lines[0], "# "+name+": tabu/robust on ") {
			t.Errorf("%s: %q, want %q, %v", instance, lines[:2], want, err)
		}
	}
	l.Fails("export c "+dir+"/c.csv best", wire.CodeRequest, "ends in .txt", "export c c.txt best")
	l.Fails("export c "+dir+"/c.txt best seeds", wire.CodeRequest, "of histories")
	l.Fails("export c "+dir+"/c.sln", wire.CodeRequest, "export <run> FILE.txt best")
}
