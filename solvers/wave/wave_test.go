package wave_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"metalab/solvers/wave"

	"pgregory.net/rapid"
)

// The plan of the paper's smallest perceptron: from the power of two nearest to 73, doubling
// up to the neighbourhood's size, sixteen blocks each.
func TestPlan(t *testing.T) {
	t.Parallel()
	cs := wave.Plan{Solution: 73, Neighbours: 2628}.Configs()
	if want := 6 * 16; len(cs) != want {
		t.Fatalf("%d configurations, want %d", len(cs), want)
	}
	for i, c := range cs {
		if want := (wave.Config{Threads: 64 << (i / 16), Block: 32 * (i%16 + 1)}); c != want {
			t.Errorf("configuration %d is %v, want %v", i, c, want)
		}
	}
	for _, c := range []struct {
		plan    wave.Plan
		configs int
		first   int64
	}{
		{wave.Plan{Solution: 1, Neighbours: 1}, 16, 1},
		{wave.Plan{Solution: 100, Neighbours: 10}, 16, 10},
		{wave.Plan{Solution: 96, Neighbours: 300}, 2 * 16, 128},
		{wave.Plan{Solution: 64, Neighbours: 1 << 20, MaxThreads: 256, MaxBlock: 1024}, 3 * 32, 64},
		{wave.Plan{}, 16, 1},
	} {
		cs := c.plan.Configs()
		if len(cs) != c.configs || cs[0].Threads != c.first {
			t.Errorf(
				"%+v: %d configurations from %v, want %d from %d", c.plan, len(cs), cs[0], c.configs, c.first,
			)
		}
	}
}

func TestPlanProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := wave.Plan{
			Solution:   rapid.IntRange(1, 1<<40).Draw(t, "solution"),
			Neighbours: rapid.Int64Range(1, 1<<62).Draw(t, "neighbours"),
		}
		cs := p.Configs()
		for i, c := range cs {
			if c.Threads < 1 || c.Threads > p.Neighbours || c.Block%32 != 0 {
				t.Fatalf("configuration %d is %v", i, c)
			}
			if s := c.Share(p.Neighbours); s < 1 || s > p.Neighbours || (s-1)*c.Blocks() >= p.Neighbours {
				t.Fatalf("%v: a share of %d of %d", c, s, p.Neighbours)
			}
		}
		if last := cs[len(cs)-1].Threads; last <= p.Neighbours/2 {
			t.Fatalf("the last has %d threads for %d neighbours", last, p.Neighbours)
		}
		near := wave.NearestPower(p.Solution)
		if n := int64(p.Solution); near&(near-1) != 0 || abs(n-near) > abs(n-2*near) ||
			2*abs(n-near) > abs(2*n-near) {
			t.Fatalf("the power of two nearest to %d is said to be %d", n, near)
		}
	})
}

func TestDistinct(t *testing.T) {
	t.Parallel()
	p := wave.Plan{Solution: 64, Neighbours: 4096}
	cs := p.Distinct(func(c wave.Config) int64 { return c.Share(4096) })
	seen := map[int64]bool{}
	for _, c := range cs {
		if seen[c.Share(4096)] {
			t.Errorf("%v is there twice", c)
		}
		seen[c.Share(4096)] = true
	}
	for _, c := range p.Configs() {
		if !seen[c.Share(4096)] {
			t.Errorf("a share of %d is missing", c.Share(4096))
		}
	}
}

// clock is a machine on which a launch takes a known time.
type clock struct {
	launches []wave.Config
	best     wave.Config
	fail     int64 // threads above which a launch fails; 0: never
}

var errLaunch = errors.New("too many resources requested")

func (m *clock) launch(c wave.Config) (time.Duration, error) {
	m.launches = append(m.launches, c)
	if m.fail > 0 && c.Threads > m.fail {
		return 0, errLaunch
	}
	d := 100 * time.Microsecond
	if c == m.best {
		d = 90 * time.Microsecond
	}
	if len(m.launches)%7 == 0 {
		d += time.Second // somebody else's turn: no median sees it
	}
	return d, nil
}

