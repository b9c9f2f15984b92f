package ants

import (
	"errors"
	"fmt"

	"metalab/gpu"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/wave"
)

// edge is the kernels' edge.
type edge struct {
	Gap, Eta  float32
	Link, Pad uint32
}

// lockstep is the crew of acs/lockstep.
type lockstep struct {
	base
	march  *gpu.Kernel
	pair   *gpu.Kernel
	rules  *gpu.Buffer[ruleArg]
	outs   *gpu.Buffer[uint16] // by place of the edges beyond lists: where they lead
	edges  *gpu.Buffer[edge]
	count  *gpu.Buffer[uint32] // two banks
	powers *gpu.Buffer[float32]
	bar    *gpu.Buffer[uint32]
	warps  int        // asked for
	config gpu.Config // of the walk
	fitted int        // the ants of a block that config was made for; 0: none
}

// hireLockstep opens a crew of acs/lockstep on the device of env.
func hireLockstep(env *solvers.Env, g *walkers.Ground) (walkers.LockstepCrew, error) {
	l := &lockstep{}
	if err := l.start(env, g); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func (l *lockstep) start(env *solvers.Env, g *walkers.Ground) (err error) {
	l.more = func(int) int64 { return slotBytes(g.Space.N, 16+2*4) + 2*walkers.Outs*int64(g.Space.N) } // edges, count, outs
	if err = l.open(env, g, "lockstep"); err != nil {
		return err
	}
	if !l.d.Info().Cooperative {
		return fmt.Errorf("ants: device %d cannot launch cooperative grids, which lockstep needs: use backend cpu", env.Device)
	}
	if l.march, err = l.m.Kernel("walk"); err != nil {
		return err
	}
	l.pair, err = l.m.Kernel("pair")
	slots := l.n * walkers.Width
	l.rules, err = up(l.d, make([]ruleArg, 1), err)
	l.outs, err = up(l.d, nowhere(l.n), err)
	l.edges, err = up(l.d, links(g), err)
	l.count, err = up(l.d, make([]uint32, 2*slots), err)
	l.bar, err = up(l.d, make([]uint32, 1), err)
	l.base.prepare, l.base.grow = l.prepare, func() error { l.fitted = 0; return nil }
	l.own = func() wave.Config { return antsOf(l.ants, l.warpsFor(l.warps, l.ants)) }
	l.shapes = func() []wave.Config { return blocksOf(l.ants, l.march.Info().MaxBlock/warpThreads) }
	l.adopt = func(c wave.Config) error { return l.fit(c.Block / warpThreads) }
	return err
}

// links are the edges as the device has them before the first walk.
func links(g *walkers.Ground) []edge {
	out := make([]edge, len(g.ID))
	for i, to := range g.ID {
		out[i].Link = linkOf(g, i, to, false)
	}
	return out
}

// Warps implements LockstepCrew.
func (l *lockstep) Warps(n int) {
	l.warps = n
	l.ask(n)
}

// nowhere are the edges beyond the lists of n cities before there are any.
func nowhere(n int) []uint16 {
	out := make([]uint16, n*walkers.Outs)
	for p := range out {
		out[p] = uint16(p / walkers.Outs)
	}
	return out
}

// SetOuts implements LockstepCrew.
func (l *lockstep) SetOuts(city []int32) error {
	return errors.Join(l.flush(), l.outs.Upload(narrowed[uint16](city)))
}

// Outs implements LockstepCrew.
func (l *lockstep) Outs(city []int32) error {
	if err := l.flush(); err != nil {
		return err
	}
	v, err := l.outs.Download()
	if err == nil {
		widened(v, city)
	}
	return err
}

// Rules implements LockstepCrew.
func (l *lockstep) Rules(r walkers.AltRules, powers []float32) error {
	// A reward that waits is made by the rules under which the ants walked.
	err := l.flush()
	if l.powers != nil {
		err = errors.Join(err, l.powers.Free())
		l.powers = nil
	}
	l.powers, err = up(l.d, powers, err)
	if err == nil {
		err = l.rules.Upload([]ruleArg{ruleArgOf(r)})
	}
	if err == nil && r.Eta != nil {
		err = l.eta.Upload(r.Eta)
	}
	return err
}

// Reward implements LockstepCrew.
func (l *lockstep) Reward(keep, gain float32) {
	l.reward(-1, walkers.KeptBest)
	l.next.Keep, l.next.Gain = keep, gain
}

func (l *lockstep) prepare() error {
	err := l.pre.Launch(l.perSlot(), l.arg, l.job, l.rules, l.tau, l.eta, l.edges, l.count, l.powers, l.outs, l.after, l.before, l.bar)
	if err != nil {
		return err
	}
	return l.pair.Launch(l.perSlot(), l.arg, l.outs, l.edges)
}

// fit chooses the launch: all ants are resident, in blocks of as many warps as wanted or,
// where the device does not hold those, of another number, which changes no result.
func (l *lockstep) fit(want int) error {
	if l.fitted == want {
		return nil
	}
	most := 0
	for i := range 33 {
		warps := want
		if i > 0 {
			if l.trying() {
				break // another shape is a trial of its own
			}
			warps = i
		}
		shared := maskBytes(l.n, warps) + 4*(2*l.ants+1)
		grid, err := l.march.MaxCooperativeGrid(32*warps, shared)
		if err != nil {
			return err
		}
		c := gpu.Config{Grid: gpu.Dim{X: (l.ants + warps - 1) / warps}, Block: gpu.Dim{X: 32 * warps}, Shared: shared, Cooperative: true}
		if c.Grid.X <= grid {
			l.config, l.fitted = c, want
			return nil
		}
		most = max(most, grid*warps)
	}
	return fmt.Errorf("ants: ants is %d: lockstep keeps all on the device at once, and device %d holds %d: use fewer, or backend cpu",
		l.ants, l.d.Info().Ordinal, most)
}

// launchWalk queues the walk.
func (l *lockstep) launchWalk() error {
	return l.march.Launch(l.config, l.arg, l.job, l.rules, l.edges, l.count, l.powers, l.tours, l.results, l.bar, l.keys)
}

// Walk implements Crew.
func (l *lockstep) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if err := l.size(len(lengths)); err != nil {
		return err
	}
	if err := l.settle(); err != nil {
		return err
	}
	return l.walk(it, lengths, falls, hashes, func() error {
		if err := l.begin(); err != nil {
			return err
		}
		if err := l.pace(l.launchWalk); err != nil {
			return err
		}
		if err := l.polish(); err != nil {
			return err
		}
		return l.back.Download(nil, l.results)
	})
}
