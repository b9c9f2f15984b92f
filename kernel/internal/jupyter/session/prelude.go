package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"metalab/kernel/internal/jupyter/messages"
)

// preludeCode is what every notebook begins with, unseen: lab needs no import, and no cell
// waits for a look into the net for modules. "%reset" forgets the import, but then GoNB
// finds lab by its name.
const preludeCode = `%noautoget
import "metalab/kernel/lab"
%%
_ = lab.Client
`

// prelude carries out preludeCode in a kernel that is starting. It is silent, so the first
// cell of the user's is In[1]; what the user sends meanwhile waits its turn.
func prelude(ctx context.Context, path string) error {
	c, err := messages.ReadConnection(path)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	p, err := messages.Dial(ctx, c)
	if err != nil {
		return err
	}
	defer p.Close()
	t0 := time.Now()
	id, err := p.Send(p.Socket, "execute_request",
		messages.Execute{Code: preludeCode, Silent: true, Exprs: map[string]any{}})
	if err != nil {
		return err
	}
	m, err := p.Reply(id)
	if err != nil {
		return err
	}
	var r struct {
		Status string   `json:"status"`
		Value  string   `json:"evalue"`
		Trace  []string `json:"traceback"`
	}
	if err := json.Unmarshal(m.Content, &r); err != nil {
		return err
	}
	if r.Status != "ok" {
		return fmt.Errorf("%s %s", r.Value, strings.Join(r.Trace, "; "))
	}
	logf("the prelude took %v", time.Since(t0).Round(time.Millisecond))
	return nil
}
