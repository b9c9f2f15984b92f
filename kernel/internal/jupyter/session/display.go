package session

import (
	"context"
	"sync"

	"metalab/kernel/cells"
	"metalab/kernel/internal/jupyter/messages"
)

// A displayer shows, in a notebook, something anew that a cell has shown: it asks the kernel to
// publish it, which only the kernel can.
type displayer struct {
	ctx  context.Context
	path string // of the connection file

	mu   sync.Mutex
	peer *messages.Peer
}

// display replaces what was displayed under an id. A notebook that is not there any more needs
// nothing.
func (d *displayer) display(id string, forms map[string]string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.peer == nil {
		c, err := messages.ReadConnection(d.path)
		if err == nil {
			d.peer, err = messages.Dial(d.ctx, c)
		}
		if err != nil {
			logf("display: %v", err)
			d.peer = nil
			return
		}
	}
	content := map[string]any{
		"comm_id": messages.NewID(), "target_name": cells.Target,
		"data": map[string]any{"display": id, "forms": forms},
	}
	if _, err := d.peer.Send(d.peer.Socket, "comm_open", content); err != nil && d.ctx.Err() == nil {
		logf("display: %v", err)
	}
}

func (d *displayer) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.peer != nil {
		d.peer.Close()
	}
}
