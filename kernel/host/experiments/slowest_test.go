package experiments_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Slowest lists the units that took the most time by the clock that is named, and says what share
// of all time they and the most expensive row took.
func TestSlowestUnits(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	ask := func(line string) *reply.ExperimentReply {
		t.Helper()
		return l.Do(line).(*reply.ExperimentReply)
	}
	// Twelve units of p, of 1 to 12 s by the wall and 12 to 1 s of the CPU, and one of q without a
	// CPU time.
	var text strings.Builder
	text.WriteString("solver,instance,seed,best,wall_s,cpu_s\n")
	for i := 1; i <= 12; i++ {
		fmt.Fprintf(&text, "p,one,%d,100,%d,%d\n", i, i, 13-i)
	}
	text.WriteString("q,two,1,100,22,\n")
	file := filepath.Join(hosttest.Folder(t), "p.csv")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ask("experiment e import from " + file)
	r := ask("experiment e slowest")
	if len(r.Of) != 10 || r.By != "wall" || r.Of[0].Label != "q" || r.Of[0].WallS != 22 ||
		r.Of[1].WallS != 12 || r.Of[9].WallS != 4 {
		t.Fatalf("%+v", r.Of)
	}
	if want := "13 units took 1m40s of wall time in all; the 10 listed took 94 % of it"; len(
		r.Report) != 2 || r.Report[0] != want || r.Report[1] != "the most went to p on one: 78 s, 78 %" {
		t.Errorf("%q", r.Report)
	}
	c := ask("experiment e slowest by=cpu")
	if len(c.Of) != 10 || c.Of[0].CPUS != 12 || c.Of[9].CPUS != 3 || len(c.Report) != 1 {
		t.Errorf("by=cpu: %+v, %q", c.Of, c.Report)
	}
	for by, r := range map[string]*reply.ExperimentReply{"time": r, "cpu": c} {
		if head, _, _ := strings.Cut(strings.SplitN(r.Fit(44), "\n", 2)[1], "\n"); !strings.Contains(
			head+" ", " "+by+" ") {
			t.Errorf("in 44 columns there is no %s: %s", by, head)
		}
	}
	l.Fails("experiment e slowest by=iterations", wire.CodeRequest,
		`slowest: by is "iterations", want wall or cpu`)
	l.Fails("experiment e slwest", wire.CodeRequest, "; did you mean slowest?")
	if err := os.WriteFile(file, []byte("solver,instance,seed,best\np,one,1,100\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	ask("experiment f import from " + file)
	if r := ask("experiment f slowest"); len(r.Of) != 0 || r.Note != "no unit has a wall time yet" {
		t.Errorf("%+v", r)
	}
}
