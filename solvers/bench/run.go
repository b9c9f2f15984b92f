package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/record"
)

// Options say how a table is run.
type Options struct {
	// a row's number, or beginnings of words of names, solvers, instances; empty: all
	Rows  string
	Seeds int               // 0: as the rows say
	First int               // the first seed instead of 1, from which a row's own begin; 0: 1
	Full  bool              // all rows and seeds of a paper's table; else its quick ones
	Peers map[string]string // by program: the file to run
	Load  func(ctx context.Context, name string) (datasets.Instance, error)

	// Done is called after each measurement of a row, when it is not nil.
	Done func(o Outcome, done, total int)
}

// An Outcome is a row that was run.
type Outcome struct {
	Row    Row
	Number int       // of the row in its table, from 1
	Seeds  []int     // of the values
	Values []float64 // by seed
	CPU    []float64 // seconds by seed; wall seconds on another backend than cpu
	Peer   []float64 // by seed; nil when the peer was not run
	Err    error     // why there is no figure, or none of the peer
	N      int       // of a test: the seeds of each row that it tests
	Way    float64   // of a test of two: the mean of the second less that of the first
	Of     []float64 // of the least of seeds: theirs
	Base   int       // and the number of the row whose seeds they are

	// Verdict is how the figures stand beside the published one, see Rule.
	Verdict Verdict

	// For a stored figure, see Recall:
	Revision int // of the variant that was measured
	Made     int // 1 + index in Measured.Made
}

// Median is the median of the values; NaN without any.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Sorted(slices.Values(v))
	a, b := v[(len(v)-1)/2], v[len(v)/2]
	if a == b {
		return a // also where both are infinite
	}
	return (a + b) / 2
}

// Met tells whether the median reaches the row's figure, as printed: to three digits.
func (o *Outcome) Met() bool {
	m := Median(o.Values)
	if o.Row.Measure.Higher() {
		return m >= 0.9995*o.Row.Reach
	}
	return m <= 1.0005*o.Row.Reach
}

// Unit is the unit of the figures.
func (o *Outcome) Unit() string { return o.Row.unit() }

// Run measures the rows of a table one after the other. A row that fails has an error and does not
// end the table; only a context that ends does.
func Run(ctx context.Context, t Table, o Options) ([]Outcome, error) {
	var out []Outcome
	total := 0
	for i, r := range t.Rows {
		if r.matches(o.Rows, i+1) && (o.Full || !r.leftOut(o.Rows)) {
			switch {
			case o.Seeds > 0:
				r.Seeds = o.Seeds
			case o.Full && r.FullSeeds > 0:
				r.Seeds = r.FullSeeds
			case r.Seeds == 0:
				r.Seeds = 5
			}
			if r.runs() {
				total += r.Seeds
			}
			r.First = max(r.First, 1) + max(o.First, 1) - 1
			out = append(out, Outcome{Row: r, Number: i + 1})
		}
	}
	if len(out) == 0 {
		return nil, errNoRow(t, o.Rows)
	}
	for name := range o.Peers {
		if _, ok := programs[name]; !ok {
			return nil, fmt.Errorf("bench: peer is %q, want one of %s", name, strings.Join(Programs(), ", "))
		}
	}
	if o.Load == nil {
		o.Load = func(ctx context.Context, name string) (datasets.Instance, error) {
			inst, err := datasets.LoadContext(ctx, name)
			if t, ok := inst.(*datasets.TSP); ok && err == nil {
				return t.Unfixed(), nil // papers search linhp318 without its fixed edge
			}
			return inst, err
		}
	}
	done := 0
	for i := range out {
		r := &out[i]
		r.measure(ctx, o, func() {
			if done++; o.Done != nil {
				o.Done(*r, done, total)
			}
		})
		if err := ctx.Err(); err != nil {
			return out[:i], err
		}
	}
	test(t, out)
	rule(t, out)
	return out, nil
}

func errNoRow(t Table, rows string) error {
	return fmt.Errorf(
		"bench: no row of %s is meant by %q, want a number from 1 to %d, or words of a row's name, "+
			"solver or instance",
		t.Name, rows, len(t.Rows),
	)
}

