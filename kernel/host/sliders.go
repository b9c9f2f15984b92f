package host

import (
	"fmt"
	"slices"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

var _ = handle("sliders", (*Host).sliders)

// sliders lists the parameters for controls.
func (h *Host) sliders(_ *Call, q *wire.SlidersRequest) (*reply.SlidersReply, error) {
	e, err := h.Find(q.Run)
	if err != nil {
		return nil, err
	}
	ps, err := e.Sliders(wire.NamesOf(q.Names))
	if err != nil {
		return nil, err
	}
	return &reply.SlidersReply{Status: e.Status("sliders"), Params: ps}, nil
}

// Sliders returns the parameters of the run that have names, or all that may change while it
// runs.
func (e *Run) Sliders(names []string) ([]reply.Param, error) {
	out, all := []reply.Param{}, e.Params()
	if len(names) == 0 {
		for _, p := range all {
			if p.Class == "live" {
				out = append(out, p)
			}
		}
		return out, nil
	}
	out, err := e.named("sliders", names)
	for _, p := range out {
		if p.Class == "structural" {
			return nil, wrong(fmt.Sprintf("sliders: %s is fixed for a run: fork %s as <name> "+
				"%s=… changes it", p.Name, e.name, p.Name))
		}
	}
	return out, err
}

// named are the parameters of the run that have names.
func (e *Run) named(verb string, names []string) ([]reply.Param, error) {
	var out []reply.Param
	all := e.Params()
	for _, n := range names {
		i := slices.IndexFunc(all, func(p reply.Param) bool { return p.Name == n })
		if i < 0 {
			var have []string
			for _, p := range all {
				if p.Class == "live" || verb != "sliders" {
					have = append(have, p.Name)
				}
			}
			return nil, wrong(fmt.Sprintf("%s: %s has no parameter %q, want some of %s%s", verb, e.name, n,
				strings.Join(have, ", "), havers(e.run.Variant(), e.run.Instance(), n)))
		}
		out = append(out, all[i])
	}
	return out, nil
}
