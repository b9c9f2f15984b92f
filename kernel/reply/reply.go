package reply

import (
	"strings"
	"time"
)

// A Reply is the answer to a verb. It prints itself as text and as HTML.
type Reply interface {
	// String returns the reply as text, without a final newline.
	String() string
	// HTML returns the reply for a page, with all names escaped.
	HTML() string
}

// A Hello describes the host.
type Hello struct {
	Protocol int       `json:"protocol"`
	Build    string    `json:"build"`
	Session  string    `json:"session"`
	Notebook string    `json:"notebook,omitempty"` // the path of the session's, if known
	PID      int       `json:"pid"`
	Started  time.Time `json:"started"`
	Detached bool      `json:"detached"`
	Socket   string    `json:"socket"`
	Machine  string    `json:"machine"`
	Shape    string    `json:"shape,omitempty"`     // see Shape
	Note     string    `json:"note,omitempty"`      // a sentence for people who join the session
	InMemory bool      `json:"in_memory,omitempty"` // nothing is autosaved
	Lacks    []string  `json:"lacks,omitempty"`     // verbs that the host must grow for

	// Alarms are for the next cell: events that concern the safety of the session.
	Alarms []string `json:"alarms,omitempty"`
}

// Replies holds the replies to one line, one for each run.
type Replies []Reply

// String returns the replies one below the other.
func (rs Replies) String() string {
	text := make([]string, len(rs))
	for i, r := range rs {
		text[i] = r.String()
	}
	return strings.Join(text, "\n")
}

// HTML returns the replies one below the other.
func (rs Replies) HTML() string {
	var b strings.Builder
	for _, r := range rs {
		b.WriteString(r.HTML())
	}
	return b.String()
}
