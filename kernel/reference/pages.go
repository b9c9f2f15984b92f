package reference

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// A Page is a page of Markdown.
type Page struct {
	Path  string // below the folder of the reference, as "verbs/step.md"
	Title string
	About string // a sentence about it, for lists of pages
	Text  string // without its heading
}

// Markdown is the page as a file.
func (p Page) Markdown() string { return "# " + p.Title + "\n\n" + p.Text }

// Pages returns all pages of the reference, the index first. Root is the folder with the sources of
// metalab.
func Pages(root string) ([]Page, error) {
	src, err := readSources(root)
	if err != nil {
		return nil, err
	}
	lab, err := labPage(root)
	if err != nil {
		return nil, err
	}
	files, err := recordPage(root, src)
	if err != nil {
		return nil, err
	}
	solver, err := solverPages()
	if err != nil {
		return nil, err
	}
	all := verbPages(src)
	all = append(all, solver...)
	all = append(all, lab, files, jsonPage(src), formatsPage(), environmentPage(), exitPage())
	return append([]Page{indexPage(all)}, all...), nil
}

// Write writes all pages into a folder and returns them. The folder may hold other files.
func Write(root, folder string) ([]Page, error) {
	all, err := Pages(root)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		to := filepath.Join(folder, filepath.FromSlash(p.Path))
		err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755),
			os.WriteFile(to, []byte(p.Markdown()), 0o644))
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// indexPage leads to the pages of the folder itself; those below it have their own lists.
func indexPage(all []Page) Page {
	var t table
	t.row("page", "what is in it")
	for _, p := range all {
		if !strings.Contains(p.Path, "/") {
			t.row(link(p.Title, p.Path), escape(p.About))
		}
	}
	return Page{
		Path: "index.md", Title: "Reference",
		About: "All verbs, solvers, parameters, functions, files and settings.",
		Text: "These pages are made from the tables of the program, so they say what it does. At " +
			"the prompt `help step` tells about a verb, `help q0` about a parameter, and `?lab.Open` " +
			"about a function.\n\n" + t.String() + "\nThe tables of an experiment's database are on " +
			"a page of their own: [SCHEMA](/solvers/experiment/sqlite/SCHEMA.md).\n",
	}
}

// A table is one of Markdown; its first row is its heading.
type table struct{ rows []string }

func (t *table) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(c), "\n", " ")
	}
	t.rows = append(t.rows, "| "+strings.Join(cells, " | ")+" |")
	if len(t.rows) == 1 {
		t.rows = append(t.rows, "|"+strings.Repeat("---|", len(cells)))
	}
}

// String is the table, empty where it has no rows below its heading.
func (t *table) String() string {
	if len(t.rows) < 3 {
		return ""
	}
	return strings.Join(t.rows, "\n") + "\n"
}

// escape writes plain text so that Markdown shows it as it is, also in a cell of a table.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_<>[]|#$~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code is text as code in a line, also in a cell of a table.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", "\\|") + "`"
}

// block is text as a block of code.
func block(text string) string { return "```text\n" + strings.TrimRight(text, "\n") + "\n```\n" }

// link leads to a page or an anchor of one.
func link(text, to string) string { return "[" + escape(text) + "](" + to + ")" }

// sentence is a clause as a sentence.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}

// anchor is the name under which a heading is reached, by GitHub's rule.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// plural is "1 verb", "2 verbs".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// from is a link from one page to another, both below the folder of the reference.
func from(page, to string) string {
	up := strings.Repeat("../", strings.Count(path.Clean(page), "/"))
	return up + to
}
