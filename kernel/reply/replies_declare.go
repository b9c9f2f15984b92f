package reply

import (
	"fmt"
	"strings"
)

// A DeclareReply describes a declared solver.
type DeclareReply struct {
	Verb    string   `json:"verb"`
	Solver  string   `json:"solver"`
	Code    string   `json:"code"`              // the name of its code: the beginning of a hash
	Before  string   `json:"before,omitempty"`  // the previous code
	Program string   `json:"program_sha256"`    // of the program
	Whole   bool     `json:"source_kept"`       // the source is stored, and the code is its hash
	Runs    []string `json:"runs,omitempty"`    // that continue with the new code
	Notes   []string `json:"notes,omitempty"`   // sentences about these, and about the others
	StartS  Num      `json:"start_s"`           // seconds until the worker answered
	Params  []Param  `json:"params,omitempty"`  // with the defaults
	Dropped []string `json:"dropped,omitempty"` // parameters of earlier code that this code lacks
	Form    string   `json:"form,omitempty"`    // of a problem: that of its solutions, in words
}

// String returns the reply in a line, and the notes below it.
func (r *DeclareReply) String() string {
	names := make([]string, len(r.Params))
	for i, p := range r.Params {
		names[i] = p.Name
	}
	line := fmt.Sprintf("%s: declared, code %s", r.Solver, r.Code)
	if r.Before == r.Code {
		line = fmt.Sprintf("%s: declared as before, code %s", r.Solver, r.Code)
	}
	if r.Form != "" {
		line += ", " + r.Form
	}
	if len(names) > 0 {
		line += "; parameters " + strings.Join(names, ", ")
	}
	return strings.Join(append([]string{line}, r.Notes...), "\n")
}

// HTML returns the reply for a page.
func (r *DeclareReply) HTML() string {
	return "<p>" + strings.ReplaceAll(Escape(r.String()), "\n", "<br>") + "</p>"
}
