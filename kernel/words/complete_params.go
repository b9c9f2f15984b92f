package words

import (
	"slices"
	"strings"

	"metalab/kernel/reply"
)

// params are the parameters that the command may change.
func (c completion) params() []reply.Param {
	if len(c.given) == 0 {
		return nil
	}
	first := c.given[0].Text
	if a, ok := c.verb.Arg("solver"); ok && a.Place {
		return c.know.SolverParams(c.opened())
	}
	if v := c.variant(); v != "" && c.verb.Name == "fork" {
		return c.know.SolverParams(c.whose() + "/" + v)
	}
	if ps := c.know.Params(first); ps != nil {
		return ps
	}
	if rs := c.know.Runs(); len(rs) == 1 {
		return c.know.Params(rs[0].Run)
	}
	return nil
}

// opened is the solver, or solver/variant, that the command opens, or that of the run that it
// sweeps.
func (c completion) opened() string {
	solver := c.given[0].Text
	if c.verb.Name == "sweep" {
		for _, r := range c.know.Runs() {
			if r.Run == solver {
				return r.Solver + "/" + r.Variant
			}
		}
	}
	for _, n := range c.know.Names() {
		if n.Name == strings.ToLower(solver) {
			return n.Solver + "/" + n.Variant
		}
	}
	if strings.Contains(solver, "/") {
		return solver
	}
	if v := c.variant(); v != "" {
		return solver + "/" + v
	}
	return solver
}

// variant is what the command names as variant=; empty: nothing.
func (c completion) variant() string {
	for _, t := range c.given[1:] {
		if variant, ok := strings.CutPrefix(t.Text, "variant="); ok {
			return variant
		}
	}
	return ""
}

// describe says what a parameter takes and means.
func describe(p reply.Param) string {
	s := "now " + p.Value.String() + ", " + p.Range
	if p.Unit != "" {
		s += " " + p.Unit
	}
	return s + ". " + p.Doc
}

func (c completion) paramValues(name, value string) []Suggestion {
	var out []Suggestion
	for _, p := range c.params() {
		if p.Name != name {
			continue
		}
		words := p.Options
		if p.Type == "truth" {
			words = []string{"true", "false"}
		}
		for _, w := range words {
			if strings.HasPrefix(w, value) {
				out = append(out, Suggestion{w, about(w, p.Doc)})
			}
		}
		if len(words) == 0 && value == "" {
			out = append(out, Suggestion{p.Value.String(), describe(p)})
			if p.Default != p.Value {
				out = append(out, Suggestion{p.Default.String(), "the default"})
			}
		}
	}
	return out
}

// about is what doc, a parameter's, says of an option: from the first clause or member of a
// list that begins with it, up to the next semicolon or full stop; all of doc where there is
// no such place, or nothing but the option's name.
func about(option, doc string) string {
	for from := 0; ; {
		i := strings.Index(doc[from:], option)
		if i < 0 {
			return doc
		}
		from += i
		rest := doc[from+len(option):]
		if opens(doc[:from]) && (rest == "" || !inOption(rest[0])) {
			end := strings.IndexAny(rest, ";.")
			if end < 0 {
				end = len(rest)
			}
			if !strings.Contains(strings.TrimSpace(rest[:end]), " ") {
				return doc
			}
			return option + rest[:end]
		}
		from += len(option)
	}
}

// opens reports whether an option may be introduced after before.
func opens(before string) bool {
	return before == "" || slices.ContainsFunc([]string{": ", "; ", ". ", ", ", " and "},
		func(end string) bool {
			return strings.HasSuffix(before, end)
		})
}

// inOption reports whether b may stand in the name of an option, as in 2opt-rounds and 2opt+or.
func inOption(b byte) bool {
	return b == '-' || b == '+' || b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' ||
		'A' <= b && b <= 'Z'
}
