package experiments_test

import (
	"slices"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A line that was mistaken and mended leaves nothing of itself where it had no results; results
// stay until they are dropped; and the table says what it is made of.
func TestExperimentPlansAndDrop(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	ask := func(line string) *reply.ExperimentReply {
		t.Helper()
		return l.Do(line).(*reply.ExperimentReply)
	}
	labels := func(r *reply.ExperimentReply) (all []string) {
		for _, x := range r.Rows {
			all = append(all, x.Label)
		}
		return all
	}
	// Ended before anything was made.
	ask("experiment e solvers=walk,acs instances=rand-30-1 seeds=5 n=5000000 background")
	ask("experiment e pause")
	r := ask("experiment e solvers=walk instances=rand-30-1 seeds=3 n=20") // another budget, too
	if r.Units != 3 || r.Done != 3 || !slices.Equal(labels(r), []string{"walk/swap"}) ||
		len(r.Lines) != 2 || !strings.HasSuffix(r.Lines[1],
		"3 seeds, 20 iterations each: 3 units; 10 units of earlier lines dropped that had no result") {
		t.Fatalf("%v %v\n%s", r.ExperimentInfo, r.Lines, r)
	}
	// What differs is said to be added.
	r = ask("experiment e solvers=walk,acs instances=rand-30-1,rand-30-2 seeds=3")
	if r.Added != 9 || !strings.Contains(r.String(), "; adds 9 units to e (12 in all); 9 now") ||
		len(r.Lines) != 3 {
		t.Errorf("%d added: %s", r.Added, r)
	}
	if r := ask("experiment e solvers=walk,acs instances=rand-30-1,rand-30-2 seeds=3"); r.Added != 0 ||
		len(r.Lines) != 3 {
		t.Errorf("the same line again: %s", r)
	}
	l.Fails("experiment e solvers=walk instances=rand-30-1 seeds=3 n=21", wire.CodeRequest,
		"take another name")
	l.Fails("experiment e drop", wire.CodeRequest, "drop what?")
	l.Fails("experiment e drop solver=tabu", wire.CodeRequest,
		"has no unit of solver=tabu; its rows are of walk/swap, acs/seq on rand-30-1, rand-30-2")
	r = ask("experiment e drop solver=acs")
	if r.Units != 6 || slices.Contains(labels(r), "acs/seq") ||
		!strings.HasSuffix(r.Lines[3], "dropped solver=acs: 6 units, 6 results") {
		t.Errorf("%v %s", r.ExperimentInfo, r)
	}
	// It does not come back with more seeds, and the others keep what they have.
	r = ask("experiment e seeds=4")
	if r.Units != 8 || r.Made != 2 || slices.Contains(labels(r), "acs/seq") {
		t.Errorf("%v %s", r.ExperimentInfo, r)
	}
	r = ask("experiment e drop instance=rand-30-2")
	if r.Units != 4 || len(r.Rows) != 1 {
		t.Errorf("%v %s", r.ExperimentInfo, r)
	}
	us := ask("experiment e units").Of
	if len(us) != 4 || ask("experiment e open 1 as a").Replayed != "identical to the unit" {
		t.Errorf("%+v", us)
	}
	// What is being made is not dropped.
	ask("experiment g solvers=walk instances=rand-30-1 seeds=5 n=50000000 background")
	l.Fails("experiment g drop solver=walk", wire.CodeRequest, "is being made; experiment g pause")
	l.Fails("experiment g solvers=acs instances=rand-30-1 n=50000000", wire.CodeRequest,
		"units of g are being made that this line does not plan")
	ask("experiment g pause")
}
