package interpreter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"metalab/kernel/eval"
	_ "metalab/kernel/eval/bind" // lab and gonum
	"metalab/kernel/lab"
	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// A Request is something that the page asks for.
type Request struct {
	Do   string `json:"do"` // line, complete or describe
	Text string `json:"text"`
	Cols int    `json:"cols,omitempty"` // of line: how many letters a line has; 0: any number
}

// An Event is what the page is told of a request: out, as often as something is printed, and at
// last done or error.
type Event struct {
	Kind  string `json:"kind"`
	Text  string `json:"text,omitempty"` // of done to describe: what the name means
	SVG   string `json:"svg,omitempty"`  // of out: a picture
	Words string `json:"words,omitempty"`

	// Of out: a reply that the page shows as something live, see [reply.Live].
	Live string          `json:"live,omitempty"`
	Data json.RawMessage `json:"data,omitempty"`

	More bool `json:"more,omitempty"` // of done to line: it is no whole input, another line is wanted

	From   int          `json:"from,omitempty"` // of done to complete: where the word begins
	Offers []Suggestion `json:"offers,omitempty"`

	Stopped bool `json:"stopped,omitempty"` // of error: the page gave it up
}

// A Suggestion is a completion.
type Suggestion struct {
	Text string `json:"text"`
	Doc  string `json:"doc,omitempty"`
}

// memory is what inputs may hold: a tab of a phone has a gigabyte or less.
const memory = 512 << 20

// session is the interpreter, and where what it says goes.
type session struct {
	host *wire.Client
	eval *eval.Session

	turn sync.Mutex // an input at a time
	mu   sync.Mutex
	ctx  context.Context // of the input under way
	say  func(Event)
	cols int
}

// newSession makes a session whose runs are in host. note is told what happens beside.
func newSession(host wire.Near, folder string, note func(text string)) (*session, error) {
	s := &session{host: wire.Join(host, reply.Hello{Protocol: wire.Protocol, Session: "page"}, "page")}
	var err error
	s.eval, err = eval.New(eval.Config{
		Packages: []string{
			"metalab/kernel/lab", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/floats",
		},
		Memory: memory, Near: words.Near, Notice: note,
	})
	noCompiler := errors.New("declare: a page has no compiler: solvers and problems of one's own " +
		"are for the prompt in a terminal and for notebooks")
	front.Set(front.Front{
		Client:  s.host,
		Context: func() context.Context { s.mu.Lock(); defer s.mu.Unlock(); return s.ctx },
		Dir:     func() string { return folder },
		Declare: func(string) (q wire.DeclareRequest, done func(), err error) {
			return q, func() {}, noCompiler
		},
		DeclareProblem: func(string) (q wire.DeclareRequest, err error) { return q, noCompiler },
		Show:           func(r reply.Reply) { s.show(r) },
		Watch:          s.watch,
	})
	return s, err
}

// do carries out a request; say gets its events.
func (s *session) do(ctx context.Context, q Request, say func(Event)) {
	last, err := Event{}, error(nil)
	switch q.Do {
	case "line":
		last.More, err = s.line(ctx, q, say)
	case "complete":
		last.From = len(q.Text)
		for _, o := range s.eval.Complete(q.Text, len(q.Text)) {
			last.From = o.Start
			last.Offers = append(last.Offers, Suggestion{o.Text, o.About})
		}
	case "describe":
		last.Text, _ = s.eval.Describe(q.Text)
	default:
		err = fmt.Errorf("there is no request %q", q.Do)
	}
	if last.Kind = "done"; err != nil {
		last = Event{Kind: "error", Text: err.Error(), Stopped: ctx.Err() != nil}
	}
	say(last)
}

// line carries out an input, unless it is only the beginning of one.
func (s *session) line(ctx context.Context, q Request, say func(Event)) (more bool, err error) {
	if eval.Incomplete(q.Text) {
		return true, nil
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	s.mu.Lock()
	s.ctx, s.say, s.cols = ctx, say, q.Cols
	s.mu.Unlock()
	values, err := s.eval.Eval(ctx, q.Text)
	for _, v := range values {
		if serr := s.showSafely(v); err == nil {
			err = serr
		}
	}
	var said *lab.Error
	if errors.As(err, &said) { // a panic of lab with a message for the user
		return false, said
	}
	return false, err
}

// showSafely is show for values whose text may panic.
func (s *session) showSafely(v any) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *lab.Error:
			err = r
		default:
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	s.show(v)
	return nil
}

