package cells

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"
	"sync"

	"metalab/kernel/internal/panel"
	"metalab/kernel/internal/widgets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Widgets are the kernel's widgets, and what it does with messages about them.
type Widgets struct {
	k    *Kernel
	m    *widgets.Manager
	desk *panel.Desk

	mu    sync.Mutex
	queue []func() // messages, executed one after the other
	busy  bool
	again func() // says that the kernel is busy with a cell; nil: it is not
}

// Busy tells how the kernel says that it is busy with a request other than about widgets, from now
// until Busy(nil): while it is, it is so again after each message about widgets.
func (w *Widgets) Busy(again func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.again = again
}

func newWidgets(k *Kernel) *Widgets {
	_ = os.Unsetenv(wire.EnvWidgets) // of a kernel that has started this one from a cell
	w := &Widgets{k: k, m: widgets.New(modelID)}
	w.desk = panel.New(w.m)
	return w
}

// modelID makes the name of a model: 128 random bits.
func modelID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// A Reply answers the front end that sent a message.
type Reply func(kind string, content any) error

// Message executes a message about comms, if it is for widgets, and reports whether it is. It
// returns at once; messages run in the order of their arrival, also while a cell runs.
func (w *Widgets) Message(kind string, content any, publish widgets.Publish, answer Reply) bool {
	if kind != "comm_info_request" && !w.m.Ours(kind, content) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	// A page sends a control's next value once it has heard that the kernel is idle after the one
	// before.
	w.queue = append(w.queue, func() {
		w.beside(publish, func() { w.carryOut(kind, content, answer, publish) })
	})
	if !w.busy {
		w.busy = true
		go w.work()
	}
	return true
}

func (w *Widgets) work() {
	for {
		w.mu.Lock()
		if len(w.queue) == 0 {
			w.busy = false
			w.mu.Unlock()
			return
		}
		f := w.queue[0]
		w.queue = w.queue[1:]
		w.mu.Unlock()
		f()
	}
}

// beside does something between the statuses that a page waits for, which must not be those of a
// cell that runs: the kernel is busy with that again.
func (w *Widgets) beside(publish widgets.Publish, f func()) {
	status := func(s string) {
		_ = publish("status", map[string]any{"execution_state": s}, nil, nil)
	}
	status("busy")
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		status("idle")
		if w.again != nil {
			w.again()
		}
	}()
	f()
}

// carryOut executes a message.
func (w *Widgets) carryOut(kind string, content any, answer Reply, publish widgets.Publish) {
	if kind == "comm_info_request" {
		var q struct {
			Target string `json:"target_name"`
		}
		b, err := json.Marshal(content)
		if err == nil {
			_ = json.Unmarshal(b, &q) // another question is for all
		}
		_ = answer("comm_info_reply", map[string]any{"status": "ok", "comms": w.m.Info(q.Target)})
	} else {
		w.m.Heard(kind, content, publish)
	}
	if w.m.Asked() {
		_ = os.Setenv(wire.EnvWidgets, "1") // for cells from now on
	}
}

// Shown replaces what a cell shows for a panel by the panel of a run, and adds its view to forms,
// by media type. It leaves other output as it is.
func (w *Widgets) Shown(forms map[string]any, publish widgets.Publish) {
	text, ok := forms[wire.FormSliders].(string)
	if !ok {
		return
	}
	delete(forms, wire.FormSliders)
	var q wire.FormRequest
	if json.Unmarshal([]byte(text), &q) != nil {
		return
	}
	w.m.Through(publish)
	ctx, cancel := context.WithTimeout(context.Background(), hostLimit)
	defer cancel()
	p, err := w.desk.Open(ctx, w.k.session, q, func(r *reply.SlidersReply) {
		_ = publish("update_display_data", map[string]any{
			"data": r.Kept(), "metadata": map[string]any{},
			"transient": map[string]any{"display_id": q.Table},
		}, nil, nil)
	})
	if err != nil {
		delete(forms, "text/html") // a page would show that, which is empty, rather than the words
		forms["text/plain"] = err.Error()
		return
	}
	forms[widgets.ViewType] = p.View()
}
