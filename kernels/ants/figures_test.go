package ants

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/record"
)

// TestFigures prints how long the walks of n ants take on a device, by its events, when
// METALAB_FIGURES is set (1, or mmas or acs alone): medians over 100 iterations, three runs, the first and the last 20
// iterations of the middle one, and the whole iteration as a caller sees it.
func TestFigures(t *testing.T) {
	if os.Getenv("METALAB_FIGURES") == "" {
		t.Skip("METALAB_FIGURES is not set")
	}
	device(t)
	var crew *base
	var launch func() error
	var w *wrs
	open := map[string]solvers.Variant{
		"mmas": walkers.ReservoirVariant("", func(env *solvers.Env, g *walkers.Ground) (walkers.MaxMinCrew, error) {
			c, err := hireWRS(env, g)
			if err != nil {
				return nil, err
			}
			w = c.(*wrs)
			crew, launch = &w.base, w.launchWalk
			return w, nil
		}),
		"acs": walkers.LockstepVariant("", func(env *solvers.Env, g *walkers.Ground) (walkers.LockstepCrew, error) {
			c, err := hireLockstep(env, g)
			if err != nil {
				return nil, err
			}
			l := c.(*lockstep)
			crew, launch = &l.base, l.launchWalk
			return l, nil
		}),
	}
	for _, name := range []string{"pr1002", "pr2392", "fl3795"} {
		inst, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"mmas", "acs"} {
			if f := os.Getenv("METALAB_FIGURES"); f != "1" && f != kind {
				continue
			}
			a, err := open[kind].New(inst)
			if err != nil {
				t.Fatal(err)
			}
			a.(solvers.Presetter).Preset("paper")
			if err := a.Init(&solvers.Env{Seed: 1, Pool: solvers.NewPool(1)}); err != nil {
				t.Fatal(err)
			}
			var early, late, whole, graphs []time.Duration
			p := record.Point{Measures: make([]float64, len(a.Measures()))}
			it := int64(0)
			for range 3 {
				var spans []time.Duration
				var sum time.Duration
				for range 100 {
					it++
					start := time.Now()
					if err := a.Iterate(context.Background(), it, &p); err != nil {
						t.Fatal(err)
					}
					sum += time.Since(start)
					if it%100 > 20 && it%100 <= 80 {
						continue
					}
					// The walk again, alone: mmas gives the same; acs walks on worn trails, so
					// they are made anew.
					if err := crew.flush(); err != nil {
						t.Fatal(err)
					}
					crew.sign()
					err := crew.d.Do(context.Background(), func() error {
						if err := crew.begin(); err != nil {
							return err
						}
						span, err := crew.d.Time(nil, launch)
						spans = append(spans, span)
						if err == nil && w != nil && w.graph != nil {
							span, err = crew.d.Time(nil, func() error { return w.graph.Launch(nil) })
							graphs = append(graphs, span)
						}
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				early = append(early, median(spans[:20]))
				late = append(late, median(spans[20:]))
				whole = append(whole, sum/100)
			}
			t.Logf("%s %s: walk %v early, %v late; iteration %v; runs early %v late %v; falls %.4f, best %v", name, kind,
				early[0], median(late), median(whole), early, late, p.Measures[1], a.Best())
			if len(graphs) > 0 {
				t.Logf("%s %s: the graph of an iteration, by events: %v", name, kind, median(graphs))
			}
			a.Close()
			w = nil
		}
	}
}

func median(v []time.Duration) time.Duration {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
