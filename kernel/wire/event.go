package wire

import (
	"fmt"
	"math"
	"time"

	"metalab/kernel/reply"
)

// WhoCell is the name under which cells of notebooks ask.
const WhoCell = "cell"

// An Event tells what happened. Point events are decimated: the latest comes, about 30
// times a second, whatever the run's speed.
type Event struct {
	ID     uint64        `json:"-"`    // counts up; the id of the server-sent event
	Kind   string        `json:"kind"` // one of the kinds below
	Status *reply.Status `json:"status,omitempty"`
	Point  *reply.Point  `json:"point,omitempty"`  // point
	Change *reply.Change `json:"change,omitempty"` // change
	Note   string        `json:"note,omitempty"`   // state: why; notice, ends: a sentence
	Done   int64         `json:"done,omitempty"`   // progress
	Total  int64         `json:"total,omitempty"`  // progress
	Call   string        `json:"call,omitempty"`   // progress: the id of the call
	// progress: what is done, 0 to 1, where Done is too coarse
	Share reply.Num `json:"share,omitempty"`
	// progress: seconds that the rest will take; 0 when that is not known
	LeftS reply.Num `json:"left_s,omitempty"`
	// progress: the experiment that is being made; notice: the one that has ended or changed
	Experiment string `json:"experiment,omitempty"`
	// notice: it concerns everybody in the session: scripts and cells are told too
	Alarm bool   `json:"alarm,omitempty"`
	Lost  uint64 `json:"lost,omitempty"` // lost: events that a resumed reader missed
}

// Part is the part of a call that is done, 0 to 1, and whether that is known.
func (e *Event) Part() (float64, bool) {
	switch {
	case e.Total <= 0:
		return 0, false
	case e.Share > 0:
		return min(float64(e.Share), 1), true
	}
	return min(float64(e.Done)/float64(e.Total), 1), true
}

// Left is the time that the rest of a call will take, in words; empty when that is not known.
func (e *Event) Left() string {
	switch left := time.Duration(float64(e.LeftS) * float64(time.Second)); {
	case !e.LeftS.Known() || left <= 0:
		return ""
	case left < 10*time.Second:
		return fmt.Sprintf("about %.0f s left", math.Ceil(left.Seconds()))
	case left < 2*time.Minute:
		return fmt.Sprintf("about %.0f s left", 5*math.Ceil(left.Seconds()/5))
	case left < 2*time.Hour:
		return fmt.Sprintf("about %.0f min left", math.Ceil(left.Minutes()))
	case left < 100*time.Hour:
		return fmt.Sprintf("about %.0f h left", math.Ceil(left.Hours()))
	default:
		return fmt.Sprintf("about %.0f days left", math.Ceil(left.Hours()/24))
	}
}

// The kinds of event.
const (
	EventPoint    = "point"    // a run went on
	EventChange   = "change"   // its journal has a new entry
	EventState    = "state"    // it started, paused or failed
	EventOpened   = "opened"   // it is there
	EventClosed   = "closed"   // it is gone
	EventProgress = "progress" // of a long call
	EventEnds     = "ends"     // the host ends: a sentence that says why
	EventNotice   = "notice"   // a sentence for everybody, as of a failed autosave
	EventLost     = "lost"     // the reader was away too long
)
