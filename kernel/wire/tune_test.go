package wire_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/wire"
	"metalab/solvers/tuning"
)

// The help of units names how many are enough, as a race asks for.
func TestUnitsThatAreEnough(t *testing.T) {
	t.Parallel()
	at := slices.IndexFunc(wire.Verbs, func(v wire.Verb) bool { return v.Name == "tune" })
	args := wire.Verbs[at].Args
	doc := args[slices.IndexFunc(args, func(a wire.Arg) bool { return a.Name == "units" })].Doc
	numbers := []string{"", "36 for one", "72 for two or three", "72 for two or three"}
	for range 4 {
		numbers = append(numbers, "120 for four to seven")
	}
	for n := 1; n < len(numbers); n++ {
		p := tuning.Plan{Instances: []string{"x"}, Seeds: 10, Units: 1}
		for i := range n {
			d, err := tuning.ParseDimension(fmt.Sprintf("p%d", i), "1..9")
			if err != nil {
				t.Fatal(err)
			}
			p.Space = append(p.Space, d)
		}
		enough, _, _ := strings.Cut(numbers[n], " ")
		err := p.Check(t.Context(), nil)
		if err == nil || !strings.HasSuffix(err.Error(), "want "+enough+" or more") {
			t.Errorf("%d parameters: %v, want %s", n, err, enough)
		}
		if !strings.Contains(doc, numbers[n]) {
			t.Errorf("help of units lacks %q: %s", numbers[n], doc)
		}
	}
}
