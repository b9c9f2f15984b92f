package experiments_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
	"metalab/solvers/record"
)

// onDevice adds an experiment of walk on the processor and on two GPUs to the file of a folder,
// with 5 seeds each. What came of the units is written by hand; the last one on a GPU is left.
func onDevice(t *testing.T, state string) {
	t.Helper()
	load := func(ctx context.Context, name string) (datasets.Instance, error) {
		return datasets.LoadContext(ctx, name)
	}
	p := experiment.Plan{
		Settings:  []experiment.Setting{{Solver: "walk"}, {Solver: "walk", Params: record.Of("size", 1)}},
		Instances: []string{"rand-60-1"}, Seeds: 5, First: 1, Budget: record.Budget{Wall: 0.05},
	}
	units, err := p.Units(t.Context(), load)
	if err != nil {
		t.Fatal(err)
	}
	for i := range units {
		u := &units[i]
		if u.Params["size"] == record.Num(1) {
			u.Backend, u.Label = "cuda", "walk/swap on cuda"
		}
		if u.Key, err = u.MakeKey(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := sqlite.Open(filepath.Join(state, "experiments.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Add(t.Context(), "e", p, units); err != nil {
		t.Fatal(err)
	}
	q, err := f.Queue(t.Context(), "e", false)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	finish := func(backend string, r experiment.Result) {
		t.Helper()
		u, ok, err := q.Take(t.Context(), backend)
		if err != nil || !ok {
			t.Fatalf("no unit on %s: %v", backend, err)
		}
		r.Iterations, r.Ended, r.Machine = 9, time.Now(), "a processor"
		if err := q.Finish(t.Context(), u, r); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		finish("cpu", experiment.Result{Best: 50, Wall: 0.05, Trace: []experiment.TracePoint{
			{Iteration: 1, Wall: 0.002, Best: 100}, {Iteration: 9, Wall: 0.05, Best: 50},
		}})
		if i < 4 {
			finish("cuda", experiment.Result{
				Best: 10, Wall: 0.04, Device: fmt.Sprintf("GPU %d: H200", i/2),
				Trace: []experiment.TracePoint{
					{Iteration: 1, Wall: 0.001, Best: 1e9}, {Iteration: 9, Wall: 0.04, Best: 10},
				},
			})
		}
	}
}

// Solvers on GPUs and on the processor are compared within equal wall times, with their devices.
// Units of a GPU wait where there is none, and the table says so.
func TestBestOnDevices(t *testing.T) {
	t.Parallel()
	o := hosttest.Options(t)
	l := start(t, o)
	onDevice(t, o.StateDir)
	r := l.Do("experiment e go").(*reply.ExperimentReply)
	if r.Done != 9 || r.Failed != 0 || r.Left() != 1 || !strings.HasPrefix(r.Note,
		"1 unit waits for a GPU: ") {
		t.Errorf("%+v, %s", r.ExperimentInfo, r.Note)
	}
	for _, want := range []string{"device", "GPU 0: H200; GPU 1: H200", "1 core of a processor"} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("no %q in\n%s", want, r)
		}
	}
	b := l.Do("experiment e best").(*reply.ExperimentReply)
	if len(b.Rows) != 2 || b.Rows[1].Device != "GPU 0: H200; GPU 1: H200" {
		t.Fatalf("%+v", b.Rows)
	}
	want := "rand-60-1: the best is walk/swap (1 core of a processor) within 0.002 s, walk/swap on " +
		"cuda (GPU 0: H200; GPU 1: H200) within 0.04 s"
	if b.Note != want {
		t.Errorf("%s\nwant\n%s", b.Note, want)
	}
	us := l.Do("experiment e units").(*reply.ExperimentReply)
	if !strings.Contains(us.String(), "GPU 1: H200") || us.Of[1].Device != "GPU 0: H200" {
		t.Errorf("%s", us)
	}
}
