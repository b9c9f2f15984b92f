package widgets_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"metalab/kernel/internal/widgets"
)

// A said is a message as it was published.
type said struct {
	Type     string         `json:"type"`
	Content  map[string]any `json:"content"`
	Metadata map[string]any `json:"metadata"`
	Buffers  []string       `json:"buffers"`
}

// A recorded is what ipywidgets said when something was done.
type recorded struct {
	Name     string `json:"name"`
	Messages []said `json:"messages"`
}

// recording reads what ipywidgets 8.1.5 said.
func recording(t *testing.T) []recorded {
	t.Helper()
	b, err := os.ReadFile("testdata/ipywidgets.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []recorded
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// A desk is a manager and what it said.
type desk struct {
	*testing.T
	*widgets.Manager

	mu   sync.Mutex // models speak from timers too
	said []said
}

func newDesk(t *testing.T) *desk {
	n := 0
	d := &desk{T: t, Manager: widgets.New(func() string {
		n++
		return fmt.Sprintf("model-%d", n)
	})}
	d.Through(d.publish)
	return d
}

func (d *desk) publish(kind string, content any, meta map[string]any, buffers [][]byte) error {
	s := said{Type: kind, Metadata: meta, Buffers: []string{}}
	b, err := json.Marshal(content)
	if err == nil {
		err = json.Unmarshal(b, &s.Content)
	}
	if err != nil {
		d.Error(err)
	}
	for _, x := range buffers {
		s.Buffers = append(s.Buffers, base64.StdEncoding.EncodeToString(x))
	}
	if s.Metadata == nil {
		s.Metadata = map[string]any{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said = append(d.said, s)
	return nil
}

// hear passes a message of a page on.
func (d *desk) hear(kind, comm string, more map[string]any) {
	d.Helper()
	c := map[string]any{"comm_id": comm}
	maps.Copy(c, more)
	if !d.Ours(kind, c) {
		d.Errorf("%s %v is not ours", kind, c)
	}
	d.Heard(kind, c, d.publish)
}

func update(s widgets.State) map[string]any {
	return map[string]any{"data": map[string]any{
		"method": "update", "state": s, "buffer_paths": []any{},
	}}
}

func method(name string, more ...any) map[string]any {
	data := map[string]any{"method": name}
	if len(more) > 0 {
		data["content"] = more[0]
	}
	return map[string]any{"data": data}
}

// take returns what was said since the last time.
func (d *desk) take() []said {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.said
	d.said = nil
	return s
}

// Every message is, field by field, what ipywidgets says for the same.
func TestAsIpywidgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		made := map[string]*widgets.Model{}
		make1 := func(name string, s widgets.State) func() {
			return func() { made[name] = d.New(name, widgets.Look{}, s) }
		}
		type state = widgets.State
		num := func(lo, hi, step, v any, description string) state {
			return state{"min": lo, "max": hi, "step": step, "value": v, "description": description}
		}
		log := num(-4, 0, 0.01, 0.01, "alpha")
		log["base"] = 10
		const image = "model-29"
		do := map[string]func(){
			"FloatSlider":    make1("FloatSlider", num(0, 1, 0.005, 0.9, "q0")),
			"FloatLogSlider": make1("FloatLogSlider", log),
			"IntSlider":      make1("IntSlider", num(1, 256, 1, 10, "ants")),
			"FloatText":      make1("FloatText", state{"step": 0.005, "value": 0.9}),
			"IntText":        make1("IntText", state{"step": 1, "value": 10}),
			"Dropdown": make1("Dropdown", state{
				"_options_labels": []string{"2opt", "3opt"}, "index": 0, "description": "local_search",
			}),
			"Checkbox": make1("Checkbox", state{"value": true, "description": "reset", "indent": false}),
			"Button":   make1("Button", state{"description": "step"}),
			"HTML":     make1("HTML", state{"value": "<b>a</b>"}),
			"Image":    make1("Image", state{"value": []byte("\x89PNG\r\n"), "width": "800"}),
			"HBox": func() {
				make1("HBox", state{"children": widgets.Refs(made["FloatSlider"], made["FloatText"])})()
			},
			"VBox": func() {
				make1("VBox", state{"children": widgets.Refs(made["HBox"], made["Image"])})()
			},
			"moved in a page": func() { d.hear("comm_msg", "model-3", update(state{"value": 0.5})) },
			"moved in a page, and moved on": func() {
				w := made["FloatSlider"]
				w.OnChange(func(widgets.State) { w.Set(state{"value": 0.25}) })
				d.hear("comm_msg", "model-3", update(state{"value": 0.75}))
			},
			"a picture":     func() { made["Image"].Set(state{"value": []byte("two")}) },
			"request_state": func() { d.hear("comm_msg", "model-21", method("request_state")) },
			"click": func() {
				clicks := 0
				made["Button"].OnClick(func() { clicks++ })
				d.hear("comm_msg", "model-24", method("custom", map[string]any{"event": "click"}))
				if clicks != 1 {
					t.Errorf("%d clicks, want 1", clicks)
				}
			},
			"request_states": func() {
				d.hear("comm_open", "model-34", map[string]any{
					"target_name": widgets.Control, "data": map[string]any{},
				})
				d.hear("comm_msg", "model-34", method("request_states"))
				// The recording has the picture and its layout alone.
				s := d.said[0].Content["data"].(map[string]any)["states"].(map[string]any)
				maps.DeleteFunc(s, func(id string, _ any) bool { return id != image && id != "model-28" })
			},
			"close": func() { made["Button"].Close() },
		}
		for _, r := range recording(t) {
			if do[r.Name] == nil {
				t.Fatalf("nothing is done for %q", r.Name)
			}
			time.Sleep(time.Second)
			do[r.Name]()
			time.Sleep(time.Second)
			synctest.Wait()
			got := d.take()
			if len(got) != len(r.Messages) {
				t.Errorf("%s: %d messages, want %d: %v", r.Name, len(got), len(r.Messages), got)
				continue
			}
			for i, want := range r.Messages {
				delete(want.Content, "target_module") // null, and no part of the protocol of Jupyter
				if w, g := want, got[i]; !reflect.DeepEqual(w, g) {
					t.Errorf("%s, message %d:\n%v\nwant\n%v", r.Name, i, g, w)
				}
			}
		}
	})
}

// No more than 20 updates a second are told, and the last value always.
func TestThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		w := d.New("HTML", widgets.Look{}, nil)
		d.take()
		time.Sleep(time.Second)
		for i := range 1000 {
			w.Set(widgets.State{"value": fmt.Sprint(i)})
			time.Sleep(time.Millisecond)
		}
		time.Sleep(widgets.FlushTime)
		synctest.Wait()
		got := d.take()
		if len(got) < 15 || len(got) > 21 {
			t.Errorf("%d updates in a second, want about 20", len(got))
		}
		last := got[len(got)-1].Content["data"].(map[string]any)["state"]
		if !reflect.DeepEqual(last, map[string]any{"value": "999"}) {
			t.Errorf("the last update is %v", last)
		}
		w.Set(widgets.State{"value": "999"})
		time.Sleep(time.Second)
		if got := d.take(); len(got) != 0 {
			t.Errorf("what has not changed is told: %v", got)
		}
	})
}

