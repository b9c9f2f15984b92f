package stream

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"metalab/solvers/experiment"
)

// one makes the unit of a message.
func (x *activeWorker) one(m jetstream.Msg, gpu int) (lost bool) {
	u, code, err := readTask(m.Data())
	if err != nil {
		x.refused("a unit is refused: %v", err)
		_ = m.Term() // who asked finds that it is missing
		return false
	}
	key, of := u.Key.String(), u
	p := x.place()
	if _, err := p.results.Get(x.ctx, firstKey(key)); err == nil {
		_ = m.DoubleAck(x.ctx) // the unit is done, and only this message was lost
		return false
	}
	ctx, drop := context.WithCancelCause(x.ctx)
	defer drop(nil)
	text := fmt.Sprintf("%.200s on %.80s, seed %d", u.Label, u.Instance.Name, u.Seed)
	x.mu.Lock()
	twice := x.making[key] != nil
	if !twice {
		x.making[key] = &job{text, drop}
	}
	x.mu.Unlock()
	if twice { // another worker got it while this machine or the broker slept: its result will come
		_ = m.NakWithDelay(x.l.t.Renew)
		return false
	}
	defer func() {
		x.mu.Lock()
		delete(x.making, key)
		x.mu.Unlock()
	}()
	var renewing sync.WaitGroup
	renewed, done := context.WithCancel(ctx)
	renewing.Go(func() { x.renew(renewed, m, drop) })
	defer func() { done(); renewing.Wait() }()

	load, err := x.ready(ctx, &u, code)
	if err != nil {
		x.unready(ctx, m, text, err)
		return false
	}
	o := x.w.Options
	o.Load = load
	if u.Device == 0 {
		u.Device = gpu
	}
	k := x.keep(ctx, key)
	o.Keeping = k.keeping(text)
	var r experiment.Result
	if x.w.one != nil {
		r, lost, err = x.w.one(ctx, u, o)
	} else {
		r, lost, err = experiment.One(ctx, u, o, nil)
	}
	k.end()
	if err != nil { // abandoned
		if !errors.Is(err, errDropped) {
			_ = m.Nak()
			_ = x.l.nc.FlushTimeout(time.Second)
		}
		return lost
	}
	if x.deliver(ctx, &of, &r) == nil {
		done()
		x.place().dropKept(ctx, key)
		ack, end := context.WithTimeout(ctx, 2*time.Second)
		_ = m.DoubleAck(ack) // if it is lost, the unit comes again, and its result is there
		end()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.made++
	if r.Error != "" {
		x.failed++
	}
	return lost
}

// needsOther begins what a worker says of a unit whose code it cannot have.
const needsOther = "a unit waits for another worker: "

// unready gives back a unit of which this worker cannot have what it needs.
func (x *activeWorker) unready(ctx context.Context, m jetstream.Msg, text string, why error) {
	wait := time.Second
	var code codeError
	if errors.As(why, &code) && ctx.Err() == nil {
		x.refused(needsOther+"%v", why)
		wait = x.l.t.Renew / 2
	} else {
		x.say("%s: %v", text, why)
	}
	_ = m.NakWithDelay(wait)
}

// renew reports again and again that a unit is in progress, and waits each time for the answer. If
// the broker lacks the unit twice, it is no longer wanted, or another worker has finished it.
func (x *activeWorker) renew(ctx context.Context, m jetstream.Msg, drop context.CancelCauseFunc) {
	missing := 0
	for pause(ctx, x.l.t.Renew) == nil {
		for range 3 {
			ask, end := context.WithTimeout(ctx, x.l.t.Renew/4)
			_, err := x.l.nc.RequestWithContext(ask, m.Reply(), []byte("+WPI"))
			end()
			if err == nil {
				break
			}
			if pause(ctx, x.l.t.Renew/20) != nil {
				return
			}
		}
		_, err := x.place().stream.GetLastMsgForSubject(ctx, m.Subject())
		if !errors.Is(err, jetstream.ErrMsgNotFound) {
			missing = 0
		} else if missing++; missing == 2 {
			drop(errDropped)
			return
		}
	}
}

// deliver sends a result to the broker, and retries until it succeeds: a lost broker comes back.
func (x *activeWorker) deliver(
	ctx context.Context, u *experiment.Unit, r *experiment.Result,
) error {
	if len(r.Error) > maxErrorText {
		r.Error = r.Error[:maxErrorText/2]
	}
	data, err := writeOutcome(u.Key, x.name, r)
	if err != nil { // otherwise the unit would run again and again
		*r = experiment.Result{
			Best: math.NaN(), Machine: r.Machine, Device: r.Device, Wall: r.Wall, CPU: r.CPU,
			Error: "its result cannot be sent: " + err.Error(),
		}
		if data, err = writeOutcome(u.Key, x.name, r); err != nil {
			return err
		}
	}
	for i := 0; ; i++ {
		err := x.place().put(ctx, u.Key.String(), x.name, data)
		if err == nil {
			return nil
		}
		if i == 0 {
			x.say("a result is kept until the broker takes it: %v", err)
		}
		if err := pause(ctx, time.Second/4); err != nil {
			return err
		}
		x.reopen()
	}
}
