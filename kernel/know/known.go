package know

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// A Host carries out verbs; see wire.Client.
type Host interface {
	words.Host
	Do(ctx context.Context, verb string, request, reply any) error
	Raw(ctx context.Context, verb string, request any) (json.RawMessage, error)
}

// Known caches what a front end has learned about its host. The zero value has no host yet; see
// Move. Its methods may be called from any goroutine.
type Known struct {
	Folder string // that paths are relative to; set before use

	mu      sync.Mutex
	host    Host
	runs    []reply.Status // as of the latest event or reply
	params  map[string][]reply.Param
	solvers []reply.Variant
	named   []reply.SolverName // names of papers
	names   []string           // of instances
	kinds   map[string]string  // of instances, by name
	tables  []reply.BenchTable
	saved   []reply.Autosave // in the last list of recover
	savedAt time.Time
	current string // the run of the last command
	free    bool   // the host was detached: it continues without this front end
}

// Host is the host that is asked.
func (k *Known) Host() Host {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.host
}

// Move changes to another host, whose runs are not known yet.
func (k *Known) Move(h Host) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.host, k.current, k.free = h, "", false
	k.runs, k.params = nil, map[string][]reply.Param{}
}

// Free reports whether the host was detached, so that it continues without this front end.
func (k *Known) Free() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.free
}

// Dir implements words.Knowledge.
func (k *Known) Dir() string { return k.Folder }

// Scope returns the context in which a command is parsed.
func (k *Known) Scope() words.Scope {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := words.Scope{Runs: []string{}, Current: k.current, Dir: k.Folder}
	for _, r := range k.runs {
		s.Runs = append(s.Runs, r.Run)
	}
	return s
}

// Parse reads a command. Another client may have opened the run that it names: then the host is
// asked.
func (k *Known) Parse(ctx context.Context, line string) (words.Call, error) {
	call, err := words.Parse(line, k.Scope())
	if err != nil && k.Refresh(ctx) == nil {
		call, err = words.Parse(line, k.Scope())
	}
	return call, err
}

// Learn stores what the reply to a verb says about runs.
func (k *Known) Learn(verb string, raw json.RawMessage) {
	switch verb {
	case "detach":
		k.mu.Lock()
		k.free = true
		k.mu.Unlock()
		return
	case "runs":
		var r reply.RunsReply
		if json.Unmarshal(raw, &r) == nil {
			k.mu.Lock()
			k.runs = r.Runs
			k.mu.Unlock()
		}
		return
	case "close":
		var s reply.Status
		if json.Unmarshal(raw, &s) == nil {
			k.Forget(s.Run)
		}
		return
	case "replay":
		return // about a record, not about an open run
	case "recover", "experiment":
		if verb == "recover" {
			k.mu.Lock()
			k.savedAt = time.Time{}
			k.mu.Unlock()
		}
		var r struct{ Opened json.RawMessage }
		if json.Unmarshal(raw, &r) != nil || r.Opened == nil {
			return
		}
		raw = r.Opened
	}
	var s reply.Status
	if json.Unmarshal(raw, &s) != nil || s.Run == "" || s.Solver == "" {
		return
	}
	k.Update(s)
	k.mu.Lock()
	k.current = s.Run
	delete(k.params, s.Run)
	k.mu.Unlock()
}

// Take stores what an event says of a run.
func (k *Known) Take(e wire.Event) {
	switch {
	case e.Status == nil:
	case e.Kind == wire.EventClosed:
		k.Forget(e.Status.Run)
	default:
		k.Update(*e.Status)
		if e.Kind == wire.EventChange && e.Change != nil {
			k.mu.Lock()
			delete(k.params, e.Status.Run)
			k.mu.Unlock()
		}
	}
}

// Current is the run of the last command; empty when there is none.
func (k *Known) Current() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.current
}

// Update stores the status of a run.
func (k *Known) Update(s reply.Status) {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.runs, func(r reply.Status) bool { return r.Run == s.Run })
	if i < 0 {
		k.runs = append(k.runs, s)
		slices.SortFunc(k.runs, func(a, b reply.Status) int { return strings.Compare(a.Run, b.Run) })
		return
	}
	k.runs[i] = s
}

// Forget drops a run that was closed.
func (k *Known) Forget(run string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.runs = slices.DeleteFunc(k.runs, func(r reply.Status) bool { return r.Run == run })
	delete(k.params, run)
	if k.current == run {
		k.current = ""
	}
}

// Refresh asks the host for the runs.
func (k *Known) Refresh(ctx context.Context) error {
	raw, err := k.Host().Raw(ctx, "runs", &wire.RunsRequest{})
	if err == nil {
		k.Learn("runs", raw)
	}
	return err
}

// stand is how far the runs of an interrupted call are, each with its best; those of the call, or,
// where it names none, the one that was opened last.
func (k *Known) stand(ctx context.Context, call words.Call) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	all, ok := k.settled(ctx, call)
	if !ok {
		return ""
	}
	said := ""
	for _, one := range call.Each() {
		name, named := one.Args["run"].(string)
		for i := len(all.Runs) - 1; i >= 0; i-- {
			if r := all.Runs[i]; !named || r.Run == name {
				said += "; " + r.Line()
				break
			}
		}
	}
	return said
}

// settled are the runs, once those of an interrupted call have ended the iteration that they were
// in, or, where another client steps one of them, after some seconds.
func (k *Known) settled(ctx context.Context, call words.Call) (reply.RunsReply, bool) {
	for until := time.Now().Add(2 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var all reply.RunsReply
		if k.Host().Do(ctx, "runs", &wire.RunsRequest{}, &all) != nil {
			return all, false
		}
		stepping := func(r reply.Status) bool {
			return r.State == "stepping" && slices.ContainsFunc(call.Each(), func(one words.Call) bool {
				name, named := one.Args["run"].(string)
				return !named || name == r.Run
			})
		}
		if !slices.ContainsFunc(all.Runs, stepping) || time.Now().After(until) {
			return all, true
		}
	}
}

// Interrupted says what was done of a command whose ctx ended; it returns other errors as they are.
func (k *Known) Interrupted(ctx context.Context, call words.Call, err error) error {
	if ctx.Err() == nil ||
		wire.CodeOf(err) != wire.CodeCanceled && !errors.Is(err, context.Canceled) {
		return err
	}
	say := func(s string) error {
		return &wire.Error{Code: wire.CodeCanceled, Message: "interrupted" + s}
	}
	switch call.Verb.Name {
	case "step":
		return say(": the run stands after its last whole iteration" + k.stand(ctx, call))
	case "solve":
		return say(": the run stands after its last whole iteration; runs lists it, and export " +
			"writes its best" + k.stand(ctx, call))
	case "undo":
		return say(": the run is as it was")
	case "repeat":
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		var kept []string
		for _, one := range call.Each() {
			var r reply.SeedsReply
			if k.Host().Do(ctx, "seeds", wire.RunRequest{Run: fmt.Sprint(one.Args["run"])}, &r) == nil {
				kept = append(kept, r.Kept())
			}
		}
		return say(": " + strings.Join(kept, "; "))
	case "experiment", "sweep", "tune":
		return say("; what was made is kept: the same line goes on")
	}
	return say("")
}
