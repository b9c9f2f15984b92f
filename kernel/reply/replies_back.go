package reply

import (
	"fmt"
	"strings"
)

// A SolveReply is the result of a search that chose its solver itself.
type SolveReply struct {
	StepReply
	Line   string `json:"line"`             // that opens the run
	Chosen string `json:"chosen,omitempty"` // why on the CPU or a GPU; empty: there was no choice

	Warning string `json:"warning,omitempty"` // warnings about the instance, a line each

	Path  string `json:"path,omitempty"` // of the solution's file, if there is one
	Bytes int64  `json:"bytes,omitempty"`
}

// String returns the line that opens the run, its result, and the file of the solution.
func (r *SolveReply) String() string {
	out := r.opened() + "\n" + r.StepReply.String() + warned(r.Warning)
	if r.Path != "" {
		out += fmt.Sprintf("\n%s, %d bytes", r.Path, r.Bytes)
	}
	return out
}

// HTML returns the same for a page.
func (r *SolveReply) HTML() string {
	out := htmlNote(r.opened()) + r.StepReply.HTML() + htmlWarned(r.Warning)
	if r.Path != "" {
		out += htmlNote(fmt.Sprintf("%s, %d bytes", r.Path, r.Bytes))
	}
	return out
}

// opened is the line that opened the run, with the reason as a comment.
func (r *SolveReply) opened() string {
	if r.Chosen == "" {
		return r.Line
	}
	return r.Line + "  # " + r.Chosen
}

// An UndoReply describes a run that went back to before its last change.
type UndoReply struct {
	Status
	Undone  []Change `json:"undone"`  // the undone changes
	Dropped int64    `json:"dropped"` // iterations since then
	Note    string   `json:"note,omitempty"`
}

// String says where the run stands and what is undone.
func (r *UndoReply) String() string { return r.Run + ": " + r.said() }

func (r *UndoReply) said() string {
	var sets []string
	for _, c := range r.Undone {
		sets = append(sets, fmt.Sprintf("%s %s → %s", c.Name, c.Old, c.New))
	}
	out := fmt.Sprintf("back at iteration %d, before %s; %s dropped", r.Iteration,
		strings.Join(sets, ", "), count(int(r.Dropped), "iteration"))
	if r.Note != "" {
		out += " (" + r.Note + ")"
	}
	return out
}

// HTML returns the same for a page.
func (r *UndoReply) HTML() string { return htmlLine(r.Run, r.said()) }

// warned is a warning, each of its lines below a reply.
func warned(lines string) string {
	out := ""
	for line := range strings.SplitSeq(lines, "\n") {
		if line != "" {
			out += "\n  " + Printable(line)
		}
	}
	return out
}
