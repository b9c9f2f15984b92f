package reply

import "fmt"

// SlidersReply is what controls are made of.
type SlidersReply struct {
	Status
	Params []Param `json:"params"`
}

// String is a table of the parameters, and how they are changed where there are no sliders.
func (r *SlidersReply) String() string {
	if len(r.Params) == 0 {
		return r.Run + ": no parameter may change while it runs"
	}
	p := r.Params[0]
	return fmt.Sprintf("%s\nset %s %s=%s changes one; dashboard shows them as sliders in a browser",
		r.Table(), r.Run, p.Name, p.Value)
}

// Table is the table alone.
func (r *SlidersReply) Table() string { return table(slidersRows(r.Params)) }

// Frame is HTML within an element that a page finds by a name.
func (r *SlidersReply) Frame(name string) string {
	return `<div id="` + Escape(name) + `">` + r.HTML() + "</div>"
}

// Kept is what a notebook keeps of widgets, by media type: the last values, folded, for those who
// read it where there are no widgets.
func (r *SlidersReply) Kept() map[string]string {
	return map[string]string{
		"text/html": "<details><summary>" + Escape(r.Run) + ": the values</summary>" + r.HTML() +
			"</details>",
		"text/plain": r.Table(),
	}
}

// HTML is a table of the parameters: what a page without the host shows.
func (r *SlidersReply) HTML() string {
	return "<p>" + Escape(r.Line()) + "</p>" + htmlTable(slidersRows(r.Params))
}

func slidersRows(ps []Param) [][]string {
	rows := [][]string{{"parameter", "value", "range", "what it is"}}
	for _, p := range ps {
		value := p.Value.String()
		if p.Unit != "" {
			value += " " + p.Unit
		}
		rows = append(rows, []string{p.Name, value, p.Range, p.Doc})
	}
	return rows
}

// DashboardReply is where the dashboard is.
type DashboardReply struct {
	Verb string `json:"verb"`
	URL  string `json:"url"`  // with a ticket behind the #, which browsers do not send
	File string `json:"file"` // a page that only the user may read and that leads to it
	Ends string `json:"ends"` // until when the address can be opened, as "16:04"
}

// String is the address.
func (r *DashboardReply) String() string {
	return fmt.Sprintf("%s\nopen it in a browser of this machine, before %s; more windows may be "+
		"opened with it until then", r.URL, r.Ends)
}

// HTML says that there is a dashboard, without its address: others may read what is in a notebook.
func (r *DashboardReply) HTML() string { return "<p>the dashboard of this session</p>" }
