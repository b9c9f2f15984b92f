package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/exchange"
	"metalab/solvers/record"
	"metalab/solvers/stats"
)

// listExperiments lists all experiments.
func (h *room) listExperiments(
	ctx context.Context, s experiment.Store,
) (*reply.ExperimentReply, error) {
	all, err := s.Experiments(ctx)
	if err != nil {
		return nil, err
	}
	rep := &reply.ExperimentReply{Verb: "experiment", Path: pathOfStore(s)}
	for _, i := range all {
		rep.List = append(rep.List, *h.infoOf(i))
	}
	return rep, nil
}

func pathOfStore(s experiment.Store) string {
	if f, ok := s.(interface{ Path() string }); ok {
		return f.Path()
	}
	return ""
}

// infoOf says how far an experiment is.
func (h *room) infoOf(i experiment.Info) *reply.ExperimentInfo {
	out := &reply.ExperimentInfo{
		Name: i.Name, Plan: planText(&i.Plan), Began: i.Began.Local().Format(reply.BeganLayout),
		Units: i.Units, Done: i.Done, Failed: i.Failed,
	}
	h.mu.Lock()
	m, file := h.making[i.Name], h.file
	h.mu.Unlock()
	out.Elsewhere = m == nil && i.Left() > 0 && file != nil && file.Taken(i.Name)
	if m != nil {
		_, left := m.far()
		out.Going, out.Background, out.LeftS = true, m.call == "", reply.Num(left.Seconds())
	}
	return out
}

// planText is a plan in words.
func planText(p *experiment.Plan) string {
	if len(p.Settings) == 0 {
		return "runs of other programs"
	}
	var what, with []string
	for _, s := range p.Settings {
		name := s.Solver
		if s.Variant != "" {
			name += "/" + s.Variant
		}
		name = or(s.Name, name)
		if s.Name == "" && s.Backend == "cuda" {
			name += " on cuda"
		}
		if !slices.Contains(what, name) {
			what = append(what, name)
		}
	}
	for _, a := range p.Grid {
		var vs []string
		for _, v := range a.Values {
			vs = append(vs, v.String())
		}
		with = append(with, a.Name+"="+strings.Join(vs, ","))
	}
	if len(p.Samples) > 0 {
		with = append(with, fmt.Sprintf("%d choices of parameters", len(p.Samples)))
	}
	out := strings.Join(what, ", ")
	if len(with) > 0 {
		out += " with " + strings.Join(with, " ")
	}
	seeds := "seeds"
	if p.Seeds == 1 {
		seeds = "seed"
	}
	return fmt.Sprintf("%s on %s, %d %s, %v each", out, strings.Join(p.Instances, ", "), p.Seeds,
		seeds, p.Budget)
}

// groupsOf adds what an experiment is to a reply, and returns its rows by group.
func (h *room) groupsOf(
	ctx context.Context, s experiment.Store, rep *reply.ExperimentReply, name string,
) ([]*experiment.Group, error) {
	info, err := s.Info(ctx, name)
	if err != nil {
		return nil, err
	}
	rep.ExperimentInfo = h.infoOf(info)
	lines, err := s.Journal(ctx, name)
	if err != nil {
		return nil, err
	}
	if len(lines) > 1 { // else the plan says it all
		for _, e := range lines {
			rep.Lines = append(rep.Lines, e.At.Local().Format(reply.BeganLayout)+"  "+e.Text)
		}
	}
	return h.grouped(ctx, s, name)
}

// tableOf adds the table of an experiment to a reply.
func (h *room) tableOf(
	ctx context.Context, s experiment.Store, rep *reply.ExperimentReply, name string,
) (*reply.ExperimentReply, error) {
	groups, err := h.groupsOf(ctx, s, rep, name)
	if err != nil {
		return nil, err
	}
	return rep, h.tableRows(groups, rep)
}