// What one model has to say does not wait for what another has said just now.
func TestThrottledEachAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		card, field := d.New("HTML", widgets.Look{}, nil), d.New("FloatText", widgets.Look{}, nil)
		time.Sleep(time.Second)
		synctest.Wait()
		d.take()
		card.Set(widgets.State{"value": "1"})
		field.Set(widgets.State{"value": 0.5})
		card.Set(widgets.State{"value": "2"})
		if got := d.take(); len(got) != 2 {
			t.Errorf("two models say at once %v, want one message each", got)
		}
		time.Sleep(widgets.FlushTime)
		synctest.Wait()
		if got := d.take(); len(got) != 1 {
			t.Errorf("later they say %v, want the second value of one", got)
		}
	})
}

// Only a front end that has widgets asks, and it finds all that are open, once.
func TestAsked(t *testing.T) {
	d := newDesk(t)
	w := d.New("Button", widgets.Look{}, nil)
	if got := d.Info("gonb_comm"); len(got) != 0 || d.Asked() {
		t.Errorf("asked for another target: %v, %v", got, d.Asked())
	}
	if got := d.Info(widgets.Target); len(got) != 3 || !d.Asked() ||
		got["model-3"]["target_name"] != widgets.Target {
		t.Errorf("asked for widgets: %v, %v", got, d.Asked())
	}
	w.Close()
	if got := d.Info(""); len(got) != 2 {
		t.Errorf("after one was closed: %v", got)
	}
	if d.Ours("comm_msg", map[string]any{"comm_id": "model-3"}) {
		t.Error("a message for a closed one is ours")
	}
	d.take()
	d.hear("comm_open", "theirs", map[string]any{"target_name": widgets.Target})
	if got := d.take(); len(got) != 1 || got[0].Type != "comm_close" ||
		got[0].Content["comm_id"] != "theirs" {
		t.Errorf("a model of a page: %v", got)
	}
}

// A page asks for states right behind the opening of its comm, before that is carried out.
func TestAsksAtOnce(t *testing.T) {
	d := newDesk(t)
	if !d.Ours("comm_open", map[string]any{"comm_id": "c", "target_name": widgets.Control}) ||
		!d.Ours("comm_msg", map[string]any{"comm_id": "c"}) {
		t.Error("a question on a comm that was opened just now is not ours")
	}
}

// What a page says that has no sense changes nothing.
func TestNonsense(t *testing.T) {
	d := newDesk(t)
	w := d.New("Checkbox", widgets.Look{}, nil)
	w.OnChange(func(s widgets.State) { t.Errorf("heard %v", s) })
	d.take()
	d.hear("comm_msg", "model-3", update(widgets.State{"nosuch": 1}))
	d.hear("comm_msg", "model-3", method("nosuch"))
	d.hear("comm_msg", "model-3", map[string]any{"data": map[string]any{}})
	for _, c := range []any{nil, 3, "x", map[string]any{"comm_id": 3}, []any{}} {
		if d.Ours("comm_msg", c) || d.Ours("comm_open", c) {
			t.Errorf("%v is ours", c)
		}
		d.Heard("comm_msg", c, d.publish)
	}
	if got := d.take(); len(got) != 0 {
		t.Errorf("it says %v", got)
	}
	closed := false
	w.OnClose(func() { closed = true })
	d.hear("comm_close", "model-3", nil)
	if !closed || slices.Contains(slices.Collect(maps.Keys(d.Info(""))), "model-3") {
		t.Error("closed by a page, it is still there")
	}
}
