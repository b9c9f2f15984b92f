package execute

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"metalab/kernel/internal/jupyter/messages"
	"metalab/kernel/internal/widgets"
)

// The part of a program that executes a notebook in widgets: it announces them, as a page does,
// asks for their states at the end, and stores these in the notebook.

// statesLimit is how long the kernel may take to tell the states of all widgets; it draws their
// pictures first.
const statesLimit = 2 * time.Minute

// hasWidgets tells the kernel that there is a front end that has widgets.
func (r *Runner) hasWidgets() error {
	id, err := r.Send(r.Socket, "comm_info_request", map[string]any{"target_name": widgets.Target})
	if err == nil {
		_, err = r.Reply(id)
	}
	return err
}

// states asks for the states of all widgets. Displays that the kernel shows anew meanwhile are
// noted.
func (r *Runner) states(ctx context.Context) (*widgets.Saved, error) {
	ctx, cancel := context.WithTimeout(ctx, statesLimit)
	defer cancel()
	comm := messages.NewID()
	_, err := r.Send(r.Socket, "comm_open", map[string]any{
		"comm_id": comm, "target_name": widgets.Control, "data": map[string]any{},
	})
	if err == nil {
		_, err = r.Send(r.Socket, "comm_msg", map[string]any{
			"comm_id": comm, "data": map[string]any{"method": "request_states"},
		})
	}
	for err == nil {
		select {
		case m := <-r.News:
			r.note(m)
			if m.Header.Type != "comm_msg" {
				continue
			}
			s, ok, err := widgets.ReadStates(m.Content, m.Buffers)
			if ok {
				return s, err
			}
		case <-r.dead:
			return nil, r.explain(errDead)
		case <-ctx.Done():
			return nil, fmt.Errorf("the kernel does not tell the states of widgets: %w", ctx.Err())
		}
	}
	return nil, r.explain(err)
}

// note takes in what a cell's display shows since the cell has ended.
func (r *Runner) note(m messages.Message) {
	if m.Header.Type != "update_display_data" {
		return
	}
	var o Outputs
	if _, err := o.add("display_data", m.Content); err == nil && o[0].id != "" {
		r.anew[o[0].id] = o[0]
	}
}

// keepWidgets writes what cells show by now, and the widgets that they show, into the notebook.
// all are the outputs of the cells.
func (n *notebook) keepWidgets(ctx context.Context, r *Runner, all map[int]result) error {
	views := false
	for _, res := range all {
		for _, o := range res.Outputs {
			views = views || o.Data[widgets.ViewType] != nil
		}
	}
	if !views {
		return n.setWidgets(nil)
	}
	s, err := r.states(ctx)
	if err != nil {
		return err
	}
	for i := range n.cells {
		res, ok := all[i]
		if !ok {
			continue
		}
		for j, o := range res.Outputs {
			if next, ok := r.anew[o.id]; ok && o.id != "" {
				res.Outputs[j] = next
			}
			if view, ok := o.Data[widgets.ViewType].(map[string]any); ok && s.View(view) {
				res.Outputs[j].without(s, view)
			}
		}
		if err := n.setResult(i, res.Count, res.Outputs); err != nil {
			return err
		}
	}
	return n.setWidgets(s)
}

// without makes an output show the picture of its view where there are no widgets.
func (o *Output) without(s *widgets.Saved, view map[string]any) {
	png, width, err := s.Picture(view)
	if err != nil {
		return
	}
	delete(o.Data, "text/html")
	o.Data["image/png"] = png
	about := map[string]any{"alt": fmt.Sprint(o.Data["text/plain"], ", as they were last")}
	if w, err := strconv.Atoi(width); err == nil {
		about["width"] = w
	}
	o.Metadata = map[string]any{"image/png": about}
}

// setWidgets writes the states of widgets into the notebook's metadata, in the place of those that
// were there; nil: there are none.
func (n *notebook) setWidgets(s *widgets.Saved) error {
	meta := map[string]json.RawMessage{}
	if raw := n.top["metadata"]; raw != nil {
		if err := json.Unmarshal(raw, &meta); err != nil {
			return fmt.Errorf("metadata: %w", err)
		}
	}
	delete(meta, "widgets")
	if s != nil && !s.Empty() {
		b, err := marshal(s.Metadata())
		if err != nil {
			return err
		}
		meta["widgets"] = b
	}
	b, err := marshal(meta)
	n.top["metadata"] = b
	return err
}
