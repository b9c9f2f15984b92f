package figures

import (
	"fmt"
	"strings"
)

// Page is all tables as one page of Markdown: README.md of this folder.
func Page() string {
	var b strings.Builder
	b.WriteString("# Figures\n\n" +
		"What was measured, with machine, date and command, and with the revision that the\n" +
		"algorithm had: figures of one that is not today's say nothing of today's. This page is " +
		"written by\n`go generate ./solvers/bench/figures` from the files beside it.\n")
	about := ""
	for _, t := range All() {
		if t.About != about {
			about = t.About
			fmt.Fprintf(&b, "\n## %s\n", about)
		}
		fmt.Fprintf(&b, "\n### %s\n\n", t.Title)
		fmt.Fprintf(
			&b, "`bench %s`. Machine: %s. Date: %s. Command: `%s`.", t.Name, t.Machine, t.Date, t.Command,
		)
		if t.Unit != "" {
			fmt.Fprintf(&b, " Unit: %s.", t.Unit)
		}
		b.WriteString("\n\n")
		line := func(cells []string) {
			b.WriteString("| " + strings.ReplaceAll(strings.Join(cells, " | "), "*", `\*`) + " |\n")
		}
		columns, rows := t.Marked()
		line(columns)
		b.WriteString("|" + strings.Repeat("---|", len(columns)) + "\n")
		for _, row := range rows {
			line(row)
		}
		for _, n := range t.Notes {
			b.WriteString("\n" + n + "\n")
		}
	}
	return b.String()
}
