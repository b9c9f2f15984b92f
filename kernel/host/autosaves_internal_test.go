package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// A list reads a record once; it tells what the records are, whatever the index says.
func TestIndex(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dead := filepath.Join(state, "autosave", "s-1")
	if err := os.MkdirAll(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(run string, end int64) string {
		t.Helper()
		path := filepath.Join(dead, run+".run")
		h := record.NewHeader()
		h.Run, h.Solver, h.Variant = run, "x", "y"
		a, err := record.Create(path, h)
		if err != nil {
			t.Fatal(err)
		}
		for i := int64(1); i <= end; i++ {
			a.Point(record.Point{Iter: i, Best: float64(100 - i)}, nil)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var paths []string
	for i := range 12 {
		paths = append(paths, write(fmt.Sprintf("r%02d", i), int64(i)+1))
	}
	s, err := openStore(state, "t", "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close(false, false)
	check := func(what string, reads int, want map[string]int64) {
		t.Helper()
		before := s.read
		got := map[string]reply.Autosave{}
		for _, a := range s.autosaves() {
			got[a.Run] = a
		}
		if s.read-before != reads {
			t.Errorf("%s: %d records were read, want %d", what, s.read-before, reads)
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d autosaves, want %d", what, len(got), len(want))
		}
		for run, end := range want {
			a := got[run]
			if a.Iteration != end || a.ID != "s-1/"+run || a.Session != "s" || a.Solver != "x" ||
				a.Best != reply.Num(100-end) {
				t.Errorf("%s: %+v, want iteration %d of %s", what, a, end, run)
			}
		}
	}
	want := map[string]int64{}
	for i := range 12 {
		want[fmt.Sprintf("r%02d", i)] = int64(i) + 1
	}
	check("without an index", 12, want)
	check("with one", 0, want)
	write("r03", 50)
	want["r03"] = 50
	check("a record that grew", 1, want)
	// One that was changed in place, in size and time as before: the ends tell.
	st, err := os.Stat(paths[5])
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(paths[5])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-40] ^= 1
	if err := os.WriteFile(paths[5], b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(paths[5], st.ModTime(), st.ModTime()); err != nil {
		t.Fatal(err)
	}
	want["r05"] = 5
	check("a record that was damaged", 1, want)
	if a, ok := s.find("r05"); !ok || a.Damage == "" {
		t.Errorf("the damaged one: %+v", a)
	}
	for _, p := range []string{paths[7], filepath.Join(dead, "index")} {
		if err := os.Remove(p); err != nil {
			t.Fatal(err)
		}
	}
	delete(want, "r07")
	check("without an index again", 11, want)
	if err := os.WriteFile(filepath.Join(dead, "index"), []byte("{\"r01.run\":{\"iteration\":"),
		0o600); err != nil {
		t.Fatal(err)
	}
	check("half an index", 11, want)
	check("and another look", 0, want)
}
