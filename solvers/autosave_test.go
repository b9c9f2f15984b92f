package solvers_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestKilledRunComesBack kills a process at full speed and loads what its autosave left.
func TestKilledRunComesBack(t *testing.T) {
	if dir := os.Getenv("METALAB_TEST_AUTOSAVE"); dir != "" {
		autosaveForEver(t, dir)
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.run")
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledRunComesBack$")
	cmd.Env = append(os.Environ(), "METALAB_TEST_AUTOSAVE="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(5 * time.Minute) // only ends a test that fails
	var seen int64
	for seen < 2000 && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
		if rec, err := record.ReadFile(path); err == nil {
			seen = rec.End
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Whole || rec.End < seen || seen < 2000 {
		t.Fatalf("the file ends at %d (whole: %v), seen before the kill: %d", rec.End, rec.Whole, seen)
	}
	inst := grid(t, 20)
	r, err := solvers.Load(t.Context(), path, inst, "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Last().Iter != rec.End {
		t.Errorf("loaded at %d, the file ends at %d", r.Last().Iter, rec.End)
	}
	mustStep(t, r, 10)
	if d, err := solvers.Replay(t.Context(), paper(t, r), inst, solvers.ReplayOptions{}); d != nil ||
		err != nil {
		t.Errorf("replay of the loaded run: %v %v", d, err)
	}
}

func autosaveForEver(t *testing.T, dir string) {
	r := open(t, nil)
	follow, err := solvers.Autosave(
		r, filepath.Join(dir, "a.run"), solvers.AutosaveOptions{Every: 20 * time.Millisecond},
	)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = follow(context.Background()) }()
	for i := 0; ; i++ {
		if _, err := r.Set(
			context.Background(), record.Values{"moves": record.Num(float64(1 + i%3))}, "x",
		); err != nil {
			t.Fatal(err)
		}
		mustStep(t, r, 7)
	}
}

// TestAutosaveIsThereAtOnce: with nothing appended yet, the file has what was done so far.
func TestAutosaveIsThereAtOnce(t *testing.T) {
	r := open(t, nil)
	path := filepath.Join(t.TempDir(), "a.run")
	begun := func(end int64, changes int) {
		t.Helper()
		if _, err := solvers.Autosave(r, path, solvers.AutosaveOptions{Every: time.Hour}); err != nil {
			t.Fatal(err)
		}
		rec, err := record.ReadFile(path)
		if err != nil || rec.End != end || len(rec.Journal) != changes || rec.Header.Run != r.Name() {
			t.Fatalf(
				"the record of %s: %+v, %v; want %d iterations and %d changes", r.Name(), rec, err, end,
				changes,
			)
		}
	}
	begun(0, 0)
	mustStep(t, r, 10)
	if _, err := r.Set(t.Context(), record.Values{"moves": record.Num(3)}, "x"); err != nil {
		t.Fatal(err)
	}
	mustStep(t, r, 7)
	begun(17, 1)
	got, err := solvers.Load(t.Context(), path, grid(t, 20), "")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if got.Last().Iter != 17 || len(got.Journal()) != 1 {
		t.Errorf("loaded at %d with the journal %v", got.Last().Iter, got.Journal())
	}
}

// TestAutosaveCutAnywhere: wherever the file ends, what it holds is the run's beginning, each
// change in its place.
func TestAutosaveCutAnywhere(t *testing.T) {
	r := open(t, nil)
	path := filepath.Join(t.TempDir(), "a.run")
	follow, err := solvers.Autosave(r, path, solvers.AutosaveOptions{Every: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		mustStep(t, r, 3)
		if _, err := r.Set(
			t.Context(), record.Values{"moves": record.Num(float64(2 + i))}, "x",
		); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := follow(ctx); err != nil { // all is appended in one go
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range b {
		if b[n] != '\n' {
			continue
		}
		rec, err := record.Decode(bytes.NewReader(b[:n+1]))
		if err != nil {
			t.Fatal(err)
		}
		d, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{})
		if rec.End == 0 && errors.Is(err, solvers.ErrNothing) {
			continue
		}
		if d != nil || err != nil {
			t.Errorf("cut after byte %d, at iteration %d: %v %v", n, rec.End, d, err)
		}
	}
}

// TestAutosaveOfAWrongBest: a solver that claims a best which it does not have is autosaved all
// the same, as long as its run lives.
func TestAutosaveOfAWrongBest(t *testing.T) {
	r, err := solvers.Open(solvers.Config{Solver: "idle", Instance: grid(t, 5)}) // it has no solution
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := filepath.Join(t.TempDir(), "a.run")
	told := make(chan error, 100)
	follow, err := solvers.Autosave(r, path, solvers.AutosaveOptions{
		Every: 20 * time.Millisecond,
		OnError: func(err error) {
			select {
			case told <- err:
			default:
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	mustStep(t, r, 10)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- follow(ctx) }()
	if err := <-told; err == nil {
		t.Error("nothing is said of the best")
	}
	if rec, err := record.ReadFile(path); err != nil || rec.End != 10 {
		t.Errorf("the autosave after it: %+v, %v", rec, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestFullDisk saves to a file system without room: what was saved before stays.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	r := open(t, nil)
	mustStep(t, r, 10)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.run")
	if err := r.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mustStep(t, r, 10)
	a, err := record.Create("/dev/full", r.Header())
	if err == nil {
		a.Close()
		t.Fatal("/dev/full takes a record")
	}
	if err := r.Save(t.Context(), filepath.Join(dir, "missing", "a.run")); err == nil {
		t.Error("a save to a folder that does not exist gives no error")
	}
	after, err := os.ReadFile(path)
	if err != nil || string(before) != string(after) {
		t.Errorf("the saved record changed: %v", err)
	}
}

// BenchmarkEngine measures what the engine adds to an iteration: the algorithm does
// nothing.
func BenchmarkEngine(b *testing.B) {
	r, err := solvers.Open(solvers.Config{Solver: "idle", Instance: grid(b, 5)})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	mustStep(b, r, 5000)
	b.ReportAllocs()
	b.ResetTimer()
	mustStep(b, r, b.N)
}

// idle is an algorithm whose iterations cost nothing.
type idle struct{ best float64 }

func (*idle) Declare(*solvers.Params)       {}
func (*idle) Init(*solvers.Env) error       { return nil }
func (*idle) Measures() []string            { return []string{"x"} }
func (s *idle) Best() float64               { return s.best }
func (*idle) Solution() record.Solution     { return record.Solution{} }
func (*idle) Verify() error                 { return nil } // nobody looks at its claims
func (*idle) Snapshot(*solvers.Writer)      {}
func (*idle) Restore(*solvers.Reader) error { return nil }
func (*idle) Close()                        {}
func (*idle) Iterate(_ context.Context, it int64, p *record.Point) error {
	p.Digest = uint64(it)
	return nil
}

func init() {
	solvers.Register(solvers.Variant{
		Solver: "idle", Name: "x", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "does nothing",
		New: func(datasets.Instance) (solvers.Algorithm, error) { return &idle{}, nil },
	})
}
