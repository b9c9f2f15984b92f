package lab

import "metalab/kernel/wire"

// Step makes n iterations of each of several runs, side by side, and waits for them.
func Step(n int, runs ...*Run) wire.Replies {
	return each("step", "Step", map[string]any{"n": n}, runs)
}

// StepUntil makes iterations of several runs, side by side, each until a condition holds for
// it; see Run.StepUntil.
func StepUntil(condition string, runs ...*Run) wire.Replies {
	return each("step", "StepUntil", map[string]any{"until": condition}, runs)
}

// Go lets several runs go on until they are paused, and returns at once.
func Go(runs ...*Run) wire.Replies { return each("go", "Go", map[string]any{}, runs) }

// Pause ends Go and all steps of several runs.
func Pause(runs ...*Run) wire.Replies { return each("pause", "Pause", map[string]any{}, runs) }

// GoUntil lets the run go on until a condition holds, and returns at once; see StepUntil.
func (r *Run) GoUntil(condition string) *wire.RunReply {
	var rep wire.RunReply
	ask("go", wire.GoRequest{Run: r.name, Until: condition}, &rep)
	return &rep
}

// each carries out a verb for each of several runs.
func each(verb, what string, args map[string]any, runs []*Run) wire.Replies {
	ns := names(what, runs)
	if len(ns) == 0 {
		fail(&Error{wire.CodeRequest, "lab: " + what + ": which run?"})
	}
	v, _ := wire.Find(verb)
	args["run"] = ns[0]
	c := Client()
	ctx, stop := during()
	defer stop()
	var ends []func(wire.Reply) bool
	if verb == "step" && inCell() {
		n, _ := args["n"].(int)
		until, _ := args["until"].(string)
		for _, name := range ns {
			ends = append(ends, stepping(c, name, wire.StepRequest{N: int64(n), Until: until}))
		}
	}
	answers := c.CallEach(ctx, c.NewCall(), wire.Call{Verb: v, Args: args, Runs: ns})
	var out wire.Replies
	for i, a := range answers {
		if a.Err == nil {
			out = append(out, a.Reply)
		}
		if ends != nil && ends[i](a.Reply) {
			told(a.Reply)
		}
	}
	check(wire.ErrorOf(answers))
	return out
}

// told notes that a cell shows the outcome of a step already.
func told(r wire.Reply) {
	step, ok := r.(*wire.StepReply)
	if !ok {
		return
	}
	here.Lock()
	defer here.Unlock()
	if here.shown == nil {
		here.shown = map[*wire.StepReply]bool{}
	}
	here.shown[step] = true
}
