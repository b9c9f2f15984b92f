package ils_test

import (
	"testing"

	"metalab/solvers/record"
)

// The preset paper of best is what the paper of J. Fosin, D. Davidovic and T. Caric says, and where
// it says so.
func TestFosinPreset(t *testing.T) {
	t.Parallel()
	r := openPreset(t, "paper")
	params, err := r.Params(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		value record.Value
		where string
	}{
		"operator":   {record.Text("3opt"), "Algorithm 1, lines 2 and 6"},
		"neighbours": {record.Num(40), "section 4, m"},
		"quadrant":   {record.Bool(true), "section 2.1 and section 4"},
		"start":      {record.Text("nn"), "section 4, the initial tour"},
		"accept":     {record.Text("better"), "ours: line 10 of Algorithm 1 accepts always"},
		"chains":     {record.Num(1), "Algorithm 1"},
		"kicks":      {record.Num(20), "ours: iterations of section 4.3 make up 0.1 n, n or 10 n kicks"},
		"workers":    {record.Num(0), "ours: no result depends on it"},
		"blocks":     {record.Num(0), "ours: no result depends on it"},
	}
	for _, p := range params {
		w, ok := want[p.Name]
		if !ok {
			t.Errorf("%s is %v, and nothing says where that stands", p.Name, p.Value)
		} else if p.Value != w.value {
			t.Errorf("%s is %v, want %v (%s)", p.Name, p.Value, w.value, w.where)
		}
		delete(want, p.Name)
	}
	for name := range want {
		t.Errorf("there is no parameter %s", name)
	}
}
