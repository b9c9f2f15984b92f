package conform

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"

	"pgregory.net/rapid"
)

// operations are what checkInterleavings does, the more often named the more often. Go and
// pause are not among them: on a busy machine a small instance makes a great many iterations
// between the two, all of which would be replayed. The tests of package solvers have them.
var operations = []int{0, 0, 0, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5}

// checkInterleavings does random things to a run and compares it with a run that had
// only its changes made, at the same iterations.
func checkInterleavings(t *testing.T, c Case) {
	ctx := context.Background()
	trials := 0
	rapid.Check(t, func(rt *rapid.T) {
		// rapid asks for a hundred unless its flag says otherwise; failures are
		// tried again, so the count ends nothing that has failed.
		if trials++; trials > c.Trials && !t.Failed() {
			return
		}
		r, err := solvers.Open(solvers.Config{
			Name: "a", Solver: c.Solver, Variant: c.Variant, Backend: c.Backend,
			Instance: c.Instance, Seed: c.Seed, Params: c.Params,
		})
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { r.Close() }()
		ops := rapid.SliceOfN(rapid.SampledFrom(operations), 1, 8).Draw(rt, "operations")
		for _, op := range ops {
			k := rapid.IntRange(1, 5).Draw(rt, "k")
			switch op {
			case 0, 1:
				if err := r.Step(ctx, k); err != nil {
					rt.Fatal(err)
				}
			case 2: // set
				ps, err := r.Params(ctx)
				if err != nil {
					rt.Fatal(err)
				}
				p := rapid.SampledFrom(ps).Draw(rt, "parameter")
				if v, ok := c.another(p, k); ok && p.Class != record.Structural {
					if _, err := r.Set(ctx, record.Values{p.Name: v}, "test"); err != nil {
						rt.Fatal(err)
					}
				}
			case 3: // fork, and go on with the copy
				f, err := r.Fork(ctx, solvers.Fork{Name: "b"})
				if err != nil {
					rt.Fatal(err)
				}
				r.Close()
				r = f
			case 4: // through files and back
				r = throughFiles(ctx, rt, r, c)
			case 5: // cancel somewhere
				cc, cancel := context.WithCancel(ctx)
				go cancel()
				_ = r.Step(cc, k)
			}
		}
		rec, err := r.Record(ctx)
		if err != nil {
			rt.Fatal(err)
		}
		d, err := solvers.Replay(ctx, rec, c.Instance, solvers.ReplayOptions{})
		if rec.End == 0 && errors.Is(err, solvers.ErrNothing) {
			return
		}
		if err != nil || d != nil {
			rt.Fatalf("replay: difference %v, error %v", d, err)
		}
	})
}

func throughFiles(ctx context.Context, t *rapid.T, r *solvers.Run, c Case) *solvers.Run {
	rec, err := r.Record(ctx)
	if err != nil {
		t.Fatal(err)
	}
	state, err := r.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "lose the state") {
		state = nil
	}
	r.Close()
	var b bytes.Buffer
	if err := rec.Encode(&b); err != nil {
		t.Fatal(err)
	}
	back, err := record.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	n, err := solvers.Revive(ctx, back, state, c.Instance, "a")
	if err != nil {
		t.Fatal(err)
	}
	return n
}
