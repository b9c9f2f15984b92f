package words

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A Host carries out verbs, as a *wire.Client does.
type Host interface {
	NewCall() string
	CallID(ctx context.Context, id, verb string, request any) (json.RawMessage, error)
}

// An Answer is what came of a call.
type Answer struct {
	Reply reply.Reply
	Raw   json.RawMessage // as the host sent it
	Err   error
}

// Ask asks for what a line says for each run that it names: for all at the same time
// where the verb is carried out beside others, else one by one up to the first error. The
// answers are in the order of the runs. The first call has the given id; see Client.CallID.
func Ask(ctx context.Context, c Host, id string, call Call) []Answer {
	calls := call.Each()
	out := make([]Answer, len(calls))
	ask := func(i int) {
		as := id
		if i > 0 {
			as = c.NewCall()
		}
		out[i].Reply, out[i].Raw, out[i].Err = askOne(ctx, c, as, calls[i])
	}
	if call.Verb.Beside {
		var wg sync.WaitGroup
		for i := range calls {
			wg.Go(func() { ask(i) })
		}
		wg.Wait()
		return out
	}
	for i := range calls {
		if ask(i); out[i].Err != nil {
			return out[:i+1]
		}
	}
	return out
}

// Parted returns the error of a call whose reply says that a record differs from its replay, unless
// the line allows that.
func (c Call) Parted(r reply.Reply) error {
	v, ok := r.(reply.Verdict)
	if !ok || !v.Parts() || c.Args["differs"] == true {
		return nil
	}
	what := "what is made again is another"
	if reply.Uncompared(v) {
		what = "nothing could be compared"
	}
	return &wire.Error{Code: wire.CodeDiffers, Message: fmt.Sprintf("%s: %s; with the word differs "+
		"in the line that is an answer and no error", c.Verb.Name, what)}
}

// ErrorOf is what went wrong in some of the answers, each sentence once.
func ErrorOf(answers []Answer) error {
	var all []error
	seen := map[string]bool{}
	for _, a := range answers {
		if a.Err != nil && !seen[a.Err.Error()] {
			seen[a.Err.Error()] = true
			all = append(all, a.Err)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

// askOne asks for a call of one run under an id.
func askOne(ctx context.Context, c Host, id string,
	call Call,
) (reply.Reply, json.RawMessage, error) {
	if call.Verb.Front {
		return nil, nil, &wire.Error{
			Code:    wire.CodeVerb,
			Message: call.Verb.Name + " is carried out by the front end, not by the host",
		}
	}
	raw, err := c.CallID(ctx, id, call.Verb.Name, call.Args)
	if err != nil {
		return nil, nil, call.Hint(err)
	}
	r, err := wire.Decode(call.Verb.Name, raw)
	return r, raw, err
}