// show prints a value; a figure is drawn as the page shows figures.
func (s *session) show(v any) {
	s.mu.Lock()
	ctx, say, cols := s.ctx, s.say, s.cols
	s.mu.Unlock()
	if p, ok := v.(*reply.PlotReply); ok && p.Path == "" && len(p.Runs) > 0 {
		var r reply.PlotReply
		q := wire.PlotRequest{
			Runs: p.Runs, Figure: p.Figure, PlotLook: p.Look, Sink: &wire.Sink{Graphics: "svg"},
		}
		if err := s.host.Do(ctx, "plot", &q, &r); err == nil {
			say(Event{Kind: "out", SVG: string(r.Data), Words: r.Words})
			return
		}
	}
	text := eval.Text(v)
	switch r := v.(type) {
	case *reply.Sketch:
		say(Event{Kind: "out", SVG: r.SVG(), Words: r.Alt})
		return
	case *reply.Folded:
		for _, x := range append(reply.Replies{&reply.NoteReply{Note: r.Summary}}, r.Of...) {
			s.show(x)
		}
		return
	case reply.Reply:
		if kind, data := reply.Live(r); kind != "" {
			say(Event{Kind: "out", Live: kind, Data: data})
			return
		}
		text = reply.Text(r, cols)
	}
	if cols > 0 {
		text = words.Wrap(text, cols)
	}
	if text = strings.TrimRight(text, "\n"); text != "" {
		say(Event{Kind: "out", Text: text})
	}
}

// looks is how often a figure that is watched looks whether its runs rest.
const looks = 200 * time.Millisecond

// watch lets the page watch a figure, until its runs rest or ctx ends.
func (s *session) watch(ctx context.Context, q wire.PlotRequest) error {
	if err := s.host.Do(ctx, "watch", &q, nil); err != nil {
		return err
	}
	for {
		var all reply.RunsReply
		if err := s.host.Do(ctx, "runs", nil, &all); err != nil {
			return err
		}
		going := false
		for _, r := range all.Runs {
			for _, name := range q.Runs {
				going = going || r.Run == name && (r.State == "running" || r.State == "stepping")
			}
		}
		if !going {
			return nil
		}
		select {
		case <-time.After(looks):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// A link asks a host through the page: ask sends a question on, give gets its answer.
type link struct {
	ask  func(q question)
	drop func(key string) // the answer is wanted no more

	mu      sync.Mutex
	last    int
	waiting map[string]chan answer
}

// A question is a call of a host.
type question struct {
	Key  string          `json:"key"`
	Verb string          `json:"verb"` // or array
	Body json.RawMessage `json:"body"`
}

// An answer is what a host says to a question, or what was wrong.
type answer struct {
	Raw  json.RawMessage `json:"raw"`
	Text string          `json:"text"` // of what was wrong
	Code wire.Code       `json:"code"`
}

var _ wire.Near = (*link)(nil)

// Call implements wire.Near.
func (l *link) Call(
	ctx context.Context, _, verb string, body []byte,
) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	came := make(chan answer, 1)
	l.mu.Lock()
	l.last++
	key := fmt.Sprint(l.last)
	l.waiting[key] = came
	l.mu.Unlock()
	l.ask(question{key, verb, body})
	select {
	case a := <-came:
		if a.Text != "" {
			return nil, &wire.Error{Code: a.Code, Message: a.Text}
		}
		return a.Raw, nil
	case <-ctx.Done():
		l.mu.Lock()
		delete(l.waiting, key)
		l.mu.Unlock()
		l.drop(key)
		return nil, ctx.Err()
	}
}

// Array implements wire.Near.
func (l *link) Array(ctx context.Context, run, name string) (a wire.Array, err error) {
	body, err := json.Marshal(map[string]string{"run": run, "name": name})
	if err != nil {
		return a, err
	}
	raw, err := l.Call(ctx, "", "array", body)
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err == nil {
		err = a.Check()
	}
	return a, err
}

// give takes an answer in.
func (l *link) give(key string, a answer) {
	l.mu.Lock()
	came := l.waiting[key]
	delete(l.waiting, key)
	l.mu.Unlock()
	if came != nil {
		came <- a
	}
}
