package lab

import (
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// Step makes n iterations of each of several runs, in parallel, and waits for them.
func Step(n int, runs ...*Run) reply.Replies {
	return each("step", "Step", map[string]any{"n": n}, runs)
}

// StepUntil makes iterations of several runs, in parallel, each until a condition holds for it; see
// Run.StepUntil.
func StepUntil(condition string, runs ...*Run) reply.Replies {
	return each("step", "StepUntil", map[string]any{"until": condition}, runs)
}

// Go lets several runs iterate until a Pause, and returns at once.
func Go(runs ...*Run) reply.Replies { return each("go", "Go", map[string]any{}, runs) }

// Pause ends Go and all steps of several runs.
func Pause(runs ...*Run) reply.Replies { return each("pause", "Pause", map[string]any{}, runs) }

// GoUntil lets the run iterate until a condition holds, and returns at once; see StepUntil.
func (r *Run) GoUntil(condition string) *reply.RunReply {
	var rep reply.RunReply
	ask("go", wire.GoRequest{Run: r.id(), Until: condition}, &rep)
	return &rep
}

// each executes a verb for each of several runs.
func each(verb, what string, args map[string]any, runs []*Run) reply.Replies {
	ns := names(what, runs)
	if len(ns) == 0 {
		fail(&Error{wire.CodeRequest, "lab: " + what + ": which run?"})
	}
	v, _ := wire.Find(verb)
	args["run"] = ns[0]
	c := Client()
	ctx, done := during()
	var ends []func(reply.Reply) bool
	if verb == "step" && inCell() {
		n, _ := args["n"].(int)
		until, _ := args["until"].(string)
		for _, name := range ns {
			ends = append(ends, stepping(c, name, wire.StepRequest{N: int64(n), Until: until}))
		}
	}
	answers := words.Ask(ctx, c, c.NewCall(), words.Call{Verb: v, Args: args, Runs: ns})
	var out reply.Replies
	for i, a := range answers {
		if a.Err == nil {
			out = append(out, a.Reply)
		}
		if ends != nil && ends[i](a.Reply) {
			told(a.Reply)
		}
	}
	err := words.ErrorOf(answers)
	done(err != nil)
	check(err)
	return out
}

// told records that a cell shows the outcome of a step already.
func told(r reply.Reply) {
	step, ok := r.(*reply.StepReply)
	if !ok {
		return
	}
	here.Lock()
	defer here.Unlock()
	if here.shown == nil {
		here.shown = map[*reply.StepReply]bool{}
	}
	here.shown[step] = true
}
