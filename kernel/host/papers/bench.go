package papers

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"metalab/datasets"
	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/bench"
	"metalab/solvers/bench/figures"
)

// maxBenchSeeds is the greatest number of seeds of a row.
const maxBenchSeeds = 1000

// maxBenchFirst is the greatest first seed.
const maxBenchFirst = 1_000_000 - maxBenchSeeds

// benches is what measuring a table needs of the call that asks for it.
type benches interface {
	Context() context.Context
	Progress(done, total int64, note string)
	Load(name string) (datasets.Instance, error)
	Busy() (end func())
}

// measure measures a table, or prints its stored figures.
func measure(c benches, q *wire.BenchRequest) (*reply.BenchReply, error) {
	rep := &reply.BenchReply{Verb: "bench"}
	if q.Table == "" {
		for _, t := range bench.Tables() {
			rep.Tables = append(rep.Tables, benchTable(t))
		}
		for _, f := range figures.All() {
			rep.Tables = append(rep.Tables, reply.BenchTable{
				Name: f.Name, Title: f.Title, Source: f.Command, Rows: len(f.Rows), Date: f.Date,
			})
		}
		return rep, nil
	}
	if q.Table == "papers" {
		return benchPapers(rep)
	}
	for _, f := range figures.All() {
		if q.Table == f.Name || q.Table == "figures" {
			rep.Kept = append(rep.Kept, benchFigures(f))
		}
	}
	if len(rep.Kept) > 0 {
		return rep, onlyNamed(q, "figures that are kept, whole")
	}
	t, err := bench.Find(q.Table)
	if list := bench.TablesOf(q.Table); err != nil && len(list) > 0 {
		for _, t := range list {
			rep.Tables = append(rep.Tables, benchTable(t))
		}
		return rep, onlyNamed(q, "a list of tables")
	}
	if err != nil {
		return nil, wrong(err.Error())
	}
	if q.List {
		return benchListed(rep, t, q.Row)
	}
	if q.Seeds < 0 || q.Seeds > maxBenchSeeds {
		return nil, wrong(fmt.Sprintf("bench: seeds is %d, want 0 to %d", q.Seeds, maxBenchSeeds))
	}
	if q.First < 0 || q.First > maxBenchFirst {
		return nil, wrong(fmt.Sprintf("bench: first is %d, want 1 to %d", q.First, maxBenchFirst))
	}
	peers, err := parsePeers(q.Peer)
	if err != nil {
		return nil, err
	}
	machine, err := benchMachine(t, q.Row)
	if err != nil {
		return nil, err
	}
	defer c.Busy()()
	out, err := bench.Run(c.Context(), t, bench.Options{
		Rows: q.Row, Seeds: q.Seeds, First: q.First, Full: q.Full, Peers: peers,
		Load: func(_ context.Context, name string) (datasets.Instance, error) { return c.Load(name) },
		Done: func(o bench.Outcome, done, total int) {
			c.Progress(int64(done), int64(total), fmt.Sprintf("bench %s: %s %s: %.4g %s", t.Name, o.Row.What,
				o.Row.Instance, o.Values[len(o.Values)-1], o.Unit()))
		},
	})
	if err != nil {
		return nil, err
	}
	bt := benchTable(t)
	if left := bench.LeftOut(t, q.Row); left > 0 && !q.Full {
		bt.Notes = append(bt.Notes, fmt.Sprintf(
			"This is the quick table, without %d of the %d rows; bench %s full has all.", left, len(t.Rows),
			t.Name,
		))
	}
	rep.Table, rep.Machine, rep.Go = &bt, machine, runtime.Version()
	rep.Date = time.Now().Format(time.DateOnly)
	benchRows(rep, t, out)
	return rep, nil
}

// onlyNamed refuses arguments of a measurement where nothing is measured.
func onlyNamed(q *wire.BenchRequest, what string) error {
	bare := wire.BenchRequest{Table: q.Table, List: q.List}
	if *q == bare {
		return nil
	}
	return wrong(fmt.Sprintf("bench: %s is %s: row, seeds, first, full and peer belong to one table "+
		"that is measured", q.Table, what))
}

// benchFigures are figures with the revisions that they are of.
func benchFigures(f figures.Table) reply.BenchFigures {
	b := reply.BenchFigures{
		Name: f.Name, Title: f.Title, About: f.About, Machine: f.Machine, Date: f.Date,
		Command: f.Command, Unit: f.Unit, Notes: f.Notes,
	}
	b.Columns, b.Rows = f.Marked()
	return b
}

// benchListed answers with the rows of a table and their stored figures.
func benchListed(rep *reply.BenchReply, t bench.Table, rows string) (*reply.BenchReply, error) {
	out, err := bench.Recall(t, rows)
	if err != nil {
		return nil, wrong(err.Error())
	}
	bt := benchTable(t)
	rep.Table, rep.Listed = &bt, true
	benchRows(rep, t, out)
	rep.Made = benchMade(t, out)
	return rep, nil
}

// benchPapers answers with how the tables of all papers stand.
func benchPapers(rep *reply.BenchReply) (*reply.BenchReply, error) {
	list, err := bench.Standings()
	if err != nil {
		return nil, err
	}
	for i := range list {
		s := &list[i]
		paper, _ := bench.FindPaper(s.Table.Paper)
		p := reply.BenchPaper{
			Paper: paper.Who, Table: s.Table.Name, Rows: s.Rows, Measured: s.Measured, Stale: s.Stale,
			Least: s.Least, Most: s.Most, Agree: s.Counts[bench.Agrees],
			Better: s.Counts[bench.Better], Worse: s.Counts[bench.Worse],
			Within: s.Counts[bench.Within], OnEnd: s.Counts[bench.OnEnd], Apart: s.Counts[bench.Apart],
			Could: s.Could, NoneShown: s.NoneShown,
			Differ: s.Counts[bench.Differs], NotShown: s.NotShown(), Results: s.Results, Judged: s.Judged,
			Open: s.Open, Missing: s.Table.Missing, Times: s.Silent,
			Machines: s.Machines, Dates: s.Dates, Not: s.Not,
		}
		for _, d := range s.By {
			p.By = append(p.By, d.String())
		}
		rep.Papers = append(rep.Papers, p)
	}
	return rep, nil
}

