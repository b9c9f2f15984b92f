package ants

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestFiguresThin prints how long the walks of mmas/thin take on a device, by its events, n ants,
// when METALAB_FIGURES is set to thin, with names of instances behind it: medians over iterations 1
// to 10 of the preset paper, and over 41 to 50 with rho 0.5, of the kernels that take the shape and
// of a whole iteration.
func TestFiguresThin(t *testing.T) {
	f := strings.Fields(os.Getenv("METALAB_FIGURES"))
	if len(f) == 0 || f[0] != "thin" {
		t.Skip("METALAB_FIGURES is not thin")
	}
	gputest.Need(t)
	for _, name := range f[1:] {
		inst, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		n := inst.(*datasets.TSP).N
		for _, late := range []int64{0, 40} {
			ps := params("ants", n)
			if late > 0 {
				ps["rho"] = record.Num(0.5)
			}
			r, err := solvers.Open(solvers.Config{
				Solver: "mmas", Variant: "thin", Backend: "watched",
				Instance: inst, Seed: 1, Preset: "paper", Params: ps,
			})
			if err != nil {
				t.Fatal(err)
			}
			var lean, few, whole []time.Duration
			for it := int64(1); it <= late+10; it++ {
				step(t, r, 1)
				if it <= late {
					continue
				}
				// The walk again, alone, which makes the same tours.
				c := watched.form.(*thin)
				if err := c.b.flush(); err != nil {
					t.Fatal(err)
				}
				c.b.stage()
				err := c.b.d.Do(context.Background(), func() error {
					for k, to := range map[*gpu.Kernel]*[]time.Duration{c.lean: &lean, c.few: &few} {
						if k == c.few && c.perBlock > thinFew {
							continue
						}
						span, err := c.b.d.Time(nil, func() error { return c.launch(k) })
						if err != nil {
							return err
						}
						*to = append(*to, span)
					}
					span, err := c.b.d.Time(nil, c.b.iteration)
					whole = append(whole, span)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			fmt.Printf("FIG thin %s iterations %d on: walk %.3f walk_few %.3f whole %.3f ms, %d ants a "+
				"block, best %v\n",
				name, late+1, mid(lean), mid(few), mid(whole), watched.form.(*thin).perBlock, r.Last().Best)
			r.Close()
		}
	}
}
