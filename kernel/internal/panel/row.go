package panel

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"

	"metalab/kernel/internal/widgets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A row is the control of a parameter: a slider with a field of its number beside, a select or a
// checkbox, and what is to be said about it.
type row struct {
	p     *Panel
	param reply.Param
	scale scale
	box   *widgets.Model
	main  *widgets.Model
	field *widgets.Model // nil: none
	told  *widgets.Model

	mu      sync.Mutex
	value   record.Value // the run's
	sending bool
	own     bool          // what is under way was heard of
	next    *record.Value // to be sent when what is under way is answered: the last one counts
}

// newRow makes the widgets of a parameter.
func (p *Panel) newRow(param reply.Param, l looks,
	add func(string, widgets.Look, widgets.State) *widgets.Model,
) *row {
	r := &row{p: p, param: param, value: param.Value, scale: scaleOf(param)}
	tip := param.Doc
	if param.Effect != "" {
		tip += " " + param.Effect
	}
	s := widgets.State{"description": param.Name, "tooltip": tip + " (" + param.Range + ")"}
	r.told = add("HTML", widgets.Look{Layout: l.beside, Style: l.html}, nil)
	var main string
	switch param.Type {
	case "enum":
		main = "Dropdown"
		s["_options_labels"] = param.Options
		w, _ := param.Value.Word()
		s["index"] = float64(slices.Index(param.Options, w))
		r.main = add(main, widgets.Look{Layout: l.check, Style: l.words}, s)
	case "truth":
		main = "Checkbox"
		s["value"], _ = param.Value.Truth()
		r.main = add(main, widgets.Look{Layout: l.check, Style: l.tick}, s)
	default:
		main = r.scale.kind
		v, _ := param.Value.Float()
		maps.Copy(s, r.scale.state(v))
		r.main = add(main, widgets.Look{Layout: l.slider, Style: l.track}, s)
		kind := "FloatText"
		if param.Type == "int" {
			kind = "IntText"
		}
		// Not the field that keeps a number within its range, for that says nothing of what it does.
		r.field = add(kind, widgets.Look{Layout: l.field, Style: l.words}, widgets.State{
			"step": r.scale.step, "value": v, "tooltip": param.Name + ": " + param.Range,
		})
		r.field.OnChange(func(s widgets.State) {
			if v, ok := s["value"].(float64); ok {
				r.set(record.Num(v))
			} else if _, ok := s["value"]; ok {
				r.follow()
			}
		})
	}
	children := []*widgets.Model{r.main, r.told}
	if r.field != nil {
		children = slices.Insert(children, 1, r.field)
	}
	r.box = add("HBox", widgets.Look{Layout: l.box}, widgets.State{
		"children": widgets.Refs(children...),
	})
	r.main.OnChange(r.moved)
	return r
}

// moved sends what a hand has changed.
func (r *row) moved(s widgets.State) {
	switch r.param.Type {
	case "enum":
		if i, ok := s["index"].(float64); ok && i >= 0 && int(i) < len(r.param.Options) {
			r.set(record.Text(r.param.Options[int(i)]))
		}
	case "truth":
		if b, ok := s["value"].(bool); ok {
			r.set(record.Bool(b))
		}
	default:
		if v, ok := s["value"].(float64); ok {
			r.set(record.Num(r.scale.tidy(v)))
		}
	}
}

// set changes the parameter. One change is under way at a time.
func (r *row) set(v record.Value) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sending {
		r.next = &v
		r.display(v)
		return
	}
	r.told.Set(widgets.State{"value": ""})
	if v == r.value {
		r.show()
		return
	}
	r.sending, r.own = true, false
	r.display(v) // not after the iteration that is being made, which may take long
	go r.send(v)
}

// send tells the host until there is nothing more to tell.
func (r *row) send(v record.Value) {
	for {
		var got reply.SetReply
		err := r.p.c.Do(r.p.ctx, "set", wire.SetRequest{
			Run: r.p.run, Params: record.Values{r.param.Name: v},
		}, &got)
		r.mu.Lock()
		r.answered(got.Changes)
		if r.next == nil {
			r.sending = false
			if err != nil && r.p.ctx.Err() == nil {
				r.told.Set(widgets.State{"value": wrong("set", err)})
			}
			r.show()
			r.mu.Unlock()
			return
		}
		v, r.next, r.own = *r.next, nil, false
		r.mu.Unlock()
	}
}

