package moves

import (
	"errors"
	"fmt"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/solvers/moves"
	"metalab/solvers/wave"
)

// qapArg is the kernels' qap: the instance and the walks' data, by addresses of the device.
type qapArg struct {
	A, B, FA, FB, EA, EB, EAT, EBT, DA, DB, P, Top, Until, E, UV uint64
	Pairs, Factor                                                int32
}

// qap is the problem of assignments: exchanges of two, and of three in a circle.
type qap struct {
	inst         *datasets.QAP
	form         moves.Exchange
	n            int
	arg          qapArg
	now, top     lanes[int32]
	until, e, uv lanes[int64]
	without      bool // E is not that of the solutions
	quick        bool // exchanges are evaluated by E
	fast         quickQAP
	takes        bool // the kernels of fast make the scans
	perms        []int32
	times        []int64
}

func newQAP(inst datasets.Instance) (problem, error) {
	q, ok := inst.(*datasets.QAP)
	if !ok {
		return nil, fmt.Errorf("%s is a %T, want an assignment problem", inst.Name(), inst)
	}
	p := &qap{inst: q, form: moves.ExchangeOf(q), n: q.N}
	p.arg.Pairs, p.arg.Factor = int32(p.form.Pairs), int32(p.form.Factor)
	p.fast = newQuickQAP(p.n, &p.form)
	return p, nil
}

func (p *qap) image() string { return "qap" }

func (p *qap) kernels() []string {
	return append(p.fast.kernels(),
		"qap_published", "qap_published_readonly", "qap_incremental", "qap_incremental_readonly",
		"qap_move", "qap_turn", "qap_update", "qap_load", "perm_hash",
	)
}

func (p *qap) fixed() int64 {
	f := &p.form
	longs := 0
	for _, m := range [][]int64{f.A, f.B, f.AT, f.BT, f.DA, f.DB, f.FA, f.FB} {
		longs += len(m)
	}
	return 4*int64(len(p.inst.A)+len(p.inst.B)) + 8*int64(longs) + p.fast.fixed()
}

func (p *qap) perWalk() int64 {
	n := int64(p.n)
	return 8*n + 16*n*n + 32*n + p.fast.perWalk()
}

func (p *qap) scratch(int, int64) int64 { return 0 }

func (p *qap) upload(d *gpu.Device) (err error) {
	a, f := &p.arg, &p.form
	a.A, err = address(d, p.inst.A, err)
	a.B, err = address(d, p.inst.B, err)
	for _, m := range []struct {
		to *uint64
		v  []int64
	}{
		{&a.FA, f.FA},
		{&a.FB, f.FB},
		{&a.EA, f.A},
		{&a.EB, f.B},
		{&a.EAT, f.AT},
		{&a.EBT, f.BT},
		{&a.DA, f.DA},
		{&a.DB, f.DB},
	} {
		*m.to, err = address(d, m.v, err)
	}
	return errors.Join(err, p.fast.upload(d))
}

func (p *qap) room(d *gpu.Device, walks int) (err error) {
	n := p.n
	err = p.now.room(d, walks, n, err)
	err = p.top.room(d, walks, n, err)
	err = p.until.room(d, walks, n*n, err)
	err = p.e.room(d, walks, n*n, err)
	err = p.uv.room(d, walks, 4*n, err)
	a := &p.arg
	a.P, a.Top, a.Until = p.now.at(), p.top.at(), p.until.at()
	a.E, a.UV = p.e.at(), p.uv.at()
	p.fast.stale = true
	return p.fast.room(d, walks, p, err)
}

func (p *qap) free() error {
	return errors.Join(p.now.free(), p.top.free(), p.until.free(), p.e.free(), p.uv.free(),
		p.fast.free())
}

func (p *qap) put(a int, s *moves.State) error {
	p.fast.put(a)
	return errors.Join(p.now.put(a, s.Now.Perm), p.top.put(a, s.Top.Perm), p.until.put(a, s.Until))
}

func (p *qap) get(a int, s *moves.State) error {
	return errors.Join(p.now.get(a, s.Now.Perm), p.top.get(a, s.Top.Perm), p.until.get(a, s.Until))
}

