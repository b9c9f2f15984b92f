//go:build cuda

package moves

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// TestQuickTwin makes the scans of assignments by all kernels that make many in a launch: by a
// block a walk, and by teams of many blocks.
func TestQuickTwin(t *testing.T) {
	gputest.Need(t)
	for i, n := range []int{2, 33, 64, 101, 150} {
		for kind := range 8 {
			if kind%4 != i%4 {
				continue
			}
			for _, s := range [][2]int{{1, 256}, {7, 64}, {33, 128}, {40, 256}} {
				how := "incremental"
				if n < 65 && s[0]/7%2 > 0 { // larger ones take the CPU long
					how = "linear"
				}
				inst := randomQAP(t, n, kind)
				if s[0]%3 == 1 && how != "linear" {
					inst = enlarged(t, inst)
				}
				c := try(inst, "scans", 70, "aspiration", 5*n, "walks",
					[]int{1, 3, 2, 3, 5}[i], "wave", s[0]*s[1], "block", s[1], "trials", 0, "evaluation", how)
				if i%2 == 1 {
					c.params["exchange"] = record.Of("exchange", 1)["exchange"]
				}
				t.Run(fmt.Sprint(n, kind, s), func(t *testing.T) { twins(t, c, NewEngine) })
			}
		}
	}
}

// TestFiguresQAP prints how long scans of assignments take, when METALAB_FIGURES is set to qap and
// lists of an instance, an evaluation, walks, and blocks of a walk and their threads, as in
// "qap tai100a/incremental/396/1/320".
func TestFiguresQAP(t *testing.T) {
	f := strings.Fields(os.Getenv("METALAB_FIGURES"))
	if len(f) == 0 || f[0] != "qap" {
		t.Skip("METALAB_FIGURES is not qap")
	}
	gputest.Need(t)
	for _, word := range f[1:] {
		w := strings.Split(word, "/")
		if len(w) < 5 {
			continue
		}
		number := func(i int) int {
			n, err := strconv.Atoi(w[i])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		walks, team, block := number(2), number(3), number(4)
		inst, err := datasets.Load(w[0])
		if err != nil {
			t.Fatal(err)
		}
		backend, scans, warm := "cuda", 5000, time.Duration(0)
		params := record.Of("walks", walks, "wave", team*block, "block", block, "trials", 0,
			"evaluation", w[1], "scans", 5000)
		if len(w) > 5 { // for comparison: cpu, or cpu1
			backend, scans, warm = "cpu", 50, time.Second
			params = record.Of("walks", walks, "evaluation", w[1], "scans", scans)
			if w[5] == "cpu1" {
				params = record.Of("walks", walks, "evaluation", w[1], "scans", scans, "workers", 1)
			}
		}
		r, err := solvers.Open(solvers.Config{
			Name: "figure", Solver: "tabu", Variant: "robust", Backend: backend, Instance: inst, Seed: 1,
			Params: params,
		})
		if err != nil {
			t.Fatal(err)
		}
		err = r.Step(t.Context(), 1)
		for begin := time.Now(); err == nil && time.Since(begin) < warm; {
			err = r.Step(t.Context(), 1)
		}
		begin := time.Now()
		steps := 0
		for err == nil && time.Since(begin) < 400*time.Millisecond {
			err = r.Step(t.Context(), 1)
			steps++
		}
		took := time.Since(begin).Seconds() / float64(steps*scans)
		fmt.Printf("%s: %.3f us a scan, %.4g scans/s over all walks; best %v (%v)\n", word,
			took*1e6, float64(walks)/took, r.Last().Best, err)
		r.Close()
	}
}

// TestFiguresGap prints how near to the best known values runs of some seconds come, when
// METALAB_FIGURES is set to gap and lists of an instance, seconds, a seed, and parameters, as in
// "gap tai60a/10/1/walks=396,exchange=1".
func TestFiguresGap(t *testing.T) {
	f := strings.Fields(os.Getenv("METALAB_FIGURES"))
	if len(f) == 0 || f[0] != "gap" {
		t.Skip("METALAB_FIGURES is not gap")
	}
	gputest.Need(t)
	for _, word := range f[1:] {
		w := strings.Split(word, "/")
		inst, err := datasets.Load(w[0])
		if err != nil {
			t.Fatal(err)
		}
		seconds, _ := strconv.ParseFloat(w[1], 64)
		seed, _ := strconv.ParseUint(w[2], 10, 64)
		params := record.Of("trials", 0)
		for _, kv := range strings.Split(w[3], ",") {
			k, v, _ := strings.Cut(kv, "=")
			n, err := strconv.Atoi(v)
			if err != nil {
				t.Fatal(err)
			}
			for name, x := range record.Of(k, n) {
				params[name] = x
			}
		}
		r, err := solvers.Open(solvers.Config{
			Name: "gap", Solver: "tabu", Variant: "robust", Backend: "cuda", Instance: inst, Seed: seed,
			Params: params,
		})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		mark := 0.25
		line := word
		for err == nil {
			err = r.Step(t.Context(), 1)
			if s := time.Since(begin).Seconds(); s > seconds*mark {
				line += fmt.Sprintf(" %.1fs %.0f", s, r.Last().Best)
				mark += 0.25
			}
			if known, _ := inst.BestKnown(); mark > 1 || r.Last().Best <= known.Value {
				line += fmt.Sprintf(" ended at %.1fs", time.Since(begin).Seconds())
				break
			}
		}
		known, _ := inst.BestKnown()
		fmt.Printf("%s: gap %.3f %%, %d iterations, measures %v, %v\n", line,
			100*(r.Last().Best/float64(known.Value)-1), r.Last().Iter, r.Last().Measures, err)
		r.Close()
	}
}
