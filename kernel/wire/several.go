package wire

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
)

// An Answer is what came of a call.
type Answer struct {
	Reply Reply
	Raw   json.RawMessage // as the host sent it
	Err   error
}

// CallEach asks for what a line says for each run that it names: for all at the same time
// where the verb is carried out beside others, else one by one up to the first error. The
// answers are in the order of the runs. The first call has the given id; see CallID.
func (c *Client) CallEach(ctx context.Context, id string, call Call) []Answer {
	calls := call.Each()
	out := make([]Answer, len(calls))
	ask := func(i int) {
		as := id
		if i > 0 {
			as = c.NewCall()
		}
		out[i].Reply, out[i].Raw, out[i].Err = c.CallAs(ctx, as, calls[i])
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
