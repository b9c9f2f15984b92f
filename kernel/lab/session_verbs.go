package lab

import (
	"context"
	"fmt"
	"slices"

	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

func names(what string, runs []*Run) []string {
	out := make([]string, len(runs))
	for i, r := range runs {
		if r == nil {
			fail(&Error{wire.CodeRequest, fmt.Sprintf("lab: %s: run %d is nil", what, i+1)})
		}
		out[i] = r.id()
	}
	return out
}

// Runs lists the runs of the session.
func Runs() *reply.RunsReply {
	var r reply.RunsReply
	ask("runs", wire.RunsRequest{}, &r)
	return &r
}

// Plot draws a figure of several runs, see Run.Plot: curves in one plot, others side by side. It
// draws several figures, such as "best tour", side by side too. Options may follow, as at the
// prompt:
//
//	lab.Plot("best x=cpu range=0..60 title='two runs' legend=plain,greedy size=9cmx6cm", a, b)
//	lab.Plot("tour columns=1 all", a, b)
//
// x is iteration, time, cpu or evaluations; all draws every edge, trail and iteration, however
// many.
func Plot(figure string, runs ...*Run) *reply.PlotReply {
	return plot(figure, names("Plot", runs), "", false)
}

// plot draws figures of runs, into a file if path is not empty.
func plot(figure string, runs []string, path string, force bool) *reply.PlotReply {
	q, err := words.ParsePlot(figure, runs)
	check(err)
	if q.Sink = plotSink(); path != "" {
		q.To, q.Force = abs(path), force
	}
	var r reply.PlotReply
	ask("plot", q, &r)
	return &r
}

// Compare compares runs side by side. It shows p-values and effect sizes only for at least 5 seeds
// per run: Repeat each run first.
func Compare(runs ...*Run) *reply.CompareReply {
	var r reply.CompareReply
	ask("compare", wire.CompareRequest{Runs: names("Compare", runs)}, &r)
	return &r
}

// Replay runs a saved run again and stops at the first difference. The result shows the path as
// given here, so that no folder of this machine gets into a notebook.
func Replay(path string) *reply.ReplayReply {
	var r reply.ReplayReply
	ask("replay", wire.ReplayRequest{Path: abs(path)}, &r)
	r.Path = path
	return &r
}

// ReplayOn is Replay on a backend, cpu or cuda, whichever the run was recorded on.
func ReplayOn(path, backend string) *reply.ReplayReply {
	var r reply.ReplayReply
	ask("replay", wire.ReplayRequest{Path: abs(path), On: backend}, &r)
	r.Path = path
	return &r
}

// Diff names the first place at which two runs or records differ; each is the name of a run or the
// path of a record.
func Diff(a, b string) *reply.DiffReply {
	var r reply.DiffReply
	ask("diff", wire.DiffRequest{A: wire.AbsRecord(dir(), a), B: wire.AbsRecord(dir(), b)}, &r)
	return &r
}

// Instances lists the instances whose names contain a word, or those of a kind (tsp, atsp, qap,
// ppp, weierstrass, colouring); all for "". It shows size, best known value and whether the file is
// here.
func Instances(match string) *reply.InstancesReply {
	var r reply.InstancesReply
	ask("instances", wire.InstancesRequest{Match: match}, &r)
	return &r
}

// Solvers lists the solvers, or with a name that solver with its parameters.
func Solvers(name string) *reply.SolversReply {
	var r reply.SolversReply
	ask("solvers", wire.SolversRequest{Solver: name}, &r)
	return &r
}

// Devices lists the CPU and the GPUs.
func Devices() *reply.DevicesReply {
	var r reply.DevicesReply
	ask("devices", nil, &r)
	return &r
}

// Do executes a line as typed at the prompt, as in Do("step a until gap<1"). As in a script, a
// difference between a record and its replay is an error, unless the line has the word differs, as
// in Do("replay a.run differs"); [Replay] and [Diff] return the difference.
func Do(line string) reply.Reply {
	var open []string
	for _, s := range Runs().Runs {
		open = append(open, s.Run)
	}
	if open == nil {
		open = []string{}
	}
	call, err := words.Parse(line, words.Scope{Runs: open, Dir: dir()})
	check(err)
	if s := plotSink(); s != nil && (call.Verb.Name == "plot" || call.Verb.Name == "chart") {
		call.Args["sink"] = s
	}
	if call.Verb.Name == "dashboard" && inCell() { // its address is a key, which is not for outputs
		Dashboard()
		note := "the button above opens it"
		if abroad() {
			note = "the file above opens it"
		}
		return &reply.NoteReply{Verb: "dashboard", Note: note}
	}
	if call.Verb.Name == "step" && len(call.Runs) < 2 && inCell() {
		// With a bar, and at an interrupt it ends after the last whole iteration.
		var q wire.StepRequest
		check(call.Bind(&q))
		return Get(q.Run).step(q)
	}
	if call.Verb.Front {
		return ofPrompt(call)
	}
	c := Client()
	ctx, done := during()
	id := c.NewCall()
	end := progressing(c, id, call.Verb.Name)
	answers := words.Ask(ctx, c, id, call)
	err = words.ErrorOf(answers)
	end(err)
	done(err != nil)
	check(err)
	for _, a := range answers {
		if err := call.Parted(a.Reply); err != nil {
			fail(&Error{wire.CodeDiffers, a.Reply.String() + "; " + err.Error()})
		}
	}
	if len(answers) == 1 {
		return answers[0].Reply
	}
	var all reply.Replies
	for _, a := range answers {
		all = append(all, a.Reply)
	}
	return all
}

// Watch shows runs while they iterate. It returns when none does any more, or at an interrupt,
// which does not stop them. A notebook's cell redraws curve and tour in place, four times a second,
// and keeps the last frame; a plain program prints a line a second.
func Watch(runs ...*Run) { WatchFigure("", runs...) }

// WatchFigure is Watch with figures and the other options of Plot.
func WatchFigure(figure string, runs ...*Run) {
	ns := names("Watch", runs)
	if len(ns) == 0 {
		fail(&Error{wire.CodeRequest, "lab: Watch: which run?"})
	}
	q, err := words.ParsePlot(figure, ns)
	check(err)
	f := front.Get().Watch
	c := Client()
	ctx, done := during()
	if f == nil {
		f = func(ctx context.Context, q wire.PlotRequest) error {
			if inCell() {
				return watchCell(ctx, c, q)
			}
			return watch(ctx, c, q.Runs)
		}
	}
	err = f(ctx, q)
	interrupted := ctx.Err() != nil
	done(interrupted || err != nil)
	if !interrupted {
		check(err)
	}
}

// watch prints the status of runs, at most once a second, until none of them iterates.
func watch(ctx context.Context, c *wire.Client, names []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := c.Events(ctx, 0) // opened before the runs are looked at, so that no end is missed
	going := map[string]bool{}
	for _, n := range names {
		var s reply.ShowReply
		if err := c.Do(ctx, "show", wire.RunRequest{Run: n}, &s); err != nil {
			return err
		}
		fmt.Println(s.Line())
		if s.State == "running" || s.State == "stepping" {
			going[n] = true
		}
	}
	if len(going) == 0 {
		return nil
	}
	printed := map[string]reply.Num{}
	for e, err := range events {
		if err != nil {
			return err
		}
		s := e.Status
		if s == nil || !slices.Contains(names, s.Run) {
			continue
		}
		switch e.Kind {
		case wire.EventPoint:
			if s.WallS-printed[s.Run] < 1 {
				continue
			}
			printed[s.Run] = s.WallS
		case wire.EventState:
			if s.State == "running" || s.State == "stepping" {
				continue
			}
			delete(going, s.Run)
		case wire.EventClosed:
			delete(going, s.Run)
		case wire.EventChange:
			fmt.Println(s.Run+":", e.Change)
			continue
		default:
			continue
		}
		fmt.Println(s.Line())
		if len(going) == 0 {
			return nil
		}
	}
	return nil
}
