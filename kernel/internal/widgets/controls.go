package widgets

import (
	"fmt"
	"maps"
)

// The versions of the modules that front ends have the controls in.
const (
	baseModule     = "@jupyter-widgets/base"
	controlsModule = "@jupyter-widgets/controls"
	moduleVersion  = "2.0.0"
)

// A Look is the style of a control; several may share one. For a nil field the control gets its
// own.
type Look struct{ Layout, Style *Model }

// A control is a kind of control: the name of its style, and its state as it begins.
type control struct {
	style string
	state State
}

// described is what controls have that say what they are for.
func described(more State) State {
	s := State{"description": "", "description_allow_html": false, "disabled": false}
	maps.Copy(s, more)
	return s
}

// slider returns the common state of sliders. It reports a drag when the hand lets go: a drag is
// one change.
func slider(format string, more State) State {
	s := described(State{
		"behavior": "drag-tap", "continuous_update": false, "orientation": "horizontal",
		"readout": false, "readout_format": format, "min": 0, "max": 100, "step": 1, "value": 0,
	})
	maps.Copy(s, more)
	return s
}

// field is what fields of numbers have.
func field() State { return described(State{"continuous_update": false, "step": nil, "value": 0}) }

// controls are the kinds of control, by the names that ipywidgets has for them.
func controls() map[string]control {
	return map[string]control{
		"FloatSlider":    {"SliderStyle", slider(".2f", State{"step": 0.1})},
		"FloatLogSlider": {"SliderStyle", slider(".3g", State{"base": 10, "max": 4, "step": 0.1})},
		"IntSlider":      {"SliderStyle", slider("d", nil)},
		"FloatText":      {"DescriptionStyle", field()},
		"IntText":        {"DescriptionStyle", field()},
		"Dropdown": {"DescriptionStyle", described(State{
			"_options_labels": []string{}, "index": nil,
		})},
		"Checkbox": {"CheckboxStyle", described(State{"indent": true, "value": false})},
		"Button": {"ButtonStyle", State{
			"button_style": "", "description": "", "disabled": false, "icon": "",
		}},
		"HTML": {"HTMLStyle", State{
			"description": "", "description_allow_html": false, "placeholder": "\u200b", "value": "",
		}},
		"Image": {"", State{"format": "png", "height": "", "width": "", "value": []byte{}}},
		"HBox":  {"", State{"box_style": "", "children": []string{}}},
		"VBox":  {"", State{"box_style": "", "children": []string{}}},
	}
}

// styles are what styles have, by the names of their models without the end.
func styles() map[string]State {
	return map[string]State{
		"SliderStyle":      {"description_width": "", "handle_color": nil},
		"DescriptionStyle": {"description_width": ""},
		"CheckboxStyle":    {"description_width": "", "background": nil},
		"HTMLStyle": {
			"description_width": "", "background": nil, "font_size": nil, "text_color": nil,
		},
		"ButtonStyle": {
			"button_color": nil, "font_family": nil, "font_size": nil, "font_style": nil,
			"font_variant": nil, "font_weight": nil, "text_color": nil, "text_decoration": nil,
		},
	}
}

// layoutNames are the names of a layout, properties of CSS with _ for -; null means that a front
// end leaves them as they are.
var layoutNames = []string{
	"align_content", "align_items", "align_self", "border_bottom", "border_left", "border_right",
	"border_top", "bottom", "display", "flex", "flex_flow", "grid_area", "grid_auto_columns",
	"grid_auto_flow", "grid_auto_rows", "grid_column", "grid_gap", "grid_row", "grid_template_areas",
	"grid_template_columns", "grid_template_rows", "height", "justify_content", "justify_items",
	"left", "margin", "max_height", "max_width", "min_height", "min_width", "object_fit",
	"object_position", "order", "overflow", "padding", "right", "top", "visibility", "width",
}

// New makes a control of a kind, as "FloatSlider", looking like l, with what is in s; the rest is
// as ipywidgets has it. It panics for a kind or a name that there is not, which is a mistake of the
// program.
func (m *Manager) New(kind string, l Look, s State) *Model {
	c, ok := controls()[kind]
	if !ok {
		panic(fmt.Sprintf("widgets: there is no %q", kind))
	}
	if l.Layout == nil {
		l.Layout = m.Layout(nil)
	}
	if c.style != "" && l.Style == nil {
		l.Style = m.Style(c.style, nil)
	}
	base := named(controlsModule, kind+"Model", controlsModule, kind+"View")
	base["_dom_classes"], base["tabbable"], base["tooltip"] = []string{}, nil, nil
	maps.Copy(base, c.state)
	base["layout"] = l.Layout.Ref()
	if c.style != "" {
		base["style"] = l.Style.Ref()
	}
	return m.Open(with(base, s))
}

// Layout makes a layout with what is in s, properties of CSS by their names with _ for -.
func (m *Manager) Layout(s State) *Model {
	base := named(baseModule, "LayoutModel", baseModule, "LayoutView")
	for _, n := range layoutNames {
		base[n] = nil
	}
	return m.Open(with(base, s))
}

// Style makes a style of a kind, as "SliderStyle", with what is in s.
func (m *Manager) Style(kind string, s State) *Model {
	own, ok := styles()[kind]
	if !ok {
		panic(fmt.Sprintf("widgets: there is no %q", kind))
	}
	base := named(controlsModule, kind+"Model", baseModule, "StyleView")
	maps.Copy(base, own)
	return m.Open(with(base, s))
}

// named is the part of a state that says what a front end makes of it.
func named(module, model, viewModule, view string) State {
	return State{
		"_model_module": module, "_model_module_version": moduleVersion, "_model_name": model,
		"_view_module": viewModule, "_view_module_version": moduleVersion, "_view_name": view,
		"_view_count": nil,
	}
}

// with sets what is in s.
func with(base, s State) State {
	for name, v := range s {
		if _, ok := base[name]; !ok {
			panic(fmt.Sprintf("widgets: %v has no %q", base["_model_name"], name))
		}
		base[name] = v
	}
	return base
}

// Refs names models, as boxes do their children.
func Refs(ws ...*Model) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.Ref()
	}
	return out
}
