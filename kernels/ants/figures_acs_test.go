package ants

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/record"
)

// TestFiguresACS prints how long iterations of alt, spm and spm-alt take on a device, when METALAB_FIGURES_ACS
// is set: a list of VARIANT:INSTANCE:ANTS:PERIOD:ITERATIONS[:NAME=VALUE...], ANTS 0 being n, with the parameters of the preset
// paper otherwise.
// By events: the walk alone, and the whole iteration, its first 20 and its last 20; then the clock's time of
// all, and the gap. The first 20 are in part the tuner's trials, unless trials=0.
func TestFiguresACS(t *testing.T) {
	list := os.Getenv("METALAB_FIGURES_ACS")
	if list == "" {
		t.Skip("METALAB_FIGURES_ACS is not set")
	}
	device(t)
	for _, word := range strings.Fields(list) {
		part := strings.Split(word, ":")
		var ants, period, iterations int
		if _, err := fmt.Sscan(part[2]+" "+part[3]+" "+part[4], &ants, &period, &iterations); err != nil {
			t.Fatal(err)
		}
		if iterations < 2 {
			t.Fatalf("%s: %d iterations are no early and late ones", word, iterations)
		}
		inst, err := datasets.Load(part[1])
		if err != nil {
			t.Fatal(err)
		}
		if ants == 0 {
			ants = inst.(*datasets.TSP).N
		}
		ps := params("ants", ants, "local_period", period)
		seed := uint64(1)
		for _, kv := range part[5:] {
			name, value, _ := strings.Cut(kv, "=")
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatal(err)
			}
			switch name {
			case "seed":
				seed = uint64(x)
			default:
				ps[name] = record.Num(x)
			}
		}
		r, err := solvers.Open(solvers.Config{Solver: "acs", Variant: part[0], Backend: "figures", Instance: inst, Seed: seed, Preset: "paper", Params: ps})
		if err != nil {
			t.Fatal(err)
		}
		crew := figures.crew
		var walks, wholes []time.Duration
		start := time.Now()
		var timed time.Duration
		for it := 1; it <= iterations; it++ {
			step(t, r, 1)
			if it > 20 && it <= iterations-20 {
				continue
			}
			// What comes next, by events, is an extra iteration.
			from := time.Now()
			if err := crew.flush(); err != nil {
				t.Fatal(err)
			}
			crew.sign()
			if err := crew.d.Do(context.Background(), func() error {
				if err := crew.begin(); err != nil {
					return err
				}
				span, err := crew.d.Time(nil, figures.walk)
				if err != nil {
					return err
				}
				walks = append(walks, span)
				span, err = crew.d.Time(nil, figures.whole)
				wholes = append(wholes, span)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			timed += time.Since(from)
		}
		clock := (time.Since(start) - timed) / time.Duration(iterations)
		p, half := r.Last(), len(walks)/2
		best, _ := inst.BestKnown()
		t.Logf("%s: walk %v early %v late; iteration by events %v, %v; by the clock %v; measures %.3f, gap %.2f %%", word,
			median(walks[:half]), median(walks[half:]), median(wholes[:half]), median(wholes[half:]), clock, p.Measures,
			100*(p.Best/best.Value-1))
		r.Close()
	}
}

// figures is what the crew that was opened last does.
var figures struct {
	crew        *base
	walk, whole func() error
}

func init() {
	for _, v := range []solvers.Variant{altFigures(), spmFigures("spm", hireSpm), spmFigures("spm-alt", hireSpmAlt)} {
		solvers.Register(v)
	}
}

// drawnOr launches an iteration: the graph where there is one.
func drawnOr(d *drawn, record func() error) func() error {
	return func() error {
		if d.graph != nil {
			return d.graph.Launch(nil)
		}
		return record()
	}
}

func altFigures() solvers.Variant {
	return walkers.AltVariant("figures", func(env *solvers.Env, g *walkers.Ground) (walkers.AltCrew, error) {
		c, err := hireAlt(env, g)
		if err != nil {
			return nil, err
		}
		a := c.(*alt)
		figures.crew, figures.walk, figures.whole = &a.base, a.launchWalk, drawnOr(&a.drawn, a.record)
		return a, nil
	})
}

func spmFigures(name string, hire func(*solvers.Env, *walkers.Ground, int) (walkers.SelectiveCrew, error)) solvers.Variant {
	return walkers.SelectiveVariant(name, "figures", func(env *solvers.Env, g *walkers.Ground, slots int) (walkers.SelectiveCrew, error) {
		c, err := hire(env, g, slots)
		if err != nil {
			return nil, err
		}
		s := c.(*spm)
		figures.crew, figures.walk, figures.whole = &s.base, s.launchWalk, drawnOr(&s.drawn, s.record)
		return s, nil
	})
}
