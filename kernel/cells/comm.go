package cells

import (
	"context"
	"encoding/json"
	"fmt"

	"metalab/kernel/wire"
)

// Target is the name under which comms to metalab are opened.
const Target = "metalab"

// Answer is the kind of the message that tells a page whether it may enter; it is none of
// Jupyter's, so that no front end takes it for its own.
const Answer = "metalab_answer"

// A comm is the content of a message comm_open for metalab: from a page of the notebook its name
// and secret, or from the host something to show.
type comm struct {
	Target string `json:"target_name"`
	Data   struct {
		Page   string `json:"page"`
		Secret string `json:"secret"`

		Display string         `json:"display"` // the id of what was displayed before
		Forms   map[string]any `json:"forms"`   // what takes its place, by media type
	} `json:"data"`
}

// readComm reads the content of a message comm_open.
func readComm(content any) (c comm, ours bool) {
	b, err := json.Marshal(content)
	return c, err == nil && json.Unmarshal(b, &c) == nil && c.Target == Target
}

// Ours reports whether the content of a message comm_open is for metalab.
func Ours(content any) bool {
	_, ours := readComm(content)
	return ours
}

// Comm executes the request in a message comm_open for metalab; it returns a message to publish, of
// that kind. Everybody on the machine may read that, so it repeats nothing from a page.
func (k *Kernel) Comm(content any) (kind string, reply any) {
	c, _ := readComm(content)
	if c.Data.Display != "" {
		return "update_display_data", map[string]any{
			"data": c.Data.Forms, "metadata": map[string]any{},
			"transient": map[string]any{"display_id": c.Data.Display},
		}
	}
	said := map[string]any{}
	if err := k.admit(c.Data.Page, c.Data.Secret); err != nil {
		said["error"] = err.Error()
	}
	return Answer, said
}

// admit tells the host that a page is of this notebook.
func (k *Kernel) admit(page, secret string) error {
	if page == "" || len(page) > 64 || !plain(page) {
		return &wire.Error{
			Code:    wire.CodeRequest,
			Message: fmt.Sprintf("the page is called %.40q, want its name in the cell's script", page),
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), hostLimit)
	defer cancel()
	c, err := k.host(ctx)
	if err != nil {
		return err
	}
	return c.Admit(ctx, page, secret)
}

// plain reports whether a name may stand in an address.
func plain(s string) bool {
	for _, c := range []byte(s) {
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}
