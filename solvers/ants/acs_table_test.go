package ants_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestTableACS makes the runs that METALAB_TABLE_ACS lists and prints a line for each:
//
//	METALAB_TABLE_ACS='spm:pr1002:paper:1000:1:spm_slots=4' go test ./solvers/ants -run TableACS -v
//
// A run is VARIANT:INSTANCE:PRESET:ITERATIONS:SEED[:NAME=VALUE...]; ants=n is the number of cities,
// and ITERATIONS with a t behind it is a number of tours. The line has the gap in percent, the CPU
// seconds and, of spm-sync and spm, the hit ratio of the last iteration. The package's
// documentation has tables that were made so.
func TestTableACS(t *testing.T) {
	list := os.Getenv("METALAB_TABLE_ACS")
	if list == "" {
		t.Skip("METALAB_TABLE_ACS is not set")
	}
	for _, word := range strings.Fields(list) {
		part := strings.Split(word, ":")
		if len(part) < 5 {
			t.Fatalf("%s: want VARIANT:INSTANCE:PRESET:ITERATIONS:SEED", word)
		}
		inst, err := datasets.Load(part[1])
		if err != nil {
			t.Fatal(err)
		}
		ps := record.Values{}
		for _, kv := range part[5:] {
			name, value, _ := strings.Cut(kv, "=")
			if value == "n" {
				value = strconv.Itoa(inst.(*datasets.TSP).N)
			}
			if x, err := strconv.ParseFloat(value, 64); err == nil {
				ps[name] = record.Num(x)
			} else {
				ps[name] = record.Text(value)
			}
		}
		tours, perTour := strings.CutSuffix(part[3], "t")
		iterations, err := strconv.Atoi(tours)
		if err != nil {
			t.Fatal(err)
		}
		seed, err := strconv.ParseUint(part[4], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		r, err := solvers.Open(solvers.Config{
			Solver: "acs", Variant: part[0], Instance: inst,
			Seed: seed, Preset: part[2], Params: ps,
		})
		if err != nil {
			t.Fatal(err)
		}
		if perTour {
			all, err := r.Params(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range all {
				if ants, ok := p.Value.Float(); p.Name == "ants" && ok {
					iterations = max(1, iterations/int(ants))
				}
			}
		}
		p := step(t, r, iterations)
		hits := "-"
		if len(p.Measures) > 2 {
			hits = fmt.Sprintf("%.4f", p.Measures[2])
		}
		gap := "-"
		if best, ok := inst.BestKnown(); ok {
			gap = fmt.Sprintf("%.3f", 100*(p.Best/best.Value-1))
		}
		fmt.Printf("table %s iterations %d best %.0f gap %s cpu %.2f hits %s\n", word, iterations,
			p.Best, gap, p.CPU, hits)
		r.Close()
	}
}
