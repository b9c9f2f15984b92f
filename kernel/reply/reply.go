package reply

import (
	"strings"
	"time"
)

// A Reply is the answer to a verb: it prints itself for people, and as HTML.
type Reply interface {
	// String is the reply as text, without a final newline.
	String() string
	// HTML is the reply for a page; all names in it are escaped.
	HTML() string
}

// Hello says who the host is.
type Hello struct {
	Protocol int       `json:"protocol"`
	Build    string    `json:"build"`
	Session  string    `json:"session"`
	Notebook string    `json:"notebook,omitempty"` // the path of the session's, where it is known
	PID      int       `json:"pid"`
	Started  time.Time `json:"started"`
	Detached bool      `json:"detached"`
	Socket   string    `json:"socket"`
	Machine  string    `json:"machine"`
	Shape    string    `json:"shape,omitempty"`     // see Shape
	Note     string    `json:"note,omitempty"`      // a sentence for people who come to the session
	InMemory bool      `json:"in_memory,omitempty"` // nothing is autosaved

	// Alarms are for the next cell: what happened that concerns the safety of the session.
	Alarms []string `json:"alarms,omitempty"`
}

// Replies are those to one line, one for each run.
type Replies []Reply

// String is the replies one below the other.
func (rs Replies) String() string {
	text := make([]string, len(rs))
	for i, r := range rs {
		text[i] = r.String()
	}
	return strings.Join(text, "\n")
}

// HTML is the replies one below the other.
func (rs Replies) HTML() string {
	var b strings.Builder
	for _, r := range rs {
		b.WriteString(r.HTML())
	}
	return b.String()
}
