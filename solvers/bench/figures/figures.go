package figures

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"metalab/solvers/bench/revision"
)

//go:generate go run ./page

// A Table is a table of figures that were measured once.
type Table struct {
	Name    string // of the file, without its ending
	Title   string
	About   string // the folder of the package whose figures these are, as "solvers/ils"
	Machine string
	Date    string // as "2026-11-22", or that it was not noted
	Command string // that measures them again
	Unit    string // of all figures; empty: the columns say it
	Notes   []string
	Columns []string
	Rows    [][]string // each as long as Columns

	// Revisions are the variants that a row was measured with, each with the revision that its
	// algorithm had, as "ils/queue 8, ils/queue 9", one a row; "none" of what is no variant.
	Revisions []string
}

//go:embed *.txt
var files embed.FS

// All returns the tables, ordered by what they are about and by name.
var All = sync.OnceValue(func() []Table {
	list, err := read(files)
	if err != nil {
		panic(err) // they are embedded, and a test has read them
	}
	return list
})

// read parses all files of a folder.
func read(dir fs.FS) ([]Table, error) {
	names, err := fs.Glob(dir, "*.txt")
	if err != nil {
		return nil, err
	}
	var list []Table
	for _, name := range names {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		t, err := parse(strings.TrimSuffix(path.Base(name), ".txt"), string(text))
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(a, b Table) int { return strings.Compare(a.About, b.About) })
	return list, nil
}

// parse reads a file. Its errors name the file and the line.
func parse(name, text string) (Table, error) {
	t := Table{Name: name}
	fail := func(line int, format string, args ...any) (Table, error) {
		return t, fmt.Errorf("figures: %s.txt: line %d: %s", name, line, fmt.Sprintf(format, args...))
	}
	all := "" // the revisions of all rows
	keys := map[string]*string{
		"title": &t.Title, "about": &t.About, "machine": &t.Machine, "date": &t.Date,
		"command": &t.Command, "unit": &t.Unit, "revisions": &all,
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	var last *string // the value that an indented line goes on with
	i := 0
	for ; i < len(lines) && lines[i] != ""; i++ {
		if strings.TrimLeft(lines[i], " \t") != lines[i] {
			if last == nil {
				return fail(i+1, "nothing goes before this indented line")
			}
			*last += " " + strings.TrimSpace(lines[i])
			continue
		}
		key, value, ok := strings.Cut(lines[i], ":")
		value = strings.TrimSpace(value)
		switch p := keys[key]; {
		case !ok || value == "":
			return fail(i+1, "%q, want key: value", lines[i])
		case key == "note":
			t.Notes = append(t.Notes, value)
			last = &t.Notes[len(t.Notes)-1]
		case p == nil:
			return fail(i+1, "key is %q, want title, about, machine, date, command, unit, "+
				"revisions or note", key)
		case *p != "":
			return fail(i+1, "a second %s", key)
		default:
			*p, last = value, p
		}
	}
	for _, key := range []string{"title", "about", "machine", "date", "command"} {
		if *keys[key] == "" {
			return fail(i+1, "the head has no %s", key)
		}
	}
	for i++; i < len(lines); i++ {
		var row []string
		for cell := range strings.SplitSeq(lines[i], "|") {
			row = append(row, strings.TrimSpace(cell))
		}
		switch {
		case t.Columns == nil:
			t.Columns = row
		case len(row) != len(t.Columns):
			return fail(i+1, "%d columns, want %d", len(row), len(t.Columns))
		default:
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) == 0 {
		return fail(len(lines), "there is no table")
	}
	if last := len(t.Columns) - 1; t.Columns[last] == "revisions" {
		if all != "" {
			return fail(len(lines), "revisions stand in the head and in a column")
		}
		t.Columns = t.Columns[:last]
		for i, row := range t.Rows {
			t.Revisions, t.Rows[i] = append(t.Revisions, row[last]), row[:last]
		}
	} else {
		t.Revisions = slices.Repeat([]string{all}, len(t.Rows))
	}
	for i, r := range t.Revisions {
		if !revisions.MatchString(r) {
			return fail(len(lines), "row %d is of revisions %q, want as ils/queue 12, ils/tiles 6, or "+
				"none, in the head or in a column revisions", i+1, r)
		}
	}
	return t, nil
}

var revisions = regexp.MustCompile(`^(none|[a-z]+/[a-z0-9-]+ \d+(, [a-z]+/[a-z0-9-]+ \d+)*)$`)

// Marked are the columns and the rows with the revisions behind them, of which those of earlier
// algorithms say so, as "ils/queue 8 (now 12)". Without any there is no such column.
func (t *Table) Marked() (columns []string, rows [][]string) {
	if !slices.ContainsFunc(t.Revisions, func(r string) bool { return r != "none" }) {
		return t.Columns, t.Rows
	}
	for i, row := range t.Rows {
		rows = append(rows, append(slices.Clone(row), mark(t.Revisions[i])))
	}
	return append(slices.Clone(t.Columns), "revision"), rows
}

// mark adds to each revision that is not today's what today's is.
func mark(list string) string {
	if list == "none" {
		return ""
	}
	of := strings.Split(list, ", ")
	for i, one := range of {
		variant, was, _ := strings.Cut(one, " ")
		if now := strconv.Itoa(revision.Of(variant)); now != was {
			of[i] += " (now " + now + ")"
		}
	}
	return strings.Join(of, ", ")
}
