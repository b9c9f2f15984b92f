package prompt

import (
	"regexp"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/wire"
)

// What help and errors give as an example can be opened in a page.
func TestExamplesOpen(t *testing.T) {
	s, end, err := Start(t.Context(), t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	p := &page{s: s}
	lines := []string{
		"help", "help all", "help start", "open acs", "open E1k.0", "solve acs", "instance", "step a 3",
		"runs", "open",
	}
	for _, v := range wire.Verbs {
		lines = append(lines, "help "+v.Name)
	}
	for _, n := range s.Names() {
		lines = append(lines, "help "+n.Name)
	}
	opened := regexp.MustCompile(`\b(?:open|solve|instance) (?:[a-z]+(?:/\S+)? )?([A-Za-z]+\d[\w.-]*)`)
	found := 0
	for _, line := range lines {
		p.said = nil
		last := p.line(t, line)
		text := strings.Join(p.said, "\n") + "\n" + last.Text
		if strings.Contains(text, " to pr1002") {
			t.Errorf("%s writes an instance of another name: %s", line, text)
		}
		for _, m := range opened.FindAllStringSubmatch(text, -1) {
			found++
			name := m[1]
			if strings.HasSuffix(name, ".tsp") || strings.HasSuffix(name, ".csv") {
				continue
			}
			if _, err := datasets.Load(name, datasets.Offline(), datasets.Folders(),
				datasets.Cache(t.TempDir())); err != nil && !strings.HasPrefix(name, "unit-") {
				t.Errorf("%s: the example %q opens %s: %v", line, m[0], name, err)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d examples were found", found)
	}
	if got := exampled("open acs pr1002 as a: 2 % on pr1002", "help"); got !=
		"open acs E1k.0 as a: 2 % on pr1002" {
		t.Errorf("exampled: %s", got)
	}
	if got := exampled("no pr1002, as in: instance pr1002", "instance pr1002"); !strings.Contains(got,
		"instance pr1002") {
		t.Errorf("what was typed is changed: %s", got)
	}
}

// What is held by files is told with each line.
func TestHeld(t *testing.T) {
	s, end, err := Start(t.Context(), t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	p := &page{s: s}
	for _, c := range []struct {
		line string
		want []Held
	}{
		{"open acs rand-30-1 as a", []Held{}},
		{"step a 3", []Held{{Run: "a"}}},
		{"save a x.run", []Held{{Run: "a", Saved: "x.run"}}},
		{"step a 1; open tabu rand-20-1 as b; step b 2", []Held{{Run: "a"}, {Run: "b"}}},
		{"save a x.run; close b", []Held{{Run: "a", Saved: "x.run"}}},
		{"nonsense", []Held{{Run: "a", Saved: "x.run"}}},
	} {
		last := p.line(t, c.line)
		if len(last.Made) != len(c.want) {
			t.Fatalf("%s: %+v, want %+v (%s)", c.line, last.Made, c.want, last.Text)
		}
		for i, h := range last.Made {
			if h != c.want[i] {
				t.Errorf("%s: %+v, want %+v", c.line, h, c.want[i])
			}
		}
	}
}
