package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"metalab/solvers"
	"metalab/solvers/arith"
)

// requestOrRun is request for a run that waits for the answer between two iterations: if no worker
// answers in time, the island runs here until one iterates it again.
func (a *remoteIsland) requestOrRun(tell string) (islandReply, error) {
	ctx, end := context.WithTimeout(context.Background(), 2*a.s.l.t.AckWait)
	defer end()
	t, err := a.request(ctx, tell)
	if ctx.Err() == nil {
		return t, err
	}
	a.note(fmt.Sprintf("island %d: no worker answers, and so it is made here", a.number))
	return a.runLocally(tell)
}

// runLocally does all operations in this process.
func (a *remoteIsland) runLocally(tell string) (islandReply, error) {
	a.s.release(a.worker, false)
	a.worker, a.done = "", -1
	b, err := solvers.NewStepper(a.v, a.inst)
	if err != nil {
		return islandReply{}, err
	}
	defer b.Close()
	if err := b.Init(a.seed, a.values, a.start); err != nil {
		return islandReply{}, err
	}
	if a.state != nil {
		if err := b.Restore(a.state); err != nil {
			return islandReply{}, err
		}
	}
	s := &hostedIsland{b: b}
	for i := range a.operations {
		if err := s.do(context.Background(), &a.operations[i]); err != nil {
			return islandReply{}, err
		}
	}
	a.best, a.ended = b.Best(), b.Ended()
	sol := b.Solution()
	a.found = &sol
	if tell == wantState {
		state, err := b.Snapshot()
		if err != nil {
			return islandReply{}, err
		}
		a.state, a.operations, a.chain, a.values = state, nil, 0, a.table.Values()
		a.heardOf = 0
	}
	return s.last, nil
}

// request has the worker do what is missing and tell something. One that is lost or refuses gives
// its place to another, for which there is no time limit but ctx.
func (a *remoteIsland) request(ctx context.Context, tell string) (islandReply, error) {
	a.drop()
	for {
		if err := ctx.Err(); err != nil {
			return islandReply{}, err
		}
		if a.s.l.nc.IsClosed() {
			return islandReply{}, fmt.Errorf("stream: broker %s: %w", a.s.l.where, a.s.l.closed())
		}
		t, err := a.requestOnce(ctx, tell)
		switch {
		case err == nil && t.Error != "":
			return islandReply{}, fmt.Errorf("worker %s: %s", a.worker, t.Error)
		case err == nil:
			return t, nil
		case ctx.Err() != nil:
			return islandReply{}, ctx.Err()
		case errors.As(err, new(auditError)):
			return islandReply{}, err
		}
		var f falseError
		if a.worker != "" {
			a.note(why(a.worker, a.number, err))
			a.s.release(a.worker, errors.As(err, &f))
			if errors.Is(err, errLost) {
				a.s.lose(a.worker)
			}
			a.worker, a.done = "", -1
		} else {
			a.note(fmt.Sprintf("island %d: %v", a.number, err))
		}
		if err := pause(ctx, time.Second/4); err != nil {
			return islandReply{}, err
		}
		a.s.reopen(ctx)
	}
}

// An auditError says that two executions of the same work differ.
type auditError struct{ error }

// audit compares the worker's results for all operations with those that the run has; so every
// island that moves to another worker runs twice. Then it stores the point of a new iteration.
func (a *remoteIsland) audit(t *islandReply, fresh bool) error {
	chain := a.chain
	if n := len(a.operations); fresh && n > 0 && a.operations[n-1].Do == doIterate {
		if t.Point == nil || t.Point.Iter != a.operations[n-1].Iter {
			return falseError{errors.New("it made another iteration than was asked for")}
		}
		digest, err := hexOf(t.Point.Digest)
		if err != nil {
			return falseError{err}
		}
		chain = arith.Chain(chain, digest)
	}
	if t.Chain != hexText(chain) {
		return auditError{fmt.Errorf("stream: island %d was made twice, by worker %s the second time, "+
			"with different results: a search is not deterministic, or a worker is false", a.number,
			a.worker)}
	}
	a.chain = chain
	return nil
}

// A falseError is one for which a worker is not asked again.
type falseError struct{ error }

// requestOnce asks a worker, and again with the state where it lacks the island.
func (a *remoteIsland) requestOnce(ctx context.Context, tell string) (islandReply, error) {
	if a.worker == "" {
		w, err := a.s.pick(ctx, a.v)
		if err == nil && w == "" {
			err = fmt.Errorf("it waits for a worker that has %s",
				kindOf(a.v.Solver, a.v.Name, a.v.Backend, a.v.Revision))
		}
		if err != nil {
			return islandReply{}, err
		}
		a.worker, a.done = w, -1
	}
	for range 2 {
		c := islandRequest{
			Run: a.s.run, Island: a.number, Done: a.done, Operations: a.operations, Want: tell,
		}
		if a.done >= 0 {
			c.Operations = a.operations[a.done:]
		} else {
			b, err := a.begin(ctx)
			if err != nil {
				return islandReply{}, err
			}
			c.Done, c.Begin = 0, b
			a.turn++
		}
		c.Turn = a.turn
		a.goAhead(&c)
		t, err := a.send(ctx, a.worker, &c)
		switch {
		case err != nil:
			return islandReply{}, err
		case t.Unknown:
			a.done = -1
			continue
		case t.Refused != "":
			return islandReply{}, falseError{errors.New(t.Refused)}
		case t.Error != "":
			return t, nil
		}
		return t, a.accept(ctx, &t, &c)
	}
	return islandReply{}, errors.New("it does not keep the island")
}

