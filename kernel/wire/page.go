package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// A host also listens on 127.0.0.1, for pages in a browser of the same machine: the
// dashboard, and controls in the output of notebook cells. The dashboard needs a ticket from a
// client on the socket, a page in a cell a secret that the notebook's kernel has told, which it
// exchanges for a token of its own; see kernel/host.

// SlidersRequest asks for the parameters that controls are made of.
type SlidersRequest struct {
	Run   string `json:"run"`
	Names string `json:"names,omitempty"` // with commas between them; empty: all that are live
}

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
	return fmt.Sprintf("%s\nset %s %s=%s changes one; dashboard shows them as sliders in a browser", r.Table(), r.Run, p.Name, p.Value)
}

// Table is the table alone.
func (r *SlidersReply) Table() string { return table(slidersRows(r.Params)) }

// Frame is HTML within an element that a page finds by a name.
func (r *SlidersReply) Frame(name string) string {
	return `<div id="` + Escape(name) + `">` + r.HTML() + "</div>"
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
	return fmt.Sprintf("%s\nopen it in a browser of this machine, before %s; more windows may be opened with it until then", r.URL, r.Ends)
}

// HTML says that there is a dashboard, without its address: what is in a notebook is read
// by others.
func (r *DashboardReply) HTML() string { return "<p>the dashboard of this session</p>" }

// The kinds of page that a client can put into the output of a cell.
const (
	PageSliders = "sliders"
	PageLink    = "link" // to the dashboard
)

// PageRequest asks for a script that makes a live page of an element.
type PageRequest struct {
	Kind    string   `json:"kind"`
	Element string   `json:"element"` // its id
	Kernel  string   `json:"kernel"`  // the id of the notebook's kernel, by which the page finds it
	Run     string   `json:"run,omitempty"`
	Names   []string `json:"names,omitempty"` // of parameters

	// Table is the id, in Jupyter and on the page, of the table that stays in the notebook beside
	// the element; the host shows it anew when the run has changed.
	Table string `json:"table,omitempty"`
}

// PageReply is a page.
type PageReply struct {
	ID     string `json:"id"`     // for Client.PageEntered
	Script string `json:"script"` // JavaScript; it holds no secret
}

// AdmitRequest is what a notebook's kernel tells of a page.
type AdmitRequest struct {
	Secret string `json:"secret"` // that the page has made, in hexadecimal
}

// Page asks for a script that makes a live page of an element of a notebook. The script is good
// for a minute, so it should not be saved: put it where it can be taken away again once
// PageEntered returns.
func (c *Client) Page(ctx context.Context, q PageRequest) (*PageReply, error) {
	var r PageReply
	return &r, c.postPage(ctx, "/v1/page", q, &r)
}

// Admit tells that the notebook has a page, by the id in its script and the secret that it made
// and told the notebook's kernel: with these it may enter, once.
func (c *Client) Admit(ctx context.Context, page, secret string) error {
	return c.postPage(ctx, "/v1/page/"+page+"/admit", AdmitRequest{secret}, &struct{}{})
}

// PageEntered waits until the script of a page has reached the host, for two seconds at most,
// and reports whether it has.
func (c *Client) PageEntered(ctx context.Context, id string) (bool, error) {
	var r struct {
		Entered bool `json:"entered"`
	}
	err := c.postPage(ctx, "/v1/page/"+id, Empty{}, &r)
	return r.Entered, err
}

func (c *Client) postPage(ctx context.Context, target string, request, reply any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return &Error{CodeRequest, "page: " + err.Error()}
	}
	_, raw, err := c.roundTrip(ctx, "POST", target, c.head(), body)
	if err != nil {
		return err
	}
	return json.Unmarshal(tame(raw), reply)
}

// NamesOf splits names with commas between them.
func NamesOf(list string) []string {
	var out []string
	for n := range strings.SplitSeq(list, ",") {
		if n = strings.TrimSpace(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}
