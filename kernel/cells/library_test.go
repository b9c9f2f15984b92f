package cells

import (
	"testing"

	"metalab/kernel/lab/front"
)

// A name that is nearly one that is known is told: of packages, of their names, of methods and
// fields.
func TestNearNames(t *testing.T) {
	t.Parallel()
	k := New("/nowhere/s.sock")
	for _, c := range []struct {
		name string
		f    Failure
		want []string
	}{
		{
			"a slip in a name of a package",
			Failure{Cell: 4, Code: "%%\nfmt.Printn(1)", Lines: []Line{{4, 2, "undefined: fmt"}}},
			[]string{"line 2: undefined: fmt.Printn; is Println meant?"},
		},
		{
			"a slip in a package's name",
			Failure{Cell: 4, Code: "%%\nx := stings.ToUpper(s)", Lines: []Line{{4, 2, "undefined: stings"}}},
			[]string{"line 2: undefined: stings; is strings meant?"},
		},
		{
			"a slip in a name of a run's method",
			Failure{Cell: 4, Code: "%%\na.Stp(1)", Lines: []Line{
				{4, 2, "a.Stp undefined (type *lab.Run has no field or method Stp)"},
			}},
			[]string{"line 2: a.Stp undefined (type *lab.Run has no field or method Stp); is Step meant?"},
		},
		{
			"in a name of a method of the library, of a field of the cell's own",
			Failure{
				Cell: 4, Code: "type T struct{ Long int }\n%%\nb.WritString(s)\nt.Logn = 3",
				Lines: []Line{
					{4, 3, "b.WritString undefined (type strings.Builder has no field or method WritString)"},
					{4, 4, "t.Logn undefined (type *T has no field or method Logn)"},
				},
			},
			[]string{
				"line 3: b.WritString undefined (type strings.Builder has no field or method WritString); " +
					"is WriteString meant?",
				"line 4: t.Logn undefined (type *T has no field or method Logn); is Long meant?",
			},
		},
		{
			"of a package that is imported",
			Failure{
				Cell: 4, Code: "%%\nx := strings.Splitt(s)",
				Lines: []Line{{4, 2, "undefined: strings.Splitt"}},
			},
			[]string{"line 2: undefined: strings.Splitt; is Split meant?"},
		},
	} {
		_, _, lines := k.Explain(c.f)
		if len(lines) != len(c.want) {
			t.Errorf("%s: %q, want %q", c.name, lines, c.want)
			continue
		}
		for i, l := range lines {
			if l != front.Red(c.want[i]) {
				t.Errorf("%s: line %d is %q, want %q", c.name, i+1, l, c.want[i])
			}
		}
	}
}
