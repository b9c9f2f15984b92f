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
	"metalab/gpu"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// figuresWideVar names the runs of TestFiguresWide.
const figuresWideVar = "METALAB_FIGURES_WIDE"

// widestFigures are the runs of METALAB_FIGURES_WIDE=1.
const widestFigures = "mmas:wrs:d18512:800:50 acs:spm:d18512:800:50 mmas:wrs:pla85900:800:50 " +
	"acs:spm:pla85900:800:50 " +
	"mmas:wrs:E1M.0:256:10 acs:spm:E1M.0:256:10"

// TestFiguresWide prints, on a device, the seconds and gaps of large instances and the bytes that
// they take there, when METALAB_FIGURES_WIDE is set: 1, or a list of
// SOLVER:VARIANT:INSTANCE:ANTS:ITERATIONS[:NAME=VALUE...]. Parameters are those of the preset
// paper; walks are launched as the program chooses without tuning.
func TestFiguresWide(t *testing.T) {
	list := os.Getenv(figuresWideVar)
	if list == "" {
		t.Skip(figuresWideVar + " is not set")
	}
	if list == "1" {
		list = widestFigures
	}
	gputest.Need(t)
	d, err := gpu.Open(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, word := range strings.Fields(list) {
		t.Run(word, func(t *testing.T) { largeFigures(t, d, strings.Split(word, ":")) })
	}
}

func largeFigures(t *testing.T, d *gpu.Device, part []string) {
	var ants, iterations int
	if _, err := fmt.Sscan(part[3]+" "+part[4], &ants, &iterations); err != nil {
		t.Fatal(err)
	}
	inst, err := datasets.Load(part[2])
	if err != nil {
		t.Fatal(err)
	}
	ps := params("ants", ants, "trials", 0)
	for _, kv := range part[5:] {
		name, value, _ := strings.Cut(kv, "=")
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		ps[name] = record.Num(x)
	}
	before, _, err := d.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r, err := solvers.Open(solvers.Config{
		Solver: part[0], Variant: part[1], Backend: "cuda", Instance: inst, Seed: 1, Preset: "paper",
		Params: ps,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	opened := time.Since(start)
	best, _ := inst.BestKnown()
	gap := func(p record.Point) float64 { return 100 * (p.Best/best.Value - 1) }
	start = time.Now()
	first := step(t, r, 1)
	one := time.Since(start)
	after, _, err := d.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	last := first
	if iterations > 1 {
		last = step(t, r, iterations-1)
	}
	all := time.Since(start)
	t.Logf("opened in %.2f s; %d iterations in %.3f s, the first in %.3f s, then %.1f ms each; gap "+
		"%.2f %% after the first, %.2f %% after all; "+
		"falls %.4f and %.4f of the choices; %.3f GB on the device, %.0f bytes a city",
		opened.Seconds(), iterations, all.Seconds(), one.Seconds(),
		1000*(all-one).Seconds()/float64(max(1, iterations-1)), gap(first), gap(last),
		first.Measures[1], last.Measures[1], float64(before-after)/1e9,
		float64(before-after)/float64(inst.(*datasets.TSP).N))
	if _, err := r.Best(t.Context()); err != nil { // computes its length once more
		t.Error(err)
	}
}
