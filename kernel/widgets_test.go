package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"metalab/kernel/internal/jupyter/messages"
	"metalab/kernel/internal/widgets"
	"metalab/kernel/wire"
)

// A window is a front end that has widgets, as strict as the protocol is: it knows what the kernel
// told it, and complains of what must not be.
type window struct {
	*book
	models map[string]map[string]any // states by comm
	raw    map[string][]byte         // pictures
	views  []string                  // that cells showed
	tables map[string]string         // HTML by display
	idle   map[string]bool           // requests that the kernel was idle after
	echoes []string                  // comms
	seen   func(messages.Message)    // of each message; nil: nobody looks
	status string                    // of the kernel, as it said last
}

func newWindow(s *book) *window {
	return &window{
		s,
		map[string]map[string]any{},
		map[string][]byte{},
		nil,
		map[string]string{},
		map[string]bool{},
		nil, nil, "",
	}
}

// take takes in the next message of the kernel's.
func (f *window) take() {
	f.Helper()
	select {
	case m := <-f.News:
		f.heard(m)
	case <-time.After(5 * time.Minute):
		f.Fatal("the kernel says nothing any more")
	}
}

func (f *window) heard(m messages.Message) {
	f.Helper()
	if f.seen != nil {
		f.seen(m)
	}
	var c struct {
		ID     string `json:"comm_id"`
		Target string `json:"target_name"`
		State  string `json:"execution_state"`
		Data   struct {
			Method string         `json:"method"`
			State  map[string]any `json:"state"`
			Paths  [][]string     `json:"buffer_paths"`

			View *struct {
				Major int    `json:"version_major"`
				ID    string `json:"model_id"`
			} `json:"application/vnd.jupyter.widget-view+json"`
			HTML string `json:"text/html"`
		} `json:"data"`
		Transient struct {
			ID string `json:"display_id"`
		} `json:"transient"`
	}
	if strings.HasPrefix(m.Header.Type, "comm_") || strings.Contains(m.Header.Type, "display_data") ||
		m.Header.Type == "status" {
		if err := json.Unmarshal(m.Content, &c); err != nil {
			f.Fatalf("%s: %v: %s", m.Header.Type, err, m.Content)
		}
	}
	switch m.Header.Type {
	case "status":
		f.status = c.State
		f.idle[m.Parent.ID] = f.idle[m.Parent.ID] || c.State == "idle"
	case "display_data", "update_display_data":
		if c.Data.View != nil {
			if c.Data.View.Major != 2 || f.models[c.Data.View.ID] == nil {
				f.Errorf("a view of a model that is not there: %s", m.Content)
			}
			f.views = append(f.views, c.Data.View.ID)
		}
		if c.Transient.ID != "" {
			f.tables[c.Transient.ID] = c.Data.HTML
		}
	case "comm_open":
		if c.Target != widgets.Target || !strings.Contains(string(m.Metadata), widgets.Version) ||
			f.models[c.ID] != nil {
			f.Errorf("comm_open %s %s", m.Metadata, m.Content)
		}
		for name, v := range c.Data.State { // a model names only those that are there
			for _, ref := range strings.Fields(strings.Trim(fmt.Sprint(v), "[]")) {
				if id, ok := strings.CutPrefix(ref, "IPY_MODEL_"); ok && f.models[id] == nil {
					f.Errorf("%s of %s names a model that is not there", name, c.ID)
				}
			}
		}
		f.models[c.ID] = map[string]any{}
		f.update(c.ID, c.Data.State, c.Data.Paths, m.Buffers)
	case "comm_msg":
		switch {
		case c.Data.Method == "update_states":
		case f.models[c.ID] == nil:
			f.Errorf("a message for a model that is not there: %s", m.Content)
		case c.Data.Method == "update", c.Data.Method == "echo_update":
			if c.Data.Method == "echo_update" {
				f.echoes = append(f.echoes, c.ID)
			}
			f.update(c.ID, c.Data.State, c.Data.Paths, m.Buffers)
		default:
			f.Errorf("a message of method %q", c.Data.Method)
		}
	case "comm_close":
		delete(f.models, c.ID)
	}
}

