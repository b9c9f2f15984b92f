package stream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// A worker also runs iterations of islands, as many in parallel as it has cores. It keeps an island
// until a message says that nobody needs it, or until it has heard nothing of it for keepIsland.
const keepIsland = 30 * time.Minute

// mostIslands is the largest number of islands of a worker.
const mostIslands = solvers.MaxIslands

// hostedIslands are the islands of a worker.
type hostedIslands struct {
	mu    sync.Mutex
	all   map[string]*hostedIsland
	cores chan struct{}
}

// end ends all islands, so that none runs any more.
func (s *hostedIslands) end() {
	s.mu.Lock()
	all := s.all
	s.all = nil
	s.mu.Unlock()
	for _, x := range all {
		x.mu.Lock()
		x.close()
		x.mu.Unlock()
	}
}

// texts are the islands in words.
func (s *hostedIslands) texts() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.all {
		out = append(out, x.text)
	}
	return out
}

// hostedIsland is an island of a worker.
type hostedIsland struct {
	mu    sync.Mutex // held while it is at work
	b     *solvers.Stepper
	done  int    // operations since its state
	chain uint64 // of the digests of the iterations among them
	last  islandReply
	given lastReply
	turn  int // of its Begin
	heard time.Time
	text  string
}

// lastReply is the last answer if it held more than the request: the worker repeats it if it was
// lost.
type lastReply struct {
	from, to int // the operations that were asked for
	reply    *islandReply
	bests    []pastBest
}

// pastBest is a best solution that an island had from a number of operations on, until the next.
type pastBest struct {
	done     int
	best     float64
	solution record.Solution
}

// maxPassed is the most best solutions that are found ahead: then the worker answers.
const maxPassed = 32

// island answers a call about an island.
func (x *activeWorker) island(m *nats.Msg) {
	ctx, end := context.WithCancel(x.ctx)
	var alive sync.WaitGroup
	alive.Go(func() {
		for pause(ctx, x.l.t.Renew) == nil {
			_ = x.reply(ctx, m, &islandReply{Alive: true})
		}
	})
	t := x.answer(ctx, m)
	end()
	alive.Wait()
	_ = x.reply(x.ctx, m, t) // who asks and hears nothing asks again
}

// reply sends an answer.
func (x *activeWorker) reply(ctx context.Context, m *nats.Msg, t *islandReply) error {
	data, err := x.place().pack(ctx, t)
	if err != nil {
		return err
	}
	return m.Respond(data)
}

// answer does what a call asks for.
func (x *activeWorker) answer(ctx context.Context, m *nats.Msg) *islandReply {
	body, err := x.place().unpack(ctx, m.Data)
	if err != nil {
		return &islandReply{Unknown: true}
	}
	c, err := readRequest(body)
	if err != nil {
		x.say("an island is refused: %v", err)
		return &islandReply{Refused: fmt.Sprintf("%.300q", err.Error())}
	}
	key := fmt.Sprintf("%s/%d", c.Run, c.Island)
	s := x.hostedIsland(key, c.Begin)
	if s == nil {
		return &islandReply{Unknown: true}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case x.islands.cores <- struct{}{}:
		defer func() { <-x.islands.cores }()
	case <-ctx.Done():
		return &islandReply{Unknown: true}
	}
	if c.Want == wantEnd {
		x.dropIsland(key, s)
		return &islandReply{}
	}
	t, err := x.work(ctx, s, &c)
	if err != nil {
		x.dropIsland(key, s)
		if ctx.Err() != nil {
			return &islandReply{Unknown: true}
		}
		return &islandReply{Error: err.Error()}
	}
	return t
}

// hostedIsland returns the island of a key. Those that nobody asks for any more go.
func (x *activeWorker) hostedIsland(key string, b *islandConfig) *hostedIsland {
	x.islands.mu.Lock()
	defer x.islands.mu.Unlock()
	for k, s := range x.islands.all {
		if k != key && time.Since(s.heard) > keepIsland && s.mu.TryLock() {
			s.close()
			s.mu.Unlock()
			delete(x.islands.all, k)
		}
	}
	s := x.islands.all[key]
	if s == nil && b != nil && x.islands.all != nil && len(x.islands.all) < mostIslands {
		s = &hostedIsland{text: fmt.Sprintf("an island of %.80s/%.80s on %.80s", b.Solver, b.Variant,
			b.Instance.Name)}
		x.islands.all[key] = s
	}
	if s != nil {
		s.heard = time.Now()
	}
	return s
}