// tune launches every configuration and returns what the tuner finds best, with its table.
func tune(
	configs []wave.Config, trials int, launch func(wave.Config) (time.Duration, error),
) (wave.Config, []wave.Trial) {
	t := wave.New(configs, trials)
	for !t.Done() {
		t.Report(launch(t.Next()))
	}
	return t.Next(), t.Trials()
}

func TestTunerFindsTheFastest(t *testing.T) {
	t.Parallel()
	plan := wave.Plan{Solution: 73, Neighbours: 2628}.Configs()
	for _, want := range []wave.Config{plan[0], plan[37], plan[len(plan)-1]} {
		m := &clock{best: want}
		got, trials := tune(plan, 10, m.launch)
		if got != want {
			t.Errorf("the best is %v, want %v", got, want)
		}
		if len(m.launches) != 10*len(plan) || len(trials) != len(plan) {
			t.Errorf("%d launches, a table of %d", len(m.launches), len(trials))
		}
		for i, c := range m.launches {
			if c != plan[i/10] {
				t.Fatalf("launch %d is %v, want %v", i, c, plan[i/10])
			}
		}
	}
}

func TestBestSoFarStandsAfterAFailure(t *testing.T) {
	t.Parallel()
	plan := wave.Plan{Solution: 64, Neighbours: 1 << 20}.Configs()
	m := &clock{best: plan[5], fail: 1024}
	got, trials := tune(plan, 10, m.launch)
	if got != plan[5] {
		t.Errorf("the best is %v, want %v", got, plan[5])
	}
	if last := trials[len(trials)-1]; !errors.Is(last.Err, errLaunch) || last.Config.Threads != 2048 ||
		len(last.Times) != 0 {
		t.Errorf("the last trial is %+v", last)
	}
	if want := 10*5*16 + 1; len(m.launches) != want {
		t.Errorf("%d launches, want %d: none after the failed one", len(m.launches), want)
	}
	m = &clock{fail: 1}
	if got, trials := tune(plan, 10, m.launch); got != (wave.Config{}) || len(trials) != 1 {
		t.Errorf("the first launch fails: the best is %v of %d trials", got, len(trials))
	}
	if got, trials := tune(nil, 10, m.launch); got != (wave.Config{}) || len(trials) != 0 {
		t.Errorf("no configuration at all: the best is %v of %d trials", got, len(trials))
	}
}

// What a tuner answers at its ends.
func TestTunerEdges(t *testing.T) {
	t.Parallel()
	none := wave.New([]wave.Config{{Threads: 1, Block: 32}}, 0)
	if _, ok := none.Best(); ok || !none.Done() || none.Next() != (wave.Config{}) {
		t.Error("no trials: not done, or a best")
	}
	one := wave.New([]wave.Config{{Threads: 8, Block: 32}}, 2)
	one.Report(time.Second, nil)
	if _, ok := one.Best(); ok || one.Done() {
		t.Error("the best after one of two trials")
	}
	one.Report(3*time.Second, nil)
	one.Report(time.Millisecond, nil) // after the end: not heard
	if ts := one.Trials(); !one.Done() || len(ts) != 1 || ts[0].Median != time.Second ||
		one.Next().Threads != 8 {
		t.Errorf("trials %+v", ts)
	}
}

// The search for a configuration costs no iteration: those of the tuned search are timed.
func ExampleTuner() {
	plan := wave.Plan{Solution: 73, Neighbours: 62196}
	t := wave.New(plan.Configs(), 10)
	launches := 0
	for !t.Done() {
		c := t.Next()
		launches++
		// A machine that likes 4096 threads in blocks of 128 best.
		took := time.Duration(
			1000+abs(c.Threads-4096)/64+int64(abs(int64(c.Block)-128)),
		) * time.Microsecond
		t.Report(took, nil)
	}
	best, _ := t.Best()
	fmt.Println(best, "after", launches, "launches")
	fmt.Println(best.Blocks(), "blocks, each of", best.Share(plan.Neighbours), "neighbours")
	// Output:
	// 4096 threads in blocks of 128 after 1600 launches
	// 32 blocks, each of 1944 neighbours
}

