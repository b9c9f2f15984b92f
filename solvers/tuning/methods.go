package tuning

import (
	"math"
	"slices"

	"metalab/solvers/arith"
	"metalab/solvers/record"
	"metalab/solvers/stats"

	"gonum.org/v1/gonum/stat/distuv"
)

// from0 returns 0 to n-1.
func from0(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// blocks is the number of all blocks.
func (p *Plan) blocks() int { return p.Seeds * len(p.Instances) }

// proposeAll adds trials until there are as many as the plan has.
func (t *tuner) proposeAll() error {
	p := t.plan()
	n := p.Trials - 1
	if p.Method != Latin {
		return t.propose(n, 0, func(k int) (record.Values, int) { return p.random(0, k), 0 })
	}
	for _, v := range p.latin(n) {
		ok, err := t.legal(v)
		if err != nil {
			return err
		}
		if ok {
			t.add(v, v, 0, 0)
		}
	}
	return nil
}

// everything makes all trials on all blocks.
func (t *tuner) everything() error {
	if err := t.proposeAll(); err != nil {
		return err
	}
	all := from0(len(t.h.Trials))
	if err := t.make(all, t.plan().blocks()); err != nil {
		return err
	}
	t.survive(all)
	return nil
}

// survive notes which trials are left, and that the best of them has won.
func (t *tuner) survive(trials []int) {
	for _, i := range trials {
		t.h.Trials[i].Left = true
	}
	blocks := math.MaxInt
	for _, i := range trials {
		blocks = min(blocks, t.h.Trials[i].Made)
	}
	t.h.Winner = t.better(trials, blocks)[0] + 1
}

// third is how much successive halving keeps of trials: one in so many.
const third = 3

// halving makes fewer and fewer trials on more and more blocks.
func (t *tuner) halving() error {
	if err := t.proposeAll(); err != nil {
		return err
	}
	alive, all := from0(len(t.h.Trials)), t.plan().blocks()
	rungs := 1
	for n := len(alive); n > third; n = (n + third - 1) / third {
		rungs++
	}
	for rung := 1; ; rung++ {
		blocks := all
		for range rungs - rung {
			blocks = max(1, blocks/third)
		}
		if err := t.make(alive, blocks); err != nil {
			return err
		}
		if rung >= rungs {
			t.survive(alive)
			return nil
		}
		alive = t.better(alive, blocks)[:(len(alive)+third-1)/third]
	}
}

// race makes races one after the other.
func (t *tuner) race() error {
	p := t.plan()
	rounds, keep := p.rounds(), p.keep()
	var elite []int
	width := 0.5
	for round := range rounds {
		units := (p.Units - t.h.Units) / (rounds - round)
		want := units/(p.Least+min(5, round+1)) - len(elite)
		if round == 0 {
			want-- // the setting as it is
			elite = []int{0}
		}
		if want < 1 {
			break
		}
		first := len(t.h.Trials)
		width *= math.Pow(1/float64(max(2, want)), float64(min(round, 1))/float64(len(p.Space)))
		err := t.propose(want, round+1, func(k int) (record.Values, int) {
			if round == 0 {
				return p.random(0, k), 0
			}
			parent := elite[t.parent(round, k, len(elite))]
			return p.near(t.h.Trials[parent].Values, round, k, width, rounds), parent + 1
		})
		if err != nil {
			return err
		}
		if len(t.h.Trials) == first && round > 0 {
			break // the space has no more configurations
		}
		alive := slices.Clone(elite)
		for i := first; i < len(t.h.Trials); i++ {
			alive = append(alive, i)
		}
		if alive, err = t.oneRace(alive, units, keep); err != nil {
			return err
		}
		blocks := math.MaxInt
		for _, i := range alive {
			blocks = min(blocks, t.h.Trials[i].Made)
		}
		alive = t.better(alive, blocks)
		elite = alive[:min(keep, len(alive))]
	}
	t.survive(elite)
	return nil
}

// parent draws which of the elite, the best first, a trial is drawn near: the better the likelier.
func (t *tuner) parent(round, number, n int) int {
	s := arith.NewStream(t.plan().Seed, uint64(round), uint32(number), purposeParent)
	k := s.IntN(n * (n + 1) / 2)
	for i := range n {
		if k -= n - i; k < 0 {
			return i
		}
	}
	return n - 1
}

// purposeParent is that of the draws of parents.
const purposeParent = 0x73

// oneRace runs trials block by block, and drops those that a test finds worse, until only keep are
// left, or the units of the race are spent.
func (t *tuner) oneRace(alive []int, units, keep int) ([]int, error) {
	p := t.plan()
	before := map[int]int{} // blocks of the elite
	for _, i := range alive {
		before[i] = t.h.Trials[i].Made
	}
	start := t.h.Units
	for blocks := p.Least; blocks <= p.blocks(); blocks++ {
		cost := 0
		for _, i := range alive {
			cost += max(0, blocks-t.h.Trials[i].Made)
		}
		if blocks > p.Least && t.h.Units-start+cost > units {
			break
		}
		if err := t.make(alive, blocks); err != nil {
			return nil, err
		}
		worse := t.worse(alive, blocks)
		alive = slices.DeleteFunc(alive, func(i int) bool { return worse[i] && before[i] <= blocks })
		if len(alive) <= keep && blocks >= slices.Max(made(before, alive)) {
			break
		}
	}
	return alive, nil
}

// made are the blocks that trials had before.
func made(before map[int]int, trials []int) (out []int) {
	for _, i := range trials {
		out = append(out, before[i])
	}
	return out
}

// worse returns the trials that the test of the race says are worse than the best.
func (t *tuner) worse(trials []int, blocks int) map[int]bool {
	if len(trials) < 2 {
		return nil
	}
	if t.plan().Test == TTest {
		return t.worseByT(trials, blocks)
	}
	out := map[int]bool{}
	alpha := t.plan().Alpha
	rows := make([][]float64, blocks)
	for k := range rows {
		rows[k] = t.row(trials, k)
	}
	r := must(stats.Friedman(rows))
	best := 0
	for j := range trials {
		if r.Ranks[j] < r.Ranks[best] {
			best = j
		}
	}
	if len(trials) == 2 {
		p, ok := t.signedRank(trials, blocks)
		if ok && p < alpha {
			out[trials[1-best]] = true
		}
		return out
	}
	if r.Chi.P >= alpha {
		return out
	}
	// W. J. Conover: Practical nonparametric statistics, 3rd edition, 1999, section 5.8.
	n, k := float64(blocks), float64(len(trials))
	squares := r.Ties * n * k * (k*k - 1) / 12 // of all ranks about their mean
	spread := 2 * n * (1 - r.Chi.Statistic/(n*(k-1))) * squares / ((n - 1) * (k - 1))
	q := distuv.StudentsT{Nu: (n - 1) * (k - 1), Sigma: 1}.Quantile(1 - alpha/2)
	for j, i := range trials {
		if n*(r.Ranks[j]-r.Ranks[best]) > q*math.Sqrt(max(0, spread)) {
			out[i] = true
		}
	}
	return out
}

// signedRank is Wilcoxon's test of two trials; false if the differences are undecidable.
func (t *tuner) signedRank(trials []int, blocks int) (float64, bool) {
	t.bests()
	var x, y []float64
	for k := range blocks {
		x = append(x, t.errorOf(trials[0], k))
		y = append(y, t.errorOf(trials[1], k))
	}
	r, err := stats.Wilcoxon(x, y, stats.Pratt)
	return r.P, err == nil
}

// worseByT is worse by the paired t test of each trial against that of the least mean error. A
// trial with a unit that failed is worse than all without.
func (t *tuner) worseByT(trials []int, blocks int) map[int]bool {
	t.bests()
	out := map[int]bool{}
	errs := make([][]float64, len(trials))
	best := 0
	for j, i := range trials {
		for k := range blocks {
			errs[j] = append(errs[j], t.errorOf(i, k))
		}
		if mean(errs[j]) < mean(errs[best]) {
			best = j
		}
	}
	for j, i := range trials {
		if j == best {
			continue
		}
		d := make([]float64, blocks)
		for k := range d {
			d[k] = errs[j][k] - errs[best][k]
		}
		m, n := mean(d), float64(blocks)
		s := math.Sqrt(squares(d) / (n - 1) / n)
		switch {
		case math.IsInf(m, 1):
			out[i] = true
		case s == 0:
			out[i] = m > 0
		case !math.IsNaN(m):
			p := 2 * distuv.StudentsT{Nu: n - 1, Sigma: 1}.Survival(math.Abs(m)/s)
			out[i] = m > 0 && p < t.plan().Alpha
		}
	}
	return out
}
