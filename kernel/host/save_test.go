package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
)

// save says how large the state is; without it there is none, and load makes the run again.
func TestSaveWithoutState(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a")
	l.Do("step a 50")
	path := filepath.Join(t.TempDir(), "a.run")
	said := l.Do("save a " + path).(*reply.FileReply)
	st, err := os.Stat(solvers.StatePath(path))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("and its state beside it, %d bytes", st.Size())
	if said.StateBytes != st.Size() || !strings.Contains(said.String(), want) {
		t.Errorf("save: %q, want %q in it", said, want)
	}
	said = l.Do("save a " + path + " nostate").(*reply.FileReply)
	if said.State != "" || said.StateBytes != 0 || strings.Contains(said.String(), "state") {
		t.Errorf("save nostate: %q", said)
	}
	if _, err := os.Stat(solvers.StatePath(path)); !os.IsNotExist(err) {
		t.Errorf("the state of before is there: %v", err)
	}
	l.Do("load " + path + " as b")
	if a, b := l.Show("a"), l.Show("b"); b.Iteration != 50 || a.Best != b.Best {
		t.Errorf("loaded: iteration %d, best %v, want 50 and %v", b.Iteration, b.Best, a.Best)
	}
}

// A record that somebody changed since it was saved is replaced only by force, though it can be
// read as one of the same run.
func TestChangedRecordIsKept(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	path := filepath.Join(t.TempDir(), "a.run")
	l.Do("open walk rand-20-1 as a; step a 5; save a " + path + "; step a 5; save a " + path)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(b, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Fails("save a "+path, wire.CodeTaken, "the record of run a, which was changed since metalab")
	l.Do("save a " + path + " force; step a 5; save a " + path)
}

// What is beside a record as its state is replaced, and deleted by nostate, only where it is a
// state of the run: neither a file of another program nor what is left of another run.
func TestFilesBesideARecordAreKept(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	other := filepath.Join(dir, "b.run")
	l.Do("open walk rand-20-1 as a; step a 5; open walk rand-20-1 as b seed=2; step b 5")
	l.Do("save b " + other)
	b, err := os.ReadFile(solvers.StatePath(other))
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"it is no state of a run":                   "mine",
		"the state of another run (walk/swap, seed": string(b),
	} {
		for _, record := range []bool{false, true} {
			path := filepath.Join(dir, fmt.Sprintf("%d-%v.run", len(text), record))
			if record && text != "mine" {
				continue // it was put there by hand, beside a record of the same instance
			}
			if record {
				l.Do("save a " + path + " nostate")
			}
			if err := os.WriteFile(solvers.StatePath(path), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, line := range []string{"save a " + path, "save a " + path + " nostate"} {
				l.Fails(line, wire.CodeTaken, solvers.StatePath(path), what)
				if now, err := os.ReadFile(solvers.StatePath(path)); err != nil || string(now) != text {
					t.Errorf("%s: %v, %.20q", line, err, now)
				}
			}
			l.Do("save a " + path + " force; step a 1; save a " + path + "; save a " + path + " nostate")
		}
	}
}

// Of a record without points that has seeds, the answer says that only these were compared; what
// else a record lacks is named, too, and seeds that one of two has.
func TestAnswersNameWhatIsLacking(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	path := filepath.Join(t.TempDir(), "a.run")
	l.Do("open walk rand-20-1 as a; step a 6; repeat a 3 n=5; save a " + path)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	without := func(sign string, n int) string {
		var kept []string
		for _, line := range strings.SplitAfter(string(b), "\n") {
			if n > 0 && strings.Contains(line, sign) {
				n--
				continue
			}
			kept = append(kept, line)
		}
		to := filepath.Join(t.TempDir(), "b.run")
		if err := os.WriteFile(to, []byte(strings.Join(kept, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		return to
	}
	const point, seed = `"iter_best":`, `"curve":`
	for _, c := range [][2]string{
		{"replay " + without(point, 0), "replayed 6 iterations: identical; 3 seeds"},
		{
			"replay " + without(point, 5),
			"replayed 6 iterations: identical in what the record has; it lacks 5 of its 6 points",
		},
		{
			"replay " + without(point, 6) + " seeds",
			"replayed the repeats with 3 seeds: identical; no iteration of the run was compared",
		},
		{"diff " + path + " " + without(seed, 1), "only " + path + " has 1 seed, not "},
		{
			"load " + without(point, 5) + " as c",
			"the record lacks 5 of its at least 6 points",
		},
	} {
		if said := l.Do(c[0]).String(); !strings.Contains(said, c[1]) {
			t.Errorf("%s: %q lacks %q", c[0], said, c[1])
		}
	}
	if said := l.Do("load " + path + " as d").String(); strings.Contains(said, "lacks") {
		t.Errorf("load of the whole record: %q", said)
	}
}