func abs(x int64) int64 { return max(x, -x) }

// A configuration that cannot be launched is skipped; one that is far behind is given up.
func TestSkipAndRace(t *testing.T) {
	t.Parallel()
	cs := wave.Plan{Solution: 64, Neighbours: 64, MaxBlock: 128}.Configs()
	if len(cs) != 4 {
		t.Fatalf("%d configurations", len(cs))
	}
	tuner := wave.New(cs, 4)
	tuner.Race(1.5)
	tuner.Skip(errLaunch)
	launches := map[int]int{}
	for !tuner.Done() {
		c := tuner.Next()
		launches[c.Block]++
		d := 100 * time.Microsecond
		switch {
		case c.Block == 96:
			d = 200 * time.Microsecond
		case c.Block == 128 && launches[128] > 1:
			d = 90 * time.Microsecond
		case c.Block == 128:
			d = 300 * time.Microsecond // once disturbed: not yet given up
		}
		tuner.Report(d, nil)
	}
	if launches[32] != 0 || launches[64] != 4 || launches[96] != 2 || launches[128] != 4 {
		t.Errorf("launches by block: %v", launches)
	}
	if c, ok := tuner.Best(); !ok || c != cs[3] {
		t.Errorf("the best is %v", c)
	}
	if ts := tuner.Trials(); len(ts) != 4 || !errors.Is(ts[0].Err, errLaunch) || ts[0].Times != nil ||
		ts[2].Median != 200*time.Microsecond {
		t.Errorf("the table is %+v", ts)
	}
	tuner.Skip(errLaunch) // after the end: not heard
	none := wave.New(cs[:1], 1)
	none.Skip(errLaunch)
	if _, ok := none.Best(); ok || !none.Done() || none.Next() != (wave.Config{}) {
		t.Error("all are skipped, and there is a best")
	}
}

// What trials lose stays a share of all launches' time: between them the best is launched.
func TestBudget(t *testing.T) {
	t.Parallel()
	cs := wave.Plan{Solution: 64, Neighbours: 1 << 20, MaxThreads: 1 << 20}.Configs()
	for _, share := range []float64{0, 0.1, 0.5} {
		tuner := wave.New(cs, 3)
		tuner.Race(1.2)
		tuner.Budget(share)
		const good = 100 * time.Microsecond
		var total, worst time.Duration
		least, launches, rests := good, 0, 0
		for ; !tuner.Done(); launches++ {
			c, d := tuner.Next(), 9*good
			if c == cs[0] || c == cs[40] {
				d = good
			}
			if tuner.Resting() {
				if best, _ := tuner.Best(); c != best {
					t.Fatalf("%v is launched between trials, not the best, %v", c, best)
				}
				tuner.Rest()
				rests++
			} else {
				tuner.Report(d, nil)
			}
			total += d
			if lost := total - time.Duration(launches+1)*least; share > 0 && launches > 3 {
				worst = max(worst, lost-time.Duration(share*float64(total)))
			}
		}
		if worst > 8*good { // one trial beyond the share
			t.Errorf("share %v: %v more was lost", share, worst)
		}
		if (rests > 0) != (share > 0) {
			t.Errorf("share %v: %d launches between trials", share, rests)
		}
		for i, x := range tuner.Trials() { // one is enough to tell what is far off
			if want := map[bool]int{true: 3, false: 1}[i == 0 || i == 40]; len(x.Times) != want {
				t.Errorf("share %v: %v was tried %d times", share, x.Config, len(x.Times))
			}
		}
		if c, _ := tuner.Best(); c != cs[0] {
			t.Errorf("the best is %v", c)
		}
	}
}
