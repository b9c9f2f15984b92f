package reply

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// An Autosave describes the autosave of a run that was closed or whose host ended.
type Autosave struct {
	ID        string    `json:"id"` // the argument of recover
	Session   string    `json:"session"`
	Notebook  string    `json:"notebook,omitempty"` // the path of the session's, if it had one
	Run       string    `json:"run"`
	Solver    string    `json:"solver"` // empty if nothing of it can be opened
	Variant   string    `json:"variant"`
	Instance  string    `json:"instance"`
	Iteration int64     `json:"iteration"` // the last one that can be opened
	Best      Num       `json:"best"`
	Seeds     int       `json:"seeds,omitempty"`  // results of its repeats
	At        time.Time `json:"at"`               // of the last entry, or of the close
	Closed    bool      `json:"closed,omitempty"` // by a user or a cell; kept for a day
	Damage    string    `json:"damage,omitempty"` // where it is damaged
	Path      string    `json:"path"`
}

// A ShutdownReply says that the host ends, and what it leaves.
type ShutdownReply struct {
	Verb      string     `json:"verb"`
	Session   string     `json:"session"`
	Autosaved []Autosave `json:"autosaved"`
	Lost      []string   `json:"lost,omitempty"` // runs without anything on disk, and why
}

// String lists the autosaves.
func (r *ShutdownReply) String() string {
	out := fmt.Sprintf("session %s ends", r.Session)
	for i, a := range r.Autosaved {
		sep := ", "
		if i == 0 {
			sep = "; autosaved (recover lists them): "
		}
		out += sep + fmt.Sprintf("%s at iteration %d", a.Run, a.Iteration) + a.behind()
	}
	for _, s := range r.Lost {
		out += "; not autosaved: " + s
	}
	return out
}

// behind says why the autosave does not reach as far as the run did; empty where it does.
func (a Autosave) behind() string {
	if a.Damage == "" {
		return ""
	}
	return " (not further: " + a.Damage + ")"
}

// Left describes what the end of a session leaves of a run, such as "a (iteration 1577)".
func (a Autosave) Left() string {
	return fmt.Sprintf("%s (iteration %d)", a.Run, a.Iteration) + a.behind()
}

// HTML lists the autosaves.
func (r *ShutdownReply) HTML() string { return htmlLine("", r.String()) }

// A RecoverReply lists autosaves, or describes the opened one.
type RecoverReply struct {
	Verb      string     `json:"verb"`
	Autosaves []Autosave `json:"autosaves"`
	Opened    *OpenReply `json:"opened,omitempty"`
	Damage    string     `json:"damage,omitempty"`    // of the opened one: what is missing
	Discarded string     `json:"discarded,omitempty"` // the dropped one
	Dropped   int        `json:"dropped,omitempty"`   // number of the listed ones
	Sure      string     `json:"sure,omitempty"`      // the line that drops the listed ones
}

// String describes the autosave, such as "a, iteration 1577, 2 minutes ago".
func (a Autosave) String() string { return a.Run + ", " + a.Stand() }

// Stand returns its iteration and age, such as "iteration 1577, 2 minutes ago".
func (a Autosave) Stand() string {
	s := fmt.Sprintf("iteration %d, ", a.Iteration)
	if a.Closed {
		s += "closed "
	}
	if s += Ago(time.Since(a.At)); a.Damage != "" {
		s += ", damaged"
	}
	return s
}

// Ago describes a past duration, such as "2 minutes ago".
func Ago(d time.Duration) string {
	for _, u := range []struct {
		one  time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d >= 2*u.one || d >= u.one && u.name != "day" {
			return count(int(d/u.one), u.name) + " ago"
		}
	}
	return count(max(0, int(d/time.Second)), "second") + " ago"
}

// moment returns a time in few letters: without the date if it is today, without the year if it is
// this year's.
func moment(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	switch {
	case t.Year() != now.Year():
		return t.Format("2 Jan 2006")
	case t.YearDay() != now.YearDay():
		return t.Format("2 Jan 15:04")
	}
	return t.Format("15:04:05")
}

