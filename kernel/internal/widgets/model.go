package widgets

import (
	"reflect"
	"time"
)

// A State is the state of a model, by name. A value of type []byte is sent as it is, beside the
// JSON of the others.
type State map[string]any

// A Model is a control, a box, or how one looks. Its methods may be called from any goroutine.
type Model struct {
	m     *Manager
	id    string
	state State
	dirty map[string]bool // what front ends have not been told yet

	toldAt  time.Time // time of the last report
	waiting bool      // a report is due

	changed func(State)
	clicked func()
	closed  func()
}

// Open makes a model and tells front ends of it.
func (m *Manager) Open(s State) *Model {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &Model{m: m, id: m.newID(), state: s}
	m.models[w.id] = w
	m.order = append(m.order, w.id)
	w.say(m.publish, "comm_open", "", s, map[string]any{"version": Version})
	return w
}

// Ref is how another model's state names this one.
func (w *Model) Ref() string { return refPrefix + w.id }

// ViewType is the media type of a view.
const ViewType = "application/vnd.jupyter.widget-view+json"

// View is what a cell shows to have a view of the model, of media type [ViewType].
func (w *Model) View() map[string]any {
	return map[string]any{"version_major": 2, "version_minor": 0, "model_id": w.id}
}

// OnChange calls f with what a hand has changed in a page; OnClick when a button was pressed;
// OnClose when a front end has closed the model. They are set before the model is shown.
func (w *Model) OnChange(f func(State)) { w.m.locked(func() { w.changed = f }) }

// OnClick calls f when a button was pressed.
func (w *Model) OnClick(f func()) { w.m.locked(func() { w.clicked = f }) }

// OnClose calls f when a front end has closed the model.
func (w *Model) OnClose(f func()) { w.m.locked(func() { w.closed = f }) }

func (m *Manager) locked(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

// Get is a value of the state; nil if there is none of that name.
func (w *Model) Get(name string) any {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	return w.state[name]
}

// Set changes the state. Front ends learn of it within [FlushTime].
func (w *Model) Set(s State) {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	for name, v := range s {
		if reflect.DeepEqual(w.state[name], v) {
			continue
		}
		w.state[name] = v
		if w.dirty == nil {
			w.dirty = map[string]bool{}
		}
		w.dirty[name] = true
	}
	w.soon()
}

// Close takes the model out of all pages.
func (w *Model) Close() {
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	if w.m.models[w.id] != w || w.m.publish == nil {
		return
	}
	w.m.forget(w)
	_ = w.m.publish("comm_close", map[string]any{"comm_id": w.id, "data": map[string]any{}}, nil, nil)
}

// soon tells front ends what has changed, now or once FlushTime has passed; the caller holds the
// lock.
func (w *Model) soon() {
	if w.waiting || len(w.dirty) == 0 {
		return
	}
	left := FlushTime - time.Since(w.toldAt)
	if left <= 0 {
		w.tell()
		return
	}
	w.waiting = true
	time.AfterFunc(left, func() {
		w.m.mu.Lock()
		defer w.m.mu.Unlock()
		w.waiting = false
		w.tell()
	})
}

// tell tells front ends what has changed; the caller holds the lock.
func (w *Model) tell() {
	if len(w.dirty) == 0 || w.m.models[w.id] != w {
		return
	}
	s := State{}
	for name := range w.dirty {
		s[name] = w.state[name]
	}
	w.dirty, w.toldAt = nil, time.Now()
	w.say(w.m.publish, "comm_msg", "update", s, nil)
}

// moved takes what a page has changed, after it was echoed: other windows learn it from the echo,
// and the page that the kernel has it. The caller holds the lock.
func (w *Model) moved(s State, p Publish) (after func()) {
	known := State{}
	for name, v := range s {
		if _, ok := w.state[name]; ok {
			known[name] = v
			w.state[name] = v
			delete(w.dirty, name)
		}
	}
	if len(known) == 0 {
		return nil
	}
	w.say(p, "comm_msg", "echo_update", known, nil)
	if f := w.changed; f != nil {
		return func() { f(known) }
	}
	return nil
}

// say publishes a message with a state; the caller holds the lock.
func (w *Model) say(p Publish, kind, method string, s State, metadata map[string]any) {
	if p == nil {
		return
	}
	plain, paths, buffers := split(s)
	data := map[string]any{"state": plain, "buffer_paths": paths}
	content := map[string]any{"comm_id": w.id, "data": data}
	if kind == "comm_open" {
		content["target_name"] = Target
	} else {
		data["method"] = method
	}
	_ = p(kind, content, metadata, buffers) // the kernel has ended, else it cannot fail
}

// split takes the bytes out of a state.
func split(s State) (plain State, paths [][]string, buffers [][]byte) {
	plain, paths = State{}, [][]string{}
	for name, v := range s {
		if b, ok := v.([]byte); ok {
			paths, buffers = append(paths, []string{name}), append(buffers, b)
		} else {
			plain[name] = v
		}
	}
	return plain, paths, buffers
}