func (x *activeWorker) dropIsland(key string, s *hostedIsland) {
	s.close()
	x.islands.mu.Lock()
	defer x.islands.mu.Unlock()
	if x.islands.all[key] == s {
		delete(x.islands.all, key)
	}
}

// close ends the search of an island.
func (s *hostedIsland) close() {
	if s.b != nil {
		s.b.Close()
		s.b = nil
	}
}

// work does the operations that are missing. One that was asked for and not heard is not done
// twice.
func (x *activeWorker) work(
	ctx context.Context, s *hostedIsland, c *islandRequest,
) (t *islandReply, err error) {
	defer func() {
		if f := recover(); f != nil {
			t, err = nil, fmt.Errorf("panic: %v", f)
		}
	}()
	if c.Begin != nil {
		if err := x.createIsland(ctx, s, c.Island, c.Begin); err != nil {
			x.say("an island is not made: %v", err)
			var u unfetchedError
			if errors.As(err, &u) || ctx.Err() != nil {
				return &islandReply{Unknown: true}, nil
			}
			return &islandReply{Refused: fmt.Sprintf("%.300q", err.Error())}, nil
		}
		s.turn = c.Turn
	}
	if s.turn != c.Turn {
		return &islandReply{Unknown: true}, nil
	}
	if c.Past {
		return s.lookBack(c.Done), nil
	}
	began, must := time.Now(), len(c.Operations)-c.Ahead
	if g := s.given; g.reply != nil && c.Have != nil && g.from == c.Done && g.to == c.Done+must {
		return g.reply, nil
	}
	switch {
	case s.b == nil, s.done != c.Done && (s.done != c.Done+must || c.Have != nil):
		return &islandReply{Unknown: true}, nil
	case s.done == c.Done:
		s.given.reply = nil
		for i := range c.Operations[:must] {
			if err := s.do(ctx, &c.Operations[i]); err != nil {
				return nil, err
			}
		}
	}
	out := s.last
	if must == 0 {
		out = islandReply{}
	}
	out.Best, out.Ended, out.Chain = number(s.b.Best()), s.b.Ended(), hexText(s.chain)
	if c.Have != nil {
		return s.goAhead(ctx, c, began, out)
	}
	switch c.Want {
	case wantState, wantCopy:
		state, err := s.b.Snapshot()
		if err != nil {
			return nil, err
		}
		if out.Object, err = x.place().store(ctx, state); err != nil {
			return &islandReply{Unknown: true}, nil // the broker was lost: it is asked again
		}
		if c.Want == wantState {
			s.done, s.chain = 0, 0
		}
	case wantSolution:
		sol := s.b.Solution()
		out.Solution = &sol
	}
	return &out, nil
}

// goAhead does what follows for a while, at least one iteration where nothing must be done before.
// An error is left for the call that must have the iteration.
func (s *hostedIsland) goAhead(
	ctx context.Context, c *islandRequest, began time.Time, out islandReply,
) (*islandReply, error) {
	must := len(c.Operations) - c.Ahead
	bests := s.given.bests // of what who asks may not have come to yet
	if must > 0 {
		bests = nil
	}
	bests = bests[max(0, len(bests)-maxPassed):]
	s.given = lastReply{from: c.Done, to: c.Done + must, reply: &out, bests: slices.Clone(bests)}
	noted, known, news := float64(*c.Have), float64(*c.Have), 0
	note := func(tell bool) (sol *record.Solution) {
		best := s.b.Best()
		if best != noted {
			noted = best
			s.given.bests = append(s.given.bests, pastBest{s.done, best, s.b.Solution()})
			news++
		}
		if !tell || best == known {
			return nil
		}
		known = best
		x := s.b.Solution()
		return &x
	}
	if sol := note(must > 0 && c.Operations[must-1].Best); sol != nil {
		out.Point.Solution = sol
	}
	i := must
	for first := must == 0; i < len(c.Operations) && s.b.Ended() == "" && news < maxPassed &&
		(first || time.Since(began) < aheadFor); i++ {
		d := &c.Operations[i]
		if d.Better && float64(d.Cost) >= s.b.Best() {
			continue
		}
		if err := s.tryDo(ctx, d); err != nil {
			s.close() // it may stand in the midst of an iteration: the next call makes it anew
			return &out, nil
		}
		p := islandPoint{Do: doAdmit, Iter: d.Iter, Changed: s.last.Changed}
		if d.Do == doIterate {
			p, first = *s.last.Point, false
		}
		p.Best, p.Ended, p.CPU = number(s.b.Best()), s.b.Ended(), s.last.CPU
		p.Solution = note(d.Best)
		out.Ahead = append(out.Ahead, p)
	}
	if i == len(c.Operations) {
		out.Solution = note(true)
	}
	return &out, nil
}

