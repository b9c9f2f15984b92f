package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
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
