package reply

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// mostTrials is the number of trials that a table shows.
const mostTrials = 10

// A Trial is a choice of parameters that a tuning tried.
type Trial struct {
	Number int    `json:"number"` // 1 is the run's own
	Values string `json:"values"` // such as q0=0.9 ants=10
	Round  int    `json:"round,omitempty"`
	Parent int    `json:"parent,omitempty"` // the trial near which it was drawn
	Made   int    `json:"made"`             // number of the first instances and seeds on which it ran
	Mean   Num    `json:"mean"`             // error in percent
	Rank   Num    `json:"rank"`             // mean, among the trials with equally many
	Left   bool   `json:"left"`             // still in the race
	Final  Num    `json:"final,omitempty"`  // mean rank among the remaining trials, which decides
}

// A Weight is the importance of a parameter.
type Weight struct {
	Name  string `json:"name"`
	Share Num    `json:"share"` // of the variance of the trials' means, 0 to 1
}

// A TuneReply is the result of a tuning.
type TuneReply struct {
	Verb       string   `json:"verb"`
	Name       string   `json:"name"` // of the experiment
	Path       string   `json:"path"` // of its file
	Units      int      `json:"units"`
	Made       int      `json:"made"` // now
	Blocks     int      `json:"blocks"`
	Winner     int      `json:"winner"`
	Line       string   `json:"line"`   // that opens the winner
	Preset     string   `json:"preset"` // in Go
	Words      string   `json:"words"`
	Importance []Weight `json:"importance"`
	Trials     []Trial  `json:"trials"`               // the best first
	Background bool     `json:"background,omitempty"` // it continues, and there is no result yet
	Note       string   `json:"note,omitempty"`
	Same       bool     `json:"same,omitempty"` // all trials have the same mean error
}

// head is the first line.
func (r *TuneReply) head() string {
	if r.Background {
		return r.Name + ": " + r.Note
	}
	out := fmt.Sprintf("%s: %s, %s on up to %d instances and seeds", r.Name, count(r.Units, "unit"),
		count(len(r.Trials), "trial"), r.Blocks)
	if r.Made > 0 {
		out += fmt.Sprintf("; %d made now", r.Made)
	}
	return out
}

// rows is the table of the best trials, with a heading.
func (r *TuneReply) rows() [][]string {
	out := [][]string{{"trial", "", "made", "mean error %", "mean rank", "left"}}
	for _, t := range r.Trials[:min(len(r.Trials), mostTrials)] {
		left := ""
		if t.Left {
			left = "yes"
		}
		values := t.Values
		if t.Number == 1 {
			values += " (the run's own)"
		}
		out = append(out, []string{
			fmt.Sprint(t.Number), values, fmt.Sprint(t.Made), percent(t.Mean), fixed(t.Rank, 2), left,
		})
	}
	return out
}

// notes are the lines below the table.
func (r *TuneReply) notes() (out []string) {
	if len(r.Trials) > mostTrials {
		out = append(out, fmt.Sprintf("the best %d of %d trials", mostTrials, len(r.Trials)))
	}
	if slices.ContainsFunc(r.Trials, func(t Trial) bool { return t.Made != r.Trials[0].Made }) {
		out = append(out, "errors and ranks compare those that were made on as many instances and seeds")
	}
	if d := r.decided(); d != "" {
		out = append(out, d)
	}
	var all []string
	for _, w := range r.Importance {
		all = append(all, w.Name+" "+fixed(w.Share, 2))
	}
	switch {
	case r.Same:
		out = append(out, "importance: nothing differs, all trials have the same mean error")
	case len(all) > 0:
		out = append(out, "importance: "+strings.Join(all, ", ")+
			fmt.Sprintf("; chart %s importance and chart %s parallel draw it", r.Name, r.Name))
	}
	if r.Words != "" {
		out = append(out, r.Words)
	}
	return append(out, "to open it: "+r.Line, "as a preset: "+r.Preset)
}

// decided says by what the winner was chosen, where the table's ranks are others, for those are
// among all trials.
func (r *TuneReply) decided() string {
	var ranks []string
	least := Trial{Mean: Num(math.Inf(1))}
	for _, t := range r.Trials {
		if t.Left {
			ranks = append(ranks, fmt.Sprintf("trial %d %s", t.Number, fixed(t.Final, 2)))
			if t.Mean < least.Mean {
				least = t
			}
		}
	}
	if len(ranks) < 2 || len(ranks) == len(r.Trials) {
		return ""
	}
	out := fmt.Sprintf("decided by the mean ranks among the %d that are left: %s", len(ranks),
		strings.Join(ranks[:min(len(ranks), mostTrials)], ", "))
	if least.Number != r.Winner {
		out += fmt.Sprintf("; trial %d has the least mean error", least.Number)
	}
	return out
}

// String returns the reply as text.
func (r *TuneReply) String() string {
	if r.Background {
		return r.head()
	}
	return strings.Join(append([]string{r.head(), table(r.rows())}, r.notes()...), "\n")
}

// HTML returns the reply for a page.
func (r *TuneReply) HTML() string {
	if r.Background {
		return htmlLine("", r.head())
	}
	out := htmlLine("", r.head()) + htmlTable(r.rows())
	for _, n := range r.notes() {
		out += htmlNote(n)
	}
	return out
}