func (p *qap) copies() []mirrored { return []mirrored{&p.now, &p.top, &p.until} }

func (p *qap) plan(o *job, j *moves.Job) error {
	o.N, o.Flips, o.Size = int32(p.n), 2, uint64(moves.Pairs(int64(p.n)))
	switch {
	case o.Number == 1:
		o.Flips, o.Size = 3, 2*uint64(moves.Triples(int64(p.n)))
	case o.Number > 1:
		return errNeighbourhood(p.inst, o.Number)
	}
	p.quick = j.Evaluation == "incremental"
	p.takes = p.fast.takes(j, p.n)
	return nil
}

func (p *qap) adopt(*gpu.Device, int, int) error { return nil }

func (p *qap) renew(e *Engine, stale bool) error {
	p.without = p.without || stale
	if p.takes {
		return nil // whole does it
	}
	return p.load(e)
}

// load queues the computation of E, if it is needed.
func (p *qap) load(e *Engine) error {
	if !p.quick { // the published evaluation does not keep E
		p.without = true
		return nil
	}
	if !p.without {
		return nil
	}
	p.without = false
	return e.launch("qap_load", e.perWalk(p.n), e.jobs[0], p.arg)
}

// whole implements resident.
func (p *qap) whole(e *Engine, c gpu.Config, jobs []job) (bool, error) {
	if !p.takes {
		return false, nil
	}
	done, err := p.fast.whole(e, !p.quick, int(jobs[0].Blocks), c.Block.X)
	if done {
		p.without = true
	}
	if done || err != nil {
		return done, err
	}
	return false, p.load(e)
}

// own implements shaped.
func (p *qap) own(e *Engine) wave.Config {
	if p.takes {
		if c := p.fast.shapes(e, !p.quick); len(c) > 0 {
			return c[0]
		}
	}
	return wave.Config{Threads: e.size(), Block: 256}
}

// shapes implements shaped.
func (p *qap) shapes(e *Engine) []wave.Config {
	if p.takes {
		return p.fast.shapes(e, !p.quick)
	}
	return e.published()
}

func (p *qap) evaluate(e *Engine, c gpu.Config, o job, given, deltas uint64) error {
	name := "qap_published"
	if p.quick {
		name = "qap_incremental"
	}
	return e.launch(e.cached(name), c, o, p.arg, e.heads, given, deltas, e.parts)
}

func (p *qap) step(e *Engine, o job) error {
	p.fast.stale = true
	err := e.launch("qap_move", e.perWalk(1), o, p.arg, e.heads, e.parts)
	if err == nil && p.quick {
		err = e.launch("qap_update", e.perWalk(p.n), o, p.arg, e.heads, int32(0))
	}
	if err != nil || o.Flips == 2 {
		return err
	}
	err = e.launch("qap_turn", e.perWalk(1), o, p.arg, e.heads)
	if err == nil && p.quick {
		err = e.launch("qap_update", e.perWalk(p.n), o, p.arg, e.heads, int32(1))
	}
	return err
}

func (p *qap) hash(e *Engine) error {
	return e.launch("perm_hash", e.perWalk(1), e.jobs[0], p.arg, e.heads)
}

func (p *qap) judge(job) (_ func(int, moves.Move, int64, int64) (late, tabu bool), err error) {
	if p.perms, err = p.now.buf.Download(); err == nil {
		p.times, err = p.until.buf.Download()
	}
	return placed(p.n, p.perms, p.times), err
}

// placed tells of moves of permutations, n entries each, what the memory of placements says.
func placed(
	n int, perms []int32, times []int64,
) func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
	return func(a int, m moves.Move, clock, limit int64) (late, tabu bool) {
		p, until := perms[a*n:], times[a*n*n:]
		time := func(at, from int32) int64 { return until[int(at)*n+int(p[from])] }
		i, j, k := m.At[0], m.At[1], m.At[2]
		least := int64(0)
		switch {
		case k < 0:
			least = min(time(i, j), time(j, i))
		case m.Back:
			least = min(time(i, k), time(j, i), time(k, j))
		default:
			least = min(time(i, j), time(j, k), time(k, i))
		}
		return least < limit, least >= clock
	}
}
