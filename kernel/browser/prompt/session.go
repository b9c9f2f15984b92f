package prompt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"metalab/kernel/know"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// A Request is something that a page asks for.
type Request struct {
	// line, complete, watched, forget, call, went, workers, seed or made
	Do string `json:"do"`
	// line, complete: what is typed; forget: the name of a file; seed: the record of it
	Text string `json:"text,omitempty"`
	Cols int    `json:"cols,omitempty"` // line: how many columns of text the page has; 0: any number

	Verb string          `json:"verb,omitempty"` // call, which Go makes: what is called, or array
	Body json.RawMessage `json:"body,omitempty"` // call: the request
	Went *Went           `json:"went,omitempty"` // went: the answer to a wish

	Workers int   `json:"workers,omitempty"` // workers: how many the page can have
	Made    *Made `json:"made,omitempty"`    // made: of a seed
}

// An Event is a message to a page.
type Event struct {
	// of a request: out (output of a command), progress, go (a request for Go), and at last done or
	// error; of no request: status (the state of the runs), note (a message), seed (one for another
	// worker) and drop (it is no longer needed)
	Kind string `json:"kind"`

	Text  string `json:"text,omitempty"`  // of seed, and of done to seed: a record
	SVG   string `json:"svg,omitempty"`   // of out and of done to watched: a picture
	Words string `json:"words,omitempty"` // of a picture: what is seen
	Clear bool   `json:"clear,omitempty"` // of out: what was printed is to go

	// Of out: a reply that the page shows as something live, see [reply.Live].
	Live string          `json:"live,omitempty"`
	Data json.RawMessage `json:"data,omitempty"`

	// Of progress: 0 to 1, and how it is called.
	Part float64 `json:"part,omitempty"`

	// Of done: whether a figure is watched; and of complete, the byte at which the word begins that
	// the suggestions replace.
	Watching bool         `json:"watching,omitempty"`
	From     int          `json:"from,omitempty"`
	Offers   []Suggestion `json:"offers,omitempty"`

	Busy bool   `json:"busy,omitempty"` // of status: a run goes on
	Made []Held `json:"made,omitzero"`  // of status, and of done to line and call

	Stopped bool `json:"stopped,omitempty"` // of error: the page gave it up

	Key  string          `json:"key,omitempty"`  // of seed and drop
	Wish *Wish           `json:"wish,omitempty"` // of go
	More bool            `json:"more,omitempty"` // of done to line: Go wants another line
	Raw  json.RawMessage `json:"raw,omitempty"`  // of done to call: what the verb answers
	Code wire.Code       `json:"code,omitempty"` // of error to call
}

// A Suggestion is a completion.
type Suggestion struct {
	Text string `json:"text"`
	Doc  string `json:"doc,omitempty"`
}

// Session is a prompt. Its methods may be called from any goroutine.
type Session struct {
	know.Known

	c *client

	mu      sync.Mutex
	watched *wire.PlotRequest
	drawn   string // the state of the runs that the page has a picture of
	saved   map[string]savedAt

	wished int // wishes so far
	wishes map[string]chan Went
	gopher bool // Go was typed

	tell  func(Event)           // of Follow
	seeds int                   // that other workers were to make
	made  map[string]func(Made) // those under way, by their keys
}

// Folder is where a page has the files that its reader drops on it, and those that commands write.
const Folder = "/files"

// Do carries out a request; say gets its events, the last of which is done or an error. id is the
// request's, and no other's.
func (s *Session) Do(ctx context.Context, id string, q Request, say func(Event)) {
	last, err := Event{}, error(nil)
	switch q.Do {
	case "line":
		last.More, err = s.line(ctx, id, q, say)
	case "complete":
		last.From, last.Offers = s.complete(q.Text)
	case "watched":
		last, err = s.picture(ctx)
	case "forget":
		err = os.Remove(filepath.Join(s.Folder, filepath.Clean("/"+q.Text)))
	case "call":
		last.Raw, err = s.call(ctx, id, q, say)
	case "went":
		err = s.went(q.Went)
	case "workers":
		err = s.useWorkers(q.Workers)
	case "seed":
		last.Text, err = s.seed(ctx, q.Text, say)
	case "made":
		err = s.takeMade(q.Made)
	default:
		err = fmt.Errorf("there is no request %q", q.Do)
	}
	if q.Do == "line" || q.Do == "call" {
		s.look(context.WithoutCancel(ctx))
		last.Made = s.held()
	}
	s.mu.Lock()
	last.Watching = s.watched != nil
	s.mu.Unlock()
	if last.Kind = "done"; err != nil {
		last = Event{
			Kind: "error", Text: exampled(err.Error(), q.Text), Stopped: ctx.Err() != nil,
			Watching: last.Watching, Code: wire.CodeOf(err), Made: last.Made,
		}
	}
	say(last)
}

