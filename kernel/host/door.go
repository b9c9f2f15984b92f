package host

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/view"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Context ends when the client that asked has gone or gave up.
func (c *Call) Context() context.Context { return c.ctx }

// Host is the host that was asked.
func (c *Call) Host() *Host { return c.host }

// ID is the name of the call, by which clients know what its progress belongs to; empty where no
// client waits.
func (c *Call) ID() string { return c.id }

// Who returns the client's name in journals.
func (c *Call) Who() string { return c.who }

// Progress tells all clients how far the call is: done of total, and in words.
func (c *Call) Progress(done, total int64, note string) { c.progress(done, total, note) }

// Load returns an instance by published name or absolute path: the one in memory where there is
// one.
func (c *Call) Load(name string) (datasets.Instance, error) { return c.host.load1(c, name) }

// Busy keeps a host that nobody is attached to from ending until the function that it returns is
// called.
func (c *Call) Busy() (end func()) { return c.host.Busy() }

// Machine names the machine in results.
func Machine() string { return fmt.Sprintf("%s, %d cores", processor(), runtime.NumCPU()) }

// processor returns the processor's name by the system, else its architecture.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if name, value, ok := strings.Cut(sc.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// Name is the name of the run.
func (e *Run) Name() string { return e.name }

// Engine is the run as package solvers has it.
func (e *Run) Engine() *solvers.Run { return e.run }

// OpenRuns are the runs that are open, in the order in which they were opened.
func (h *Host) OpenRuns() []*Run { return h.entries() }

// Loader loads instances for a call of this name; empty where no client waits.
func (h *Host) Loader(id string) func(context.Context, string) (datasets.Instance, error) {
	return func(ctx context.Context, name string) (datasets.Instance, error) {
		return h.load1(&Call{ctx: ctx, id: id, host: h}, name)
	}
}

// OpenAs opens a run for a verb, under a name that no run has, or the next free letter where it is
// empty. open gets the name.
func (h *Host) OpenAs(
	c *Call, verb, as string, open func(name string) (*solvers.Run, error),
) (*Run, error) {
	name, free, err := h.name(c.ctx, as)
	if err != nil {
		return nil, err
	}
	defer free()
	if h.Lookup(name) != nil {
		return nil, &wire.Error{Code: wire.CodeDiffers, Message: fmt.Sprintf(
			"%s: run %s is open; take another name", verb, name)}
	}
	r, err := open(name)
	if err != nil {
		return nil, err
	}
	return h.adopt(r, nil)
}

// Inner is a call of the host's own, for somebody: it ends with the host.
func (h *Host) Inner(who string) *Call { return &Call{ctx: h.ctx, who: who, host: h} }

// Step makes a step.
func (c *Call) Step(q *wire.StepRequest) (*reply.StepReply, error) { return c.host.step(c, q) }

// Made returns the number of iterations of this call's step so far.
func (c *Call) Made() int64 { return c.made.Load() }

// Sense says which values of the run's objective are better.
func (e *Run) Sense() record.Sense { return senseOf(e.run) }

// BestKnown is the best known cost of the run's instance; nil: none.
func (e *Run) BestKnown() *float64 { return bestKnown(e.run) }

// Objective names what is optimised in an instance.
func Objective(inst datasets.Instance) string { return view.Objective(inst) }
