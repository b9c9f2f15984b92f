package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"metalab/kernel/wire"
)

// A program may lack rooms, so that less of it must be compiled before its first use. Their verbs
// are known all the same, for the table of verbs has them: help, completion and errors are as
// elsewhere. When the first of them is carried out, the host grows: the program that has all rooms
// is compiled and goes on in this process, with the runs as they stand. Their journals do not tell
// of it.

// A Whole is the program with all rooms, for a program that lacks some.
type Whole interface {
	// Compile returns the path of the program, which it compiles where that was not done. say gets
	// how much of it is done.
	Compile(ctx context.Context, say func(done, total int64)) (path string, err error)
}

// whole is the program that a host grows into; nil: this one has what it has.
var whole Whole

// HandleGrowth makes w the program that hosts grow into. A program that lacks rooms calls it.
func HandleGrowth(w Whole) { whole = w }

// Lacks are the verbs that hosts of this program must grow for.
func Lacks() []string {
	if whole == nil {
		return nil
	}
	var out []string
	for _, v := range wire.Verbs {
		if handlers[v.Name] == nil && !v.Front {
			out = append(out, v.Name)
		}
	}
	slices.Sort(out)
	return out
}

// Grow has the program go on that has all rooms, because what is asked for is in one of them. It
// returns only where that fails, or when the host has ended for it: then the next process gets the
// request again. id is that of the call whose client is told how far it is.
func (h *Host) Grow(ctx context.Context, what, id string) error {
	if !h.o.Again {
		return wrong(what + ": this program is only the core of metalab; it needs the whole one, " +
			"which go build ./repl/all makes")
	}
	if err := h.mayGrow(ctx, what); err != nil {
		return err
	}
	h.growing.Do(func() {
		h.Publish(wire.Event{Kind: wire.EventNotice, Alarm: true, Note: what +
			" is in a part of metalab that is compiled at its first use, once; the runs go on meanwhile"})
	})
	path, err := whole.Compile(ctx, func(done, total int64) {
		h.Publish(wire.Event{
			Kind: wire.EventProgress, Call: id, Done: done, Total: total,
			Note: "compile what " + what + " needs",
		})
	})
	if err == nil {
		err = h.mayGrow(ctx, what) // a minute may have passed
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && wire.CodeOf(err) != "":
		return err
	case err != nil:
		return wrong(what + ": " + err.Error())
	}
	why := errors.New(what + " is in " + path)
	if h.again.CompareAndSwap(nil, &restart{why: why, program: path}) {
		h.Logf("grows: %v", why)
		h.stop(fmt.Errorf("%w: %w", errAgain, why))
	}
	<-h.ctx.Done()
	return errAgain
}

// mayGrow returns an error where something would be lost if another process went on.
func (h *Host) mayGrow(ctx context.Context, what string) error {
	refused := func(why string) error {
		return wrong(what + ": another process of the session would have to go on, and " + why)
	}
	for _, r := range h.rooms {
		if r.hooks.Holds == nil {
			continue
		}
		if has := r.hooks.Holds(); has != "" {
			return refused(has)
		}
	}
	var bad []string
	for _, e := range h.entries() {
		if h.store.nowhere {
			return refused("nothing is autosaved here")
		}
		if err := e.keep.flush(ctx); err != nil && ctx.Err() == nil {
			bad = append(bad, fmt.Sprintf("%s is not autosaved: %v", e.name, err))
		}
	}
	if len(bad) > 0 {
		return refused(strings.Join(bad, "; "))
	}
	return ctx.Err()
}
