package datasets_test

import (
	"errors"
	"strings"
	"testing"

	"metalab/datasets"
)

// strange is an instance of no kind that files have.
type strange struct{ datasets.Instance }

// Instances of every kind with files come back from their text with the same data.
func TestText(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rand-30-1", "E1k.0", "rand-3-7", "tai12a"} {
		inst, ok, err := datasets.Generate(name)
		if !ok || err != nil {
			t.Fatalf("%s: %v, %v", name, ok, err)
		}
		text, err := datasets.Text(inst)
		if err != nil {
			t.Fatal(err)
		}
		back, err := datasets.FromText(inst.Kind(), name, text, 0)
		if err != nil || back.SHA256() != inst.SHA256() {
			t.Errorf("%s: other data, %v", name, err)
		}
		if bad, err := datasets.FromText(inst.Kind(), name, text[:len(text)/2], 0); err == nil &&
			bad.SHA256() == inst.SHA256() || err != nil && bad != nil {
			t.Errorf("half of the text of %s: %v, %v", name, bad, err)
		}
	}
	path := strings.NewReader("p edge 4 3\ne 1 2\ne 2 3\ne 3 4\n")
	graph, err := datasets.ReadColouring(path, "path", 2)
	if err != nil {
		t.Fatal(err)
	}
	text, err := datasets.Text(graph)
	if err != nil {
		t.Fatal(err)
	}
	back, err := datasets.FromText(graph.Kind(), graph.Name(), text, graph.K)
	if err != nil || back.SHA256() != graph.SHA256() || back.Name() != graph.Name() {
		t.Errorf("a graph: %v, %v", back, err)
	}
	if _, err := datasets.Text(strange{}); !errors.Is(err, datasets.ErrNoText) {
		t.Errorf("an instance without a file: %v", err)
	}
	if x, err := datasets.FromText("strange", "x", "", 0); err == nil || x != nil {
		t.Errorf("a kind without files: %v, %v", x, err)
	}
}
