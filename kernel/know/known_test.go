package know_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/kernel/know"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// host answers the verbs that it has an answer for.
type host struct {
	answers map[string]any
	asked   []string
}

func (h *host) NewCall() string { return "1" }

func (h *host) CallID(_ context.Context, _, verb string, _ any) (json.RawMessage, error) {
	h.asked = append(h.asked, verb)
	a, ok := h.answers[verb]
	if !ok {
		return nil, fmt.Errorf("no answer to %s", verb)
	}
	return json.Marshal(a)
}

func (h *host) Raw(ctx context.Context, verb string, request any) (json.RawMessage, error) {
	return h.CallID(ctx, "", verb, request)
}

func (h *host) Do(ctx context.Context, verb string, request, reply any) error {
	raw, err := h.CallID(ctx, "", verb, request)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, reply)
}

func status(run string, iter int64) reply.Status {
	return reply.Status{Run: run, Solver: "acs", Iteration: iter}
}

// learn tells of a reply.
func learn(t *testing.T, k *know.Known, verb string, r any) {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	k.Learn(verb, raw)
}

// runs are the names of the known runs.
func runs(k *know.Known) string {
	var names []string
	for _, r := range k.Runs() {
		names = append(names, fmt.Sprint(r.Run, r.Iteration))
	}
	return strings.Join(names, " ")
}

// Replies and events tell which runs there are, how far they are, and which is the current one.
func TestKnownRuns(t *testing.T) {
	t.Parallel()
	var k know.Known
	k.Move(&host{})
	want := func(what, names, current string) {
		t.Helper()
		if runs(&k) != names || k.Current() != current {
			t.Errorf("%s: runs %q, current %q; want %q, %q", what, runs(&k), k.Current(), names, current)
		}
	}
	learn(t, &k, "open", status("b", 0))
	learn(t, &k, "open", status("a", 0))
	want("opened", "a0 b0", "a")
	learn(t, &k, "step", status("b", 5))
	want("stepped", "a0 b5", "b")
	learn(t, &k, "replay", status("c", 9))
	want("a record is no run", "a0 b5", "b")
	s := status("a", 7)
	k.Take(wire.Event{Kind: wire.EventPoint, Status: &s})
	want("an event", "a7 b5", "b")
	learn(t, &k, "close", status("b", 5))
	want("closed", "a7", "")
	k.Take(wire.Event{Kind: wire.EventClosed, Status: &s})
	want("closed by another", "", "")
	learn(t, &k, "detach", map[string]string{})
	if !k.Free() {
		t.Error("a host that was detached is not free")
	}
	k.Move(&host{})
	if k.Free() {
		t.Error("another host is free")
	}
}

// Parameters are asked for once, and again when they may have changed.
func TestKnownParams(t *testing.T) {
	t.Parallel()
	h := &host{answers: map[string]any{"params": &reply.ParamsReply{Params: []reply.Param{{}}}}}
	var k know.Known
	k.Move(h)
	if k.Params("a") != nil || h.asked != nil {
		t.Errorf("of no run: asked %v", h.asked)
	}
	learn(t, &k, "open", status("a", 0))
	for range 3 {
		if len(k.Params("a")) != 1 {
			t.Error("no parameters")
		}
	}
	s := status("a", 1)
	k.Take(wire.Event{Kind: wire.EventChange, Status: &s, Change: &reply.Change{}})
	k.Params("a")
	if want := []string{"params", "params"}; !slices.Equal(h.asked, want) {
		t.Errorf("asked %v, want %v", h.asked, want)
	}
}

// A run that another client opened is found by asking; what was interrupted says what is done.
func TestParseAndInterrupted(t *testing.T) {
	t.Parallel()
	h := &host{answers: map[string]any{"runs": &reply.RunsReply{Runs: []reply.Status{status("z", 3)}}}}
	k := know.Known{Folder: "/files"}
	k.Move(h)
	learn(t, &k, "open", status("a", 0))
	call, err := k.Parse(t.Context(), "step z 5")
	if err != nil || !slices.Equal(h.asked, []string{"runs"}) {
		t.Fatalf("%v, asked %v", err, h.asked)
	}
	broken := fmt.Errorf("wrapped: %w", context.Canceled)
	if got := k.Interrupted(t.Context(), call, broken); got != broken {
		t.Errorf("before the end: %v", got)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	got := k.Interrupted(ctx, call, broken)
	if got.Error() != "interrupted: the run stands after its last whole iteration; "+
		status("z", 3).Line() {
		t.Errorf("%v", got)
	}
	other := &wire.Error{Code: wire.CodeFile, Message: "disk"}
	if got := k.Interrupted(ctx, words.Call{}, other); got != other {
		t.Errorf("another error: %v", got)
	}
	if k.Scope().Dir != "/files" || k.Dir() != "/files" {
		t.Error("paths are relative to another folder")
	}
}

// settling is a host whose run is in an iteration when it is asked first.
type settling struct {
	*host
	asked int
}

func (h *settling) Do(_ context.Context, _ string, _, out any) error {
	s := status("z", 3)
	if s.State = "stepping"; h.asked > 1 {
		s = status("z", 4)
		s.State = "paused"
	}
	h.asked++
	*out.(*reply.RunsReply) = reply.RunsReply{Runs: []reply.Status{s}}
	return nil
}

// What is said of an interrupted step is where the run stands once its last iteration is made.
func TestInterruptedSettles(t *testing.T) {
	t.Parallel()
	var k know.Known
	k.Move(&settling{host: &host{answers: map[string]any{
		"runs": &reply.RunsReply{Runs: []reply.Status{status("z", 3)}},
	}}})
	call, err := k.Parse(t.Context(), "step z 5")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	got := k.Interrupted(ctx, call, context.Canceled)
	if !strings.Contains(got.Error(), "iteration 4") {
		t.Errorf("%v", got)
	}
}

// late answers after a while, or when it is no longer waited for.
type late struct{ *host }

func (h late) Do(ctx context.Context, verb string, request, reply any) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(300 * time.Millisecond):
		if ctx.Err() != nil { // of the two that are ready the earlier counts
			return ctx.Err()
		}
		return h.host.Do(ctx, verb, request, reply)
	}
}

// Completion does without an answer that comes late, help waits for it.
func TestHelpWaits(t *testing.T) {
	t.Parallel()
	var k know.Known
	k.Move(late{&host{answers: map[string]any{
		"params": reply.ParamsReply{Params: []reply.Param{{Name: "q0"}}},
	}}})
	learn(t, &k, "open", status("a", 0))
	if got := k.Params("a"); got != nil {
		t.Errorf("completion waited for %v", got)
	}
	if got := (know.Patient{Known: &k}).Params("a"); len(got) != 1 || got[0].Name != "q0" {
		t.Errorf("help has %v", got)
	}
}
