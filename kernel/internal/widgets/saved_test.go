package widgets_test

import (
	"encoding/json"
	"strings"
	"testing"

	"metalab/kernel/internal/widgets"
)

// states asks a manager for the states of all models, as a front end does.
func states(t *testing.T, m *widgets.Manager) (content []byte, buffers [][]byte) {
	t.Helper()
	control := map[string]any{"comm_id": "c", "target_name": widgets.Control}
	publish := func(_ string, c any, _ map[string]any, bs [][]byte) (err error) {
		buffers = bs
		content, err = json.Marshal(c)
		return err
	}
	if !m.Ours("comm_open", control) {
		t.Fatal("the control comm is not for the manager")
	}
	m.Heard("comm_open", control, publish)
	m.Heard("comm_msg", map[string]any{"comm_id": "c", "data": map[string]any{
		"method": "request_states",
	}}, publish)
	return content, buffers
}

// A notebook keeps the models of its views alone, under names that are the same each time, and what
// is bytes as base64; a control that nobody hears is off.
func TestSaved(t *testing.T) {
	t.Parallel()
	for _, extra := range []int{0, 3} { // models that no view shows, before
		d := newDesk(t)
		for range extra {
			d.New("Button", widgets.Look{}, nil)
		}
		l := d.Layout(nil)
		slider := d.New("FloatSlider", widgets.Look{Layout: l}, widgets.State{"value": 0.25})
		image := d.New("Image", widgets.Look{Layout: l}, widgets.State{
			"value": []byte("png"), "width": "80",
		})
		box := d.New("HBox", widgets.Look{Layout: l}, widgets.State{
			"children": widgets.Refs(slider, image),
		})
		content, buffers := states(t, d.Manager)
		s, ok, err := widgets.ReadStates(content, buffers)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		if !s.Empty() || s.View(map[string]any{"model_id": "nosuch"}) || !s.Empty() {
			t.Error("a model is kept that no view shows")
		}
		view := box.View()
		if !s.View(view) || view["model_id"] != "metalab-1" {
			t.Errorf("the view is %v", view)
		}
		png, width, err := s.Picture(view)
		if png != "cG5n" || width != "80" || err != nil {
			t.Errorf("the picture is %q, %q wide: %v", png, width, err)
		}
		b, err := json.Marshal(s.Metadata()[widgets.StateType])
		if err != nil {
			t.Fatal(err)
		}
		const want = `{"state":{"metalab-1":{"model_name":"HBoxModel","model_module":` +
			`"@jupyter-widgets/controls","model_module_version":"2.0.0","state":{"_dom_classes":[],` +
			`"_model_module":"@jupyter-widgets/controls","_model_module_version":"2.0.0",` +
			`"_model_name":"HBoxModel","_view_module":"@jupyter-widgets/controls",` +
			`"_view_module_version":"2.0.0","_view_name":"HBoxView","box_style":"",` +
			`"children":["IPY_MODEL_metalab-2","IPY_MODEL_metalab-5"],"layout":"IPY_MODEL_metalab-3"}},`
		if !strings.HasPrefix(string(b), want) {
			t.Errorf("with %d more: %s\nwant %s", extra, b, want)
		}
		for _, part := range []string{
			`"model_name":"FloatSliderModel"`, `"value":0.25`, `"disabled":true`,
			`"buffers":[{"encoding":"base64","path":["value"],"data":"cG5n"}]`,
			`"version_major":2`,
		} {
			if !strings.Contains(string(b), part) {
				t.Errorf("no %s in %s", part, b)
			}
		}
		if strings.Contains(string(b), "null") || strings.Contains(string(b), "ButtonModel") ||
			strings.Count(string(b), `"model_name"`) != 5 {
			t.Errorf("too much is kept: %s", b)
		}
	}
}

// What is no message of states is none, and one whose buffers do not fit is an error.
func TestStatesThatDoNotFit(t *testing.T) {
	t.Parallel()
	const says = `{"data":{"method":"update_states","states":`
	for content, want := range map[string]struct{ ok, fails bool }{
		``:                              {},
		`{"data":{"method":"update"}}`:  {},
		says + `{},"buffer_paths":[]}}`: {true, true},
		says + `{},"buffer_paths":[["a","state","v"]]}}`: {true, true},
		says + `{"a":{}},"buffer_paths":[["a","v"]]}}`:   {true, true},
		says + `{"a":{}},"buffer_paths":[["a","state","v"]]}}`: {
			true, false,
		},
	} {
		_, ok, err := widgets.ReadStates([]byte(content), [][]byte{[]byte("x")})
		if ok != want.ok || err != nil != want.fails {
			t.Errorf("%s: %v, %v", content, ok, err)
		}
	}
}
