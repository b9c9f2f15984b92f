package words_test

import (
	"context"
	"encoding/json"
	"strconv"
	"sync/atomic"
	"testing"

	"metalab/kernel/words"
)

// A barrier is a host that answers when so many calls wait.
type barrier struct {
	want, calls, ids atomic.Int32
	open             chan struct{}
}

func (b *barrier) NewCall() string { return strconv.Itoa(int(b.ids.Add(1))) }

func (b *barrier) CallID(ctx context.Context, _, _ string, _ any) (json.RawMessage, error) {
	if b.calls.Add(1) == b.want.Load() {
		close(b.open)
	}
	select {
	case <-b.open:
		return json.RawMessage(`{}`), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Runs are stepped and closed beside each other: a disk is waited for once.
func TestAskBeside(t *testing.T) {
	t.Parallel()
	s := words.Scope{Runs: []string{"a", "b", "c"}}
	for _, line := range []string{"close all", "close a b c force", "step a b c 5"} {
		call, err := words.Parse(line, s)
		if err != nil {
			t.Fatal(err)
		}
		b := &barrier{open: make(chan struct{})}
		b.want.Store(3)
		answers := words.Ask(t.Context(), b, "0", call)
		if err := words.ErrorOf(answers); err != nil || len(answers) != 3 {
			t.Errorf("%s: %d answers, %v", line, len(answers), err)
		}
	}
}
