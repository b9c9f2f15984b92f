package notebooks_test

import (
	"os"
	"strings"
	"testing"
)

// What the notebook about a solver of one's own promises holds in its file: the mistake is
// told in a line and costs nothing, the new code goes on, and all of it replays.
func TestASolverOfYourOwn(t *testing.T) {
	t.Parallel()
	const path = "02_a_solver_of_your_own.ipynb"
	all := ""
	for _, c := range read(t, path) {
		all += c.text()
	}
	for _, want := range []string{
		"walk: declared, code ", "temperature 2000 → 1000",
		"index out of range [1000] with length 1000, in (*Walk).try: w.pos[n] = 0",
		"the run stands at iteration 1400", "from iteration 1401",
		"iterations made again, by three codes, identical: true",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the file does not show %q", want)
		}
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if st.Size() > 500_000 {
		t.Errorf("the file has %d bytes", st.Size())
	}
}
