package ils

import "testing"

// What is due comes in this order: a quick search, searches from all cities, the other start, a
// pool, kicks.
func TestPhases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		plan schedule
		want phase
	}{
		{schedule{glance: true, descend: true}, glancing},
		{schedule{descend: true, other: true, poolPlan: poolPlan{stage: byBlocks}}, descending},
		{schedule{other: true, poolPlan: poolPlan{stage: stageFilling}}, comparing},
		{schedule{poolPlan: poolPlan{stage: stageFilling}}, filling},
		{schedule{poolPlan: poolPlan{stage: byCycles}}, crossing},
		{schedule{poolPlan: poolPlan{stage: byBlocks}}, crossing},
		{schedule{made: 7}, kicking},
	} {
		if got := c.plan.phase(); got != c.want {
			t.Errorf("%+v: phase %v, want %v", c.plan, got, c.want)
		}
	}
}

// A cycle ends with the iteration in which its last kick is made, and the next begins at 0.
func TestCyclesEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kicks int
		cycle float64
		want  int // iterations of a cycle
	}{{10, 30, 3}, {10, 30.5, 4}, {10, 1, 1}, {7, 30, 5}} {
		var s schedule
		for cycle := range 3 {
			its := 1
			for !s.kicked(c.kicks, c.cycle) {
				its++
			}
			if its != c.want || s.made != 0 {
				t.Errorf("%+v: cycle %d has %d iterations, %d kicks after it", c, cycle, its, s.made)
			}
		}
	}
}

// Each pool is twice as large as the one before, within bounds; one that was dropped for another
// number is followed by a first one.
func TestPoolSizes(t *testing.T) {
	t.Parallel()
	var p poolPlan
	for i, c := range []struct {
		first, chains, cities int
		anew                  bool
		want                  int64
	}{
		{10, 1, 1000, false, 10},
		{10, 1, 1000, false, 20},
		{10, 15, 1000, false, 40},
		{10, 45, 1000, true, 90}, // two for each chain
		{10, 1, 1000, false, 10}, // dropped before
		{700, 1, 1000, false, 700},
		{10, 1, 1000, false, 1000},  // not 1400
		{10, 1, 1 << 20, false, 10}, // no more than 1 << 22 cities
	} {
		p.begin(c.first, c.chains, c.cities)
		if p.want != c.want || p.stage != stageFilling {
			t.Errorf("pool %d: %+v, want %d tours", i, p, c.want)
		}
		p.end(c.anew)
		if p.stage != noPool || p.want != 0 {
			t.Errorf("pool %d ends as %+v", i, p)
		}
	}
}

// A stage ends after ten generations in turn without a better tour, or a tenth of all; then the
// next one, or none, begins at 0.
func TestStagesEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ better, want int }{{0, 10}, {50, 60}, {200, 222}} {
		p := poolPlan{stage: byCycles}
		for stage := int64(byCycles); stage <= byBlocks; stage++ {
			over, made := false, 0
			for p.stage == stage {
				over = p.generation(made < c.better)
				made++
			}
			if made != c.want || over != (stage == byBlocks) || p.bred != 0 || p.idle != 0 {
				t.Errorf("%d better: stage %d ended after %d generations, want %d, over %v, %+v", c.better,
					stage, made, c.want, over, p)
			}
		}
	}
}
