package experiments_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
)

// A session that has never heard of a problem takes its sense and its own parameters from the files
// that another one exported, and has the verdicts of that, or none.
func TestImportedVerdicts(t *testing.T) {
	t.Parallel()
	const better = "moves=1 against moves=100: moves=100 is better"
	for _, c := range []struct{ own, want string }{
		{`"maximise":true,"own":["moves"]`, "are two objectives of sack, whose own parameter that is"},
		{`"maximise":true,"own":[]`, better},
		{`"own":[]`, better},
	} {
		o, dir := hosttest.Options(t), hosttest.Folder(t)
		l := start(t, o)
		l.Do("experiment e solvers=walk instances=rand-60-1 seeds=6 n=20 moves=1,100")
		l.End()
		ofOwnKind(t, filepath.Join(o.StateDir, "experiments.sqlite"), c.own)
		l = start(t, o)
		if r := l.Do("experiment e report").String(); !strings.Contains(r, c.want) {
			t.Fatalf("%s: no %q in the original:\n%s", c.own, c.want, r)
		}
		l.Do("experiment e export to " + filepath.Join(dir, "e.csv"))
		l.Do("experiment e export to " + filepath.Join(dir, "ioh") + " format=iohprofiler")
		l.End()
		l = start(t, hosttest.Options(t))
		for name, from := range map[string]string{
			"csv": "e.csv", "ioh": "ioh", "other": "e.csv columns=solver:label",
		} {
			line := "experiment " + name + " import from " + filepath.Join(dir, from)
			r := l.Do(line).(*reply.ExperimentReply)
			if r.Added != 12 || strings.Contains(r.Note, "taken as better") {
				t.Errorf("%s, %s: %d new; %s", c.own, name, r.Added, r.Note)
			}
			if r := l.Do("experiment " + name + " report").String(); !strings.Contains(r, c.want) {
				t.Errorf("%s, %s: no %q in\n%s", c.own, name, c.want, r)
			}
		}
	}
}

// Where nothing says which values are better, smaller ones are, and that is said; a column may say
// it. Files of before they said it are read, with their parameters.
func TestImportedSense(t *testing.T) {
	t.Parallel()
	l, dir := start(t, hosttest.Options(t)), t.TempDir()
	older := "unit,label,solver,variant,backend,instance,size,seed,budget,state,best,optimum,gap," +
		"iterations,evaluations,wall_s,cpu_s,ended,machine,device,why,error,kind\n" +
		"1,kind=2,acs,seq,cpu,sack,60,1,2 iterations,done,9,,,2,20,0.5,0.5,,m,,,,2\n" +
		"2,kind=3,acs,seq,cpu,sack,60,1,2 iterations,done,8,,,2,20,0.5,0.5,,m,,,,3\n" +
		"3,kind=3,acs,seq,cpu,sack,60,2,2 iterations,waiting,,,,,,,,,,,,,3\n"
	for name, c := range map[string]struct {
		text, note string
		max        bool
	}{
		"none":  {"solver,instance,best\nx,sack,9\ny,sack,8\n", "smaller ones are taken as", false},
		"max":   {"solver,instance,best,sense\nx,sack,9,maximise\ny,sack,8,MAX\n", "", true},
		"known": {"solver,instance,best\nx,rand-60-1,900\ny,rand-60-1,800\n", "", false},
		"older": {older, "1 without a result left out; neither the file nor this session", false},
	} {
		file := filepath.Join(dir, name+".csv")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := l.Do("experiment " + name + " import from " + file).(*reply.ExperimentReply)
		if r.Added != 2 || len(r.Rows) != 2 || r.Rows[0].Maximise != c.max ||
			!strings.Contains(r.Note, c.note) || c.note == "" && strings.Contains(r.Note, "taken as") {
			t.Errorf("%s: %s, %+v", name, r.Note, r.Rows)
		}
	}
}
