package wire

import (
	"context"
	"encoding/json"
)

// A host also listens on 127.0.0.1, for pages in a browser of the same machine: the
// dashboard, and controls in the output of notebook cells. The dashboard needs a ticket from a
// client on the socket, a page in a cell a secret that the notebook's kernel has told, which it
// exchanges for a token of its own; see kernel/host.

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

// FormSliders is the media type under which a cell shows, to the notebook's kernel, a FormRequest
// in JSON: the kernel shows the panel of a run in its place.
const FormSliders = "application/vnd.metalab.sliders+json"

// FormRequest asks a notebook's kernel for the panel of a run.
type FormRequest struct {
	Run   string   `json:"run"`
	Names []string `json:"names,omitempty"` // of parameters; none: all that may change
	Table string   `json:"table"`           // the display that shows the last values
}

// EnvWidgets is set for cells whose notebook is open in a front end that has Jupyter's widgets.
const EnvWidgets = "METALAB_WIDGETS"

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
