package experiments_test

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A damaged file of experiments is named, and everything else goes on; what can be read of it is
// saved on request, and an empty one is begun only when that is said.
func TestDamagedExperiments(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	path := filepath.Join(o.StateDir, "experiments.sqlite")
	l := start(t, o)
	l.Fails("experiment recover", wire.CodeRequest, path, "is not damaged")
	l.Fails("experiment recover empty", wire.CodeRequest, path, "is not damaged")
	if _, err := os.Stat(path); err == nil {
		t.Error("a store was made")
	}
	const line = "experiment e solvers=walk instances=rand-60-1 seeds=5 n=20 moves=1,100"
	before := l.Do(line).(*reply.ExperimentReply)
	l.Fails("experiment recover", wire.CodeRequest, path, "is not damaged")
	l.Fails("experiment recover solvers=walk instances=rand-60-1 n=3", wire.CodeRequest,
		"experiment NAME solvers=… takes it")
	l.Fails("experiment e empty", wire.CodeRequest, "experiment recover empty takes it")
	l.End()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage := func(d []byte) {
		t.Helper()
		if err := os.WriteFile(path, d, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bad := append(make([]byte, 100), data[100:]...)
	damage(bad)
	l = start(t, o)
	l.Do("open walk rand-30-1 as a seed=7")
	for _, line := range []string{
		"experiment", "experiment e", "experiment e go",
		"experiment f solvers=walk instances=rand-60-1 n=3",
		"chart e", "sweep a moves=1,2 seeds=2 n=3", "tune a moves=1..9 n=5 instances=rand-30-1 as t",
	} {
		l.Fails(line, wire.CodeFile, path+" is damaged", "experiment recover saves")
	}
	d := l.Do("doctor").(*reply.DoctorReply).String()
	if !strings.Contains(d, "FAIL  experiments: "+path) {
		t.Errorf("%s", d)
	}
	l.Do("step a 30; set a moves=2; fork a as b; step b 5")
	l.Do("save a " + filepath.Dir(o.StateDir) + "/a.run")
	l.Do("repeat a 5 n=3; compare a b; plot a; undo a")
	if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, bad) {
		t.Errorf("the file was changed, %v", err)
	}
	r := l.Do("experiment recover").(*reply.ExperimentReply)
	if is, err := os.ReadFile(r.Recovered.Aside); err != nil || !bytes.Equal(is, bad) {
		t.Errorf("what is kept is another, %v", err)
	}
	for _, want := range []string{
		path + " is new; saved into it", "e: 10 units saved, 10 results (10 traces, 10 solutions)",
		"the damaged file is kept as " + r.Recovered.Aside,
	} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("lacks %q:\n%s", want, r)
		}
	}
	after := l.Do(line).(*reply.ExperimentReply)
	if after.Made != 0 || after.Added != 0 || after.Rows[1].Median != before.Rows[1].Median {
		t.Errorf("%+v, before %+v", after.Rows, before.Rows)
	}
	if d := l.Do("doctor").(*reply.DoctorReply).String(); !strings.Contains(d, path+" is whole") {
		t.Errorf("%s", d)
	}
	l.End()
	damage(bytes.Repeat([]byte("oops"), 3000))
	l = start(t, o)
	l.Fails("experiment recover", wire.CodeRequest, "no unit can be read", "experiment recover empty")
	r = l.Do("experiment recover empty").(*reply.ExperimentReply)
	if !strings.Contains(r.String(), path+" is new, and empty") {
		t.Errorf("%s", r)
	}
	if r := l.Do("experiment").(*reply.ExperimentReply); len(r.List) != 0 {
		t.Errorf("%+v", r.List)
	}
	if r := l.Do(line).(*reply.ExperimentReply); r.Made != 10 {
		t.Errorf("%+v", r)
	}
}

// A session that has the file open goes on with the one that another session has made of it.
func TestRecoveredElsewhere(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	l := start(t, o)
	l.Do("experiment e solvers=walk instances=rand-60-1 seeds=3 n=20")
	other := o
	other.Session, other.Socket = "other", filepath.Dir(o.Socket)+"/other.sock"
	m := start(t, other)
	path := filepath.Join(o.StateDir, "experiments.sqlite")
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.Exec("UPDATE settings SET budget = '{'; PRAGMA wal_checkpoint")
	}
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	l.Fails("experiment e units", wire.CodeFile, path+" is damaged")
	m.Fails("experiment recover", wire.CodeRequest, "no unit can be read") // no unit has a setting
	m.Do("experiment recover empty; experiment f solvers=walk instances=rand-60-1 seeds=2 n=20")
	if r := l.Do("experiment").(*reply.ExperimentReply); len(r.List) != 1 || r.List[0].Name != "f" {
		t.Errorf("%+v", r.List)
	}
}

// A file of an earlier version is kept as it was, which all are told once.
func TestEarlierExperiments(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	path := filepath.Join(o.StateDir, "experiments.sqlite")
	l := start(t, o)
	l.Do("experiment e solvers=walk instances=rand-60-1 seeds=3 n=20")
	l.End()
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.Exec("DROP TABLE journal; PRAGMA user_version = 2")
	}
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	l = start(t, o)
	told := l.Notices()
	if r := l.Do("experiment e").(*reply.ExperimentReply); r.Done != 3 {
		t.Errorf("%+v", r)
	}
	if s := <-told; !strings.Contains(s, filepath.Join(o.StateDir, "experiments.version-2.sqlite")) {
		t.Errorf("%s", s)
	}
}
