package reply

import (
	"fmt"
	"strings"
)

// A CheckReply is the comparison of a problem's deltas with its costs.
type CheckReply struct {
	Verb           string         `json:"verb"`
	Problem        string         `json:"problem"`
	Code           string         `json:"code"`
	Form           string         `json:"form"`  // of its solutions, in words
	Moves          int            `json:"moves"` // compared in total
	Neighbourhoods []CheckedMoves `json:"neighbourhoods"`
	Kernels        CheckedKernels `json:"kernels"`

	// Late says what the time of a check did not suffice for, in a sentence; empty: all was compared.
	Late string `json:"late,omitempty"`
}

// CheckedKernels counts the moves compared with kernels compiled from the problem's methods.
type CheckedKernels struct {
	On             string         `json:"on"`            // where the kernels ran
	Not            string         `json:"not,omitempty"` // why there was no comparison
	Moves          int            `json:"moves"`         // compared in total
	Neighbourhoods []CheckedMoves `json:"neighbourhoods,omitempty"`
}

// CheckedMoves counts the compared moves of a neighbourhood.
type CheckedMoves struct {
	Name  string `json:"name"`
	Size  int64  `json:"size"`            // of the neighbourhood
	Moves int    `json:"moves"`           // compared
	Delta string `json:"delta,omitempty"` // the method that evaluates a move; empty: Cost does
}

// String returns the reply in lines.
func (r *CheckReply) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, code %s: %s moves agree with Cost, which gives the same twice", r.Problem,
		r.Form, r.Code, Num(r.Moves))
	for _, c := range r.Neighbourhoods {
		by := c.Delta
		if by == "" {
			by = "Cost: a whole evaluation a neighbour"
		}
		fmt.Fprintf(&b, "\n  %-10s %s moves, %s compared, evaluated by %s", c.Name, Num(c.Size),
			Num(c.Moves), by)
	}
	switch k := r.Kernels; {
	case k.Not != "":
		fmt.Fprintf(&b, "\n  no kernel for a GPU is made of it: %s", k.Not)
	case k.On != "":
		fmt.Fprintf(&b, "\n  %s moves give the same in kernels for a GPU (%s)", Num(k.Moves), k.On)
	}
	for _, c := range r.Kernels.Neighbourhoods {
		if c.Moves == 0 && c.Delta != "" {
			fmt.Fprintf(&b, "\n  %-10s %s", c.Name, c.Delta)
		}
	}
	if r.Late != "" {
		b.WriteString("\n  " + r.Late)
	}
	return b.String()
}

// HTML returns the reply for a page.
func (r *CheckReply) HTML() string { return "<pre>" + Escape(r.String()) + "</pre>" }
