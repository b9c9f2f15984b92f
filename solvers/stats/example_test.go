package stats_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"metalab/solvers/stats"
)

// Gaps in percent of two solvers over eight seeds each.
func ExampleAnalyse() {
	acs := []float64{0.31, 0.42, 0.28, 0.39, 0.35, 0.51, 0.44, 0.30}
	mmas := []float64{0.12, 0.25, 0.18, 0.29, 0.11, 0.22, 0.33, 0.16}
	r, err := stats.Analyse(stats.Question{
		Groups: []stats.Group{{Name: "acs", Values: acs}, {Name: "mmas", Values: mmas}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p = %.4f, %s is better, by %.2f\n", r.Pairs[0].P, r.Pairs[0].Better,
		-r.Pairs[0].Shift.Value)
	// Output: p = 0.0019, mmas is better, by 0.17
}

// What it costs two runs to reach 100, and their values within 20 iterations.
func ExampleFixedTarget() {
	runs := []stats.Trace{
		{{Cost: 1, Best: 130}, {Cost: 10, Best: 100}},
		{{Cost: 1, Best: 140}, {Cost: 50, Best: 105}}, // ends without
	}
	r := stats.FixedTarget(runs, 100)
	fmt.Println(r.Reached, r.ERT, stats.FixedBudget(runs, 20))
	// Output: 1 60 [100 140]
}

// The example stands in the page of solvers, and names its fields, as go vet wants it in modules of
// others.
func TestExampleIsInThePage(t *testing.T) {
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), "func ExampleAnalyse() {\n")
	body, _, found := strings.Cut(body, "\tif err != nil {")
	body = strings.TrimPrefix(strings.ReplaceAll(body, "\n\t", "\n"), "\t")
	for _, line := range strings.Split(strings.TrimSpace(body), "\n") {
		if !found || !strings.Contains(string(page), line) {
			t.Errorf("solvers/README.md does not have %q", line)
		}
	}
	if unkeyed := regexp.MustCompile(`Group\{\{"|\{\{[a-z"]+, `); unkeyed.Match(page) {
		t.Errorf("solvers/README.md has a composite without the names of fields: %q", unkeyed.Find(page))
	}
}
