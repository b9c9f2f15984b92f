package tuning

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// Tune runs a plan as the experiment with a name in a store. It skips what the store has already.
func Tune(
	ctx context.Context, s experiment.Store, name string, p Plan, o experiment.Options,
) (History, error) {
	if err := p.defaults(); err != nil {
		return History{}, err
	}
	o.Load = once(o.Load)
	own, err := p.declared(ctx, o.Load)
	if err != nil {
		return History{}, err
	}
	t := &tuner{
		ctx: ctx, store: s, name: name, o: o, known: map[experiment.Key]experiment.Row{},
		tried: map[string]bool{},
	}
	t.h.Plan = p
	if err := t.read(); err != nil && !errors.Is(err, experiment.ErrUnknown) {
		return History{}, err
	}
	first := record.Values{}
	maps.Copy(first, p.Own)
	t.add(first, own, 0, 0)
	switch p.Method {
	case Race:
		err = t.race()
	case Halving:
		err = t.halving()
	default:
		err = t.everything()
	}
	if err != nil {
		return History{}, err
	}
	// The winner is compared with the setting as it is on all of its blocks.
	if err := t.make([]int{0}, t.h.Won().Made); err != nil {
		return History{}, err
	}
	return t.h, t.conclude()
}

// once loads each instance once.
func once(load experiment.Loader) experiment.Loader {
	if load == nil {
		return nil // which declared refuses
	}
	var mu sync.Mutex
	have := map[string]datasets.Instance{}
	return func(ctx context.Context, name string) (datasets.Instance, error) {
		mu.Lock()
		defer mu.Unlock()
		if inst, ok := have[name]; ok {
			return inst, nil
		}
		inst, err := load(ctx, name)
		if err == nil {
			have[name] = inst
		}
		return inst, err
	}
}

// tuner carries a plan out.
type tuner struct {
	ctx   context.Context
	store experiment.Store
	name  string
	o     experiment.Options
	h     History
	known map[experiment.Key]experiment.Row
	asked []record.Values         // of each trial; the first has what is not the preset's
	keys  [][]experiment.Key      // of each trial on each block
	tried map[string]bool         // configurations, in words
	least map[string]float64      // the best value of all trials on an instance
	sent  map[experiment.Key]bool // units that the store has
}

// plan is the tuning's.
func (t *tuner) plan() *Plan { return &t.h.Plan }

// read reads what the store has.
func (t *tuner) read() error {
	t.sent = map[experiment.Key]bool{}
	for row, err := range t.store.Rows(t.ctx, t.name) {
		if err != nil {
			return err
		}
		t.sent[row.Unit.Key] = true
		if row.State == experiment.Done || row.State == experiment.Failed {
			t.known[row.Unit.Key] = row
		}
	}
	return nil
}

// add makes a trial, and returns false where there is one of the same values.
func (t *tuner) add(asked, values record.Values, round, parent int) bool {
	w := ""
	for _, d := range t.plan().Space {
		w += d.Name + "=" + values[d.Name].String() + " "
	}
	if t.tried[w] {
		return false
	}
	t.tried[w] = true
	t.asked = append(t.asked, asked)
	t.keys = append(t.keys, nil)
	t.h.Trials = append(t.h.Trials, Trial{
		Number: len(t.asked), Values: values, Round: round, Parent: parent,
	})
	return true
}

// legal returns whether the solver takes a configuration on all instances: some values exclude
// each other.
func (t *tuner) legal(values record.Values) (bool, error) {
	s := t.plan().Setting
	params := maps.Clone(s.Params)
	if params == nil {
		params = record.Values{}
	}
	maps.Copy(params, values)
	for _, name := range t.plan().Instances {
		inst, err := t.o.Load(t.ctx, name)
		if err != nil {
			return false, fmt.Errorf("tuning: instance %s: %w", name, err)
		}
		if _, _, err = solvers.Resolve(solvers.Config{
			Solver: s.Solver, Variant: s.Variant, Backend: s.Backend, Preset: s.Preset,
			Instance: inst, Params: params,
		}); err != nil {
			return false, nil // another configuration is drawn
		}
	}
	return true, nil
}

