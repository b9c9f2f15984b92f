package prompt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// Go at the prompt is in another worker, repl/browser/interpreter, which the page starts when it is
// first wanted.
// The session asks the page for it by an event, and the page answers by a request; what that
// program asks of the runs comes back as a request to call a verb.

// A Wish is what the page is asked to let Go do, in an event of the kind go.
type Wish struct {
	Key  string `json:"key"` // of the answer
	Do   string `json:"do"`  // line or describe
	Text string `json:"text"`
	Cols int    `json:"cols,omitempty"`
}

// A Went is the page's answer to a wish.
type Went struct {
	Key     string `json:"key"`
	Error   string `json:"error,omitempty"`
	Stopped bool   `json:"stopped,omitempty"` // by the page
	More    bool   `json:"more,omitempty"`    // the line is the beginning of an input
	Text    string `json:"text,omitempty"`    // what was described
}

// wish asks the page to let Go do something, and waits until it has.
func (s *Session) wish(ctx context.Context, w Wish, say func(Event)) (Went, error) {
	came := make(chan Went, 1)
	s.mu.Lock()
	s.wished++
	w.Key = fmt.Sprint(s.wished)
	if s.wishes == nil {
		s.wishes = map[string]chan Went{}
	}
	s.wishes[w.Key] = came
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.wishes, w.Key)
		s.mu.Unlock()
	}()
	say(Event{Kind: "go", Wish: &w})
	select {
	case went := <-came:
		if went.Stopped {
			return went, &wire.Error{Code: wire.CodeCanceled, Message: went.Error}
		}
		if went.Error != "" {
			return went, errors.New(went.Error)
		}
		return went, nil
	case <-ctx.Done():
		return Went{}, &wire.Error{Code: wire.CodeCanceled, Message: "interrupted"}
	}
}

// went takes an answer of the page in.
func (s *Session) went(w *Went) error {
	if w == nil {
		return errors.New("went: the answer is missing")
	}
	s.mu.Lock()
	came := s.wishes[w.Key]
	if came != nil && w.Error == "" {
		s.gopher = true
	}
	delete(s.wishes, w.Key)
	s.mu.Unlock()
	if came != nil {
		came <- *w
	}
	return nil
}

// hasGo reports whether Go was typed already, so that names may be of its variables.
func (s *Session) hasGo() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gopher
}

// goLine runs Go. It does not load Go for a line that is rather a mistyped command.
func (s *Session) goLine(
	ctx context.Context, text string, cols int, say func(Event),
) (more bool, err error) {
	slip := noCommand(text)
	if slip != nil && !s.hasGo() {
		return false, slip
	}
	went, err := s.wish(ctx, Wish{Do: "line", Text: text, Cols: cols}, say)
	if rerr := s.Refresh(ctx); err == nil { // Go may have opened and closed runs
		err = rerr
	}
	if err != nil && slip != nil && ctx.Err() == nil {
		err = slip
	}
	return went.More, err
}

// describing is the book in which help looks names of Go up.
type describing struct {
	*Session
	ctx context.Context
	say func(Event)
}

// Go implements words.Book. A name without a point is looked up only where Go was typed.
func (d describing) Go(name string) (string, bool) {
	if !strings.Contains(name, ".") && name != "lab" && !d.hasGo() {
		return "", false
	}
	went, err := d.wish(d.ctx, Wish{Do: "describe", Text: name}, d.say)
	return went.Text, err == nil && went.Text != ""
}

var (
	_ words.Book    = describing{}
	_ words.Lacking = describing{}
)

// Lacks implements words.Lacking.
func (describing) Lacks(verb string) string { return absent[verb] }

// call carries out a verb, or gets an array, for Go.
func (s *Session) call(
	ctx context.Context, id string, q Request, say func(Event),
) (json.RawMessage, error) {
	if why := absent[q.Verb]; why != "" {
		return nil, &wire.Error{Code: wire.CodeVerb, Message: q.Verb + ": " + why}
	}
	switch q.Verb {
	case "array":
		var of struct{ Run, Name string }
		if err := json.Unmarshal(q.Body, &of); err != nil {
			return nil, err
		}
		typ, shape, data, err := s.c.host.Array(ctx, of.Run, of.Name)
		if err != nil {
			return nil, err
		}
		return json.Marshal(wire.Array{Type: typ, Shape: shape, Data: data})
	case "watch":
		var of wire.PlotRequest
		if err := json.Unmarshal(q.Body, &of); err != nil {
			return nil, err
		}
		return json.RawMessage("{}"), s.watch(ctx, of, func(string) {})
	}
	defer s.c.follow(id, say)()
	raw, err := s.c.CallID(ctx, id, q.Verb, q.Body)
	if err == nil {
		s.Learn(q.Verb, raw)
	}
	return raw, err
}
