package solvers_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"metalab/solvers"
	"metalab/solvers/record"
)

// The best solutions that an autosave appends while a run improves are bounded by a rate; the
// newest is there when the run rests.
func TestAutosaveOfManyBests(t *testing.T) {
	r := open(t, nil)
	path := filepath.Join(t.TempDir(), "a.run")
	bests := func() int {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(b, []byte(`"solution":`))
	}
	saved := make(chan int64, 1<<16)
	follow, err := solvers.Autosave(r, path, solvers.AutosaveOptions{
		Every: time.Millisecond, BestRate: 1, // the next best is due in half an hour
		OnSaved: func(it int64) { saved <- it },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- follow(ctx) }()
	mustStep(t, r, 1)
	for at := int64(0); at < 1; at = <-saved { // the first best is there
	}
	first := bests()
	if err := r.Go(); err != nil {
		t.Fatal(err)
	}
	reached := func(it int64) bool {
		rec, err := record.ReadFile(path)
		return err == nil && rec.End >= it
	}
	for !reached(500) {
		time.Sleep(time.Millisecond)
	}
	if n := bests(); first < 1 || n > first {
		t.Errorf("%d bests were appended while it improved, %d before", n, first)
	}
	if err := r.Pause("test"); err != nil {
		t.Fatal(err)
	}
	last := r.Last().Iter
	for at := int64(0); at < last; at = <-saved {
	}
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := r.Best(t.Context()); err != nil || rec.Best.Iter != b.Iter || b.Iter < 2 {
		t.Errorf("the best on the disk is of iteration %d, not %d (%v)", rec.Best.Iter, b.Iter, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
