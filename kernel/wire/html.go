package wire

import (
	"fmt"
	"slices"
	"strings"

	"metalab/solvers/record"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// Escape makes s safe as text and as an attribute of HTML.
func Escape(s string) string { return escaper.Replace(s) }

// htmlTable is a table of HTML; the first row is the heading.
func htmlTable(rows [][]string) string {
	var b strings.Builder
	b.WriteString(`<table class="metalab">`)
	for n, r := range rows {
		tag := "td"
		if n == 0 {
			tag = "th"
		}
		b.WriteString("<tr>")
		for _, s := range r {
			fmt.Fprintf(&b, "<%s>%s</%s>", tag, Escape(s), tag)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
	return b.String()
}

// pre is text as it is.
func pre(s string) string { return `<pre class="metalab">` + Escape(s) + "</pre>" }

func sortedNames(vs record.Values) []string {
	names := make([]string, 0, len(vs))
	for n := range vs {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// HTML is the reply for a page.
func (s Status) HTML() string { return pre(s.String()) }

// HTML is the reply for a page.
func (r *RunReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *OpenReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *StepReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *SetReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *RunsReply) HTML() string {
	if len(r.Runs) == 0 || len(r.Others) > 0 || len(r.Autosaves) > 0 {
		return pre(r.String())
	}
	return htmlTable(statusRows(r.Runs))
}

// HTML is the card of the run, with the parameters that do not have their default in bold.
func (r *ShowReply) HTML() string {
	var b strings.Builder
	b.WriteString(`<table class="metalab">`)
	for _, row := range r.rows() {
		text := Escape(row[1])
		if row[0] == "parameters" {
			text = valuesHTML(r.Params)
		}
		if row[0] == "changed" {
			continue // the bold ones
		}
		fmt.Fprintf(&b, `<tr><th style="text-align:left">%s</th><td style="text-align:left">%s</td></tr>`, Escape(row[0]), text)
	}
	b.WriteString("</table>")
	return b.String()
}

// valuesHTML lists the parameters that bear on results, changed ones in bold with their
// default behind them.
func valuesHTML(ps []Param) string {
	var out []string
	for _, p := range ps {
		text := Escape(p.Name + "=" + p.Value.String())
		switch {
		case p.Changed():
			text = "<b>" + text + "</b> (default " + Escape(p.Default.String()) + ")"
		case p.Class == string(record.Schedule):
			continue
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// HTML is the reply for a page.
func (r *ParamsReply) HTML() string { return htmlTable(paramRows(r.Params)) }

// HTML is the reply for a page.
func (r *BestReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *HistoryReply) HTML() string { return htmlTable(r.rows(40)) }

// HTML is the reply for a page.
func (r *JournalReply) HTML() string { return pre(r.String()) }

// HTML is the picture itself where it is SVG.
func (r *PlotReply) HTML() string {
	if r.Mime == "image/svg+xml" && r.Path == "" {
		s := string(r.Data)
		if i := strings.Index(s, "<svg"); i >= 0 {
			return s[i:]
		}
	}
	return pre(r.String())
}

// HTML is the reply for a page.
func (r *FileReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *ReplayReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *DiffReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *RecoverReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *RepeatReply) HTML() string { return htmlTable(r.rows()) }

// HTML is the reply for a page.
func (r *CompareReply) HTML() string {
	out := htmlTable(r.rows())
	for _, t := range r.Tests {
		out += "<p>" + Escape(t.Words) + "</p>"
	}
	if r.Note != "" {
		out += "<p>" + Escape(r.Note) + "</p>"
	}
	return out
}

// HTML is the reply for a page.
func (r *InstancesReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *InstanceReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *SolversReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *DevicesReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *AboutReply) HTML() string { return pre(r.String()) }

// HTML is the reply for a page.
func (r *NoteReply) HTML() string { return pre(r.String()) }
