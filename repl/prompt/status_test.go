package prompt

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"metalab/kernel/reply"
)

// The status line says of six runs what there is room for on 80 columns, and never ends within one.
func TestStatusLine(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	d := &desk{curve: map[string][]float64{}, rate: map[string]*meter{}}
	var runs []reply.Status
	for i := range 30 {
		name := fmt.Sprintf("a%d", i)
		d.rate[name] = &meter{rate: 1234}
		d.curve[name] = []float64{5, 4, 3, 2}
		runs = append(runs, reply.Status{
			Run: name, Solver: "acs", Instance: "pr1002", State: "running", Iteration: 12345,
			Best: 259425, Gap: 0.147,
		})
	}
	line := func(n, cols int) string {
		t.Helper()
		s := statusLine(runs[:n], cols, d.part)
		if utf8.RuneCountInString(s) > cols {
			t.Errorf("%d runs on %d columns: %d columns: %s", n, cols, utf8.RuneCountInString(s), s)
		}
		return s
	}
	if s := line(1, 79); !strings.HasPrefix(s, " a0 acs pr1002  it 12345  best 259425  gap 0.15 %") ||
		!strings.Contains(s, "1.2k it/s") {
		t.Errorf("one run: %s", s)
	}
	six := line(6, 79)
	for _, r := range runs[:6] {
		if !strings.Contains(six, " "+r.Run+" 0.15 %") {
			t.Errorf("%s is not in the line of six: %s", r.Run, six)
		}
	}
	if s := line(30, 79); !strings.HasSuffix(s, " more") || !strings.Contains(s, "a4 0.15 %") {
		t.Errorf("thirty runs: %s", s)
	}
	if s := line(2, 200); !strings.Contains(s, "a1 acs pr1002  it 12345") {
		t.Errorf("two runs on a wide screen: %s", s)
	}
	line(0, 79)
	t.Setenv("LC_ALL", "C")
	for _, c := range line(6, 79) {
		if c > 127 {
			t.Errorf("%q in the line of a terminal without Unicode", c)
		}
	}
}