// answered applies the host's answer, with the lock held. An event about the same change came in
// its turn, and later events are newer than the answer.
func (r *row) answered(changes []reply.Change) {
	for _, c := range changes {
		if c.Name == r.param.Name && !r.own {
			r.value = c.New
		}
	}
}

// heard is called when the parameter changed, by whomever.
func (r *row) heard(c reply.Change) {
	if c.Who == who {
		r.mu.Lock()
		r.own = true
		r.mu.Unlock()
	}
	r.has(c.New)
	text := ""
	if c.Who != who {
		text = fmt.Sprintf("%s → %s by %s, iteration %d", c.Old, c.New, c.Who, c.Iter)
	}
	r.told.Set(widgets.State{"value": reply.Escape(text)})
}

// has takes in the run's value.
func (r *row) has(v record.Value) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.value = v
	if !r.sending {
		r.show()
	}
}

// follow shows what the run has.
func (r *row) follow() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.show()
}

// show is follow with the lock held.
func (r *row) show() { r.display(r.value) }

// display shows a value in the controls.
func (r *row) display(value record.Value) {
	if v, ok := value.Float(); ok && r.field != nil {
		r.main.Set(widgets.State{"value": r.scale.on(v)})
		r.field.Set(widgets.State{"value": v})
	}
	if b, ok := value.Truth(); ok && r.param.Type == "truth" {
		r.main.Set(widgets.State{"value": b})
	}
	if w, ok := value.Word(); ok && r.param.Type == "enum" {
		r.main.Set(widgets.State{"index": float64(slices.Index(r.param.Options, w))})
	}
}

// A scale is how the values of a parameter lie on a slider.
type scale struct {
	kind         string // of the slider
	lo, hi, step float64
	whole        bool
}

// scaleOf spreads positive ranges over several orders of magnitude by their logarithm, so that 1,
// 10 and 1000 of 65536 are all within reach of a hand.
func scaleOf(p reply.Param) scale {
	s := scale{kind: "FloatSlider", whole: p.Type == "int", step: float64(p.Step)}
	def, _ := p.Default.Float()
	if p.Min.Known() {
		s.lo = float64(p.Min)
	}
	s.hi = max(4*math.Abs(def), s.lo+1)
	if p.Max.Known() {
		s.hi = float64(p.Max)
	}
	if s.whole {
		s.kind = "IntSlider"
	}
	if !(s.step > 0) {
		if s.step = 1; !s.whole {
			s.step = (s.hi - s.lo) / 200
		}
	}
	if s.lo > 0 && (s.whole && s.hi-s.lo > 300 || !s.whole && s.hi/s.lo > 1e4) {
		s.kind = "FloatLogSlider"
	}
	return s
}

// state is what the slider of the scale has at a value.
func (s scale) state(v float64) widgets.State {
	if s.kind == "FloatLogSlider" {
		lo, hi := math.Log10(s.lo), math.Log10(s.hi)
		return widgets.State{
			"base": 10, "min": lo, "max": hi, "step": (hi - lo) / 200, "value": s.on(v),
		}
	}
	return widgets.State{"min": s.lo, "max": s.hi, "step": s.step, "value": s.on(v)}
}

// on is the value that the slider shows for one that may lie beyond its ends.
func (s scale) on(v float64) float64 { return min(max(v, s.lo), s.hi) }

// tidy is a value of the slider in a few digits: 0.30000000000000004 is no value.
func (s scale) tidy(v float64) float64 {
	digits := 6
	if s.kind == "FloatLogSlider" {
		digits = 2
	}
	if s.whole && math.Abs(v) < 100 {
		return s.on(math.Round(v))
	}
	if s.whole && s.kind == "IntSlider" {
		return s.on(math.Round(v))
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return s.on(v)
}
