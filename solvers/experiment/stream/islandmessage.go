package stream

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"metalab/solvers/record"
)

// Requests to a worker that has an island of a run, and its answers. A message holds both directly
// if they are short, else the hash of an object.

// An envelope is a message, or names the object that holds it.
type envelope struct {
	Format int             `json:"format"`
	Object string          `json:"object,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// inline is the most bytes of a body that goes as it is.
const inline = 256 << 10

// maxIsland is the most bytes of a body, and islandEach of each place of a solution.
const maxIsland = 1 << 30

// Things to do with an island.
const (
	doIterate = "iterate" // make iteration Iter
	doSet     = "set"     // change parameters
	doAdmit   = "admit"   // accept a solution after iteration Iter
)

// An operation is one of them. They are done in their order.
type operation struct {
	Do       string           `json:"do"`
	Iter     int64            `json:"i,omitempty"`
	Set      record.Values    `json:"set,omitempty"`
	Solution *record.Solution `json:"solution,omitempty"`
	Cost     number           `json:"cost,omitempty"`

	// For those ahead only.
	Better bool `json:"better,omitempty"` // left out where Cost is not below the best
	Best   bool `json:"best,omitempty"`   // return the best solution after it, if it is new
}

// Things to tell at last.
const (
	wantState    = "state"    // the state, from which operations are counted anew
	wantCopy     = "copy"     // the state
	wantSolution = "solution" // the best solution
	wantEnd      = "end"      // the island is no longer wanted
)

// An islandRequest asks a worker that has an island to do what it has not yet done of all
// operations.
type islandRequest struct {
	Run        string      `json:"run"` // a random name
	Island     int         `json:"island"`
	Done       int         `json:"done"` // operations that the worker has done already
	Operations []operation `json:"deeds,omitempty"`
	Ahead      int         `json:"ahead,omitempty"` // operations at the end of them that it may leave
	Turn       int         `json:"turn,omitempty"`  // of the last Begin: a call of another comes late
	Want       string      `json:"tell,omitempty"`
	Past       bool        `json:"past,omitempty"` // the state after an earlier number of operations
	// The coordinator's best value, if iterations run ahead: the worker returns a different one when
	// all are done.
	Have  *number       `json:"have,omitempty"`
	Begin *islandConfig `json:"begin,omitempty"` // creates the island, if set
}

// An islandConfig holds the data that creates an island.
type islandConfig struct {
	Solver   string             `json:"solver"`
	Variant  string             `json:"variant"`
	Backend  string             `json:"backend"`
	Revision int                `json:"revision"`
	Instance record.InstanceRef `json:"instance"` // without its path
	Seed     uint64             `json:"seed"`
	Params   record.Values      `json:"params"`
	Start    *record.Solution   `json:"start,omitempty"`
	State    string             `json:"state,omitempty"` // the object of the state; empty: the first
}

// An islandReply is the answer.
type islandReply struct {
	Alive bool `json:"alive,omitempty"` // it is under way; the answer follows
	// the worker does not have the island in the described state
	Unknown  bool             `json:"unknown,omitempty"`
	Refused  string           `json:"refused,omitempty"` // why it cannot have the island
	Error    string           `json:"error,omitempty"`   // of the search
	Best     number           `json:"best"`
	Ended    string           `json:"ended,omitempty"`
	Changed  bool             `json:"changed,omitempty"` // by the last operation, an admit
	Point    *islandPoint     `json:"point,omitempty"`   // of the last iteration
	CPU      number           `json:"cpu_s,omitempty"`   // of the last iteration
	Chain    string           `json:"chain,omitempty"`   // digests of all iterations since the state
	Object   string           `json:"object,omitempty"`  // the object of the state
	Solution *record.Solution `json:"solution,omitempty"`
	Ahead    []islandPoint    `json:"ahead,omitempty"` // of the operations after Point's
}

// maxAhead is the most operations that are asked for at once beside those that must be done, and
// aheadFor how long a worker does them before it answers: a long one is an answer of its own.
const (
	maxAhead = 1024
	aheadFor = time.Second / 4
)

// An islandPoint is a point of an island, or an admission.
type islandPoint struct {
	Do       string   `json:"do,omitempty"` // doAdmit; empty: an iteration
	Iter     int64    `json:"i"`
	IterBest number   `json:"iter_best"`
	Mean     number   `json:"mean"`
	Digest   string   `json:"digest"`
	Evals    int64    `json:"evals"`
	Measures []number `json:"measures,omitempty"`

	// For those ahead only: the data of the last reply.
	Best  number `json:"best,omitzero"`
	Ended string `json:"ended,omitempty"`
	CPU   number `json:"cpu_s,omitzero"`

	Changed  bool             `json:"changed,omitempty"`  // by an admission
	Solution *record.Solution `json:"solution,omitempty"` // the best, where that was asked for

	of *operation // of an admission: what was asked for
}

// readRequest reads what is asked of a worker.
func readRequest(data []byte) (c islandRequest, err error) {
	if err := read(data, maxIsland, &c); err != nil {
		return c, err
	}
	switch {
	case !name.MatchString(c.Run):
		return c, fmt.Errorf("stream: a run of islands is called %.80q", c.Run)
	case c.Island < 0 || c.Island >= maxSlots || c.Done < 0:
		return c, fmt.Errorf("stream: island %d with %d operations done", c.Island, c.Done)
	case c.Ahead > 0 && c.Have == nil, c.Ahead < 0 || c.Ahead > min(maxAhead, len(c.Operations)):
		return c, fmt.Errorf("stream: %d of %d operations are ahead", c.Ahead, len(c.Operations))
	}
	for i, d := range c.Operations {
		if i >= len(c.Operations)-c.Ahead && d.Do != doIterate && d.Do != doAdmit {
			return c, fmt.Errorf("stream: an island is to do %.40q ahead", d.Do)
		}
	}
	for _, d := range c.Operations {
		switch {
		case d.Do == doIterate && d.Iter > 0, d.Do == doSet && len(d.Set) <= maxParams:
		case d.Do == doAdmit && d.Iter > 0 && d.Solution != nil:
		default:
			return c, fmt.Errorf("stream: an island is to do %.40q in iteration %d", d.Do, d.Iter)
		}
	}
	switch c.Want {
	case "", wantState, wantCopy, wantSolution, wantEnd:
	default:
		return c, fmt.Errorf("stream: an island is to tell %.40q", c.Want)
	}
	b := c.Begin
	if b == nil {
		return c, nil
	}
	for _, s := range []string{b.Solver, b.Variant, b.Backend, b.Instance.Name, b.Instance.Kind} {
		if err := isText("a word of an island", s, maxWord); err != nil {
			return c, err
		}
	}
	if b.Instance.Path != "" || !hash.MatchString(b.Instance.SHA256) || len(b.Params) > maxParams ||
		b.State != "" && !hash.MatchString(b.State) {
		return c, fmt.Errorf("stream: an island of the instance %.80q at %.80q with %d parameters "+
			"begins at %.80q", b.Instance.SHA256, b.Instance.Path, len(b.Params), b.State)
	}
	return c, nil
}

// readReply reads an answer about an island whose points have a number of measures.
func readReply(data []byte, measures int) (t islandReply, err error) {
	if err := read(data, maxIsland, &t); err != nil {
		return t, err
	}
	if t.Object != "" && !hash.MatchString(t.Object) {
		return t, fmt.Errorf("stream: the state of an island is the object %.80q", t.Object)
	}
	points := t.Ahead
	if t.Point != nil {
		points = append([]islandPoint{*t.Point}, points...)
	}
	if len(points) > maxAhead+1 {
		return t, fmt.Errorf("stream: an island tells of %d iterations, want at most %d", len(points),
			maxAhead+1)
	}
	for i := range points {
		p, want := &points[i], measures
		if p.Do == doAdmit {
			want = 0
		}
		if len(p.Measures) != want || p.Evals < 0 || p.Iter < 1 || p.Do != "" && p.Do != doAdmit {
			return t, fmt.Errorf("stream: a point of an island has %d measures, want %d, in iteration %d",
				len(p.Measures), want, p.Iter)
		}
		if math.IsNaN(float64(p.Best)) {
			return t, fmt.Errorf("stream: the best value of an island is no number")
		}
		if err := isText("why an island ended", p.Ended, 4*maxWord); err != nil {
			return t, err
		}
	}
	if _, err := hexOf(t.Chain); t.Chain != "" && err != nil {
		return t, err
	}
	if math.IsNaN(float64(t.Best)) {
		return t, fmt.Errorf("stream: the best value of an island is no number")
	}
	err = isText("why an island ended", t.Ended, 4*maxWord)
	if err == nil {
		err = isText("why an island is refused", t.Refused, 4*maxWord)
	}
	if len(t.Error) > maxErrorText {
		t.Error = t.Error[:maxErrorText]
	}
	return t, err
}

// hexOf reads a digest.
func hexOf(s string) (uint64, error) {
	x, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		return 0, fmt.Errorf("stream: a digest is %.40q, want hexadecimal digits", s)
	}
	return x, nil
}

// hexText writes one.
func hexText(x uint64) string { return strconv.FormatUint(x, 16) }
