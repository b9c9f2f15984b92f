package panel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"metalab/kernel/host"
	_ "metalab/kernel/host/rooms" // its verbs and algorithms
	"metalab/kernel/host/serve"
	"metalab/kernel/internal/panel"
	"metalab/kernel/internal/widgets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A book is a kernel's desk of panels, the session beside it, and what pages were told.
type book struct {
	*testing.T
	m      *widgets.Manager
	desk   *panel.Desk
	socket string
	c      *wire.Client

	mu     sync.Mutex
	states map[string]map[string]any
	raw    map[string][]byte
	closed int
	tables []string
}

func open(t *testing.T) *book {
	t.Helper()
	dir, err := os.MkdirTemp("", "ml") // short, for the sake of sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	b := &book{
		T: t, socket: dir + "/r/s.sock", states: map[string]map[string]any{},
		raw: map[string][]byte{},
	}
	o := host.Options{
		Session: "s", Socket: b.socket, StateDir: dir + "/state",
		Ready: func() { close(ready) },
	}
	go func() { done <- serve.Serve(ctx, o) }()
	select {
	case <-ready:
	case err := <-done:
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if b.c, err = wire.Dial(ctx, b.socket, "prompt"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.c.Close)
	n := 0
	b.m = widgets.New(func() string {
		n++
		return fmt.Sprint("m", n)
	})
	b.m.Through(b.publish)
	b.desk = panel.New(b.m)
	return b
}

func (b *book) publish(kind string, content any, _ map[string]any, buffers [][]byte) error {
	var c struct {
		ID   string `json:"comm_id"`
		Data struct {
			State map[string]any `json:"state"`
		} `json:"data"`
	}
	raw, err := json.Marshal(content)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil {
		b.Error(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if kind == "comm_open" {
		b.states[c.ID] = map[string]any{}
	}
	if kind == "comm_close" {
		b.closed++
	}
	for name, v := range c.Data.State {
		b.states[c.ID][name] = v
	}
	if len(buffers) == 1 {
		b.raw[c.ID] = buffers[0]
	}
	return nil
}

// ask asks the session for something that it must do.
func (b *book) ask(verb string, q any) {
	b.Helper()
	var r json.RawMessage
	if err := b.c.Do(b.Context(), verb, q, &r); err != nil {
		b.Fatal(err)
	}
}

func (b *book) show(names ...string) *panel.Panel {
	b.Helper()
	p, err := b.desk.Open(b.Context(), b.socket, wire.FormRequest{Run: "a", Names: names},
		func(r *reply.SlidersReply) {
			b.mu.Lock()
			b.tables = append(b.tables, r.Table())
			b.mu.Unlock()
		})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.Close)
	return p
}

// find is the model that has such a value.
func (b *book) find(name string, value any) string {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, s := range b.states {
		if s[name] == value {
			return id
		}
	}
	b.Fatalf("no model has %s %v", name, value)
	return ""
}

func (b *book) value(id, name string) any {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.states[id][name]
}

func (b *book) hand(id, name string, value any) {
	b.m.Heard("comm_msg", map[string]any{"comm_id": id, "data": map[string]any{
		"method": "update", "state": map[string]any{name: value},
	}}, b.publish)
}

func (b *book) press(id string) {
	b.m.Heard("comm_msg", map[string]any{"comm_id": id, "data": map[string]any{
		"method": "custom", "content": map[string]any{"event": "click"},
	}}, b.publish)
}

// until waits for what must come to be; the limit only ends tests that fail.
func (b *book) until(what string, ok func() bool) {
	b.Helper()
	for end := time.Now().Add(5 * time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			b.Fatal("waited in vain for ", what)
		}
	}
}

