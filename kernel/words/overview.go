package words

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"metalab/kernel/wire"
)

// overview is the first screen of help, which fits into a small terminal: names alone.
func overview(lacks func(verb string) (why string)) string {
	var b strings.Builder
	b.WriteString("help start has a search in six lines, help all a line about each verb, help\n" +
		"look one about each of that group, help step all about one.\n\n")
	for _, g := range wire.Groups {
		line := fmt.Sprintf("%-12s", g)
		for _, v := range wire.Verbs {
			if v.Group != g || lacks(v.Name) != "" {
				continue
			}
			if len(line)+1+len(v.Name) > columns {
				b.WriteString(line + "\n")
				line = strings.Repeat(" ", 12)
			}
			line += " " + v.Name
		}
		if strings.TrimSpace(line) != g {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString(`
help acs tells about a solver, help q0 about a parameter, ?lab.Open about a
name of Go. Several commands in a line are parted by ";". Tab completes; ^C
ends a step after the iteration; `)
	if slices.ContainsFunc(wire.Verbs, func(v wire.Verb) bool { return lacks(v.Name) != "" }) {
		b.WriteString(`the arrows bring back what was typed
before. What else a prompt in a terminal has is not here; help and the verb, as
in help bench, says why.
`)
	} else {
		b.WriteString("^R searches what was typed before; ^D leaves.\n")
	}
	b.WriteString(`Anything else is Go, with lab, stat and floats (gonum) in scope:
a := lab.Get("a"); a.Step(100)`)
	return b.String()
}

// listed are the verbs of groups, with a line about each.
func listed(groups []string, lacks func(verb string) (why string)) string {
	var b strings.Builder
	for _, g := range groups {
		heading := g + "\n"
		for _, v := range wire.Verbs {
			if v.Group == g && lacks(v.Name) == "" {
				fmt.Fprintf(&b, "%s  %-10s %s\n", heading, v.Name, brief(v.Doc))
				heading = ""
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// columns is the width that the rows of help keep to.
const columns = 79

// A Lacking is a book of a front end that does not have all verbs.
type Lacking interface {
	Lacks(verb string) (why string) // empty: it has it
}

// lacking says what a book lacks.
func lacking(book Book) func(verb string) string {
	if l, ok := book.(Lacking); ok {
		return l.Lacks
	}
	return func(string) string { return "" }
}

// briefly is the length of what the overview says of a verb, so that a row is a row on 80 columns.
const briefly = 66

// brief is a sentence up to the last of its clauses that fits, or its first words.
func brief(doc string) string {
	if utf8.RuneCountInString(doc) <= briefly {
		return doc
	}
	for _, cut := range []string{";", ":", ","} {
		for head := doc; ; {
			i := strings.LastIndex(head, cut)
			if i < briefly/2 {
				break
			}
			if head = head[:i]; utf8.RuneCountInString(head) <= briefly {
				return head
			}
		}
	}
	head := string([]rune(doc)[:briefly-1])
	return strings.TrimRight(head[:strings.LastIndexByte(head, ' ')], " ,") + " …"
}