// tableRows adds the rows of the table of groups to a reply.
func (h *room) tableRows(groups []*experiment.Group, rep *reply.ExperimentReply) error {
	for _, g := range groups {
		rep.Rows = append(rep.Rows, rowOf(g))
	}
	if w := waiting(groups); w != "" && rep.Note == "" {
		rep.Note = w
	}
	if w := tooGood(groups); w != "" {
		rep.Note = strings.TrimPrefix(rep.Note+"; "+w, "; ")
	}
	err := compared(groups, rep)
	if k := kinds(groups); k != "" {
		rep.Test = strings.TrimPrefix(rep.Test+"; "+k, "; ")
	}
	return err
}

// rowOf is a row of the table, without tests.
func rowOf(g *experiment.Group) reply.ExperimentRow {
	best, gaps := g.Sense.Values(g.Best()), g.Gaps()
	r := reply.ExperimentRow{
		Instance: g.Instance, Label: g.Label, Device: devicesOf(g), Seeds: len(g.Done),
		Left: g.Left, Failed: g.Failed, Mean: mean(best), Median: median(best), Best: nan,
		Maximise: g.Sense == record.Maximise,
		GapMean:  mean(gaps), GapM: median(gaps), P: nan, Effect: nan,
		WallS: median(g.Values(func(r *experiment.Result) float64 { return r.Wall })),
		CPUS:  median(g.Values(func(r *experiment.Result) float64 { return r.CPU })),
	}
	if g.Backend == exchange.Backend { // other programs need not tell both
		for _, v := range []*reply.Num{&r.WallS, &r.CPUS} {
			if *v == 0 {
				*v = nan
			}
		}
	}
	if len(best) > 0 {
		r.Best = reply.Num(g.Sense.Value(slices.Min(g.Best())))
	}
	return r
}

// devicesOf are what made the units of a group, each of which had a core to itself, or a GPU.
func devicesOf(g *experiment.Group) string {
	out := strings.Join(g.Devices, "; ")
	if g.Backend == "cpu" && out != "" {
		return "1 core of " + out
	}
	return out
}

