package lab

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A relayAsk is what a page asks through a cell.
type relayAsk struct {
	From string          `json:"from"` // the page
	ID   int             `json:"id"`   // its number of the question
	Path string          `json:"path"` // hello, figure, or do/ and a verb
	Body json.RawMessage `json:"body"`
}

// A relaySay is an answer, or what happened.
type relaySay struct {
	To     string          `json:"to,omitempty"`
	ID     int             `json:"id,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
	Error  *wire.Error     `json:"error,omitempty"`
	Events []wire.Event    `json:"events,omitempty"`
	Beat   bool            `json:"beat,omitempty"` // nothing: the cell is there
	Bye    bool            `json:"bye,omitempty"`  // the cell ends
}

// relaying answers pages.
type relaying struct {
	c    *wire.Client
	pipe *relayPipe
	runs []string // those that are relayed; none: all

	drawing sync.Mutex  // one picture at a time
	asked   atomic.Bool // a page has asked something
}

// GoNB's script in the page gives up when the kernel does not answer it within half a second, which
// happens on a busy machine. Another message makes GoNB send it again.
const (
	beatEvery = 4 * time.Second
	maxBeats  = 8
)

// relayEvery is the time between two messages about events.
const relayEvery = 100 * time.Millisecond

// tell passes on what happens, the latest points only, until ctx ends.
func (r *relaying) tell(ctx context.Context) error {
	var mu sync.Mutex
	var news []wire.Event
	done := make(chan error, 1)
	events := r.c.Events(ctx, 0)
	go func() {
		for e, err := range events {
			if err != nil {
				done <- err
				return
			}
			if e.Status == nil && e.Kind != wire.EventNotice || e.Status != nil && !r.relayed(e.Status.Run) {
				continue
			}
			mu.Lock()
			if e.Kind == wire.EventPoint {
				news = slices.DeleteFunc(news, func(o wire.Event) bool {
					return o.Kind == wire.EventPoint && o.Status.Run == e.Status.Run
				})
			}
			news = append(news, e)
			mu.Unlock()
		}
		done <- nil
	}()
	tick := time.NewTicker(relayEvery)
	defer tick.Stop()
	for last, beats := time.Now(), 0; ; {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			mu.Lock()
			batch := news
			news = nil
			mu.Unlock()
			switch {
			case len(batch) > 0:
				r.pipe.say(relaySay{Events: batch})
			case !r.asked.Load() && beats < maxBeats && time.Since(last) > beatEvery:
				r.pipe.say(relaySay{Beat: true})
				beats++
				last = time.Now()
			}
		}
	}
}

func (r *relaying) relayed(run string) bool {
	return len(r.runs) == 0 || slices.Contains(r.runs, run)
}

// answer answers one question.
func (r *relaying) answer(ctx context.Context, q relayAsk) {
	r.asked.Store(true)
	body, err := r.carryOut(ctx, q)
	say := relaySay{To: q.From, ID: q.ID, Body: body}
	if err != nil {
		var e *wire.Error
		if !errors.As(err, &e) {
			e = &wire.Error{Code: wire.CodeHost, Message: err.Error()}
		}
		say.Body, say.Error = nil, e
	}
	r.pipe.say(say)
}

func (r *relaying) carryOut(ctx context.Context, q relayAsk) (json.RawMessage, error) {
	denied := func(why string) error {
		return &wire.Error{Code: wire.CodeDenied, Message: "relay: " + why}
	}
	verb, isVerb := strings.CutPrefix(q.Path, "do/")
	switch {
	case q.Path == "hello":
		return json.Marshal(map[string]string{"who": r.c.Who(), "session": r.c.Hello().Session})
	case q.Path == "figure":
		return r.figure(ctx, q.Body)
	case !isVerb:
		return nil, denied("there is no " + reply.Printable(q.Path) + " here; the dashboard has it")
	}
	if v, ok := wire.Find(verb); !ok || !v.Browser {
		return nil, denied(reply.Printable(verb) + " is not for pages")
	}
	var of wire.RunRequest
	if json.Unmarshal(q.Body, &of) == nil && of.Run != "" && !r.relayed(of.Run) {
		return nil, denied("run " + reply.Printable(of.Run) + " is not relayed")
	}
	if verb == "step" {
		return r.step(ctx, of.Run, q.Body)
	}
	return r.c.Raw(ctx, verb, q.Body)
}

// step makes a step, and answers before its end where that is far.
func (r *relaying) step(ctx context.Context, run string,
	body json.RawMessage,
) (json.RawMessage, error) {
	type result struct {
		raw json.RawMessage
		err error
	}
	done := make(chan result, 1)
	go func() {
		raw, err := r.c.Raw(ctx, "step", body)
		done <- result{raw, err}
	}()
	select {
	case x := <-done:
		return x.raw, x.err
	case <-time.After(300 * time.Millisecond):
		s, _ := statusOf(ctx, r.c, run)
		return json.Marshal(reply.StepReply{Status: s})
	}
}

// figure draws a picture as a page asks for it.
func (r *relaying) figure(ctx context.Context, body json.RawMessage) (json.RawMessage, error) {
	var q struct {
		Runs       []string `json:"runs"`
		Figure     string   `json:"figure"`
		W          float64  `json:"w"` // pixels
		H          float64  `json:"h"`
		Background string   `json:"background"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	r.drawing.Lock()
	defer r.drawing.Unlock()
	var p reply.PlotReply
	err := r.c.Do(ctx, "plot", wire.PlotRequest{Runs: q.Runs, Figure: q.Figure, Sink: &wire.Sink{
		Graphics: "svg", Background: q.Background, Size: wire.SinkSize{
			W: float64(q.W * 0.75),
			H: float64(q.H * 0.75),
		},
	}}, &p)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]string{"stamp": "", "svg": svgOnly(p.Data)})
}