// begin returns the data with which the worker creates the island.
func (a *remoteIsland) begin(ctx context.Context) (*islandConfig, error) {
	if err := a.s.upload(ctx, a); err != nil {
		return nil, err
	}
	b := &islandConfig{
		Solver: a.v.Solver, Variant: a.v.Name, Backend: a.v.Backend, Revision: a.v.Revision,
		Instance: refOf(a.inst), Seed: a.seed, Params: a.values, Start: a.start,
	}
	if a.state == nil {
		return b, nil
	}
	if a.kept != "" {
		if _, err := a.s.place().objects.GetInfo(ctx, a.kept); err == nil {
			b.State = a.kept
			return b, nil
		}
	}
	var err error
	b.State, err = a.s.place().store(ctx, a.state)
	if err == nil {
		a.forget(ctx, b.State)
	}
	return b, err
}

// forget takes the object of the last state from the broker; kept is the one from now on.
func (a *remoteIsland) forget(ctx context.Context, kept string) {
	if a.kept != "" && a.kept != kept {
		_ = a.s.place().objects.Delete(ctx, a.kept) // else it goes when its time is over
	}
	a.kept = kept
}

// accept stores a worker's answer.
func (a *remoteIsland) accept(ctx context.Context, t *islandReply, c *islandRequest) error {
	n := len(a.operations)
	if err := a.fits(t, c); err != nil {
		return falseError{err}
	}
	if err := a.audit(t, n > a.heardOf); err != nil {
		return err
	}
	a.done, a.heardOf = n, n
	if best := float64(t.Best); best != a.best {
		a.best, a.found = best, nil
	}
	a.ended = t.Ended
	if a.points = t.Ahead; c.Have != nil && t.Solution != nil {
		s := t.Solution.Clone()
		if a.last = &s; len(a.points) == 0 {
			a.found, a.last = a.last, nil
		}
	}
	if p := t.Point; c.Have != nil && p != nil && p.Solution != nil {
		s := p.Solution.Clone()
		a.found = &s
	}
	switch c.Want {
	case wantSolution:
		if t.Solution == nil {
			return falseError{errors.New("it tells no solution")}
		}
		cost, err := solvers.Cost(a.inst, *t.Solution)
		if err != nil || cost != a.best {
			return falseError{fmt.Errorf("its best solution costs %v, and it says %v (%v)", cost, a.best,
				err)}
		}
		s := t.Solution.Clone()
		a.found = &s
	case wantState:
		state, err := a.s.place().get(ctx, t.Object, maxIsland)
		if err == nil {
			_, err = solvers.NewReader(state)
		}
		if err != nil {
			a.done = -1 // the worker counts from its state on
			return err
		}
		a.forget(ctx, t.Object)
		a.state, a.operations, a.chain, a.done = state, nil, 0, 0
		a.heardOf = 0
		a.values = a.table.Values()
	}
	return nil
}

// send asks the worker, and waits as long as it says that it is at work.
func (a *remoteIsland) send(
	ctx context.Context, worker string, c *islandRequest,
) (islandReply, error) {
	p := a.s.place()
	data, err := p.pack(ctx, c)
	if err != nil {
		return islandReply{}, err
	}
	inbox := a.s.l.nc.NewRespInbox()
	sub, err := a.s.l.nc.SubscribeSync(inbox)
	if err != nil {
		return islandReply{}, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	err = a.s.l.nc.PublishRequest(a.s.l.subject("island", worker), inbox, data)
	if err != nil {
		return islandReply{}, err
	}
	for {
		wait, end := context.WithTimeout(ctx, a.s.l.t.AckWait)
		m, err := sub.NextMsgWithContext(wait)
		end()
		switch {
		case errors.Is(err, nats.ErrNoResponders):
			return islandReply{}, errLost
		case err != nil && ctx.Err() == nil:
			return islandReply{}, errLost
		case err != nil:
			return islandReply{}, ctx.Err()
		}
		body, err := p.unpack(ctx, m.Data)
		if err != nil {
			return islandReply{}, err
		}
		t, err := readReply(body, len(a.here.Measures()))
		if err != nil {
			return islandReply{}, falseError{err}
		}
		if !t.Alive {
			return t, nil
		}
	}
}
