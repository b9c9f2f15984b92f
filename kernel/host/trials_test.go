package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// What a file says that is not searched on, and distances that rounding eats, are said wherever the
// file is opened.
func TestNotesOfFiles(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	write := func(name, text string) {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("unit.csv", "name,x,y\na,0.1,0.2\nb,0.4,0.2\nc,0.3,0.9\nd,0.8,0.5\ne,0.2,0.6\nf,0.7,0.1\n")
	write("scale.tsp", "NAME: x\nTYPE: TSP\nDIMENSION: 4\nSCALE: 1000\nEDGE_WEIGHT_TYPE: EUC_2D\n"+
		"NODE_COORD_SECTION\n1 0 0\n2 300 0\n3 300 400\n4 0 400\n")
	for file, want := range map[string]string{
		"unit.csv": "multiply the coordinates by a thousand", "scale.tsp": "SCALE (line 4)",
	} {
		path := dir + "/" + file
		for _, line := range []string{
			"open ils " + path + " as a", "solve " + path + " 0.2s as b", "instance " + path,
			"step a 1; route a",
		} {
			a := l.Do(line)
			if !strings.Contains(a.String(), want) || !strings.Contains(a.HTML(), want) {
				t.Errorf("%s: %v, want %q", line, a, want)
			}
		}
		l.Do("close a; close b")
	}
	if c := l.Do("cities " + dir + "/unit.csv").(*reply.CitiesReply); !c.Coarse {
		t.Errorf("cities: %s", c)
	}
	l.Fails("open ils "+dir+"/none.zip as z", wire.CodeFile, "none.zip")
}

// Fixed edges of a file are kept or refused, by name; a record of before goes on without them.
func TestFixedEdgesOfAFile(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := filepath.Dir(l.O.StateDir)
	plain := "NAME: x\nTYPE: TSP\nDIMENSION: 6\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n" +
		"1 0 0\n2 10 0\n3 20 0\n4 20 10\n5 10 10\n6 0 10\n"
	put := func(text string) {
		if err := os.WriteFile(dir+"/fixed.tsp", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(plain)
	l.Do("open ils " + dir + "/fixed.tsp as old; step old 3; save old " + dir + "/old.run; close old")
	put(plain + "FIXED_EDGES_SECTION\n1 4\n3 6\n-1\nEOF\n")
	if p := l.Do("replay " + dir + "/old.run").(*reply.ReplayReply); !p.Identical {
		t.Errorf("a record without fixed edges: %v", p)
	}
	o := l.Do("open ils " + dir + "/fixed.tsp as a").(*reply.OpenReply)
	if !strings.Contains(o.String(), "2 fixed edges (FIXED_EDGES_SECTION, line 12)") {
		t.Errorf("open: %s", o)
	}
	if s := l.Do("step a 3").(*reply.StepReply); s.Best != 84 {
		t.Errorf("best %v, want 84", s.Best)
	}
	l.Do("save a " + dir + "/a.run")
	if p := l.Do("replay " + dir + "/a.run").(*reply.ReplayReply); !p.Identical {
		t.Errorf("with fixed edges: %v", p)
	}
	l.Fails("open acs "+dir+"/fixed.tsp as c", wire.CodeRequest, "FIXED_EDGES_SECTION, line 12",
		"ils on cpu")
	if s := l.Do("solve " + dir + "/fixed.tsp 0.2s as s").(*reply.SolveReply); s.Best != 84 {
		t.Errorf("solve: %s", s)
	}
}
