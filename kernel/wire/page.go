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

// PageRequest asks for a script that turns an element into a live page.
type PageRequest struct {
	Kind    string   `json:"kind"`
	Element string   `json:"element"` // its id
	Kernel  string   `json:"kernel"`  // the id of the notebook's kernel, by which the page finds it
	Run     string   `json:"run,omitempty"`
	Names   []string `json:"names,omitempty"` // of parameters

	// Table is the id, in Jupyter and on the page, of the table that stays in the notebook beside the
	// element. The host updates it when the run has changed.
	Table string `json:"table,omitempty"`
}

// FormSliders is the media type of a FormRequest in JSON, which a cell displays. The notebook's
// kernel replaces it by the panel of a run.
const FormSliders = "application/vnd.metalab.sliders+json"

// FormRequest asks a notebook's kernel for the panel of a run.
type FormRequest struct {
	Run   string   `json:"run"`
	Names []string `json:"names,omitempty"` // of parameters; none: all that can change
	Table string   `json:"table"`           // the display that shows the last values
}

// EnvWidgets is set for cells whose notebook is open in a front end with Jupyter's widgets.
const EnvWidgets = "METALAB_WIDGETS"

// PageReply is a page.
type PageReply struct {
	ID     string `json:"id"`     // for Client.PageEntered
	Script string `json:"script"` // JavaScript; it holds no secret
}

// AdmitRequest is what a notebook's kernel reports about a page.
type AdmitRequest struct {
	Secret string `json:"secret"` // created by the page, in hexadecimal
}

// Page asks for a script that turns an element of a notebook into a live page. The script is valid
// for a minute, so do not save it: put it where you can remove it once PageEntered returns.
func (c *Client) Page(ctx context.Context, q PageRequest) (*PageReply, error) {
	var r PageReply
	return &r, c.postPage(ctx, "/v1/page", q, &r)
}

// Admit reports that the notebook has a page, with the id from its script and the secret that the
// page created and sent to the notebook's kernel. With both the page may enter, once.
func (c *Client) Admit(ctx context.Context, page, secret string) error {
	return c.postPage(ctx, "/v1/page/"+page+"/admit", AdmitRequest{secret}, &struct{}{})
}

// PageEntered waits up to two seconds for the script of a page to reach the host, and reports
// whether it has.
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
