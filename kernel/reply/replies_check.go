package reply

import (
	"fmt"
	"strings"
)

// CheckReply is what a comparison of a problem's deltas with its costs found.
type CheckReply struct {
	Verb           string         `json:"verb"`
	Problem        string         `json:"problem"`
	Code           string         `json:"code"`
	Form           string         `json:"form"`  // of its solutions, in words
	Moves          int            `json:"moves"` // compared in all
	Neighbourhoods []CheckedMoves `json:"neighbourhoods"`
}

// CheckedMoves are the moves of a neighbourhood that were compared.
type CheckedMoves struct {
	Name  string `json:"name"`
	Size  int64  `json:"size"`            // of the neighbourhood
	Moves int    `json:"moves"`           // compared
	Delta string `json:"delta,omitempty"` // the method that evaluates a move; empty: Cost does
}

// String is the reply in lines.
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
	return b.String()
}

// HTML is the reply for a page.
func (r *CheckReply) HTML() string { return "<pre>" + Escape(r.String()) + "</pre>" }
