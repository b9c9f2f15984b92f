package reply

import (
	"slices"
	"strings"

	"metalab/solvers/record"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;",
	"'", "&#39;")

// Escape makes s safe as text and as an attribute of HTML.
func Escape(s string) string { return escaper.Replace(s) }

// The styles of replies on a page. They are attributes, because many programs show notebooks, and
// none of them accepts a style sheet. No style sets the colour of text or background, so a dark
// page stays dark; lines have a grey that is visible on both.
const (
	tableStyle = "border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3em 0"
	cellStyle  = "padding:.2em .7em;border:0;border-bottom:1px solid rgba(128,128,128,.3)"
	headStyle  = "padding:.2em .7em;border:0;border-bottom:2px solid rgba(128,128,128,.5)"
	quietStyle = "opacity:.7"
)

// An htmlCell is a cell of a table: its text, or ready HTML.
type htmlCell struct {
	text string
	html string // instead of the text
	bold bool
}

func (c htmlCell) inner() string {
	s := c.html
	if s == "" {
		s = Escape(c.text)
	}
	if c.bold {
		s = "<b>" + s + "</b>"
	}
	return s
}

// htmlTable is a table of HTML; the first row is the heading. Columns of numbers are set to
// the right, the others to the left.
func htmlTable(rows [][]string) string {
	cells := make([][]htmlCell, len(rows))
	for i, r := range rows {
		cells[i] = make([]htmlCell, len(r))
		for j, s := range r {
			cells[i][j].text = s
		}
	}
	return htmlCells(cells)
}

// htmlCells is htmlTable of cells.
func htmlCells(rows [][]htmlCell) string {
	if len(rows) == 0 {
		return ""
	}
	align := make([]string, len(rows[0]))
	for j := range align {
		align[j] = "right"
		if slices.ContainsFunc(rows[1:],
			func(r []htmlCell) bool { return j < len(r) && !numeric(r[j].text) }) || len(rows) == 1 {
			align[j] = "left"
		}
	}
	var b strings.Builder
	b.WriteString(`<table class="metalab" style="` + tableStyle + `">`)
	for n, r := range rows {
		tag, style := "td", cellStyle
		if n == 0 {
			tag, style = "th", headStyle
		}
		b.WriteString("<tr>")
		for j, c := range r {
			inner, tag := c.inner(), tag
			if inner == "" {
				tag = "td" // a corner heads nothing
			}
			b.WriteString("<" + tag + ` style="` + style + ";text-align:" + align[min(j, len(align)-1)] +
				`">` + inner + "</" + tag + ">")
		}
		b.WriteString("</tr>")
	}
	return b.String() + "</table>"
}

// numeric reports whether a text is a number, perhaps with a unit, or stands for one.
func numeric(s string) bool {
	return s == "" || s == "-" || s[0] >= '0' && s[0] <= '9' || s[0] == '-' && len(s) > 1 &&
		s[1] >= '0' && s[1] <= '9'
}

// htmlCard is a table of names and HTML, with a heading and pictures beside it.
func htmlCard(heading string, rows [][2]string, pictures ...string) string {
	var b strings.Builder
	b.WriteString(`<table class="metalab" style="` + tableStyle + `">`)
	b.WriteString(`<tr><th colspan="2" style="` + headStyle + `;text-align:left">` + heading +
		"</th></tr>")
	for _, r := range rows {
		b.WriteString(`<tr><td style="` + cellStyle +
			";text-align:left;white-space:nowrap;vertical-align:top;" + quietStyle + `">` + Escape(r[0]) +
			`</td><td style="` + cellStyle + `;text-align:left;max-width:34em">` + r[1] + "</td></tr>")
	}
	b.WriteString("</table>")
	pictures = slices.DeleteFunc(pictures, func(p string) bool { return p == "" })
	if len(pictures) == 0 {
		return b.String()
	}
	return `<div style="display:flex;flex-wrap:wrap;gap:1.2em;align-items:flex-start"><div>` +
		b.String() + "</div><div>" + strings.Join(pictures, "</div><div>") + "</div></div>"
}

// htmlLine is a sentence that begins with a name.
func htmlLine(name, text string) string {
	if name != "" {
		name = "<b>" + Escape(name) + "</b>: "
	}
	return "<p>" + name + Escape(text) + "</p>"
}

// htmlTrouble is a sentence, escaped already, about what is wrong.
func htmlTrouble(text string) string { return "<b>✗ " + text + "</b>" }

// htmlNote is a sentence below something.
func htmlNote(text string) string {
	if text == "" {
		return ""
	}
	return `<p style="` + quietStyle + `">` + Escape(text) + "</p>"
}

// pre is text as it is.
func pre(s string) string { return `<pre class="metalab">` + Escape(s) + "</pre>" }

// verdict is a sentence that begins with whether all is well.
func verdict(good bool, text string) string {
	mark := "✓"
	if !good {
		mark = "✗"
	}
	return "<p><b>" + mark + "</b> " + Escape(text) + "</p>"
}

func sortedNames(vs record.Values) []string {
	names := make([]string, 0, len(vs))
	for n := range vs {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
