package bench

import (
	"slices"
	"testing"

	"metalab/datasets"
)

// The suites have six instances of each kind, none in common, and a row measures the gap exactly
// where a best value is published.
func TestSuites(t *testing.T) {
	best := map[string]bool{}
	for _, e := range datasets.Catalogue() {
		best[e.Name] = e.HasBest
	}
	seen := map[string]string{}
	for _, name := range []string{"tours-dev", "tours-test"} {
		table, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		var instances []string
		for _, r := range table.Rows {
			if other, ok := seen[r.Instance]; ok && other != name {
				t.Errorf("%s is in %s and in %s", r.Instance, other, name)
			}
			seen[r.Instance] = name
			instances = append(instances, r.Instance)
			if (r.Measure == Gap) != best[r.Instance] {
				t.Errorf("%s, %s: measured by %s", name, r.Instance, r.Measure)
			}
		}
		slices.Sort(instances)
		if got := len(slices.Compact(instances)); got != 30 || len(table.Rows) != 60 {
			t.Errorf("%s has %d instances in %d rows, want 30 in 60", name, got, len(table.Rows))
		}
	}
}