// propose adds n trials, each the first of its draws that is legal and new. It adds fewer if the
// space has no more.
func (t *tuner) propose(n, round int, draw func(number int) (record.Values, int)) error {
	for tries := 0; n > 0 && tries < 100*(n+1); tries++ {
		v, parent := draw(tries)
		ok, err := t.legal(v)
		if err != nil {
			return err
		}
		if ok && t.add(v, v, round, parent) {
			n--
		}
	}
	return nil
}

// make makes trials, which are counted from 0, on the first blocks.
func (t *tuner) make(trials []int, blocks int) error {
	var units []experiment.Unit
	var left bool
	p := t.plan()
	for _, i := range trials {
		for k := len(t.keys[i]); k < blocks; k++ {
			b := p.block(k)
			one := experiment.Plan{
				Settings: []experiment.Setting{p.Setting}, Instances: []string{b.Instance},
				Samples: []record.Values{t.asked[i]}, Seeds: 1, First: b.Seed, Budget: p.Budget,
			}
			us, err := one.Units(t.ctx, t.o.Load)
			if err != nil {
				return fmt.Errorf("tuning: trial %d: %w", i+1, err)
			}
			t.keys[i] = append(t.keys[i], us[0].Key)
			if _, made := t.known[us[0].Key]; !made {
				left = true
			}
			if !t.sent[us[0].Key] {
				t.sent[us[0].Key] = true
				units = append(units, us[0])
			}
		}
	}
	if left {
		if err := t.send(units, blocks); err != nil {
			return err
		}
	}
	return t.collect(trials, blocks)
}

// send gives units to the store and makes what is left there.
func (t *tuner) send(units []experiment.Unit, blocks int) error {
	p := t.plan()
	if len(units) > 0 {
		all := experiment.Plan{
			Settings: []experiment.Setting{p.Setting}, Instances: p.Instances, Samples: t.asked,
			Seeds: (blocks-1)/len(p.Instances) + 1, First: p.First, Budget: p.Budget,
		}
		for i := range units {
			units[i].Number = i + 1
		}
		if _, err := t.store.Add(t.ctx, t.name, all, units); err != nil {
			return err
		}
	}
	if _, err := experiment.Make(t.ctx, t.store, t.name, t.o); err != nil {
		return err
	}
	return t.read()
}

// collect puts the results of trials on the first blocks into the history.
func (t *tuner) collect(trials []int, blocks int) error {
	p := t.plan()
	for k := len(t.h.Blocks); k < blocks; k++ {
		t.h.Blocks = append(t.h.Blocks, p.block(k))
	}
	for _, i := range trials {
		x := &t.h.Trials[i]
		for k := x.Made; k < blocks; k++ {
			row, made := t.known[t.keys[i][k]]
			if !made {
				return fmt.Errorf("tuning: trial %d has no result on block %d, %s with seed %d", i+1, k+1,
					p.block(k).Instance, p.block(k).Seed)
			}
			v := row.Result.Best
			if row.State == experiment.Failed || math.IsNaN(v) {
				v = math.Inf(1)
			}
			x.Best = append(x.Best, v)
			x.Made++
			t.h.Units++
		}
	}
	return nil
}

// errorOf is the error of a trial on a block, in percent above the best known value of the
// instance, or where none is known above the best of all trials.
func (t *tuner) errorOf(i, k int) float64 {
	v := t.h.Trials[i].Best[k]
	if math.IsInf(v, 1) {
		return v
	}
	base := t.known[t.keys[i][k]].Result.Optimum
	if math.IsNaN(base) || base == 0 {
		if base = t.least[t.h.Blocks[k].Instance]; base == 0 {
			return v
		}
	}
	return 100 * (v - base) / math.Abs(base)
}