// lookBack returns the best solution that the island had after done operations.
func (s *hostedIsland) lookBack(done int) *islandReply {
	for _, p := range slices.Backward(s.given.bests) {
		if p.done <= done {
			return &islandReply{Best: number(p.best), Solution: &p.solution}
		}
	}
	return &islandReply{Unknown: true}
}

// An unfetchedError says that the data of an island did not arrive, for example because the broker
// was lost.
type unfetchedError struct{ error }

// createIsland creates an island.
func (x *activeWorker) createIsland(
	ctx context.Context, s *hostedIsland, island int, b *islandConfig,
) error {
	s.close()
	s.done, s.chain, s.last, s.given = 0, 0, islandReply{}, lastReply{}
	v, err := solvers.Find(b.Solver, b.Variant, b.Backend)
	if err != nil {
		return err
	}
	if v.Revision != b.Revision {
		return fmt.Errorf("%s/%s is of revision %d here, and the run's of %d", b.Solver, b.Variant,
			v.Revision, b.Revision)
	}
	i, err := x.insts.get(ctx, x.place(), &experiment.Unit{Instance: b.Instance})
	if err != nil {
		return unfetchedError{err}
	}
	var state []byte
	if b.State != "" {
		if state, err = x.place().get(ctx, b.State, maxIsland); err != nil {
			return unfetchedError{err}
		}
	}
	bare, err := solvers.NewStepper(v, i.inst)
	if err != nil {
		return err
	}
	bare.Share(1)
	if n := len(x.w.GPUs); b.Backend != "cpu" && n > 0 {
		bare.On(x.w.GPUs[island%n])
	}
	err = bare.Init(b.Seed, b.Params, b.Start)
	if err == nil && b.State != "" {
		err = bare.Restore(state)
	}
	if err != nil {
		bare.Close()
		return err
	}
	s.b = bare
	return nil
}

// tryDo is do, where a panic is an error.
func (s *hostedIsland) tryDo(ctx context.Context, d *operation) (err error) {
	defer func() {
		if f := recover(); f != nil {
			err = fmt.Errorf("panic: %v", f)
		}
	}()
	return s.do(ctx, d)
}

// do does an operation.
func (s *hostedIsland) do(ctx context.Context, d *operation) error {
	var err error
	s.last = islandReply{}
	switch d.Do {
	case doSet:
		err = s.b.Set(d.Set)
	case doAdmit:
		s.last.Changed, err = s.b.Admit(d.Iter, *d.Solution, float64(d.Cost))
	case doIterate:
		var p *record.Point
		if p, err = s.b.Iterate(ctx, d.Iter); err == nil {
			q := &islandPoint{
				Iter: p.Iter, IterBest: number(p.IterBest), Mean: number(p.Mean), Evals: p.Evals,
				Digest: hexText(p.Digest),
			}
			s.chain = arith.Chain(s.chain, p.Digest)
			for _, m := range p.Measures {
				q.Measures = append(q.Measures, number(m))
			}
			s.last.Point, s.last.CPU = q, number(s.b.Spent().Seconds())
		}
	}
	s.done++
	return err
}

// store makes an object of data under its hash.
func (p *namespace) store(ctx context.Context, data []byte) (sha string, err error) {
	sum := sha256.Sum256(data)
	sha = hex.EncodeToString(sum[:])
	_, err = p.objects.PutBytes(ctx, sha, data)
	return sha, err
}

// pack is the message of a body.
func (p *namespace) pack(ctx context.Context, body any) ([]byte, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	e := envelope{Format: format, Body: b}
	if len(b) > inline {
		e.Body = nil
		if e.Object, err = p.store(ctx, b); err != nil {
			return nil, err
		}
	}
	return json.Marshal(&e)
}

// unpack is the body of a message. An object of one is read once, and goes.
func (p *namespace) unpack(ctx context.Context, data []byte) ([]byte, error) {
	var e envelope
	if err := read(data, maxMessage, &e); err != nil {
		return nil, err
	}
	if err := isFormat(e.Format); err != nil {
		return nil, err
	}
	switch {
	case e.Object == "":
		return e.Body, nil
	case !hash.MatchString(e.Object) || len(e.Body) > 0:
		return nil, errors.New("stream: a message names no object")
	}
	b, err := p.get(ctx, e.Object, maxIsland)
	if err == nil {
		_ = p.objects.Delete(ctx, e.Object) // else it goes when its time is over
	}
	return b, err
}
