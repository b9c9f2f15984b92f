package solvers

import (
	"fmt"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/solvers/record"
)

// A Preset is a named set of parameters of a variant. Variant.Presets lists them, but for
// "default", which stands for the values at Declare.
type Preset struct {
	Name string // as "paper"
	Doc  string // its purpose, in a sentence

	// Values returns the parameters that differ from the defaults for an instance. Nil: none do.
	Values func(inst datasets.Instance) record.Values
}

// Fixed returns a Preset.Values that ignores the instance.
func Fixed(vs record.Values) func(datasets.Instance) record.Values {
	return func(datasets.Instance) record.Values { return vs }
}

// AllPresets returns "default", followed by the variant's presets.
func (v Variant) AllPresets() []Preset {
	first := Preset{Name: "default", Doc: "What is taken when no preset is named."}
	if slices.ContainsFunc(v.Presets, func(p Preset) bool { return p.Name == "best" }) {
		first.Doc = "What is taken when no preset is named: the same as best."
	}
	return append([]Preset{first}, v.Presets...)
}

// Preset returns the preset with a name. The error lists those that exist, and other variants of
// the solver that have the name.
func (v Variant) Preset(name string) (Preset, error) {
	var names []string
	for _, p := range v.AllPresets() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	err := fmt.Errorf("preset is %q, want one of %s", name, strings.Join(names, ", "))
	var have []string
	for _, o := range Variants() {
		if o.Solver != v.Solver ||
			!slices.ContainsFunc(o.Presets, func(p Preset) bool { return p.Name == name }) {
			continue
		}
		switch {
		case o.Backend == v.Backend:
			have = append(have, o.Solver+"/"+o.Name)
		case o.Name == v.Name:
			have = append([]string{o.Solver + "/" + o.Name + " with backend " + o.Backend}, have...)
		}
	}
	if len(have) > 0 {
		err = fmt.Errorf("%w; %s is a preset of %s", err, name, strings.Join(have, ", "))
	}
	return Preset{}, err
}

// apply gives the parameters the preset's values, which become the defaults.
func (p Preset) apply(inst datasets.Instance, t *Params) error {
	if p.Values != nil {
		if err := t.setAll(p.Values(inst)); err != nil {
			return fmt.Errorf("preset %s: %w", p.Name, err)
		}
	}
	t.defaults()
	return nil
}

// presetOf returns the preset with the defaults of a run that continues from one with a header: its
// own if the variant is the same and still has it.
func (v Variant) presetOf(h record.Header) string {
	if v.Name == h.Variant || slices.Contains(v.Formerly, h.Variant) {
		if _, err := v.Preset(h.Preset); err == nil {
			return h.Preset
		}
	}
	return "default"
}