// leftOut tells whether the quick table is without the row when rows are asked for.
func (r *Row) leftOut(rows string) bool { return r.FullOnly && rows == "" }

// LeftOut counts the rows that the quick table is without.
func LeftOut(t Table, rows string) int {
	n := 0
	for _, r := range t.Rows {
		if r.leftOut(rows) {
			n++
		}
	}
	return n
}

// Backends lists the backends of the rows that are meant, "cpu" for those that name none.
func Backends(t Table, rows string) ([]string, error) {
	var out []string
	for i, r := range t.Rows {
		if b := cmp.Or(r.Backend, "cpu"); r.matches(rows, i+1) && !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	if len(out) == 0 {
		return nil, errNoRow(t, rows)
	}
	return out, nil
}

// List returns the rows of a table that words name, all for "", and measures nothing.
func List(t Table, rows string) ([]Outcome, error) {
	var out []Outcome
	for i, r := range t.Rows {
		if r.matches(rows, i+1) {
			out = append(out, Outcome{Row: r, Number: i + 1})
		}
	}
	if len(out) == 0 {
		return nil, errNoRow(t, rows)
	}
	return out, nil
}

// measure fills the outcome in.
func (o *Outcome) measure(ctx context.Context, opt Options, done func()) {
	r := &o.Row
	if r.Not != "" {
		o.Err = errors.New("not measured: " + r.Not)
		return
	}
	if !r.runs() {
		return
	}
	var inst datasets.Instance
	if r.Instance != "" {
		begin := time.Now()
		if inst, o.Err = opt.Load(ctx, r.Instance); o.Err != nil {
			return
		}
		r.reading = time.Since(begin).Seconds()
	}
	peer, with := opt.Peers[r.Peer.Program]
	for n := r.First; n < r.First+r.Seeds && ctx.Err() == nil; n++ {
		seed := uint64(n)
		var v, cpu float64
		var err error
		if r.Do != nil {
			t0 := processCPU()
			v, err = r.Do(ctx, inst, seed)
			cpu = processCPU() - t0
		} else {
			v, cpu, err = r.once(ctx, inst, seed)
		}
		if err != nil {
			o.Err = err
			return
		}
		o.Seeds, o.Values, o.CPU = append(o.Seeds, n), append(o.Values, v), append(o.CPU, cpu)
		if with {
			v, err := r.Peer.run(ctx, peer, inst, seed, r)
			if err != nil {
				o.Err, with = err, false
			} else {
				o.Peer = append(o.Peer, v)
			}
		}
		done()
	}
}

// once makes one run of a row and returns its figure and the seconds it took.
func (r *Row) once(
	ctx context.Context, inst datasets.Instance, seed uint64,
) (value, seconds float64, err error) {
	cfg := solvers.Config{
		Solver: r.Solver, Variant: r.Variant, Backend: r.Backend, Instance: inst, Preset: r.Preset,
		Params: r.Params,
	}
	limit := r.Stop
	if r.As != (AsLong{}) {
		if limit.CPU, err = r.As.seconds(ctx, r.Backend, inst, seed); err != nil {
			return 0, 0, err
		}
	}
	if len(r.Sized) > 0 {
		cfg.Params = maps.Clone(r.Params)
		if cfg.Params == nil {
			cfg.Params = record.Values{}
		}
	}
	for _, s := range r.Sized {
		if v := math.Ceil(s.Factor * float64(inst.Size())); s.Name == "iterations" {
			limit.Iterations = int(v) + r.Before
		} else {
			cfg.Params[s.Name] = record.Num(v)
		}
	}
	if r.Measure == Device {
		return r.timed(ctx, cfg, seed)
	}
	if r.Stop.Wall > 0 {
		return r.fromFile(ctx, cfg, seed)
	}
	if r.AllCores {
		return r.together(ctx, cfg, seed)
	}
	var known *float64
	if b, ok := inst.BestKnown(); ok {
		known = &b.Value
	}
	device := r.Backend != "" && r.Backend != "cpu"
	if r.Measure == Memory {
		debug.FreeOSMemory()
	}
	t0, opened := processCPU(), 0.0
	var start, begun record.Point // begun: where the iterations that count begin
	stop := func(p record.Point) func(*record.Point) string {
		start, begun = p, p
		if !device {
			opened = processCPU() - t0
		}
		rule := limit.rule(opened, device, known)(p)
		return func(p *record.Point) string {
			if r.Before > 0 && p.Iter == int64(r.Before) {
				begun = *p
			}
			return rule(p)
		}
	}
	res, err := solvers.Repeat(
		ctx, cfg, []uint64{seed}, solvers.Budget{Iterations: limit.Iterations, Stop: stop}, nil,
	)
	if err != nil {
		return 0, 0, err
	}
	p := res[0].Point
	spent := p.CPU - start.CPU
	if device {
		spent = p.Wall - start.Wall
	}
	switch r.Measure {
	case Gap:
		value = solvers.Gap(p.Best, known)
	case Best:
		value = p.Best
	case Seconds:
		whole := p.CPU - begun.CPU
		if device {
			whole = p.Wall - begun.Wall
		}
		value = opened + spent + (max(r.Times, 1)-1)*whole
	case PerSecond, NsPerUnit:
		params, err := resolved(cfg, seed)
		if err != nil {
			return 0, 0, err
		}
		units := r.Units(inst, params) * float64(p.Iter-start.Iter)
		if value = units / spent; r.Measure == NsPerUnit {
			value = 1e9 / value
		}
	case Iterations:
		if value = float64(p.Iter - int64(r.Before)); r.Stop.Gap > 0 &&
			!(solvers.Gap(p.Best, known) <= r.Stop.Gap) {
			value = math.Inf(1)
		}
	case PerIteration:
		if value = p.CPU - begun.CPU; device {
			value = p.Wall - begun.Wall
		}
		value *= 1e3 / float64(p.Iter-begun.Iter)
	case Memory:
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		value = float64(m.Sys-m.HeapReleased) / 1e6
	case Found:
		if known != nil && p.Best <= *known {
			value = 1
		}
	case Share:
		params, err := resolved(cfg, seed)
		if err != nil {
			return 0, 0, err
		}
		least, err := bound(inst, params)
		if err != nil {
			return 0, 0, err
		}
		value = 100 * least * scans(inst, params) * float64(p.Iter-begun.Iter) / (p.Wall - begun.Wall)
	case Reading:
		cfg.Seed = seed
		if value, err = reading(cfg, r.Reading, p.Measures); err != nil {
			return 0, 0, err
		}
	case Device, Own, OwnRate, PValue, Statistic, Ratio, Least:
	}
	return value, opened + spent, nil
}

// reading is the measure of a run's own that has a name.
func reading(cfg solvers.Config, name string, all []float64) (float64, error) {
	run, err := solvers.Open(cfg)
	if err != nil {
		return 0, err
	}
	defer run.Close()
	names := run.Header().Measures
	at := slices.Index(names, name)
	if at < 0 || at >= len(all) {
		return 0, fmt.Errorf("bench: reading is %q, want one of %s", name, strings.Join(names, ", "))
	}
	return all[at], nil
}

// together makes a run of a number of iterations on all cores, in wall seconds.
func (r *Row) together(
	ctx context.Context, cfg solvers.Config, seed uint64,
) (value, seconds float64, err error) {
	cfg.Seed = seed
	run, err := solvers.Open(cfg)
	if err != nil {
		return 0, 0, err
	}
	defer run.Close()
	if err := run.Step(ctx, r.Before); err != nil {
		return 0, 0, err
	}
	begun := run.Last()
	if err := run.Step(ctx, r.Stop.Iterations-r.Before); err != nil {
		return 0, 0, err
	}
	end := run.Last()
	seconds = end.Wall - begun.Wall
	switch r.Measure {
	case Seconds:
		return seconds * max(r.Times, 1), seconds, nil
	case PerIteration:
		return 1e3 * seconds / float64(end.Iter-begun.Iter), seconds, nil
	}
	return 0, 0, fmt.Errorf("bench: %s on all cores: only seconds and ms an iteration", r.Measure)
}

// resolved are the values of all parameters of a run.
func resolved(cfg solvers.Config, seed uint64) (record.Values, error) {
	cfg.Seed = seed
	run, err := solvers.Open(cfg)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	return run.Header().Params, nil
}

// Programs lists the peers that can be run.
func Programs() []string {
	var out []string
	for n := range programs {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}
