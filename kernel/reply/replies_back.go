package reply

import (
	"fmt"
	"strings"
)

// SolveReply is how far a search came that chose its solver by itself.
type SolveReply struct {
	StepReply
	Line   string `json:"line"`             // that opens the run
	Chosen string `json:"chosen,omitempty"` // why there, on the CPU or a GPU; empty: no choice

	Warning string `json:"warning,omitempty"` // what to know of the instance, a line each

	Path  string `json:"path,omitempty"` // of the solution, where it was written
	Bytes int64  `json:"bytes,omitempty"`
}

// String is the line that opened the run, how far it came, and where the solution is.
func (r *SolveReply) String() string {
	out := r.opened() + "\n" + r.StepReply.String() + warned(r.Warning)
	if r.Path != "" {
		out += fmt.Sprintf("\n%s, %d bytes", r.Path, r.Bytes)
	}
	return out
}

// HTML is the same for a page.
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

// UndoReply is a run that went back to before its last change.
type UndoReply struct {
	Status
	Undone  []Change `json:"undone"`  // what was set, and is not any more
	Dropped int64    `json:"dropped"` // iterations that were made with it
	Note    string   `json:"note,omitempty"`
}

// String says where the run stands and what it is rid of.
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

// HTML is the same for a page.
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