func (f *window) update(id string, s map[string]any, paths [][]string, buffers [][]byte) {
	f.Helper()
	if len(paths) != len(buffers) {
		f.Errorf("%d buffers for %v", len(buffers), paths)
		return
	}
	for name, v := range s {
		f.models[id][name] = v
	}
	for i, p := range paths {
		if len(p) != 1 || p[0] != "value" {
			f.Errorf("a buffer for %v", p)
		}
		f.raw[id] = buffers[i]
	}
}

// wait takes messages in until something holds.
func (f *window) wait(what string, ok func() bool) {
	f.Helper()
	for end := time.Now().Add(5 * time.Minute); !ok(); f.take() {
		if time.Now().After(end) {
			f.Fatal("waited in vain for", what)
		}
	}
}

// say sends a message about a comm and waits until the kernel is idle after it, as pages do.
func (f *window) say(kind string, content map[string]any) {
	f.Helper()
	id, err := f.Send(f.Socket, kind, content)
	if err != nil {
		f.Fatal(err)
	}
	f.wait("the kernel to be idle after "+kind, func() bool { return f.idle[id] })
}

func (f *window) move(id string, state map[string]any) {
	f.Helper()
	f.say("comm_msg", map[string]any{"comm_id": id, "data": map[string]any{
		"method": "update", "state": state, "buffer_paths": []any{},
	}})
}

// row are the models of the row of a parameter: its slider, its field, and what is said about it.
func (f *window) row(name string) (main, field, told string) {
	f.Helper()
	for _, s := range f.models {
		if s["_model_name"] != "HBoxModel" {
			continue
		}
		var ids []string
		for _, c := range s["children"].([]any) {
			ids = append(ids, strings.TrimPrefix(c.(string), "IPY_MODEL_"))
		}
		if len(ids) == 3 && f.models[ids[0]]["description"] == name {
			return ids[0], ids[1], ids[2]
		}
	}
	f.Fatalf("there is no row for %s", name)
	return "", "", ""
}

// one is the only model of a kind.
func (f *window) one(kind string) string {
	f.Helper()
	found := ""
	for id, s := range f.models {
		if s["_model_name"] == kind {
			if found != "" {
				f.Fatal("more than one ", kind)
			}
			found = id
		}
	}
	return found
}

