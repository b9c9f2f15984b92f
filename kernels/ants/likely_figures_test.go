package ants

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"metalab/kernels/internal/gputest"
	"metalab/solvers"
	"metalab/solvers/record"
	"metalab/solvers/wave"
)

// likelyFigures are the runs of METALAB_FIGURES_LIKELY=1.
const likelyFigures = "mmas/wrs:pr1002:ants=800:candidates=32 " +
	"mmas/wrs:pr2392:ants=800:candidates=32 mmas/wrs:fnl4461:ants=800:candidates=32 " +
	"acs/alt:pr2392:preset=paper-star " +
	"acs/spm:pr2392:preset=paper-star acs/alt:pr1002:preset=paper-star:seeds=2 " +
	"acs/spm:pr1002:preset=paper-star:seeds=2 mmas/wrs:pr1002:ants=n:rho=0.9:seeds=2 " +
	"acs/alt:pr1002:ants=n:seeds=2 acs/alt:pr2392:ants=n:seeds=2"

// TestFiguresLikely prints what constructions and iterations take, by a device's events, a
// step at a time and by windows, when METALAB_FIGURES_LIKELY is set: 1, or a list of runs, see
// figureRunOf. Of each seed it times iterations 1 to 40, then those from 161 to 260 by the clock of
// the wall, then 40 more. The digests of mmas must be the same.
func TestFiguresLikely(t *testing.T) {
	list := os.Getenv("METALAB_FIGURES_LIKELY")
	if list == "" {
		t.Skip("METALAB_FIGURES_LIKELY is not set")
	}
	if list == "1" {
		list = likelyFigures
	}
	gputest.Need(t)
	defer func(w, m int, o int32, s bool) {
		windowSteps, likelyMost, likelyOften, likelyShared = w, m, o, s
	}(windowSteps, likelyMost, likelyOften, likelyShared)
	likelyShared = true
	type way struct {
		name          string
		windows, most int
		often         int32
	}
	for _, word := range strings.Fields(list) {
		ways := []way{
			{"steps", 0, 0, likelyOften}, {"often", 8, 8, likelyOften}, {"always", 8, 8, 0},
		}
		if strings.HasPrefix(word, "acs") {
			ways = []way{{"steps", 0, 0, likelyOften}, {"windows", 8, 8, likelyOften}}
		}
		for _, w := range ways {
			windowSteps, likelyMost, likelyOften = w.windows, w.most, w.often
			t.Run(word+"/"+w.name, func(t *testing.T) {
				figureRunOf(t, word, nil).likely(t, w.name+" "+word)
			})
		}
	}
}

func (f figureRun) likely(t *testing.T, word string) {
	ctx := context.Background()
	f.Backend = "watched"
	shape := f.tuned(t)
	f.Params["trials"] = record.Num(0)
	// By part: first and later constructions and iterations, and the wall's iterations.
	var all [5][]time.Duration
	last := ""
	for seed := 1; seed <= f.seeds; seed++ {
		r := f.open(t, seed)
		if shape != (wave.Config{}) {
			watched.launches.construction.Own = func() wave.Config { return shape }
		}
		timed := func(part int) {
			if err := r.Time(ctx, true); err != nil {
				t.Fatal(err)
			}
			var spans [2][]time.Duration
			for i := range 40 {
				step(t, r, 1)
				took, err := r.Spans(ctx)
				if err != nil {
					t.Fatal(err)
				}
				name := []string{"construct", "iteration"}[i%2]
				at := slices.IndexFunc(took, func(s solvers.Span) bool { return s.Name == name })
				if at < 0 {
					t.Fatalf("%s: no span %q", word, name)
				}
				spans[i%2] = append(spans[i%2], took[at].Time)
			}
			all[part] = append(all[part], median(spans[0]))
			all[part+1] = append(all[part+1], median(spans[1]))
			if err := r.Time(ctx, false); err != nil {
				t.Fatal(err)
			}
		}
		timed(0)
		step(t, r, 120)
		from := time.Now()
		step(t, r, 100)
		all[4] = append(all[4], time.Since(from)/100)
		timed(2)
		p := r.Last()
		last += fmt.Sprintf(" %x/%.2f/falls %.4f", p.Digest, f.gap(r), p.Measures[1])
		r.Close()
	}
	fmt.Printf("LIKELY %s | first construct %.4f iteration %.4f | late construct %.4f iteration %.4f "+
		"| wall %.4f ms | block %d of %d | %s\n",
		word, ms(median(all[0])), ms(median(all[1])), ms(median(all[2])), ms(median(all[3])),
		ms(median(all[4])), shape.Block, shape.Threads, last)
}
