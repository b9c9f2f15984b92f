package words

import (
	"fmt"
	"strings"

	"metalab/kernel/view"
	"metalab/kernel/wire"
)

// Help is the text of the verb help: all verbs by group, or one verb in full.
func Help(verb string) (string, error) {
	if verb == "" {
		return overview(), nil
	}
	v, ok := wire.Find(verb)
	if !ok {
		return "", fmt.Errorf("help: %q is not a verb%s", verb, NearVerb(verb))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  %s.\n", v.Usage(), v.Doc)
	for _, a := range v.Args {
		if !a.Typed() {
			continue
		}
		name := a.Name
		if a.Kind == wire.KindParams {
			name = "name=value"
		}
		fmt.Fprintf(&b, "  %-12s %s", name, a.Doc)
		if a.Default != "" && a.Default != "false" && a.Default != "0" {
			fmt.Fprintf(&b, " (%s when left out)", a.Default)
		}
		b.WriteByte('\n')
	}
	if v.Name == "plot" || v.Name == "watch" {
		b.WriteString("figures:\n")
		for _, f := range view.Kinds() {
			fmt.Fprintf(&b, "  %-12s %s\n", f.Name, f.Doc)
		}
	}
	if v.Example != "" {
		fmt.Fprintf(&b, "for example:  %s", v.Example)
	}
	return strings.TrimRight(b.String(), "\n"), nil
}

func overview() string {
	var b strings.Builder
	for _, g := range wire.Groups {
		fmt.Fprintf(&b, "%s\n", g)
		for _, v := range wire.Verbs {
			if v.Group == g {
				fmt.Fprintf(&b, "  %-10s %s\n", v.Name, v.Doc)
			}
		}
	}
	b.WriteString(`
Several commands in a line are parted by ";". help VERB tells more; Tab completes; ^C
ends a step after the iteration; ^R searches what was typed before; ^D leaves.
Anything else is Go, with lab in scope:  a := lab.Get("a"); a.Step(100)`)
	return b.String()
}

// NearVerb is ", did you mean step?" for a word that is nearly a verb, else empty.
func NearVerb(word string) string {
	best, at := "", min(3, 1+len(word)/2)
	for _, v := range wire.Verbs {
		if d := distance(strings.ToLower(word), v.Name); d < at {
			best, at = v.Name, d
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// distance is the number of letters to change, drop or put in (Levenshtein's).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