// benchRows adds rows and their means over instances.
func benchRows(rep *reply.BenchReply, t bench.Table, out []bench.Outcome) {
	for i := range out {
		rep.Rows = append(rep.Rows, benchRow(t, &out[i]))
	}
	rep.Means = benchMeans(t, out)
}

// benchMade says where and how the kept figures of rows were measured, each place once with all
// commands.
func benchMade(t bench.Table, out []bench.Outcome) (list []string) {
	var where []string
	for i, m := range bench.MeasuredOf(t.Name).Made {
		if !slices.ContainsFunc(out, func(o bench.Outcome) bool { return o.Made == i+1 }) {
			continue
		}
		on := fmt.Sprintf("%s; %s; %s; by: ", m.Date, m.Machine, m.Go)
		at := slices.Index(where, on)
		if at < 0 {
			where, list = append(where, on), append(list, on+m.Command)
		} else {
			list[at] += "; " + m.Command
		}
	}
	return list
}

// benchMeans are the means over instances that a table has.
func benchMeans(t bench.Table, out []bench.Outcome) (list []reply.BenchMean) {
	for _, m := range bench.Means(t, out) {
		list = append(list, reply.BenchMean{
			Group: m.Group, Rows: m.Rows, Of: m.Of, Value: reply.Num(m.Value), Low: reply.Num(m.Low),
			High: reply.Num(m.High), Least: m.Least, Most: m.Most, Unit: m.Unit,
			Published: reply.Num(m.Published), From: reply.Num(m.From), To: reply.Num(m.To),
			Verdict: m.Verdict.String(),
		})
	}
	return list
}

// benchMachine names the machine on which the rows are measured. It returns an error if all rows
// need a GPU and there is none.
func benchMachine(t bench.Table, rows string) (string, error) {
	backends, err := bench.Backends(t, rows)
	if err != nil {
		return "", wrong(err.Error())
	}
	machine := host.Machine()
	if !slices.Contains(backends, "cuda") {
		return machine, nil
	}
	name, why := host.FirstGPU()
	switch {
	case name != "":
		return fmt.Sprintf("%s; GPU %s (its driver's CUDA)", machine, name), nil
	case why != "" && len(backends) == 1:
		return "", wrong(fmt.Sprintf("bench: these rows of %s are measured on a GPU, and there is "+
			"none: %s", t.Name, why))
	}
	return machine + ", no GPU", nil
}

func benchTable(t bench.Table) reply.BenchTable {
	return reply.BenchTable{
		Name: t.Name, Title: t.Title, Source: t.Source, Rows: len(t.Rows), Paper: t.Paper,
		Notes: slices.Clone(t.Notes), Rule: bench.Rule(t), Reasons: t.Reasons,
		Verdicts: bench.Verdicts(t),
	}
}

func benchRow(t bench.Table, o *bench.Outcome) reply.BenchRow {
	r := &o.Row
	now := r.Revision()
	b := reply.BenchRow{
		Number: o.Number, What: r.What, Solver: r.Solver, Instance: r.Instance, Unit: o.Unit(),
		Seeds: o.Seeds, Values: nums(o.Values), Verdict: o.Verdict.String(), Revision: now,
		Median: reply.Num(bench.Median(o.Values)), Min: nan, Max: nan,
		CPUS: reply.Num(bench.Median(o.CPU)),
		Peer: r.Peer.Name, Figure: nan, Where: r.Peer.Where, Beside: nums(o.Peer),
		BesideM: reply.Num(bench.Median(o.Peer)), Reach: nan,
	}
	if r.Solver != "" || r.Do != nil {
		b.Settings = r.Settings()
	}
	if o.Made > 0 {
		b.Revision, b.Stale = o.Revision, now != 0 && now != o.Revision
		if b.Stale {
			b.Now = now
		}
	}
	if r.Variant != "" {
		b.Solver += "/" + r.Variant
	}
	if r.Backend != "" && r.Backend != "cpu" {
		b.Solver += " on " + r.Backend
	}
	if len(o.Values) > 0 {
		b.Min, b.Max = reply.Num(slices.Min(o.Values)), reply.Num(slices.Max(o.Values))
	}
	if r.Peer.Figure != 0 || r.Peer.Known && r.Peer.Mark == "" {
		b.Figure = reply.Num(r.Peer.Figure)
	}
	if r.Reach != 0 {
		b.Reach, b.Met = reply.Num(r.Reach), o.Met()
	}
	if o.Err != nil {
		b.Error = o.Err.Error()
	}
	return b
}

// parsePeers reads "linkern=/opt/linkern,acotsp=/opt/acotsp".
func parsePeers(s string) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range strings.Split(s, ",") {
		if p == "" {
			continue
		}
		name, path, ok := strings.Cut(p, "=")
		if !ok || name == "" || path == "" {
			return nil, wrong(fmt.Sprintf("bench: peer is %q, want a name and a file, as in: bench tours "+
				"peer=linkern=/opt/linkern", p))
		}
		out[name] = path
	}
	return out, nil
}
