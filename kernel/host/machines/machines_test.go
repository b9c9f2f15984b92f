package machines_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/host/machines"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
	_ "metalab/solvers/anneal"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
	_ "metalab/solvers/genetic"
)

// desk is a host and a client of it.
type desk struct {
	*testing.T
	c     *wire.Client
	state string
}

// newDesk starts a host in this process.
func newDesk(t *testing.T) *desk {
	t.Helper()
	l := hosttest.Start(t, hosttest.Options(t))
	return &desk{t, l.C, l.O.StateDir}
}

func (d *desk) try(line string) (reply.Reply, error) {
	call, err := words.Parse(line, words.Scope{Dir: "/nowhere", Runs: []string{"a", "g", "h", "q"}})
	if err != nil {
		return nil, err
	}
	a := words.Ask(d.Context(), d.c, d.c.NewCall(), call)[0]
	return a.Reply, a.Err
}

func (d *desk) do(line string) reply.Reply {
	d.Helper()
	r, err := d.try(line)
	if err != nil {
		d.Fatalf("%s: %v", line, err)
	}
	return r
}

// workers are those that the verb lists.
func (d *desk) workers() []reply.Worker {
	d.Helper()
	return d.do("workers").(*reply.WorkersReply).Workers
}

// results are the units of an experiment without times.
func (d *desk) results(name string) string {
	d.Helper()
	rep := d.do("experiment " + name + " units").(*reply.ExperimentReply)
	out := ""
	for _, u := range rep.Of {
		b, err := json.Marshal([]any{
			u.Number, u.Label, u.Instance, u.Seed, u.State, u.Best, u.Gap,
			u.Iteration, u.Error,
		})
		if err != nil {
			d.Fatal(err)
		}
		out += string(b) + "\n"
	}
	return out
}

