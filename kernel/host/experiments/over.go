package experiments

import (
	"context"
	"fmt"
	"strings"

	"metalab/kernel/host"
	"metalab/solvers/experiment"
)

// overs finds what makes units in the place of this process; nil: no room does.
var overs func(stateDir, over string) (experiment.Fabric, error)

// HandleOver makes f what finds who makes the units of experiments with over=, but for local. A
// room calls it when it is linked.
func HandleOver(f func(stateDir, over string) (experiment.Fabric, error)) { overs = f }

// reach finds out, before anything is planned, whether there is what makes units.
func (h *room) reach(c *host.Call, over string) error {
	f, err := h.overOf(over)
	if f == nil || err != nil {
		return err
	}
	return answers(c.Context(), f)
}

// sourceOf gives the sources of solvers and problems that were declared to this host.
func sourceOf(h *host.Host) func(*experiment.Unit) (string, error) {
	return func(u *experiment.Unit) (string, error) {
		return h.Guests().SourceOf(u.Solver, u.Params, u.Instance)
	}
}

// answers is nil where what makes units answers.
func answers(ctx context.Context, f experiment.Fabric) error {
	if r, ok := f.(interface{ Reach(context.Context) error }); ok {
		if err := r.Reach(ctx); err != nil {
			return host.Wrong("over: " + strings.TrimPrefix(err.Error(), "stream: "))
		}
	}
	return nil
}

// overOf is what makes units; nil: the cores of this machine.
func (h *room) overOf(over string) (experiment.Fabric, error) {
	if over == "" || over == "local" {
		return nil, nil
	}
	if overs == nil {
		return nil, host.Wrong(fmt.Sprintf("over is %s, want local: this program knows no other machines",
			over))
	}
	f, err := overs(h.Options().StateDir, over)
	if err != nil {
		return nil, host.Wrong("over: " + strings.TrimPrefix(err.Error(), "stream: "))
	}
	return f, nil
}
