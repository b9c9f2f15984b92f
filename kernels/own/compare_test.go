package own_test

import (
	"strings"
	"testing"

	"metalab/kernels/own"
	"metalab/solvers/conform"
	problems "metalab/solvers/own"
	"metalab/solvers/record"
)

// What the kernels say of single moves is what the methods say, in every neighbourhood that a
// problem has, and after moves were made.
func TestCompare(t *testing.T) {
	conform.Brief(t, "one goroutine compares, and TestAnneals prepares the same kernels")
	t.Parallel()
	for _, c := range trials() {
		k, wrong, err := own.Compare(c.problem(t), 3, 64, nil)
		if err != nil || wrong != "" || k.Not != "" {
			t.Errorf("%s: %s, %s, %v", c.name, wrong, k.Not, err)
		}
		seen := map[string]bool{}
		for _, n := range k.Checked {
			if seen[n.Name] = true; n.Moves != 64 && n.Size > 0 {
				t.Errorf("%s: %s: %d moves compared", c.name, n.Name, n.Moves)
			}
		}
		for _, name := range c.names {
			if !seen[name] {
				t.Errorf("%s: %s was not compared", c.name, name)
			}
		}
	}
}

// A kernel that is made of other methods than the CPU has is found, with its move.
func TestCompareDiffers(t *testing.T) {
	conform.Brief(t, "one goroutine compares, and TestAnneals prepares the same kernels")
	t.Parallel()
	for _, c := range []struct{ name, of, by, want string }{
		{
			"shop", "return most - f.cost\n", "return most - f.cost + int64(i/5)\n",
			" of insertion changes",
		},
		{"knapsack", "k.held += w\n", "k.held += w + 30\n", " of hamming1 changes the value by "},
		{"rotated", "x[k], x[k+2] = x[k+2], x[k]", "x[k], x[k+1] = x[k+1], x[k]", " of own changes "},
		{"faulty", "return f.at[n]", "return f.at[n+5]", "index out of range"},
	} {
		var p *problems.Problem
		if c.name == "faulty" {
			var err error
			p, err = problems.New("faulty", record.Form{Kind: record.FormBits, N: 4},
				func() any { return &faulty{make([]int64, 5)} })
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range trials() {
			if x.name == c.name {
				p = x.problem(t)
			}
		}
		other := strings.Replace(text, c.of, c.by, 1)
		if other == text {
			t.Fatalf("%s: no line %q", c.name, c.of)
		}
		p.Told("problems_test.go", other)
		_, wrong, err := own.Compare(p, 3, 200, nil)
		if said := wrong; err != nil && !strings.Contains(err.Error(), c.want) ||
			err == nil && !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, %v, want %q", c.name, wrong, err, c.want)
		}
	}
}

// Problems of which no kernel is made say why.
func TestCompareNot(t *testing.T) {
	t.Parallel()
	form := record.Form{Kind: record.FormBits, N: 4}
	p, err := problems.New("grown", form, func() any { return grown{} })
	if err != nil {
		t.Fatal(err)
	}
	p.Told("problems_test.go", text)
	k, wrong, err := own.Compare(p, 1, 5, nil)
	if err != nil || wrong != "" || !strings.Contains(k.Not, "math.Sin") {
		t.Errorf("%q, %q, %v", k.Not, wrong, err)
	}
}