// What is asked for over the broker of this machine is made by a worker, and is the same as here:
// an experiment, a sweep and a race.
func TestOverEmbed(t *testing.T) {
	machines.Forget(t)
	d := newDesk(t)
	// A broker that does not answer, and a word that is none, plan nothing.
	d.do("open anneal rand-50-1 as a")
	for over, want := range map[string]string{
		"nats://127.0.0.1:1": "over: broker nats://127.0.0.1:1: ", "attic": "over: attic is none, want ",
	} {
		for _, line := range []string{
			"experiment e0 solvers=anneal instances=rand-50-1 n=5 over=",
			"tune a cooling=0.7..0.99 n=5 units=40 as t0 over=",
		} {
			_, err := d.try(line + over)
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s%s: %v, want %s", line, over, err, want)
			}
		}
	}
	if r := d.do("experiment").(*reply.ExperimentReply); len(r.List) != 0 {
		t.Errorf("refused experiments are planned: %+v", r.List)
	}
	for line, want := range map[string]string{
		"workers wait=1":  "there is no broker that workers could join",
		"workers wait=-1": "wait is -1, want 0 to",
	} {
		if _, err := d.try(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	if r := d.do("workers").(*reply.WorkersReply); r.Broker != "" || len(r.Workers) != 0 {
		t.Errorf("before a broker is there: %+v", r)
	}
	r := d.do("workers serve").(*reply.WorkersReply)
	if self, err := os.Executable(); err != nil || r.Program != self {
		t.Errorf("the program of workers is %q, want %q: %v", r.Program, self, err)
	}
	if !strings.HasPrefix(r.Broker, "nats://127.0.0.1:") || r.Line != "repl worker "+r.Broker {
		t.Fatalf("serve: %+v", r)
	}
	var saved struct{ URL, Token string }
	path := filepath.Join(d.state, "broker.json")
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &saved) != nil || saved.URL != r.Broker {
		t.Fatalf("%v: %s", err, b)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the token can be read by others: %v %v", st.Mode(), err)
	}
	text, err := json.Marshal(r)
	if err != nil || bytes.Contains(text, []byte(saved.Token)) {
		t.Errorf("the token is in the answer: %s %v", text, err)
	}
	w := &stream.Worker{
		Address: stream.Address{URL: saved.URL, Token: saved.Token}, Name: "attic", Cores: 2,
	}
	joined, ended := make(chan struct{}), make(chan error, 1)
	w.Joined = func(string) { close(joined) }
	go func() { ended <- w.Run(context.Background()) }()
	<-joined
	plan := " solvers=anneal instances=rand-50-1,rand-60-1 seeds=3 n=5"
	over := d.do("experiment e1" + plan + " over=embed").(*reply.ExperimentReply)
	here := d.do("experiment e2" + plan).(*reply.ExperimentReply)
	if over.Made != 6 || here.Made != 6 || d.results("e1") != d.results("e2") {
		t.Errorf("over the broker:\n%s\nhere:\n%s", d.results("e1"), d.results("e2"))
	}
	d.do("sweep a cooling=0.8,0.9 n=5 seeds=2 as s1 over=" + saved.URL)
	d.do("sweep a cooling=0.8,0.9 n=5 seeds=2 as s2")
	if d.results("s1") != d.results("s2") {
		t.Errorf("sweep over the broker:\n%s\nhere:\n%s", d.results("s1"), d.results("s2"))
	}
	t1 := d.do("tune a cooling=0.7..0.99 n=5 units=40 as t1 over=embed").(*reply.TuneReply)
	t2 := d.do("tune a cooling=0.7..0.99 n=5 units=40 as t2").(*reply.TuneReply)
	if t1.Line != t2.Line || d.results("t1") != d.results("t2") {
		t.Errorf("race over the broker: %s\n%s\nhere: %s\n%s", t1.Line, d.results("t1"), t2.Line,
			d.results("t2"))
	}
	if _, err := d.try("experiment e3" + plan + " over=moon"); err == nil ||
		!strings.Contains(err.Error(), "moon is none, want local, embed, or nats://") {
		t.Errorf("over=moon: %v", err)
	}
	if _, err := d.try("experiment e3"); err == nil {
		t.Error("what was refused was planned")
	}
	if r := d.do("workers wait=1").(*reply.WorkersReply); len(r.Workers) != 1 {
		t.Errorf("one was waited for: %+v", r.Workers)
	}
	two, cancel := context.WithCancel(t.Context())
	call, err := words.Parse("workers wait=2", words.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() { waited <- words.Ask(two, d.c, d.c.NewCall(), call)[0].Err }()
	if all := d.workers(); len(all) != 1 || all[0].Name != "attic" || all[0].Cores != 2 {
		t.Errorf("workers: %+v", all)
	}
	d.do("open ga rand-50-1 as g islands=3 population=16 migration_period=2 over=embed")
	d.do("step g 9")
	if r := d.do("islands g").(*reply.IslandsReply); r.Over != "3 with attic" {
		t.Errorf("islands are with %q", r.Over)
	}
	d.do("open ga rand-50-1 as h islands=3 population=16 migration_period=2")
	d.do("step h 9")
	if r := d.do("diff g h").(*reply.DiffReply); !r.Identical {
		t.Errorf("islands over the broker: %v", r)
	}
	if r := d.do("islands g over=local").(*reply.IslandsReply); r.Over != "" {
		t.Errorf("islands at home are with %q", r.Over)
	}
	for line, want := range map[string]string{
		"islands g over=moon":                          "over: moon is none, want local, embed, or ",
		"islands g over=nats://127.0.0.1:1":            "nothing listens there",
		"open anneal rand-50-1 as q over=embed":        "it has no islands: open or fork it with ",
		"open ga rand-50-1 as q islands=2 over=nats:/": "over: nats:/ is none",
	} {
		if _, err := d.try(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	if _, err := d.try("show q"); err == nil {
		t.Error("a run whose islands could not be placed is open")
	}
	select {
	case err := <-waited:
		t.Errorf("a second worker was waited for, and is none: %v", err)
	default:
	}
	cancel()
	if err := <-waited; err == nil {
		t.Error("a wait that was given up has ended well")
	}
	d.do("worker attic drain")
	if err := <-ended; err != nil {
		t.Error(err)
	}
	d.do("workers wait=0")
	if all := d.workers(); len(all) != 0 {
		t.Errorf("after it drained: %+v", all)
	}
	if _, err := d.try("worker attic stop"); err == nil {
		t.Error("a worker that has gone is told to stop")
	}
}

// The broker of another session ends with it: this one starts the next, and goes on.
func TestOtherSessionEnds(t *testing.T) {
	machines.Forget(t)
	d := newDesk(t)
	token := strings.Repeat("0a", 16)
	b, err := broker.Start(broker.Options{Token: token, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{"url": b.URL(), "token": token})
	if err == nil {
		err = os.MkdirAll(d.state, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(d.state, "broker.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.do("experiment e1 solvers=anneal instances=rand-50-1 seeds=20 n=1000 over=embed background")
	w := &stream.Worker{Address: stream.Address{URL: b.URL(), Token: token}, Name: "attic", Cores: 1}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	made := func(least int) {
		for range 6000 {
			if d.do("experiment e1").(*reply.ExperimentReply).Done >= least {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Errorf("%d units are not made", least)
	}
	made(1)
	b.Close()
	made(20)
}

// What the command of a worker prints for Slurm and Kubernetes, and what it refuses.
func TestCommand(t *testing.T) {
	run := func(args ...string) (string, string, int) {
		var out, bad bytes.Buffer
		status := machines.Worker(args, &out, &bad)
		return out.String(), bad.String(), status
	}
	for _, c := range []struct {
		args, want string
	}{
		{"", "0 addresses"},
		{"nats://secretword@127.0.0.1:1 -slurm", "METALAB_NATS_TOKEN"},
		{"nats://a -cores -1", "-cores is -1"},
		{"nats://a -gpus x", "-gpus is"},
		{"nats://a -name a.b", "-name is"},
		{"nats://a -array 0", "-array is 0"},
		{"nats://a'", "quotes"},
		{"nats://a -slurm -k8s", "both"},
		{"nats://a nats://b", "addresses"},
		{"nats://a -for -1s", "-for is -1s"},
		{"embed -slurm", "the address is embed"},
	} {
		out, bad, status := run(strings.Fields(c.args)...)
		if strings.Contains(out+bad, "secretword") {
			t.Errorf("%s: the token is shown: %s%s", c.args, out, bad)
		}
		if status != 2 || !strings.Contains(bad, c.want) {
			t.Errorf("%s: %d %s", c.args, status, bad)
		}
	}
	t.Setenv("METALAB_STATE", t.TempDir())
	_, bad, status := run("embed", "-name", "a")
	if status != 1 || !strings.Contains(bad, "this machine has no broker: workers serve starts one") {
		t.Errorf("where there is no broker: %d %s", status, bad)
	}
	_, bad, status = run("nats://10.0.0.1:4222", "-name", "a")
	if status != 1 || !strings.Contains(bad, "is on another machine") {
		t.Errorf("elsewhere without keys: %d %s", status, bad)
	}
}