func mean(v []float64) reply.Num {
	if len(v) == 0 {
		return nan
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return reply.Num(sum / float64(len(v)))
}

func median(v []float64) reply.Num {
	if len(v) == 0 {
		return nan
	}
	return reply.Num(stats.Median(v))
}

// compared tests each row against the first of its instance.
func compared(groups []*experiment.Group, rep *reply.ExperimentReply) error {
	var ps []float64
	var of []int
	few, other := false, ""
	first := 0
	for i, g := range groups {
		if g.Instance != groups[first].Instance {
			first = i
		}
		if i == first {
			continue
		}
		if len(g.Done) > 0 && len(groups[first].Done) > 0 {
			if why := apart(groups[first], g); why != "" {
				other = or(other, why)
				continue
			}
		}
		x, y := groups[first].Best(), g.Best()
		if len(x) < host.LeastSeeds || len(y) < host.LeastSeeds {
			few = true
			continue
		}
		t, err := stats.MannWhitney(y, x)
		if err != nil {
			return fmt.Errorf("experiment: %w", err)
		}
		ps, of = append(ps, t.P), append(of, i)
		rep.Rows[i].Effect = reply.Num(stats.A12(x, y))
	}
	if few && len(ps) == 0 {
		rep.Test = fmt.Sprintf("no p-values with fewer than %d seeds a row", host.LeastSeeds)
	}
	if other != "" {
		rep.Test = other
	}
	if len(ps) == 0 {
		return nil
	}
	adjusted := ""
	if len(ps) > 1 {
		ps, adjusted = stats.Holm(ps), fmt.Sprintf(", adjusted by Holm for %d tests", len(ps))
	}
	word := "below"
	if slices.ContainsFunc(groups, func(g *experiment.Group) bool {
		return g.Sense == record.Maximise
	}) {
		word = "better than"
	}
	for j, i := range of {
		rep.Rows[i].P = reply.Num(host.Rounded(ps[j]))
	}
	rep.Test = "p: Mann-Whitney U, two-sided, against the first row of the instance" + adjusted +
		"; A12: how often a value is " + word + " one of the first row"
	if other != "" {
		rep.Test += "; " + other
	}
	return nil
}

// unitsOf adds the units of an experiment to a reply, all or those that failed.
func (h *room) unitsOf(
	ctx context.Context, s experiment.Store, rep *reply.ExperimentReply, q *wire.ExperimentRequest,
) (*reply.ExperimentReply, error) {
	info, err := s.Info(ctx, q.Name)
	if err != nil {
		return nil, err
	}
	rep.ExperimentInfo, rep.Listed, rep.Of = h.infoOf(info), true, []reply.ExperimentUnit{}
	for r, err := range s.Rows(ctx, q.Name) {
		if err != nil {
			return nil, err
		}
		if q.Do == "failures" && r.State != experiment.Failed {
			continue
		}
		rep.Of = append(rep.Of, unitOf(&r, rep.Going || rep.Elsewhere))
	}
	if len(rep.Of) == 0 {
		rep.Note = "no unit has failed"
	}
	return rep, nil
}

// unitOf is a row as a unit of a reply. Units under way wait again where nobody makes them any
// more.
func unitOf(r *experiment.Row, going bool) reply.ExperimentUnit {
	u, x := &r.Unit, &r.Result
	w := reply.ExperimentUnit{
		Number: u.Number, Key: u.Key.String(), Label: u.Label, Instance: u.Instance.Name, Seed: u.Seed,
		State: string(r.State), Best: nan, Gap: nan, Iteration: x.Iterations,
		WallS: reply.Num(x.Wall), CPUS: reply.Num(x.CPU), Why: x.Why, Error: x.Error,
		Device: x.Device,
	}
	if r.State == experiment.Making && !going {
		w.State = string(experiment.Waiting)
	}
	if r.State == experiment.Done {
		w.Best, w.Gap = reply.Num(u.Instance.Sense().Value(x.Best)), reply.Num(x.Gap)
	}
	return w
}

// bestTimes is the number of times in the view of equal wall times.
const bestTimes = 5

// bestOf adds what an experiment has within equal wall times.
func (h *room) bestOf(
	ctx context.Context, s experiment.Store, rep *reply.ExperimentReply, name string,
) (*reply.ExperimentReply, error) {
	groups, err := h.groupsOf(ctx, s, rep, name)
	if err != nil {
		return nil, err
	}
	traces := map[int][]experiment.TracePoint{}
	for t, err := range s.Traces(ctx, name) {
		if err != nil {
			return nil, err
		}
		traces[t.Number] = t.Points
	}
	places := map[string][][]experiment.TracePoint{}
	for _, g := range groups {
		for _, d := range g.Done {
			places[g.Instance] = append(places[g.Instance], traces[d.Unit.Number])
		}
	}
	var out []string // instances that are left out
	for _, g := range groups {
		times := experiment.Efforts(places[g.Instance], experiment.ByWall, bestTimes)
		if times == nil {
			if !slices.Contains(out, g.Instance) {
				out = append(out, g.Instance)
			}
			continue
		}
		r := rowOf(g)
		r.Times = nums(times)
		for _, t := range times {
			r.Within = append(r.Within, median(within(g, traces, t)))
		}
		rep.Rows = append(rep.Rows, r)
	}
	if len(rep.Rows) == 0 {
		rep.Note = "no equal times to compare within: on each instance a unit ended before another " +
			"had a result; more iterations help"
		return rep, nil
	}
	rep.Test = "medians of the gap in percent (of the value where no best one is known) within " +
		"equal wall times"
	if rep.Note = otherObjective(groups); rep.Note == "" {
		rep.Note = leaders(rep)
	}
	if len(out) > 0 {
		rep.Note += fmt.Sprintf("; %s: there is no time within which all units have a result",
			strings.Join(out, ", "))
	}
	return rep, nil
}

// within are the gaps of a group within a wall time, by seed; the values where no best one is
// known.
func within(g *experiment.Group, traces map[int][]experiment.TracePoint, wall float64) []float64 {
	var out []float64
	for _, d := range g.Done {
		x := experiment.BestAt(traces[d.Unit.Number], experiment.ByWall, wall)
		if math.IsNaN(g.Optimum) {
			x = g.Sense.Value(x)
		} else {
			x = solvers.Gap(x, &g.Optimum)
		}
		out = append(out, x)
	}
	return out
}

// leaders says who is best within the first and the last of the times, for each instance, and on
// what, where there are several devices.
func leaders(rep *reply.ExperimentReply) string {
	var out []string
	done := map[string]bool{}
	several := slices.ContainsFunc(rep.Rows, func(x reply.ExperimentRow) bool {
		return x.Device != rep.Rows[0].Device
	})
	called := func(x *reply.ExperimentRow) string {
		if several && x.Device != "" {
			return fmt.Sprintf("%s (%s)", x.Label, x.Device)
		}
		return x.Label
	}
	for _, x := range rep.Rows {
		if done[x.Instance] {
			continue
		}
		done[x.Instance] = true
		at := func(k int) (who string) {
			low := reply.Num(math.Inf(1))
			for i := range rep.Rows {
				y := &rep.Rows[i]
				v := y.Within[k]
				if y.Maximise && !y.GapM.Known() { // they are values, else gaps
					v = -v
				}
				switch {
				case y.Instance != x.Instance || v > low || !v.Known():
				case v == low:
					who += " and " + called(y)
				default:
					who, low = called(y), v
				}
			}
			return who
		}
		last := len(x.Times) - 1
		a, b := at(0), at(last)
		if a == "" || b == "" {
			continue
		}
		text := fmt.Sprintf("%s: the best is %s within %v s", x.Instance, a, short(x.Times[0]))
		if last > 0 && a == b {
			text += fmt.Sprintf(" and within %v s", short(x.Times[last]))
		} else if last > 0 {
			text += fmt.Sprintf(", %s within %v s", b, short(x.Times[last]))
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// short is a number with three digits.
func short(v reply.Num) string { return fmt.Sprintf("%.3g", float64(v)) }

// openUnit opens a unit as a run and makes its iterations again.
func (h *room) openUnit(
	c *host.Call, s experiment.Store, rep *reply.ExperimentReply, q *wire.ExperimentRequest,
) (*reply.ExperimentReply, error) {
	if q.Unit < 1 {
		return nil, wrong("experiment: which unit? as in: experiment " + q.Name + " open 12 as a")
	}
	row, err := s.Row(c.Context(), q.Name, q.Unit)
	if err != nil {
		return nil, wrong(err.Error())
	}
	u := &row.Unit
	if u.Backend == exchange.Backend {
		return nil, wrong(fmt.Sprintf("experiment: unit %d is a run of %s, which was imported: it "+
			"cannot be made again here", q.Unit, u.Solver))
	}
	cfg := u.Config()
	e, err := h.OpenAs(c, "experiment", q.As, func(name string) (r *solvers.Run, err error) {
		cfg.Name = name
		if cfg.Instance, err = c.Load(u.Where()); err != nil {
			return nil, err
		}
		if have := cfg.Instance.SHA256(); have != u.Instance.SHA256 {
			return nil, fmt.Errorf("experiment: instance %s holds other data than when the experiment was "+
				"planned", u.Where())
		}
		return solvers.Open(cfg)
	})
	if err != nil {
		return nil, err
	}
	r := e.Engine()
	if n := row.Result.Iterations; row.State == experiment.Done && n > 0 {
		if err := r.Step(c.Context(), int(n)); err != nil {
			return nil, err
		}
	}
	rep.Opened, rep.Unit = host.Opened("experiment", e), u.Number
	rep.Replayed, rep.Other = replayed(&row, r)
	return rep, nil
}

// replayed compares a replayed run with the unit; other reports a difference.
func replayed(row *experiment.Row, r *solvers.Run) (text string, other bool) {
	v, p := r.Variant(), r.Last()
	best := reply.Num(row.Unit.Instance.Sense().Value(row.Result.Best))
	switch {
	case row.State != experiment.Done:
		return "the unit has no result", false
	case v.Revision != row.Unit.Revision:
		return fmt.Sprintf("the unit was made by revision %d of %s/%s, this is revision %d",
			row.Unit.Revision, v.Solver, v.Name, v.Revision), false
	case !v.Deterministic:
		return fmt.Sprintf("the variant races: the unit had %v", best), false
	case p.Digest == row.Result.Digest && p.Best == row.Result.Best:
		return "identical to the unit", false
	}
	return fmt.Sprintf("it differs from the unit, which had %v and the digest %016x",
		best, row.Result.Digest), true
}
