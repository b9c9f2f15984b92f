package solvers_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// byRecord is a worker in this process that gets and gives what it would in another: text.
func byRecord(t *testing.T, inst datasets.Instance) func(
	context.Context, *record.Record, func(float64)) (record.Seeded, error) {
	return func(ctx context.Context, rec *record.Record, part func(float64)) (record.Seeded, error) {
		var text strings.Builder
		if err := rec.Encode(&text); err != nil {
			t.Error(err)
		}
		back, err := record.Decode(strings.NewReader(text.String()))
		if err != nil {
			return record.Seeded{}, err
		}
		return solvers.MakeSeed(ctx, back, inst, nil, part)
	}
}

// Workers make what this process makes, also of a run that was forked and changed; they are asked
// for no more seeds at once than they are, and for none that is there.
func TestSeedsByWorkers(t *testing.T) {
	ctx := t.Context()
	r, inst := open(t, nil), grid(t, 20)
	if err := r.Step(ctx, 3); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Set(ctx, record.Values{"heat": record.Num(2)}, "test"); err != nil {
		t.Fatal(err)
	}
	f, err := r.Fork(ctx, solvers.Fork{Name: "f"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	q := solvers.Repeats{Seeds: 7, Budget: record.Budget{Iterations: 12}}
	want, _, err := r.Repeat(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	at, most, made := 0, 0, 0
	make := byRecord(t, inst)
	gauge := &solvers.Gauge{}
	workers := &solvers.SeedWorkers{
		Count: 3,
		Make: func(ctx context.Context, rec *record.Record, part func(float64)) (record.Seeded, error) {
			mu.Lock()
			at++
			made++
			most = max(most, at)
			mu.Unlock()
			defer func() { mu.Lock(); at--; mu.Unlock() }()
			time.Sleep(time.Millisecond)
			return make(ctx, rec, part)
		},
	}
	q.Over = workers.Over(gauge)
	got, had, err := f.Repeat(ctx, q)
	if err != nil || had != 0 || made != 7 || most > 3 {
		t.Errorf("%v: had %d, made %d, %d at once", err, had, made, most)
	}
	if parts, seeds, _ := gauge.Far(); parts != 7 || seeds != 7 {
		t.Errorf("%v of %d are made", parts, seeds)
	}
	for i, x := range want.Seeds {
		y := got.Seeds[i]
		if x.Seed != y.Seed || x.Digest != y.Digest || x.Best != y.Best || x.Iter != y.Iter ||
			!slices.Equal(x.Curve.Best, y.Curve.Best) || !slices.Equal(x.Curve.Iter, y.Curve.Iter) {
			t.Errorf("seed %d: by workers %+v, here %+v", x.Seed, y, x)
		}
	}
	q.Seeds, made = 9, 0
	if _, had, err = f.Repeat(ctx, q); err != nil || had != 7 || made != 2 {
		t.Errorf("%v: had %d, and %d were made", err, had, made)
	}
}

// What a worker gets wrong is told with its seed; what others have made is kept.
func TestSeedsOfBrokenWorkers(t *testing.T) {
	r, inst := open(t, nil), grid(t, 20)
	q := solvers.Repeats{Seeds: 3, Budget: record.Budget{Iterations: 2}}
	make := byRecord(t, inst)
	for name, want := range map[string]string{
		"lost": "seed 4: the worker is gone", "other": "of seed 9",
	} {
		workers := &solvers.SeedWorkers{
			Count: 1,
			Make: func(ctx context.Context, rec *record.Record, part func(float64)) (record.Seeded, error) {
				x, err := make(ctx, rec, part)
				switch {
				case x.Seed == 3:
				case name == "lost":
					err = errors.New("the worker is gone")
				default:
					x.Seed = 9
				}
				return x, err
			},
		}
		q.Over = workers.Over(&solvers.Gauge{})
		s, _, err := r.Repeat(t.Context(), q)
		if err == nil || !strings.Contains(err.Error(), want) || len(s.Seeds) != 1 {
			t.Errorf("%s: %v, want %q; %d seeds are kept", name, err, want, len(s.Seeds))
		}
	}
	// A record of another revision, and one that is not of a seed, are refused.
	rec, err := r.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	never := func(float64) {}
	rec.Repeats = nil
	_, err = solvers.MakeSeed(t.Context(), rec, inst, nil, never)
	if !errors.Is(err, record.ErrFormat) {
		t.Errorf("a record without a series: %v", err)
	}
	rec.Repeats = []record.Series{{Budget: record.Budget{Iterations: 1}}}
	rec.Header.Revision++
	var other *solvers.RevisionError
	if _, err := solvers.MakeSeed(t.Context(), rec, inst, nil, never); !errors.As(err, &other) {
		t.Errorf("another revision: %v", err)
	}
}