// complete offers what may stand at the end of a text.
func (s *Session) complete(text string) (int, []Suggestion) {
	from, all := words.Complete(text, s)
	var out []Suggestion
	before := strings.TrimSpace(text[:from])
	first := before == "" || strings.HasSuffix(before, ";")
	for _, o := range all {
		if first && absent[o.Text] != "" {
			continue // of verbs that a page has not
		}
		out = append(out, Suggestion{o.Text, exampled(o.Doc, text)})
	}
	return from, out
}

// line carries out an input: one or more commands, or Go. more is that it is the beginning of one.
func (s *Session) line(
	ctx context.Context, id string, q Request, say func(Event),
) (more bool, err error) {
	text := words.Uncommented(q.Text)
	if text == "" {
		return false, nil
	}
	lines := []string{text}
	if words.IsCommand(text) {
		lines = words.Split(text)
	}
	for i, line := range lines {
		if w := strings.Fields(line); len(w) == 2 && w[0] == "watch" && w[1] == "off" {
			s.mu.Lock()
			s.watched = nil
			s.mu.Unlock()
			continue
		}
		if !words.IsCommand(line) {
			if more, err = s.goLine(ctx, line, q.Cols, say); err != nil || more {
				return more, err
			}
			continue
		}
		as := id
		if i > 0 {
			as = s.c.NewCall()
		}
		if err := s.command(ctx, as, line, q.Cols, say); err != nil {
			return false, err
		}
	}
	return false, nil
}

// noCommand is the error of what is neither a command nor, by its looks, Go; nil of Go.
func noCommand(line string) error {
	first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	if words.LooksTyped(line) && words.Shell(line, "") == "" {
		return fmt.Errorf("%q is not a command%s; help lists them", first, words.NearVerb(first))
	}
	if set, ok := words.Settings(line); ok {
		return fmt.Errorf("%q is not a command; set changes a parameter of a run: set a %s", line,
			set.Text)
	}
	if say := words.Shell(line, "this page, which lists those to take home"); say != "" {
		return errors.New(say)
	}
	return nil
}

// command carries out one command.
func (s *Session) command(
	ctx context.Context, id, line string, cols int, say func(Event),
) error {
	call, err := s.Parse(ctx, line)
	if err != nil {
		return err
	}
	print := func(text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			say(Event{Kind: "out", Text: text})
		}
	}
	wrapped := func(text string) string {
		if cols > 0 {
			text = words.Wrap(text, cols)
		}
		return text
	}
	verb := call.Verb.Name
	if why := absent[verb]; why != "" {
		return &wire.Error{Code: wire.CodeVerb, Message: verb + ": " + why}
	}
	switch verb {
	case "quit":
		print("the session ends when this page is closed; it asks first where something was made and " +
			"not taken home, and offers it again where the browser keeps it")
		return nil
	case "clear":
		say(Event{Kind: "out", Clear: true})
		return nil
	case "help":
		word, _ := call.Args["word"].(string)
		text, err := words.Help(word, describing{s, ctx, say})
		if err == nil {
			print(wrapped(exampled(text, line)))
		}
		return err
	case "watch":
		var q wire.PlotRequest
		if err := call.Bind(&q); err != nil {
			return call.Hint(err)
		}
		return s.watch(ctx, q, print)
	case "plot", "chart":
		if call.Args["to"] == nil && call.Args["sink"] == nil {
			call.Args["sink"] = &wire.Sink{Graphics: view.SVG}
		}
	}
	defer s.c.follow(id, say)()
	answers := words.Ask(ctx, s.c, id, call)
	for _, a := range answers {
		if a.Err != nil {
			continue
		}
		s.Learn(verb, a.Raw)
		if p, ok := a.Reply.(*reply.PlotReply); ok && p.Mime == "image/svg+xml" && p.Path == "" {
			say(Event{Kind: "out", SVG: string(p.Data), Words: p.Words})
			continue
		}
		if kind, data := reply.Live(a.Reply); kind != "" {
			say(Event{Kind: "out", Live: kind, Data: data})
			continue
		}
		print(wrapped(exampled(reply.Text(a.Reply, cols), line)))
	}
	return s.Interrupted(ctx, call, words.ErrorOf(answers))
}

