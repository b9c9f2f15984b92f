package reply

import (
	"fmt"
	"strings"
)

// An Island is the state of one island of a run.
type Island struct {
	Number        int    `json:"number"` // the first is 0
	Seed          uint64 `json:"seed"`
	Best          Num    `json:"best"`
	Gap           Num    `json:"gap"` // percent
	BestIteration int64  `json:"best_iteration"`
	Evaluations   int64  `json:"evaluations"`
	Migrants      int    `json:"migrants"` // accepted solutions of others
	LastIteration int64  `json:"last_iteration,omitempty"`
	LastFrom      *int   `json:"last_from,omitempty"` // the island that sent the last one
	Ended         string `json:"ended,omitempty"`     // why its search is over; empty: it is not
}

// A Migrant is a solution that an island accepted.
type Migrant struct {
	Iteration int64 `json:"iteration"` // after which it arrived
	Epoch     int64 `json:"epoch"`     // in which it was sent
	From      int   `json:"from"`
	Value     Num   `json:"value"`
}

// An IslandsReply describes a run's islands: all of them, or one with its migrants.
type IslandsReply struct {
	Status
	Islands  []Island  `json:"islands"`
	Number   *int      `json:"number,omitempty"` // the requested one
	Migrants []Migrant `json:"migrants,omitempty"`
	Over     string    `json:"over,omitempty"` // the workers that run them; empty: this process does
	Path     string    `json:"path,omitempty"` // of the written record
	Bytes    int64     `json:"bytes,omitempty"`
}

func (r *IslandsReply) rows() [][]string {
	if r.Number != nil {
		rows := [][]string{{"iteration", "epoch sent", "from island", "value"}}
		for _, m := range r.Migrants {
			rows = append(rows, []string{
				fmt.Sprint(m.Iteration), fmt.Sprint(m.Epoch), fmt.Sprint(m.From), m.Value.String(),
			})
		}
		return rows
	}
	rows := [][]string{{"island", "best", "gap %", "found in", "evaluations", "took in", "last", ""}}
	for i := range r.Islands {
		x := &r.Islands[i]
		last := ""
		if x.LastFrom != nil {
			last = fmt.Sprintf("from %d in %d", *x.LastFrom, x.LastIteration)
		}
		rows = append(rows, []string{
			fmt.Sprint(x.Number), x.Best.String(), percent(x.Gap), fmt.Sprint(x.BestIteration),
			fmt.Sprint(x.Evaluations), fmt.Sprint(x.Migrants), last, x.Ended,
		})
	}
	return trimmed(rows, "gap %", "last", "")
}

// head is the line above the table.
func (r *IslandsReply) head() string {
	if r.Number == nil {
		s := fmt.Sprintf("%s after iteration %d", count(len(r.Islands), "island"), r.Iteration)
		if r.Over != "" {
			s += "; made by workers: " + r.Over
		}
		return s
	}
	var x Island
	for _, y := range r.Islands {
		if y.Number == *r.Number {
			x = y
		}
	}
	s := fmt.Sprintf("island %d, seed %d, best %s: it took in %s", x.Number, x.Seed, x.Best,
		count(x.Migrants, "solution"))
	if r.Path != "" {
		s += fmt.Sprintf("; its record: %s, %d bytes", r.Path, r.Bytes)
	}
	return s
}

// String returns the table.
func (r *IslandsReply) String() string {
	out := r.Run + ": " + r.head()
	if rows := r.rows(); len(rows) > 1 && r.Path == "" {
		out += "\n" + strings.TrimRight(table(rows), "\n")
	}
	return out
}

// HTML returns the table for a page.
func (r *IslandsReply) HTML() string {
	out := htmlLine(r.Run, r.head())
	if rows := r.rows(); len(rows) > 1 && r.Path == "" {
		out += htmlTable(rows)
	}
	return out
}
