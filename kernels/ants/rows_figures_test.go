package ants

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
)

// figure is a run of n ants whose walks are timed.
type figure struct {
	instance string
	values   record.Values
	warps    int
}

// TestFiguresRows prints how long the walks of mmas/rows take on a device, by its events, n ants
// without lists and with 32 candidates, when METALAB_FIGURES is set to rows, with names of
// instances, wrs or groups (that alone), all (no lists) or lists (no others) behind it: the median
// of the walks of iterations 1 to 20 of three seeds, and that of iterations 81 to 100 (up to 3000
// cities), and a whole iteration; and by forms the walks of iterations 1 to 20 in each that can be.
// Nothing is tuned: the walk is launched as the crew or METALAB_WARPS says.
func TestFiguresRows(t *testing.T) {
	f := strings.Fields(os.Getenv("METALAB_FIGURES"))
	if len(f) == 0 || f[0] != "rows" {
		t.Skip("METALAB_FIGURES is not rows")
	}
	gputest.Need(t)
	only := func(word string) bool {
		i := slices.Index(f, word)
		if i >= 0 {
			f = slices.Delete(f, i, i+1)
		}
		return i >= 0
	}
	selections, lengths := []string{"rwm", "wrs"}, []int{0, 32}
	if only("wrs") {
		selections = selections[1:]
	}
	if only("groups") {
		selections = []string{"groups"}
	}
	if only("all") {
		lengths = lengths[:1]
	}
	if only("lists") {
		lengths = lengths[1:]
	}
	instances := f[1:]
	if len(instances) == 0 {
		instances = []string{
			"d198", "pcb442", "rat783", "pr1002", "pcb1173", "rl1889", "pr2392",
			"fl3795",
		}
	}
	teams := []int{0, 1, 2, 4}
	if w := os.Getenv("METALAB_WARPS"); w != "" {
		teams = nil
		for _, s := range strings.Fields(w) {
			var k int
			if _, err := fmt.Sscan(s, &k); err != nil {
				t.Fatal(err)
			}
			teams = append(teams, k)
		}
	}
	for _, name := range instances {
		for _, candidates := range lengths {
			for _, selection := range selections {
				for _, tabu := range []string{"lc", "ct", "bt"} {
					v := params("candidates", candidates, "selection", selection, "tabu", tabu, "storage",
						"matrix")
					for _, warps := range teams {
						if candidates > 0 && warps > 0 {
							continue
						}
						figure{name, v, warps}.print(t)
					}
				}
				if candidates > 0 {
					for _, tabu := range []string{"lc", "ct", "bt"} {
						v := params("candidates", candidates, "selection", selection, "tabu", tabu, "storage",
							"candidates")
						figure{name, v, 0}.print(t)
					}
				}
			}
		}
	}
}

func (f figure) print(t *testing.T) {
	t.Helper()
	inst, err := datasets.Load(f.instance)
	if err != nil {
		t.Fatal(err)
	}
	var early, late, wholes []time.Duration
	forms := map[string][]time.Duration{} // early ones of the other forms
	for seed := range uint64(3) {
		ps := maps.Clone(f.values)
		ps["warps"], ps["trials"] = record.Num(float64(f.warps)), record.Num(0)
		r, err := solvers.Open(solvers.Config{
			Solver: "mmas", Variant: "rows", Backend: "watched",
			Instance: inst, Seed: seed, Preset: "paper", Params: ps,
		})
		if err != nil {
			t.Fatal(err)
		}
		crew := watched.form.(*rows)
		rounds := 1
		if seed == 0 && crew.b.n < 3000 {
			rounds = 100
		}
		for it := int64(1); it <= int64(max(rounds, 20)); it++ {
			step(t, r, 1)
			if it > 20 && it <= 80 || it%2 == 0 {
				continue
			}
			// The walk again, alone, which makes the same tours.
			if err := crew.b.flush(); err != nil {
				t.Fatal(err)
			}
			crew.b.stage()
			err := crew.b.d.Do(context.Background(), func() error {
				span, err := crew.b.d.Time(nil, crew.construct)
				if it <= 20 {
					early = append(early, span)
				} else {
					late = append(late, span)
				}
				for form := range crew.constructs {
					if it > 20 || err != nil || form == formBlock || crew.shape.warps > 1 || !crew.rule.all ||
						crew.rule.shared(crew.shape, form) > crew.most() {
						continue
					}
					if form == formShared && crew.b.n > 256 || form != formWarp && crew.shape.ants > fourMost {
						continue
					}
					crew.kind = form
					span, err = crew.b.d.Time(nil, crew.construct)
					crew.kind = ""
					forms[form] = append(forms[form], span)
				}
				if err == nil {
					span, err = crew.b.d.Time(nil, crew.b.iteration)
					wholes = append(wholes, span)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if seed == 2 {
			other := ""
			for _, form := range slices.Sorted(maps.Keys(forms)) {
				other += fmt.Sprintf(" %s %.3f", form, mid(forms[form]))
			}
			fmt.Printf("FIG %s %v warps %d shape %v: early %.3f late %.3f whole %.3f ms, forms%s, best "+
				"%v\n", f.instance, f.values, f.warps, crew.shape,
				mid(early), mid(late), mid(wholes), other, r.Last().Best)
		}
		r.Close()
	}
}

// mid is the median in ms, 0 of none.
func mid(v []time.Duration) float64 {
	if len(v) == 0 {
		return 0
	}
	return float64(median(v)) / 1e6
}
