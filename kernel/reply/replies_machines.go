package reply

import (
	"fmt"
	"strings"
)

// A Worker runs units of experiments for a broker.
type Worker struct {
	Name     string   `json:"name"`
	Machine  string   `json:"machine"`
	Build    string   `json:"build"`
	Cores    int      `json:"cores"`
	GPUs     int      `json:"gpus"`
	Made     int64    `json:"made"`   // units since it joined
	Failed   int64    `json:"failed"` // of them
	Speed    Num      `json:"speed"`  // units per minute since it joined
	MemoryMB Num      `json:"memory_mb"`
	HeardS   Num      `json:"heard_s"` // seconds since its last message, by the broker's clock
	Making   []string `json:"making"`  // units in progress, in words
	Draining bool     `json:"draining"`
	Why      []string `json:"why"` // why some units cannot go to it
}

// A WorkersReply lists the workers of a broker, and how others join.
type WorkersReply struct {
	Verb    string   `json:"verb"`
	Broker  string   `json:"broker"` // its address; empty: there is none
	Workers []Worker `json:"workers"`
	Line    string   `json:"line,omitempty"` // the line that starts another one on this machine
	// Program of serve, which also joins with the arguments worker embed.
	Program string `json:"program,omitempty"`
	Note    string `json:"note,omitempty"`
}

// rows are the workers as a table.
func (r *WorkersReply) rows() [][]string {
	if len(r.Workers) == 0 {
		return nil
	}
	out := [][]string{{
		"worker", "cores", "GPUs", "under way", "made", "failed", "a minute", "memory", "heard",
	}}
	for i := range r.Workers {
		w := &r.Workers[i]
		name := w.Name
		if w.Draining {
			name += " (drains)"
		}
		out = append(out, []string{
			Printable(name), fmt.Sprint(w.Cores), fmt.Sprint(w.GPUs), fmt.Sprint(len(w.Making)),
			fmt.Sprint(w.Made), fmt.Sprint(w.Failed), fixed(w.Speed, 1),
			fixed(w.MemoryMB, 0) + " MB", fixed(w.HeardS, 0) + " s ago",
		})
	}
	return out
}

// notes are the sentences below the table.
func (r *WorkersReply) notes() (out []string) {
	switch {
	case r.Broker == "":
		out = append(out, "there is no broker; workers serve starts one on this machine")
	case len(r.Workers) == 0:
		out = append(out, "broker "+r.Broker+": no worker has joined")
	default:
		out = append(out, "broker "+r.Broker)
	}
	for i := range r.Workers {
		for _, s := range r.Workers[i].Why {
			out = append(out, r.Workers[i].Name+": "+s)
		}
	}
	if r.Line != "" {
		out = append(out, "another joins by: "+r.Line)
	}
	if r.Note != "" {
		out = append(out, r.Note)
	}
	return out
}

func (r *WorkersReply) String() string {
	out := ""
	if rows := r.rows(); rows != nil {
		out = table(rows) + "\n"
	}
	var lines []string
	for _, s := range r.notes() {
		lines = append(lines, Printable(s))
	}
	return out + strings.Join(lines, "\n")
}

// HTML returns a table of the workers.
func (r *WorkersReply) HTML() string {
	out := ""
	if rows := r.rows(); rows != nil {
		out = htmlTable(rows)
	}
	for _, s := range r.notes() {
		out += htmlNote(s)
	}
	return out
}
