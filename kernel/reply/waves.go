package reply

import (
	"fmt"
	"strings"
	"time"
)

// A WavesReply holds the trials and the choices of the tuner of a run's schedule.
type WavesReply struct {
	Status
	Waves []Wave `json:"waves"` // empty if nothing is tuned, or nothing was launched yet
	Note  string `json:"note"`  // their meaning on the run's backend
}

// A Wave is the configuration of a launch in a run.
type Wave struct {
	What    string      `json:"what"`
	Threads int64       `json:"threads"` // in all
	Block   int         `json:"block"`   // threads of a block
	Tuned   bool        `json:"tuned"`   // the tuner chose it, after its trials
	Trials  []WaveTrial `json:"trials"`
}

// A WaveTrial is a launch configuration with its times.
type WaveTrial struct {
	Threads int64  `json:"threads"`
	Block   int    `json:"block"`
	Times   []Num  `json:"times_s"`
	MedianS Num    `json:"median_s"` // null before the last trial, or after an error
	Error   string `json:"error,omitempty"`
}

func (r *WavesReply) rows() [][]string {
	rows := [][]string{{"what", "threads", "a block", "trials", "median", ""}}
	for _, w := range r.Waves {
		shown := false
		for _, t := range w.Trials {
			mark := Printable(t.Error)
			if now := t.Threads == w.Threads && t.Block == w.Block; now {
				shown = true
				if mark = "is tried"; w.Tuned {
					mark = "chosen"
				}
			}
			took := "-"
			if t.MedianS.Known() {
				took = time.Duration(float64(t.MedianS) * float64(time.Second)).String()
			}
			rows = append(rows, []string{
				w.What, fmt.Sprint(t.Threads), fmt.Sprint(t.Block),
				fmt.Sprint(len(t.Times)), took, mark,
			})
		}
		if !shown {
			mark := "as asked for"
			if len(w.Trials) > 0 {
				mark = "is tried"
			}
			rows = append(rows, []string{w.What, fmt.Sprint(w.Threads), fmt.Sprint(w.Block), "0", "-", mark})
		}
	}
	return rows
}

// String returns the table.
func (r *WavesReply) String() string {
	if len(r.Waves) == 0 {
		return r.Run + ": " + r.Note
	}
	return strings.TrimRight(table(r.rows())+"\n"+r.Note, "\n")
}

// HTML returns the table for a page.
func (r *WavesReply) HTML() string {
	switch {
	case len(r.Waves) == 0:
		return htmlLine(r.Run, r.Note)
	case r.Note == "":
		return htmlTable(r.rows())
	}
	return htmlTable(r.rows()) + "<p>" + Escape(r.Note) + "</p>"
}
