//go:build cuda

package genetic

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/genetic"
	"metalab/solvers/record"
)

// fits is whether a way can be gone on an instance.
func fits(e *Engine, way string) bool {
	name, _, _ := strings.Cut(way, " ")
	sp := e.p.Space
	packed, _ := cities(sp)
	switch strings.TrimSuffix(name, "cg") {
	case "matrix":
		if sp.Matrix == nil {
			return false
		}
	case "real":
		if sp.Matrix != nil {
			return false
		}
	case "short":
		if shorts(sp) == nil || width(sp.N) == 4 {
			return false
		}
	case "whole":
		if whole(sp) == nil {
			return false
		}
	case "packed":
		if packed == nil {
			return false
		}
	}
	g, near, _ := groundOf(way, sp.N)
	if near && width(sp.N) == 4 {
		return false
	}
	_, ok := crewOf(g, 2, 4, sp.N, 132, 227<<10, near)
	return ok
}

// TestWayTwin holds all ways to the CPU.
func TestWayTwin(t *testing.T) {
	gputest.Need(t)
	defer func() { way, linkless = "", false }()
	all := append(slices.Clone(trials),
		trial{2175, datasets.Euc2D, 1}, trial{1002, datasets.Geo, 0.05}, trial{20011, datasets.Att, 10},
		trial{70001, datasets.Ceil2D, 1})
	for _, c := range all {
		p := c.problem(t)
		want, err := genetic.NewCPU(p)
		if err != nil {
			t.Fatal(err)
		}
		way = ""
		got, err := NewEngine(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []string{
			"short near", "whole near", "real near", "matrix near", "short far", "real far", "matrix far",
			"shortcg far", "realcg far", "packed far", "packedcg far",
		} {
			if linkless = strings.HasPrefix(w, "packed"); fits(got.(*Engine), w) {
				way = w
				breed(t, fmt.Sprintf("%+v, %s", c, w), p, got, want)
			}
		}
		got.Close()
	}
	fmt.Println("ways: twins agree")
}

// TestWays times generations of 2048 tours in 8 groups in all ways, in turns, by the device's events
// and by the clock, and the cycles of phases. METALAB_FIGURES names instances, METALAB_START the
// first population.
func TestWays(t *testing.T) {
	if os.Getenv("METALAB_FIGURES") == "" {
		t.Skip("METALAB_FIGURES is not set")
	}
	gputest.Need(t)
	counted = true
	for _, name := range strings.Fields(os.Getenv("METALAB_FIGURES")) {
		inst, err := datasets.Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		timeWays(t, name, inst)
	}
}

func timeWays(t *testing.T, name string, inst datasets.Instance) {
	ctx := context.Background()
	way = ""
	begin := time.Now()
	r, err := solvers.Open(solvers.Config{
		Name: "ways", Solver: "ga", Variant: "tournament", Backend: "cuda", Instance: inst, Seed: 1,
		Preset: "paper-literal", Params: record.Of(
			"population", 2048, "groups", 8, "crossover", "bcscx",
			"start", cmp.Or(os.Getenv("METALAB_START"), "random"),
		),
	})
	if err != nil {
		t.Error(err)
		return
	}
	defer r.Close()
	step := func() time.Duration {
		at := time.Now()
		if err := r.Step(ctx, 1); err != nil {
			t.Error(way, err)
		}
		return time.Since(at)
	}
	step()
	if err := r.Time(ctx, true); err != nil {
		t.Error(err)
	}
	fmt.Printf("%s, start %s: opened after %.1f s\n", name, cmp.Or(os.Getenv("METALAB_START"), "random"),
		time.Since(begin).Seconds())
	ways := []string{""}
	for _, w := range []string{
		"short near", "real near", "short far", "shortcg far", "packed far", "packedcg far", "real far",
		"realcg far",
	} {
		if fits(opened, w) {
			ways = append(ways, w)
		}
	}
	rounds := 5
	if inst.Size() > 500000 {
		rounds = 2
	}
	for _, c := range []string{"bcscx", "arx", "hybrid", "hybrid gaining"} {
		cross, gaining := strings.CutSuffix(c, " gaining")
		values := record.Of("crossover", cross)
		if gaining {
			if inst.Size() > 20000 {
				break
			}
			values = record.Of("crossover", cross, "move", "gaining", "moves", inst.Size()/10)
		}
		if _, err := r.Set(ctx, values, ""); err != nil {
			t.Error(err)
			return
		}
		kernel, wall, phases := map[string][]float64{}, map[string][]float64{}, map[string]string{}
		for k := range rounds + 1 {
			for _, way = range ways {
				took := step().Seconds() * 1e3
				spans, err := r.Spans(ctx)
				if err != nil {
					t.Error(err)
				}
				if k == 0 {
					continue
				}
				wall[way] = append(wall[way], took)
				for _, s := range spans {
					if s.Name == "children" {
						kernel[way] = append(kernel[way], s.Time.Seconds()*1e3)
					}
				}
				if way != "" {
					phases[way] = spent(opened.bred, inst.Size())
				}
			}
		}
		for _, w := range ways {
			slices.Sort(kernel[w])
			slices.Sort(wall[w])
			fmt.Printf("%-9s %-15s %-12s kernel %8.3f (%.3f to %.3f)  wall %8.3f  %s\n", name, c,
				cmp.Or(w, "present"), kernel[w][len(kernel[w])/2], kernel[w][0],
				kernel[w][len(kernel[w])-1], wall[w][len(wall[w])/2], phases[w])
		}
	}
}

// spent tells the cycles of the last launch: for each crossover births, and cycles a city of links,
// crossover, mutation and measuring.
func spent(b *bred, n int) string {
	var out string
	var v []uint64
	if err := opened.Dev.Do(context.Background(), func() (err error) {
		v, err = b.spent.Download()
		return err
	}); err != nil {
		return err.Error()
	}
	for k, name := range []string{"copies", "scx", "bcscx", "arx"} {
		if v[5*k] == 0 {
			continue
		}
		out += fmt.Sprintf("| %s %d:", name, v[5*k])
		for _, x := range v[5*k+1 : 5*k+5] {
			out += fmt.Sprintf(" %.1f", float64(x)/float64(v[5*k])/float64(n))
		}
	}
	return out
}