// Each type of parameter has its control, which changes the run, follows it, and says what is
// wrong.
func TestControls(t *testing.T) {
	b := open(t)
	b.ask("open", map[string]any{
		"as": "a", "solver": "mmas", "instance": "rand-50-1",
		"params": map[string]any{"ants": 4, "local_search": "none"},
	})
	b.show()
	b.mu.Lock()
	names := map[string]string{}
	for _, s := range b.states {
		if d, _ := s["description"].(string); d != "" {
			names[d], _ = s["_model_name"].(string)
		}
	}
	b.mu.Unlock()
	for name, kind := range map[string]string{
		"ants": "FloatLogSliderModel", "rho": "FloatSliderModel", "deposit": "DropdownModel",
		"step": "ButtonModel", "go": "ButtonModel", "pause": "ButtonModel", "fork": "ButtonModel",
	} {
		if names[name] != kind {
			t.Errorf("the control of %s is a %s, want a %s: %v", name, names[name], kind, names)
		}
	}
	journal := func() string {
		var r reply.JournalReply
		if err := b.c.Do(t.Context(), "journal", wire.RunRequest{Run: "a"}, &r); err != nil {
			t.Fatal(err)
		}
		return r.String()
	}
	rho, ants := b.find("description", "rho"), b.find("description", "ants")
	b.hand(rho, "value", 0.3000000001)
	b.until("rho to be a value of few digits", func() bool { return b.value(rho, "value") == 0.3 })
	b.hand(ants, "value", 17.23)
	b.until("ants to be whole", func() bool { return b.value(ants, "value") == 17.0 })
	deposit := b.find("description", "deposit")
	i := b.value(deposit, "index").(float64)
	b.hand(deposit, "index", float64(1-int(min(i, 1))))
	b.until("the journal to have all three", func() bool {
		j := journal()
		return strings.Contains(j, "rho ") && strings.Contains(j, "ants 4 → 17") &&
			strings.Contains(j, "deposit ") && strings.Contains(j, "(sliders)")
	})
	b.hand(rho, "value", nil)
	b.hand(deposit, "index", 99.0)
	b.hand(deposit, "index", nil)
	if j := journal(); strings.Count(j, "rho ") != 1 || strings.Count(j, "deposit ") != 1 {
		t.Errorf("what has no sense has changed the run: %s", j)
	}
	b.ask("set", map[string]any{"run": "a", "params": map[string]any{"ants": 9}})
	b.until("the slider to follow", func() bool { return b.value(ants, "value") == 9.0 })
	b.until("the table to follow", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return len(b.tables) > 0 && strings.Contains(b.tables[len(b.tables)-1], "9 ants")
	})
}

// The buttons do what they say, and the picture and the line follow.
func TestButtons(t *testing.T) {
	b := open(t)
	b.ask("open", map[string]any{"as": "a", "solver": "acs", "instance": "rand-50-1"})
	b.show("q0")
	image := b.find("_model_name", "ImageModel")
	picture := func() []byte {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.raw[image]
	}
	b.until("a picture", func() bool { return bytes.HasPrefix(picture(), []byte("\x89PNG")) })
	before := picture()
	says := func(words string) func() bool {
		return func() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			for _, s := range b.states {
				if v, _ := s["value"].(string); strings.Contains(v, words) {
					return true
				}
			}
			return false
		}
	}
	b.press(b.find("description", "step"))
	b.until("a step", says("a: iteration 1,"))
	b.until("another picture", func() bool { return !bytes.Equal(before, picture()) })
	b.press(b.find("description", "go"))
	b.until("it to run", says("running"))
	b.press(b.find("description", "pause"))
	b.until("it to pause", says("</b> paused"))
	b.press(b.find("description", "fork"))
	b.until("the fork", says("forked as "))
	b.ask("close", wire.RunRequest{Run: "a"})
	b.until("the end", says("the run was closed"))
	b.until("the buttons to be off", func() bool {
		return b.value(b.find("description", "step"), "disabled") == true
	})
}

// What has changed is drawn quickly, and sharply once nothing more happens; a page that asks for a
// run at rest has it sharp.
func TestQuickAndSharp(t *testing.T) {
	b := open(t)
	b.ask("open", map[string]any{"as": "a", "solver": "acs", "instance": "rand-50-1"})
	var mu sync.Mutex
	var widths []int // of all pictures
	b.m.Through(func(kind string, content any, m map[string]any, buffers [][]byte) error {
		for _, p := range buffers {
			c, err := png.DecodeConfig(bytes.NewReader(p))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			widths = append(widths, c.Width)
			mu.Unlock()
		}
		return b.publish(kind, content, m, buffers)
	})
	b.show("q0")
	at, quick, sharp := 0, 0, 0
	next := func(what string, ok func(w int) bool) {
		t.Helper()
		b.until(what, func() bool {
			mu.Lock()
			defer mu.Unlock()
			for ; at < len(widths); at++ {
				if ok(widths[at]) {
					at++
					return true
				}
			}
			return false
		})
	}
	next("the first one", func(w int) bool { quick = w; return true })
	next("a sharp one", func(w int) bool { sharp = w; return w > quick })
	image := b.find("_model_name", "ImageModel")
	if fmt.Sprint(sharp/2) != b.value(image, "width") || sharp < 2*quick-1 {
		t.Errorf("%d and %d pixels, shown %v wide", quick, sharp, b.value(image, "width"))
	}
	isQuick, isSharp := func(w int) bool { return w == quick }, func(w int) bool { return w == sharp }
	b.press(b.find("description", "step"))
	next("the next quick one", isQuick)
	next("the next sharp one", isSharp)
	b.press(b.find("description", "go"))
	next("a quick one of a run that goes on", isQuick)
	b.press(b.find("description", "pause"))
	next("the last one", isSharp)
	b.press(b.find("description", "step"))
	next("the step's", isQuick)
	b.m.Ours("comm_open", map[string]any{"comm_id": "c", "target_name": widgets.Control})
	b.m.Heard("comm_msg", map[string]any{
		"comm_id": "c", "data": map[string]any{"method": "request_states"},
	}, func(_ string, _ any, _ map[string]any, buffers [][]byte) error {
		if c, err := png.DecodeConfig(bytes.NewReader(buffers[0])); err != nil || c.Width != sharp {
			t.Errorf("a page that asks has a picture %d pixels wide, %v; want %d", c.Width, err, sharp)
		}
		return nil
	})
}

