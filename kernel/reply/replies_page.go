package reply

import "fmt"

// A SlidersReply holds the data of controls.
type SlidersReply struct {
	Status
	Params []Param `json:"params"`
}

// String returns a table of the parameters, and how to change them without sliders.
func (r *SlidersReply) String() string {
	if len(r.Params) == 0 {
		return r.Run + ": no parameter may change while it runs"
	}
	p := r.Params[0]
	return fmt.Sprintf("%s\nset %s %s=%s changes one; dashboard shows them as sliders in a browser",
		r.Table(), r.Run, p.Name, p.Value)
}

// Table returns the table alone.
func (r *SlidersReply) Table() string { return table(slidersRows(r.Params)) }

// Frame returns HTML inside an element that a page finds by its name.
func (r *SlidersReply) Frame(name string) string {
	return `<div id="` + Escape(name) + `">` + r.HTML() + "</div>"
}

// Kept returns the part of widgets that a notebook stores, by media type: the last values, folded,
// for readers without widgets.
func (r *SlidersReply) Kept() map[string]string {
	return map[string]string{
		"text/html": "<details><summary>" + Escape(r.Run) + ": the values</summary>" + r.HTML() +
			"</details>",
		"text/plain": r.Table(),
	}
}

// HTML returns a table of the parameters, for a page without the host.
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

// A DashboardReply holds the address of the dashboard.
type DashboardReply struct {
	Verb string `json:"verb"`
	URL  string `json:"url"`  // with a ticket after the #, which browsers do not send
	File string `json:"file"` // a page that only the user may read, with a link to it
	Ends string `json:"ends"` // the time until which the address is valid, such as "16:04"
}

// String returns the address.
func (r *DashboardReply) String() string {
	return fmt.Sprintf("%s\nopen it in a browser of this machine, before %s; more windows may be "+
		"opened with it until then", r.URL, r.Ends)
}

// HTML says that there is a dashboard, without its address: others may read a notebook.
func (r *DashboardReply) HTML() string { return "<p>the dashboard of this session</p>" }
