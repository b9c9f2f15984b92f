package reply

import (
	"fmt"
	"strings"
)

// A Recovery reports what was recovered from a damaged file of experiments.
type Recovery struct {
	Aside       string                `json:"aside"` // where the damaged file is now
	Pages       int                   `json:"pages"` // of the damaged file
	Bad         int                   `json:"bad"`   // unreadable pages
	Experiments []RecoveredExperiment `json:"experiments"`
	Lost        int                   `json:"lost,omitempty"` // units of unknown experiments
}

// A RecoveredExperiment reports what was recovered of an experiment.
type RecoveredExperiment struct {
	Name      string `json:"name"`
	Units     int    `json:"units"`           // recovered units
	Results   int    `json:"results"`         // of them with a result
	Traces    int    `json:"traces"`          // of these with their trace
	Solutions int    `json:"solutions"`       // of these with their best solution
	Lost      []int  `json:"lost,omitempty"`  // numbers of lost units
	Again     []int  `json:"again,omitempty"` // numbers of units whose result is lost
}

// String describes the recovered data in a line.
func (x *RecoveredExperiment) String() string {
	out := fmt.Sprintf("%s: %s saved, %s (%s, %s)", x.Name, count(x.Units, "unit"),
		count(x.Results, "result"), count(x.Traces, "trace"), count(x.Solutions, "solution"))
	if len(x.Lost) > 0 {
		out += "; lost: " + ranges(x.Lost)
	}
	if len(x.Again) > 0 {
		out += "; without the result that they had: " + ranges(x.Again)
	}
	return out
}

// ranges are numbers in ascending order in words, as "units 3, 5 to 9".
func ranges(ns []int) string {
	var parts []string
	for i := 0; i < len(ns); {
		j := i
		for j+1 < len(ns) && ns[j+1] == ns[j]+1 {
			j++
		}
		switch {
		case j > i+1:
			parts = append(parts, fmt.Sprintf("%d to %d", ns[i], ns[j]))
		case j > i:
			parts = append(parts, fmt.Sprint(ns[i]), fmt.Sprint(ns[j]))
		default:
			parts = append(parts, fmt.Sprint(ns[i]))
		}
		i = j + 1
	}
	if len(ns) == 1 {
		return "unit " + parts[0]
	}
	return "units " + strings.Join(parts, ", ")
}

// lines are what was saved, for people.
func (r *Recovery) lines() (out []string) {
	gaps := false
	for i := range r.Experiments {
		x := &r.Experiments[i]
		out = append(out, x.String())
		gaps = gaps || len(x.Lost)+len(x.Again) > 0
	}
	if r.Lost > 0 {
		out = append(out, fmt.Sprintf("%s of no known experiment or number lost", count(r.Lost, "unit")))
	}
	if gaps {
		out = append(out, "experiment NAME go makes units again that wait, and the line that planned it "+
			"those that are lost")
	}
	return append(out, "the damaged file is kept as "+r.Aside)
}

// head is the first line.
func (r *Recovery) head(path string) string {
	if len(r.Experiments) == 0 {
		return path + " is new, and empty"
	}
	return fmt.Sprintf("%s is new; saved into it, of a file of %s of which %d could not be read:",
		path, count(r.Pages, "page"), r.Bad)
}
