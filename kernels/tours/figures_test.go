//go:build cuda

package tours

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/ils"
	"metalab/solvers/tours"
)

// TestFigures prints the times of passes and kicks, for the instances that METALAB_FIGURES lists.
func TestFigures(t *testing.T) {
	list := os.Getenv("METALAB_FIGURES")
	if list == "" {
		t.Skip("METALAB_FIGURES is not set")
	}
	gputest.Need(t)
	for _, name := range strings.Split(list, ",") {
		in, err := datasets.LoadContext(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := tours.NewSpace(in.(*datasets.TSP))
		if err != nil {
			t.Fatal(err)
		}
		p := &ils.BestProblem{Space: sp, Seed: 1, Env: &solvers.Env{Pool: solvers.NewPool(1)}}
		near := sp.Quadrant(40)
		chains := begin(p, 1)
		c := &chains[0]
		c.Tour = sp.NearestListed(0, near)
		c.Length = sp.Length(c.Tour)
		for op := range tours.BestOrdered + 1 {
			e := engine(t, p)
			if v := os.Getenv("METALAB_FIGURES_BLOCK"); v != "" {
				e.block, _ = strconv.Atoi(v)
				e.grid, err = e.kernel.MaxCooperativeGrid(e.block, 0)
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := e.Use(near, op, 1); err != nil {
				t.Fatal(err)
			}
			passes(t, e, name+" first tour", c, op)
			if op != tours.BestTwo {
				kicks(t, e, name, c)
				passes(t, e, name+" optimum", c, op)
			}
			e.Close()
		}
	}
}

func passes(t *testing.T, e *Engine, name string, c *ils.BestChain, op tours.BestOperator) {
	t.Helper()
	for _, all := range []bool{false, true} {
		for _, blocks := range []int{0, 66, 1024} {
			if all && blocks > 0 {
				continue
			}
			n := 50
			if all {
				n = 3
			}
			was := e.passes
			gain, took, err := e.look(c, n, blocks, all)
			if err != nil {
				t.Fatal(err)
			}
			e.passes = was
			t.Logf("%s: operator %v, all %v, blocks %d of %d: %v a pass, gain %d", name, op, all, blocks,
				e.grid, took, gain)
		}
	}
}

// kicks times a search and kicks.
func kicks(t *testing.T, e *Engine, name string, c *ils.BestChain) {
	t.Helper()
	chains := []ils.BestChain{*c}
	run := func(j ils.BestJob) time.Duration {
		start := time.Now()
		if err := e.Iterate(t.Context(), j, chains); err != nil {
			t.Fatal(err)
		}
		x := &chains[0]
		x.Tour, x.Next, x.Loaded = x.Next, x.Tour, true
		return time.Since(start)
	}
	took := run(ils.BestJob{Iter: 1})
	x := &chains[0]
	t.Logf("%s: search %v, %d moves, %v a move, length %d", name, took, x.Moves,
		took/time.Duration(max(1, x.Moves)), x.Length)
	for i, blocks := range []int{0, 66, 132, 264, 1024} {
		if blocks > e.grid && blocks < 1024 {
			continue
		}
		const n = 100
		took := run(ils.BestJob{Iter: int64(2 + i), Kicks: n, Blocks: blocks})
		t.Logf("%s: blocks %d: %v a kick, %d moves, %v a pass, length %d", name, blocks, took/n,
			x.Moves, took/time.Duration(x.Moves+n), x.Length)
	}
	c.Tour, c.Length = x.Tour, x.Length
}

// look makes passes without a move over the tour that a chain begins with, and returns the gain of
// the best move and how long a pass took; all looks at pairs that are not shorter than an edge too.
func (e *Engine) look(
	c *ils.BestChain, passes, blocks int, all bool,
) (int64, time.Duration, error) {
	var gain int64
	var each time.Duration
	err := e.Dev.Do(context.Background(), func() error {
		states := e.pinned.Slice()
		begin, err := e.Dev.NewEvent()
		if err != nil {
			return err
		}
		end, err := e.Dev.NewEvent()
		if err != nil {
			return err
		}
		took := [2]time.Duration{}
		for i, n := range []int{1, 1 + passes} { // the first is for what is there but once
			states[0] = state(c, chain{})
			b := e.q.of(ils.BestJob{}, 1)
			b.share(blocks, e.grid, e.block, e.Dev.Info().SMs)
			b.Looks, b.All = int32(n), bit(all)
			e.passes = n + 1
			err := errors.Join(e.buffer(0, 0).Upload(c.Tour), e.pinned.Upload(nil, e.states),
				begin.Record(nil), e.launch(b), end.Record(nil), e.Dev.Sync())
			if err != nil {
				return err
			}
			if took[i], err = end.Since(begin); err != nil {
				return err
			}
		}
		gain, each = states[0].Gain, (took[1]-took[0])/time.Duration(passes)
		return nil
	})
	return gain, each, err
}
