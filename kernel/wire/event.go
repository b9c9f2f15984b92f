package wire

import "time"

// Hello says who the host is.
type Hello struct {
	Protocol int       `json:"protocol"`
	Build    string    `json:"build"`
	Session  string    `json:"session"`
	PID      int       `json:"pid"`
	Started  time.Time `json:"started"`
	Detached bool      `json:"detached"`
	Socket   string    `json:"socket"`
	Machine  string    `json:"machine"`
	Shape    string    `json:"shape,omitempty"` // see Shape
	Note     string    `json:"note,omitempty"`  // a sentence for people who come to the session
}

// An Event tells what happened. Point events are decimated: the latest comes, about 30
// times a second, whatever the run's speed.
type Event struct {
	ID     uint64  `json:"-"`    // counts up; the id of the server-sent event
	Kind   string  `json:"kind"` // one of the kinds below
	Status *Status `json:"status,omitempty"`
	Point  *Point  `json:"point,omitempty"`  // point
	Change *Change `json:"change,omitempty"` // change
	Note   string  `json:"note,omitempty"`   // state: why; notice: a sentence
	Done   int64   `json:"done,omitempty"`   // progress
	Total  int64   `json:"total,omitempty"`  // progress
	Call   string  `json:"call,omitempty"`   // progress: the id of the call
	Lost   uint64  `json:"lost,omitempty"`   // lost: events that a resumed reader missed
}

// The kinds of event.
const (
	EventPoint    = "point"    // a run went on
	EventChange   = "change"   // its journal has a new entry
	EventState    = "state"    // it started, paused or failed
	EventOpened   = "opened"   // it is there
	EventClosed   = "closed"   // it is gone
	EventProgress = "progress" // of a long call
	EventNotice   = "notice"   // a sentence for everybody, as of a failed autosave
	EventLost     = "lost"     // the reader was away too long
)