// A picture that comes in time leaves the next ones the time that a slower one before it got: else
// a panel whose sharp pictures take longer than at first is allowed never has one.
func TestTimeOfPicturesIsKept(t *testing.T) {
	b := open(t)
	b.ask("open", map[string]any{"as": "a", "solver": "acs", "instance": "rand-50-1"})
	if next, ok := b.show("q0").DrawIn(time.Minute); !ok || next != time.Minute {
		t.Errorf("drawn: %t; the next one may take %v, want a minute", ok, next)
	}
}

// What cannot be shown is an error, and old panels are taken out of the pages.
func TestLimits(t *testing.T) {
	b := open(t)
	for _, q := range []wire.FormRequest{{Run: "a"}, {}} {
		if _, err := b.desk.Open(t.Context(), b.socket, q, nil); err == nil {
			t.Errorf("%+v is no error", q)
		}
	}
	b.ask("open", map[string]any{"as": "a", "solver": "acs", "instance": "rand-50-1"})
	if _, err := b.desk.Open(t.Context(), b.socket, wire.FormRequest{
		Run: "a", Names: []string{"nosuch"},
	}, nil); err == nil {
		t.Error("a parameter that there is not is no error")
	}
	if len(b.m.Info("")) != 0 {
		t.Error("panels that failed leave models")
	}
	b.show("q0")
	one := len(b.m.Info(""))
	for range 20 {
		b.show("q0")
	}
	if got := len(b.m.Info("")); got != 16*one {
		t.Errorf("%d models of panels of %d each, want those of 16", got, one)
	}
}

// What a panel has missed it reads anew.
func TestReadAnew(t *testing.T) {
	b := open(t)
	b.ask("open", map[string]any{"as": "a", "solver": "acs", "instance": "rand-50-1"})
	p := b.show()
	b.ask("set", map[string]any{"run": "a", "params": map[string]any{"beta": 4.5, "rho": 0.625}})
	p.Again()
	for name, want := range map[string]float64{"beta": 4.5, "rho": 0.625} {
		id := b.find("description", name)
		b.until(name+" of the run", func() bool { return b.value(id, "value") == want })
	}
}

// A panel belongs to the run that it was made for: what is done in it does not reach another run
// that has the name by now, nor does it follow that one.
func TestNameOfAnotherRun(t *testing.T) {
	b := open(t)
	o := map[string]any{"as": "a", "solver": "acs", "instance": "rand-50-1"}
	b.ask("open", o)
	p := b.show("q0", "rho")
	slider, rho := b.find("description", "q0"), b.find("description", "rho")
	press := b.find("description", "step")
	b.ask("close", wire.RunRequest{Run: "a"})
	b.ask("open", o)
	b.ask("set", map[string]any{"run": "a", "params": map[string]any{"rho": 0.625}})
	b.until("the panel to be off", func() bool { return b.value(slider, "disabled") == true })
	last := b.value(rho, "value")
	b.hand(slider, "value", 0.5) // a window that has not heard of it yet
	b.press(press)
	p.Again()
	b.until("the slider to go back", func() bool { return b.value(slider, "value") != 0.5 })
	var r reply.SlidersReply
	if err := b.c.Do(t.Context(), "sliders", wire.SlidersRequest{Run: "a", Names: "q0"},
		&r); err != nil {
		t.Fatal(err)
	}
	if v, _ := r.Params[0].Value.Float(); v == 0.5 || r.Iteration != 0 {
		t.Errorf("q0 of the other run is %v after %d iterations", v, r.Iteration)
	}
	if got := b.value(rho, "value"); got != last || got == 0.625 {
		t.Errorf("rho of the panel is %v, want %v as it was", got, last)
	}
	// A panel that missed the end of its run learns it when it reads anew.
	p = b.show("beta")
	b.ask("close", wire.RunRequest{Run: "a"})
	p.Again()
	beta := b.find("description", "beta")
	b.until("that panel to be off", func() bool { return b.value(beta, "disabled") == true })
}
