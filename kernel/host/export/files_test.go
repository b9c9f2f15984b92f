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

// No verb replaces a file of the user's without the word force, and each replaces its own.
func TestFilesOfTheUserStay(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir() + "/"
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(dir+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("in.csv", "name,x,y\na,0,0\nb,3,0\nc,3,4\nd,0,4\n")
	l.Do("open walk " + dir + "in.csv as a; step a 5; open ils/best rand-12-1 as i islands=2 " +
		"migration_period=2; step i 4; repeat a 5 n=3")
	l.Do("experiment e1 solvers=walk instances=rand-12-1 seeds=2 n=3")
	const mine = "of somebody\n"
	for _, c := range []struct{ line, file string }{
		{"save a DIR/x.run", "x.run"},
		{"save a DIR/x.run nostate", "x.run"},
		{"islands i 0 to DIR/x.run", "x.run"},
		{"export a DIR/x.csv", "x.csv"},
		{"export a DIR/x.csv all", "x.csv"},
		{"export a DIR/x.csv seeds", "x.csv"},
		{"export a DIR/x.tour", "x.tour"},
		{"plot a to DIR/x.svg", "x.svg"},
		{"plot a tour to DIR/x.png", "x.png"},
		{"cities DIR/in.csv to DIR/x.csv", "x.csv"},
		{"cities DIR/in.csv to DIR/x.tsp", "x.tsp"},
		{"route a to DIR/x.csv", "x.csv"},
		{"experiment e1 export to DIR/x.csv", "x.csv"},
		{"experiment e1 export to DIR/x.tex", "x.tex"},
		{"experiment e1 export to DIR/", "runs.parquet"},
		{"chart e1 to DIR/x.svg", "x.svg"},
	} {
		line := strings.ReplaceAll(c.line, "DIR/", dir)
		put(c.file, mine)
		l.Fails(line, wire.CodeTaken, c.file, " is there", "force")
		if got := read(t, dir+c.file); got != mine {
			t.Errorf("%s: the file holds %q", c.line, got)
		}
		l.Do(line + " force")
		if read(t, dir+c.file) == mine {
			t.Errorf("%s force: the file was not replaced", c.line)
		}
		l.Do(line) // the same again
		text := read(t, dir+c.file)
		if filepath.Ext(c.file) != ".run" { // changed since
			put(c.file, text+" ")
			l.Fails(line, wire.CodeTaken, "was changed since metalab wrote it")
			put(c.file, text)
			l.Do(line) // it holds just that again
		}
		for _, f := range []string{c.file, c.file + ".state"} {
			if err := os.Remove(dir + f); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
	}
}

// What metalab wrote of one run is not replaced by the same of another, nor by another thing, nor a
// record of more iterations by one of fewer.
func TestFilesOfOtherRunsStay(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir() + "/"
	l.Do("open walk rand-20-1 as a; step a 50; save a " + dir + "x.run; plot a to " + dir + "x.svg; " +
		"export a " + dir + "x.csv; export a " + dir + "x.tour")
	l.Do("open walk rand-20-1 as b seed=2; step b 1")
	l.Fails("save b "+dir+"x.run", wire.CodeTaken, "the record of another run, a (walk/swap on "+
		"rand-20-1, seed 1, iteration 50")
	l.Fails("plot b to "+dir+"x.svg", wire.CodeTaken, "the figure of run a")
	l.Fails("export b "+dir+"x.csv", wire.CodeTaken, "the history of run a")
	l.Fails("export b "+dir+"x.tour", wire.CodeTaken, "x.tour")
	l.Fails("route a to "+dir+"x.csv", wire.CodeTaken, "the history of run a")
	both := wire.PlotRequest{Runs: []string{"a", "b"}, To: dir + "x.svg"} // a is on it too
	if err := l.C.Do(t.Context(), "plot", both, &reply.PlotReply{}); err != nil {
		t.Fatal(err)
	}
	l.Fails("plot a to "+dir+"x.svg", wire.CodeTaken, "the figure of run a, b")

	// Another session's a: what it has of the same run made again is more, or not.
	next := l.Next()
	next.Do("open walk rand-20-1 as a; step a 10")
	next.Fails("save a "+dir+"x.run", wire.CodeTaken, "iteration 50")
	next.Do("export a " + dir + "x.csv") // the history of the same run
	next.Do("step a 60; save a " + dir + "x.run")
	next.Do("close a; load " + dir + "x.run as a; step a 1; save a " + dir + "x.run")
	next.Do("fork a as c; set c moves=3; step c 100")
	next.Fails("save c "+dir+"x.run", wire.CodeTaken, "the record of another run, a")
	if err := os.WriteFile(dir+"y.run.state", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	next.Fails("save c "+dir+"y.run", wire.CodeTaken, "no state of a run")
	if text := read(t, dir+"y.run.state"); text != "mine" {
		t.Errorf("the state is %q", text)
	}
}

// Endings that mean something else are told with those that are meant.
func TestEndingsAreChecked(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir() + "/"
	l.Do("open walk rand-12-1 as a; step a 5; experiment e1 solvers=walk instances=rand-12-1 " +
		"seeds=1 n=3")
	for _, c := range []struct{ line, want string }{
		{"save a DIR/x.tsp", ".run"},
		{"save a DIR/x.csv", ".run"},
		{"export a DIR/x.tsp", ".csv"},
		{"export a DIR/x", ".csv"},
		{"plot a to DIR/x.tsp", ".svg"},
		{"route a to DIR/x.tsp", ".csv"},
		{"experiment e1 export to DIR/x.run", "FILE.csv"},
		{"chart e1 to DIR/x.csv", ".svg"},
	} {
		l.Fails(strings.ReplaceAll(c.line, "DIR/", dir), wire.CodeRequest, c.want)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}
}

// Each verb that writes a file which its user names takes the word force, and close does, which may
// drop a run that cannot be kept.
func TestWritersTakeForce(t *testing.T) {
	t.Parallel()
	for _, v := range wire.Verbs {
		_, force := v.Arg("force")
		to, ok := v.Arg("to")
		may := ok && to.Kind == wire.KindPath || v.Name == "save" || v.Name == "export" ||
			v.Name == "close"
		if may != force {
			t.Errorf("%s may replace or drop something: %v, takes force: %v", v.Name, may, force)
		}
	}
}
