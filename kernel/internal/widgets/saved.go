package widgets

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// StateType is the media type of the states of models in a notebook's metadata, under "widgets".
const StateType = "application/vnd.jupyter.widget-state+json"

// refPrefix begins what names a model in another one's state.
const refPrefix = "IPY_MODEL_"

// Saved is the part of models that a notebook stores: front ends and exporters show it without a
// kernel. It derives from the kernel's answer to request_states, see [ReadStates].
//
// It omits models that no view shows, and numbers the others in the order of the views, so the same
// notebook has the same names at each execution.
type Saved struct {
	told  map[string]savedModel
	names map[string]string // by the ids that the kernel has
	kept  map[string]savedModel
}

// A savedModel is a model as a notebook keeps it.
type savedModel struct {
	Name    string        `json:"model_name"`
	Module  string        `json:"model_module"`
	Version string        `json:"model_module_version"`
	State   State         `json:"state"`
	Buffers []savedBuffer `json:"buffers,omitempty"`
}

// A savedBuffer is a value that is bytes.
type savedBuffer struct {
	Encoding string   `json:"encoding"`
	Path     []string `json:"path"`
	Data     string   `json:"data"`
}

// ReadStates reads the content of the message update_states, and its buffers. It reports whether
// the message is one.
func ReadStates(content []byte, buffers [][]byte) (s *Saved, ok bool, err error) {
	var c struct {
		Data struct {
			Method string                `json:"method"`
			States map[string]savedModel `json:"states"`
			Paths  [][]string            `json:"buffer_paths"`
		} `json:"data"`
	}
	if err := json.Unmarshal(content, &c); err != nil || c.Data.Method != "update_states" {
		return nil, false, nil // of another kind
	}
	if len(c.Data.Paths) != len(buffers) {
		return nil, true, fmt.Errorf("widgets: update_states names %d buffers and has %d",
			len(c.Data.Paths), len(buffers))
	}
	for i, p := range c.Data.Paths {
		m, there := savedModel{}, false
		if len(p) == 3 && p[1] == "state" {
			m, there = c.Data.States[p[0]]
		}
		if !there {
			return nil, true, fmt.Errorf("widgets: update_states has a buffer for %q, "+
				"want a model, \"state\" and a name", p)
		}
		m.Buffers = append(m.Buffers, savedBuffer{
			Encoding: "base64", Path: p[2:], Data: base64.StdEncoding.EncodeToString(buffers[i]),
		})
		c.Data.States[p[0]] = m
	}
	return &Saved{c.Data.States, map[string]string{}, map[string]savedModel{}}, true, nil
}

// View stores the models of a view, of media type [ViewType], and replaces the model's name in it
// by the stored name. It reports whether the model exists.
func (s *Saved) View(view map[string]any) bool {
	id, _ := view["model_id"].(string)
	if _, ok := s.told[id]; !ok {
		return false
	}
	view["model_id"] = s.keep(id)
	return true
}

// keep keeps a model and all that its state names, and returns its name.
func (s *Saved) keep(id string) string {
	if name, ok := s.names[id]; ok {
		return name
	}
	name := fmt.Sprintf("metalab-%d", len(s.names)+1)
	s.names[id] = name
	m := s.told[id]
	state := State{}
	for _, key := range slices.Sorted(maps.Keys(m.State)) {
		// A front end takes null for what is missing, and layouts are nearly all null.
		if v := s.renamed(m.State[key]); v != nil {
			state[key] = v
		}
	}
	if _, ok := state["disabled"]; ok {
		state["disabled"] = true // there is nobody to tell
	}
	m.State = state
	s.kept[name] = m
	return name
}

// renamed returns a value with the stored names of models; nil for a missing model.
func (s *Saved) renamed(v any) any {
	switch v := v.(type) {
	case string:
		id, ok := strings.CutPrefix(v, refPrefix)
		if !ok {
			return v
		}
		if _, there := s.told[id]; !there {
			return nil
		}
		return refPrefix + s.keep(id)
	case []any:
		out := []any{}
		for _, x := range v {
			if x = s.renamed(x); x != nil {
				out = append(out, x)
			}
		}
		return out
	}
	return v
}

// Empty reports whether there are no stored models.
func (s *Saved) Empty() bool { return len(s.kept) == 0 }

// Metadata is what a notebook's metadata has under "widgets".
func (s *Saved) Metadata() map[string]any {
	return map[string]any{StateType: map[string]any{
		"version_major": 2, "version_minor": 0, "state": s.kept,
	}}
}

// Picture returns the first picture of a stored view, base64 of a PNG, with its width in pixels
// according to the model, for readers without widgets.
func (s *Saved) Picture(view map[string]any) (png, width string, err error) {
	id, _ := view["model_id"].(string)
	if p := s.find(id, map[string]bool{}); p != nil {
		width, _ = p.State["width"].(string)
		return p.Buffers[0].Data, width, nil
	}
	return "", "", errors.New("widgets: the view has no picture")
}

// find is the first model with bytes among a model and those that it names as children.
func (s *Saved) find(name string, seen map[string]bool) *savedModel {
	m, ok := s.kept[name]
	if !ok || seen[name] {
		return nil
	}
	seen[name] = true
	if m.Name == "ImageModel" && len(m.Buffers) > 0 && m.State["format"] == "png" {
		return &m
	}
	children, _ := m.State["children"].([]any)
	for _, c := range children {
		ref, _ := c.(string)
		if p := s.find(strings.TrimPrefix(ref, refPrefix), seen); p != nil {
			return p
		}
	}
	return nil
}