// watch keeps a figure in the page.
func (s *Session) watch(ctx context.Context, q wire.PlotRequest, print func(string)) error {
	q.Sink, q.Size = &wire.Sink{Graphics: view.SVG}, ""
	if err := s.c.Do(ctx, "plot", &q, nil); err != nil {
		return err
	}
	s.mu.Lock()
	s.watched, s.drawn = &q, ""
	s.mu.Unlock()
	print("watching; watch off ends it")
	return nil
}

// picture draws the figure that is watched, unless the page has it.
func (s *Session) picture(ctx context.Context) (Event, error) {
	state := s.stand()
	s.mu.Lock()
	q, same := s.watched, state == s.drawn
	s.drawn = state
	s.mu.Unlock()
	if q == nil || same {
		return Event{}, nil
	}
	var r reply.PlotReply
	if err := s.c.Do(ctx, "plot", q, &r); err != nil {
		s.mu.Lock()
		s.watched = nil // as when the run was closed
		s.mu.Unlock()
		return Event{}, err
	}
	return Event{SVG: string(r.Data), Words: r.Words}, nil
}

// stand returns how far all runs are.
func (s *Session) stand() string {
	var b strings.Builder
	for _, r := range s.Runs() {
		fmt.Fprintf(&b, " %s %d %s", r.Run, r.Iteration, r.Doing())
	}
	return b.String()
}

// Follow tells what happens, until ctx ends.
func (s *Session) Follow(ctx context.Context, say func(Event)) {
	s.mu.Lock()
	s.tell = say
	s.mu.Unlock()
	last := uint64(0)
	for ctx.Err() == nil {
		evs, _, wake, more := s.c.host.Since(last)
		for _, e := range evs {
			last = e.ID
			s.take(e, say)
		}
		if len(evs) > 0 {
			say(s.status())
		}
		if !more {
			return
		}
		select {
		case <-wake:
		case <-ctx.Done():
		}
	}
}

// take handles an event.
func (s *Session) take(e wire.Event, say func(Event)) {
	s.Take(e)
	switch e.Kind {
	case wire.EventProgress:
		if part, ok := e.Part(); ok {
			s.c.progress(e.Call, Event{Kind: "progress", Part: part, Text: e.Note})
		}
	case wire.EventNotice:
		say(Event{Kind: "note", Text: e.Note})
	case wire.EventState:
		if e.Status != nil && e.Status.State == "failed" {
			say(Event{Kind: "note", Text: e.Status.Run + " failed: " + e.Note})
		}
	}
}

// status is what the runs do that go on, else the last one that was named.
func (s *Session) status() Event {
	ev := Event{Kind: "status"}
	var on []string
	current := ""
	for _, r := range s.Runs() {
		line := fmt.Sprintf("%s: iteration %d", r.Run, r.Iteration)
		if r.Best.Known() {
			line += ", best " + r.Best.String()
		}
		if gap := float64(r.Gap); !math.IsNaN(gap) && r.Gap.Known() {
			line += fmt.Sprintf(", gap %.2f %%", gap)
		}
		if p := r.Repeat; p != nil {
			line += fmt.Sprintf(", repeat %d/%d", int(p.Done), p.Seeds)
		}
		if r.State == "running" || r.State == "stepping" || r.Repeat != nil {
			on = append(on, line)
		}
		if r.Run == s.Current() {
			current = line + ", " + r.State
		}
	}
	ev.Busy, ev.Text, ev.Made = len(on) > 0, strings.Join(on, " · "), s.held()
	if !ev.Busy {
		ev.Text = current
	}
	return ev
}

// decoded reads an answer.
func decoded(raw json.RawMessage, reply any) error {
	if reply == nil {
		return nil
	}
	return json.Unmarshal(raw, reply)
}
