package words

import (
	"slices"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// announced is the argument whose word stands before, as "as" or "to".
func (c completion) announced() (wire.Arg, bool) {
	if n := len(c.given); n > 0 && !c.solver(n-1) {
		return c.word(c.given[n-1])
	}
	return wire.Arg{}, false
}

// next are the arguments in whose place the word may stand: where a run was named and several
// may be, it is another one, or what follows.
func (c completion) next() []wire.Arg {
	var placed []string // the values of positional arguments
	for i, t := range c.given {
		if strings.Contains(t.Text, "=") {
			continue
		}
		if _, ok := c.word(t); ok && !c.solver(i) {
			continue
		}
		if i > 0 && !c.solver(i-1) {
			if _, ok := c.word(c.given[i-1]); ok {
				continue
			}
		}
		placed = append(placed, t.Text)
	}
	var out []wire.Arg
	for _, a := range c.verb.Args {
		if !a.Place {
			continue
		}
		if a.Kind == wire.KindRuns {
			return append(out, a) // any number
		}
		if len(placed) == 0 {
			return append(out, a)
		}
		placed = placed[1:]
		for a.Many && len(placed) > 0 && c.isRun(placed[0]) {
			placed = placed[1:]
		}
		if a.Many && len(placed) == 0 {
			out = append(out, a)
		}
	}
	return out
}

func (c completion) isRun(w string) bool {
	return slices.ContainsFunc(c.know.Runs(), func(r reply.Status) bool { return r.Run == w })
}

// solver reports whether the i-th word stands in the place of a solver, where "as" is the
// Ant System.
func (c completion) solver(i int) bool {
	a, ok := c.verb.Arg("solver")
	return ok && a.Required && i == 0
}

// word returns the argument that t introduces, as "as".
func (c completion) word(t Token) (wire.Arg, bool) {
	for _, a := range c.verb.Args {
		if a.Word != "" && a.Word == t.Text && !t.Quoted {
			return a, true
		}
	}
	return wire.Arg{}, false
}

func (c completion) has(a wire.Arg) bool {
	if a.Kind == wire.KindParams {
		return false
	}
	if c.named(a.Name) || a.Also != "" && c.named(a.Also) {
		return true
	}
	return slices.ContainsFunc(c.given, func(t Token) bool {
		return t.Text == a.Word && a.Word != "" || t.Text == a.Name && a.Kind == wire.KindTruth
	})
}

func (c completion) named(name string) bool {
	return slices.ContainsFunc(c.given,
		func(t Token) bool { return strings.HasPrefix(t.Text, name+"=") })
}
