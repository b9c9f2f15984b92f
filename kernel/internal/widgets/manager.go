package widgets

import (
	"encoding/json"
	"sync"
	"time"
)

// The names of comms, and the versions of their protocols.
const (
	Target  = "jupyter.widget"
	Control = "jupyter.widget.control"

	Version = "2.1.0"
)

// FlushTime is the shortest time between two updates of a model.
const FlushTime = 50 * time.Millisecond

// Publish sends a message to all front ends.
type Publish func(kind string, content any, metadata map[string]any, buffers [][]byte) error

// A Manager holds the models of a kernel. Its methods may be called from any goroutine.
type Manager struct {
	newID func() string

	mu       sync.Mutex
	models   map[string]*Model
	order    []string        // the ids, in the order in which models were opened
	controls map[string]bool // comms of front ends that ask for the states of all models
	publish  Publish
	asked    bool
	fresh    func() // before the states of all models are sent
}

// New returns a manager without models; newID makes the names of models, which must be unique
// within the notebook.
func New(newID func() string) *Manager {
	return &Manager{newID: newID, models: map[string]*Model{}, controls: map[string]bool{}}
}

// Through makes the manager say what it says through p, which stands for the last cell that showed
// something.
func (m *Manager) Through(p Publish) {
	m.mu.Lock()
	m.publish = p
	m.mu.Unlock()
}

// BeforeStates sets a function that runs before the states of all models go to a front end.
func (m *Manager) BeforeStates(f func()) {
	m.mu.Lock()
	m.fresh = f
	m.mu.Unlock()
}

// Asked reports whether a front end has asked for widgets: only one that has them does.
func (m *Manager) Asked() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}

// Info is the answer to the question which comms are open, of a target; "" means all.
func (m *Manager) Info(target string) map[string]map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = m.asked || target == Target
	out := map[string]map[string]string{}
	if target == "" || target == Target {
		for id := range m.models {
			out[id] = map[string]string{"target_name": Target}
		}
	}
	return out
}

// A message is what the content of a message of a comm says.
type message struct {
	ID     string `json:"comm_id"`
	Target string `json:"target_name"`
	Data   struct {
		Method  string `json:"method"`
		State   State  `json:"state"`
		Content struct {
			Event string `json:"event"`
		} `json:"content"`
	} `json:"data"`
}

func decode(content any) (q message, ok bool) {
	b, err := json.Marshal(content)
	return q, err == nil && json.Unmarshal(b, &q) == nil
}

// Ours reports whether a message, by its kind and content, is for the manager.
func (m *Manager) Ours(kind string, content any) bool {
	q, ok := decode(content)
	if !ok {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if kind == "comm_open" {
		if q.Target == Control { // what follows on it is ours before this is carried out
			m.controls[q.ID], m.asked = true, true
		}
		return q.Target == Target || q.Target == Control
	}
	return m.controls[q.ID] || m.models[q.ID] != nil
}

// Heard carries out a message that is Ours; p answers it. Messages must be passed in the order in
// which they came.
func (m *Manager) Heard(kind string, content any, p Publish) {
	q, ok := decode(content)
	if !ok {
		return
	}
	if q.Data.Method == "request_states" {
		m.mu.Lock()
		fresh := m.fresh
		m.mu.Unlock()
		if fresh != nil {
			fresh()
		}
	}
	if after := m.heard(kind, q, p); after != nil {
		after()
	}
}

// heard is Heard; what it returns is to be called without the lock.
func (m *Manager) heard(kind string, q message, p Publish) (after func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.models[q.ID]
	switch {
	case kind == "comm_open" && q.Target == Control: // known since it came
	case kind == "comm_open": // a front end makes no models here
		_ = p("comm_close", map[string]any{"comm_id": q.ID, "data": map[string]any{}}, nil, nil)
	case kind == "comm_close" && w != nil:
		m.forget(w)
		return w.closed
	case kind == "comm_close":
		delete(m.controls, q.ID)
	case w == nil && q.Data.Method == "request_states":
		m.tellStates(q.ID, p)
	case w == nil:
	case q.Data.Method == "update":
		return w.moved(q.Data.State, p)
	case q.Data.Method == "request_state":
		m.flush()
		w.say(p, "comm_msg", "update", w.state, nil)
	case q.Data.Method == "custom" && q.Data.Content.Event == "click":
		return w.clicked
	}
	return nil
}

// tellStates tells the states of all models on a comm of a front end.
func (m *Manager) tellStates(comm string, p Publish) {
	m.flush() // other windows are not told states that they do not ask for
	states, paths, buffers := map[string]any{}, [][]string{}, [][]byte{}
	for _, id := range m.order {
		w := m.models[id]
		plain, ps, bs := split(w.state)
		states[id] = map[string]any{
			"model_name": w.state["_model_name"], "model_module": w.state["_model_module"],
			"model_module_version": w.state["_model_module_version"], "state": plain,
		}
		for i, b := range bs {
			paths = append(paths, append([]string{id, "state"}, ps[i]...))
			buffers = append(buffers, b)
		}
	}
	_ = p("comm_msg", map[string]any{"comm_id": comm, "data": map[string]any{
		"method": "update_states", "states": states, "buffer_paths": paths,
	}}, nil, buffers)
}

// forget drops a model; the caller holds the lock.
func (m *Manager) forget(w *Model) {
	delete(m.models, w.id)
	for i, id := range m.order {
		if id == w.id {
			m.order = append(m.order[:i:i], m.order[i+1:]...)
			break
		}
	}
}

// flush tells what has changed; the caller holds the lock.
func (m *Manager) flush() {
	for _, id := range m.order {
		m.models[id].tell()
	}
}
