//go:build cuda

package guest_test

import (
	"context"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"metalab/gpu"
	"metalab/kernel/guest"
	"metalab/kernel/wire"
	_ "metalab/kernels/moves"
	"metalab/solvers"
	"metalab/solvers/record"
)

// device declares problems to a session, where there is a GPU.
func device(t *testing.T, name string) *guest.Instance {
	t.Helper()
	d, err := gpu.Open(context.Background(), 0)
	if err != nil {
		if gpu.IsUnavailable(err) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	d.Close()
	text, err := os.ReadFile("testdata/" + map[string]string{"ta051": "flowshop"}[name] + ".txt")
	if err != nil {
		text, err = os.ReadFile("testdata/" + name + ".txt")
	}
	if err != nil {
		t.Fatal(err)
	}
	s := guest.NewSession(t.TempDir(), func(line string) { t.Log(line) })
	t.Cleanup(s.Close)
	in, _, err := s.DeclareProblem(context.Background(), wire.DeclareRequest{
		Solver: name, Source: text, Exact: true, Problem: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// A declared problem's search on a GPU makes the CPU's history, with a parameter that changes, and
// its record replays on the CPU.
func TestDeviceDeclared(t *testing.T) {
	in, ctx := device(t, "ta051"), context.Background()
	var records []*record.Record
	for _, backend := range []string{"cuda", "cpu"} {
		start := time.Now()
		r, err := solvers.Open(solvers.Config{
			Solver: "tabu", Instance: in, Seed: 1, Backend: backend,
			Params: record.Of("walks", 64, "tenure", 20, "neighbourhood", "insertion"),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		t.Logf("%s: opened in %.3f s", backend, time.Since(start).Seconds())
		start = time.Now()
		if err := r.Step(ctx, 30); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Set(ctx, record.Of("tenure", 8), "a test"); err != nil {
			t.Fatal(err)
		}
		if err := r.Step(ctx, 20); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: 50 iterations in %.3f s, best %v", backend, time.Since(start).Seconds(),
			r.Last().Best)
		rec, err := r.Record(ctx)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, rec)
		n := r.Last().Iter
		for start = time.Now(); time.Since(start) < 3*time.Second; {
			if err := r.Step(ctx, 10); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: %.4g iterations a second", backend,
			float64(r.Last().Iter-n)/time.Since(start).Seconds())
		if backend == "cuda" {
			toldOfGPU(t, r)
		}
	}
	for i := range records[0].Points {
		a, b := records[0].Points[i], records[1].Points[i]
		if a.Iter != b.Iter || a.Best != b.Best || a.Digest != b.Digest || a.Mean != b.Mean ||
			!reflect.DeepEqual(a.Measures, b.Measures) {
			t.Fatalf("iteration %d: cuda %+v, cpu %+v", a.Iter, a, b)
		}
	}
	for i, on := range []string{"cpu", "cuda"} {
		diff, err := solvers.Replay(ctx, records[i], in, solvers.ReplayOptions{Backend: on})
		if err != nil || diff != nil {
			t.Errorf("replay on %s: %v, %v", on, diff, err)
		}
	}
}

// toldOfGPU tests that what launches take, and how many threads they have, comes from the process
// of the search.
func toldOfGPU(t *testing.T, r *solvers.Run) {
	t.Helper()
	ctx := context.Background()
	if err := r.Time(ctx, true); err != nil {
		t.Fatal(err)
	}
	if err := r.Step(ctx, 1); err != nil {
		t.Fatal(err)
	}
	spans, err := r.Spans(ctx)
	if err != nil || len(spans) != 1 || spans[0].Name != "scans" || spans[0].Time <= 0 {
		t.Errorf("spans: %v, %v", spans, err)
	}
	ws, err := r.Waves(ctx)
	if err != nil || len(ws) != 1 || ws[0].What != "scan of 2450 neighbours of 64 walks" ||
		len(ws[0].Trials) < 2 || ws[0].Config.Threads < 32 {
		t.Errorf("waves: %+v, %v", ws, err)
	}
}

// A thread that fails leaves the run at the iteration before, with the line of the source.
func TestDeviceFaulty(t *testing.T) {
	in, ctx := device(t, "faulty"), context.Background()
	r, err := solvers.Open(solvers.Config{
		Solver: "hill", Instance: in, Seed: 3, Backend: "cuda", Params: record.Of("scans", 1),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	err = r.Step(ctx, 20)
	if err == nil || !strings.Contains(err.Error(), "index out of range") ||
		!strings.Contains(err.Error(), "return f.at[n]") {
		t.Errorf("%v", err)
	}
	t.Log(err)
	n := r.Last().Iter
	if again := r.Step(ctx, 1); again == nil || again.Error() != err.Error() || r.Last().Iter != n {
		t.Errorf("the next step, at iteration %d after %d: %v", r.Last().Iter, n, again)
	}
}
