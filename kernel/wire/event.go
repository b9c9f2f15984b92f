package wire

import (
	"fmt"
	"math"
	"time"

	"metalab/kernel/reply"
)

// WhoCell is the name of notebook cells in journals.
const WhoCell = "cell"

// An Event reports what happened. Point events are decimated: the latest arrives about 30 times a
// second, whatever the run's speed.
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
	// progress: the finished fraction, 0 to 1, if Done is too coarse
	Share reply.Num `json:"share,omitempty"`
	// progress: estimated seconds left; 0 if unknown
	LeftS reply.Num `json:"left_s,omitempty"`
	// progress: the running experiment; notice: the one that has ended or changed
	Experiment string `json:"experiment,omitempty"`
	// notice: it concerns everybody in the session, also scripts and cells
	Alarm bool   `json:"alarm,omitempty"`
	Lost  uint64 `json:"lost,omitempty"` // lost: events that a resumed reader missed
}

// Part returns the finished fraction of a call, 0 to 1, and whether it is known.
func (e *Event) Part() (float64, bool) {
	switch {
	case e.Total <= 0:
		return 0, false
	case e.Share > 0:
		return min(float64(e.Share), 1), true
	}
	return min(float64(e.Done)/float64(e.Total), 1), true
}

// Left returns the estimated time left of a call, in words; empty if unknown.
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
	EventPoint    = "point"    // a run has iterated
	EventChange   = "change"   // its journal has a new entry
	EventState    = "state"    // it started, paused or failed
	EventOpened   = "opened"   // a run was opened
	EventClosed   = "closed"   // a run was closed
	EventProgress = "progress" // of a long call
	EventEnds     = "ends"     // the host ends: a sentence with the reason
	EventNotice   = "notice"   // a sentence for everybody, for example about a failed autosave
	EventLost     = "lost"     // the reader was away too long
)