// execute executes a cell and takes in what it shows.
func (f *window) execute(code string) {
	f.Helper()
	id, err := f.Send(f.Socket, "execute_request", messages.Execute{
		Code: code, Store: true, StopErr: true,
		Exprs: map[string]any{},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.wait("the cell", func() bool { return f.idle[id] })
}

// The widgets of a cell act when it has ended and while another runs, follow what others do, and
// are found by a page that is loaded anew: over a real kernel's sockets.
func TestWidgets(t *testing.T) {
	t.Parallel()
	s := startIn(t, kernel(t), "GONB_JUPYTER_KERNEL_ID=1234")
	f := newWindow(s)
	f.say("comm_info_request", map[string]any{"target_name": widgets.Target})
	f.execute("%%\na := lab.Open(\"a\", \"acs\", lab.Load(\"rand-50-1\"), lab.Seed(3), " +
		"lab.With(\"ants\", 4))\nlab.Sliders(a, \"q0\", \"ants\")")
	if len(f.views) != 1 || len(f.tables) != 1 {
		t.Fatalf("the cell shows %d views and %d tables, want one of each", len(f.views), len(f.tables))
	}
	table := func() string {
		for _, h := range f.tables {
			return h
		}
		return ""
	}
	slider, field, told := f.row("q0")
	if f.models[slider]["_model_name"] != "FloatSliderModel" ||
		f.models[slider]["continuous_update"] != false || f.models[slider]["max"] != 1.0 {
		t.Errorf("the slider is %v", f.models[slider])
	}
	if b := f.raw[f.one("ImageModel")]; !bytes.HasPrefix(b, []byte("\x89PNG")) {
		t.Errorf("the picture has %d bytes", len(b))
	}

	// Moved by a hand: a change, told to all windows and in the table.
	f.move(slider, map[string]any{"value": 0.5})
	f.wait("the field and the table to follow", func() bool {
		return f.models[field]["value"] == 0.5 && strings.Contains(table(), ">0.5<")
	})
	if len(f.echoes) != 1 || f.echoes[0] != slider {
		t.Errorf("echoes of %v, want of the slider", f.echoes)
	}
	// Refused: it comes back with the reason.
	f.move(field, map[string]any{"value": 7})
	f.wait("the reason", func() bool {
		return strings.Contains(fmt.Sprint(f.models[told]["value"]), "0 to 1") &&
			f.models[field]["value"] == 0.5
	})
	// What another client does is followed.
	c, err := wire.Dial(t.Context(), s.hello.Socket, "prompt")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	do := func(verb string, q any) {
		t.Helper()
		var r json.RawMessage
		if err := c.Do(t.Context(), verb, q, &r); err != nil {
			t.Fatal(err)
		}
	}
	do("set", map[string]any{"run": "a", "params": map[string]any{"q0": 0.75}})
	f.wait("the slider to follow the prompt", func() bool {
		return f.models[slider]["value"] == 0.75 && f.models[field]["value"] == 0.75 &&
			strings.Contains(fmt.Sprint(f.models[told]["value"]), "by prompt")
	})
	before := f.raw[f.one("ImageModel")]
	do("step", map[string]any{"run": "a", "n": 20})
	f.wait("another picture", func() bool { return !bytes.Equal(before, f.raw[f.one("ImageModel")]) })

	// While a cell runs.
	id, err := f.Send(f.Socket, "execute_request", messages.Execute{
		Code: "%%\nlab.Get(\"a\").Step(1_000_000_000)", Store: true, StopErr: true,
		Exprs: map[string]any{},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.stands(t.Context(), 22)
	f.move(slider, map[string]any{"value": 0.25})
	f.wait("the field to follow", func() bool { return f.models[field]["value"] == 0.25 })
	f.wait("the kernel to be busy again", func() bool { return f.status == "busy" })
	if f.idle[id] {
		t.Error("the cell has ended already")
	}
	if err := s.Interrupt(); err != nil {
		t.Fatal(err)
	}
	f.wait("the end of the cell", func() bool { return f.idle[id] })

	// A page that is loaded anew finds what the first one has.
	old := f.models
	var states map[string]struct {
		Name  string         `json:"model_name"`
		State map[string]any `json:"state"`
	}
	f.seen = func(m messages.Message) {
		var c struct {
			Data struct {
				States json.RawMessage `json:"states"`
			} `json:"data"`
		}
		if json.Unmarshal(m.Content, &c) == nil && c.Data.States != nil {
			if err := json.Unmarshal(c.Data.States, &states); err != nil || len(m.Buffers) != 1 {
				t.Errorf("states with %d buffers: %v", len(m.Buffers), err)
			}
		}
	}
	if _, err := f.Send(f.Socket, "comm_open", map[string]any{ // and asks before that is answered
		"comm_id": "control", "target_name": widgets.Control,
	}); err != nil {
		t.Fatal(err)
	}
	f.say("comm_msg", map[string]any{
		"comm_id": "control", "data": map[string]any{"method": "request_states"},
	})
	if len(states) != len(old) {
		t.Fatalf("%d states, want %d", len(states), len(old))
	}
	for id, want := range old {
		if got := states[id]; got.Name != want["_model_name"] ||
			fmt.Sprint(got.State["value"]) != fmt.Sprint(want["value"]) {
			t.Errorf("the state of a %v is %v, want %v", want["_model_name"], got.State, want)
		}
	}
	c2 := f.comms()
	if len(c2) != len(old) {
		t.Errorf("comm_info tells of %d comms, want %d", len(c2), len(old))
	}
}

// comms asks which comms are open.
func (f *window) comms() map[string]any {
	f.Helper()
	id, err := f.Send(f.Socket, "comm_info_request", map[string]any{"target_name": widgets.Target})
	if err != nil {
		f.Fatal(err)
	}
	m, err := f.Reply(id)
	var r struct {
		Status string         `json:"status"`
		Comms  map[string]any `json:"comms"`
	}
	if err == nil {
		err = json.Unmarshal(m.Content, &r)
	}
	if err != nil || r.Status != "ok" {
		f.Fatalf("comm_info_reply: %v: %s", err, m.Content)
	}
	return r.Comms
}