// bests finds the best value of all trials on each instance.
func (t *tuner) bests() {
	t.least = map[string]float64{}
	for _, x := range t.h.Trials {
		for k, v := range x.Best {
			name := t.h.Blocks[k].Instance
			if b, ok := t.least[name]; !ok || v < b {
				t.least[name] = v
			}
		}
	}
}

// ranked are mean ranks of trials over the first blocks, which all have.
func (t *tuner) ranked(trials []int, blocks int) []float64 {
	if len(trials) == 1 {
		return []float64{1}
	}
	rows := make([][]float64, blocks)
	for k := range rows {
		rows[k] = t.row(trials, k)
	}
	if blocks == 1 { // the test takes two; the same block twice has the same mean ranks
		rows = append(rows, rows[0])
	}
	return must(stats.Friedman(rows)).Ranks
}

// row are the values of trials on a block.
func (t *tuner) row(trials []int, k int) []float64 {
	out := make([]float64, len(trials))
	for j, i := range trials {
		out[j] = t.h.Trials[i].Best[k]
	}
	return out
}

// must is the outcome of a test that cannot fail: values are numbers, and rows of one length.
func must(r stats.Ranked, err error) stats.Ranked {
	if err != nil {
		panic(err)
	}
	return r
}

// better sorts trials by mean rank over the first blocks, equal ones by number.
func (t *tuner) better(trials []int, blocks int) []int {
	r := t.ranked(trials, blocks)
	place := map[int]float64{}
	for j, i := range trials {
		place[i] = r[j]
	}
	out := slices.Clone(trials)
	slices.SortStableFunc(out, func(a, b int) int {
		switch {
		case place[a] < place[b]:
			return -1
		case place[a] > place[b]:
			return 1
		}
		return a - b
	})
	return out
}

// decided notes the ranks by which the winner was chosen: among the trials that are left.
func (t *tuner) decided() {
	var left []int
	blocks := math.MaxInt
	for i, x := range t.h.Trials {
		if x.Left {
			left, blocks = append(left, i), min(blocks, x.Made)
		}
	}
	if len(left) > 0 {
		for j, r := range t.ranked(left, blocks) {
			t.h.Trials[left[j]].Final = r
		}
	}
}

// conclude fills in errors and ranks, and compares the winner with the setting as it is.
func (t *tuner) conclude() error {
	if math.IsInf(slices.Min(t.h.Won().Best), 1) {
		row := t.known[t.keys[t.h.Winner-1][0]]
		return fmt.Errorf("tuning: all units of the best trial failed; the first: %s",
			row.Result.FirstLine())
	}
	t.bests()
	for i := range t.h.Trials {
		x := &t.h.Trials[i]
		for k := range x.Best {
			x.Error = append(x.Error, t.errorOf(i, k))
		}
		x.Mean = mean(x.Error)
		var peers []int
		for j := range t.h.Trials {
			if t.h.Trials[j].Made >= x.Made {
				peers = append(peers, j)
			}
		}
		x.Rank = t.ranked(peers, x.Made)[slices.Index(peers, i)]
	}
	t.decided()
	w, own := t.h.Won(), &t.h.Trials[0]
	both := min(w.Made, own.Made)
	failed := func(v float64) bool { return math.IsInf(v, 0) }
	if w == own || both < 2 || slices.ContainsFunc(w.Error[:both], failed) ||
		slices.ContainsFunc(own.Error[:both], failed) {
		return nil
	}
	r, err := stats.Analyse(stats.Question{Paired: true, Alpha: t.plan().Alpha, Groups: []stats.Group{
		{Name: fmt.Sprint("trial ", w.Number), Values: w.Error[:both]},
		{Name: "the setting as it is", Values: own.Error[:both]},
	}})
	if err != nil {
		return fmt.Errorf("tuning: %w", err)
	}
	t.h.Against = &r
	return nil
}