// state returns in a word what is special about an autosave.
func (a Autosave) state() string {
	switch {
	case a.Damage != "":
		return "damaged"
	case a.Closed:
		return "closed"
	}
	return ""
}

// mostAutosaves is the number of autosaves that a table shows.
const mostAutosaves = 20

func autosaveTable(as []Autosave) string {
	out := table(autosaveRows(as))
	for _, n := range autosaveNotes(as) {
		out += "\n" + n
	}
	return out
}

func autosaveRows(as []Autosave) [][]string {
	rows := [][]string{{"id", "solver", "instance", "iteration", "best", "seeds", "when", "state"}}
	for _, a := range as[:min(len(as), mostAutosaves)] {
		row := []string{
			a.ID, a.Solver + "/" + a.Variant, a.Instance, fmt.Sprint(a.Iteration), a.Best.String(), "",
			moment(a.At, time.Now()), a.state(),
		}
		if a.Seeds > 0 {
			row[5] = fmt.Sprint(a.Seeds)
		}
		if a.Solver == "" {
			row[1], row[2], row[3] = "-", "-", "-"
		}
		rows = append(rows, row)
	}
	return trimmed(rows, "seeds", "state")
}

// autosaveNotes says what a table of autosaves has no room for.
func autosaveNotes(as []Autosave) []string {
	var out []string
	closed := false
	for i, a := range as {
		if closed = closed || a.Closed; a.Damage == "" || i >= mostAutosaves {
			continue
		}
		what := fmt.Sprintf("recover opens it up to iteration %d, and leaves the file", a.Iteration)
		if a.Solver == "" {
			what = "nothing of it can be opened"
		}
		out = append(out, fmt.Sprintf("%s is damaged: %s; %s", a.ID, a.Damage, what))
	}
	if n := len(as) - mostAutosaves; n > 0 {
		out = append(out, fmt.Sprintf("and %d older ones; each is kept for 30 days", n))
	}
	if closed {
		out = append(out, "runs that a session closed are kept for a day, while they take at most "+
			"1 GiB")
	}
	return out
}

// String lists autosaves, or says what was done.
func (r *RecoverReply) String() string {
	switch {
	case r.Opened != nil && r.Damage != "":
		return r.Opened.String() + "\n" + r.Damage
	case r.Opened != nil:
		return r.Opened.String()
	case r.Discarded != "":
		return "dropped " + r.Discarded
	case r.Dropped > 0:
		return "dropped " + count(r.Dropped, "autosave")
	case len(r.Autosaves) == 0:
		return "no autosaves of hosts that ended, nor of closed runs"
	}
	return strings.TrimRight(autosaveTable(r.Autosaves), "\n") + "\n" + r.hint(false)
}

// hint says what can be done with the autosaves that are listed, at the prompt or in a cell.
func (r *RecoverReply) hint(cell bool) string {
	do := func(words string) string {
		if cell {
			return "lab.Do(" + strconv.Quote(words) + ")"
		}
		return words
	}
	if r.Sure != "" {
		n := count(len(r.Autosaves), "autosave")
		return "to drop " + n + ", which cannot be undone: " + do(r.Sure)
	}
	open := do("recover <id>")
	if cell {
		open = `lab.Recover("<id>")`
	}
	return "to open one: " + open + "; to drop it: " + do("recover <id> discard") +
		"; to drop all: " + do("recover discard")
}

// HTML returns a table of autosaves, or says what was done.
func (r *RecoverReply) HTML() string {
	switch {
	case r.Opened != nil && r.Damage != "":
		return r.Opened.HTML() + htmlNote(r.Damage)
	case r.Opened != nil:
		return r.Opened.HTML()
	case len(r.Autosaves) > 0:
		return autosavesHTML(r.Autosaves) + htmlNote(r.hint(true))
	}
	return htmlLine("", r.String())
}

func autosavesHTML(as []Autosave) string {
	out := htmlTable(autosaveRows(as))
	for _, n := range autosaveNotes(as) {
		out += htmlNote(n)
	}
	return out
}
