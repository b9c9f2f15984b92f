package host

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"metalab/datasets"
	"metalab/gpu"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/bench"
	"metalab/solvers/bench/figures"
)

// maxBenchSeeds is the greatest number of seeds of a row.
const maxBenchSeeds = 1000

var _ = handle("bench", (*Host).bench)

func (h *Host) bench(c *call, q *wire.BenchRequest) (*reply.BenchReply, error) {
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
	for _, f := range figures.All() {
		if q.Table == f.Name || q.Table == "figures" {
			rep.Kept = append(rep.Kept, reply.BenchFigures(f))
		}
	}
	if len(rep.Kept) > 0 {
		return rep, nil
	}
	t, err := bench.Find(q.Table)
	if list := bench.TablesOf(q.Table); err != nil && len(list) > 0 {
		for _, t := range list {
			rep.Tables = append(rep.Tables, benchTable(t))
		}
		return rep, nil
	}
	if err != nil {
		return nil, wrong(err.Error())
	}
	if q.List {
		out, err := bench.List(t, q.Row)
		if err != nil {
			return nil, wrong(err.Error())
		}
		bt := benchTable(t)
		rep.Table, rep.Listed = &bt, true
		for i := range out {
			rep.Rows = append(rep.Rows, benchRow(&out[i]))
		}
		return rep, nil
	}
	if q.Seeds < 0 || q.Seeds > maxBenchSeeds {
		return nil, wrong(fmt.Sprintf("bench: seeds is %d, want 0 to %d", q.Seeds, maxBenchSeeds))
	}
	peers, err := parsePeers(q.Peer)
	if err != nil {
		return nil, err
	}
	machine, err := benchMachine(t, q.Row)
	if err != nil {
		return nil, err
	}
	h.replaying(1)
	defer h.replaying(-1)
	out, err := bench.Run(c.ctx, t, bench.Options{
		Rows: q.Row, Seeds: q.Seeds, Full: q.Full, Peers: peers,
		Load: func(_ context.Context, name string) (datasets.Instance, error) { return h.load1(c, name) },
		Done: func(o bench.Outcome, done, total int) {
			c.progress(int64(done), int64(total), fmt.Sprintf("bench %s: %s %s: %.4g %s", t.Name, o.Row.What,
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
	for i := range out {
		rep.Rows = append(rep.Rows, benchRow(&out[i]))
	}
	return rep, nil
}

// benchMachine names the machine on which the rows are measured. It returns an error if all rows
// need a GPU and there is none.
func benchMachine(t bench.Table, rows string) (string, error) {
	backends, err := bench.Backends(t, rows)
	if err != nil {
		return "", wrong(err.Error())
	}
	machine := fmt.Sprintf("%s, %d cores", processor(), runtime.NumCPU())
	if !slices.Contains(backends, "cuda") {
		return machine, nil
	}
	list, err := gpu.Devices()
	if len(list) == 0 {
		if err == nil {
			err = gpu.Available()
		}
		if err != nil && len(backends) == 1 {
			return "", wrong(fmt.Sprintf("bench: these rows of %s are measured on a GPU, and "+
				"there is none: %s", t.Name, noGPU(err)))
		}
		return machine + ", no GPU", nil
	}
	// runs that name no device use the first one
	return fmt.Sprintf("%s; GPU %v (its driver's CUDA)", machine, list[0]), nil
}

func benchTable(t bench.Table) reply.BenchTable {
	return reply.BenchTable{
		Name: t.Name, Title: t.Title, Source: t.Source, Rows: len(t.Rows), Paper: t.Paper,
		Notes: slices.Clone(t.Notes),
	}
}

func benchRow(o *bench.Outcome) reply.BenchRow {
	r := &o.Row
	b := reply.BenchRow{
		Number: o.Number, What: r.What, Solver: r.Solver, Instance: r.Instance, Unit: o.Unit(),
		Values: nums(o.Values), Median: reply.Num(bench.Median(o.Values)), Min: nan, Max: nan,
		CPUS: reply.Num(bench.Median(o.CPU)),
		Peer: r.Peer.Name, Figure: nan, Where: r.Peer.Where, Beside: nums(o.Peer),
		BesideM: reply.Num(bench.Median(o.Peer)), Reach: nan,
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
	if r.Peer.Figure != 0 || r.Peer.Known {
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

// processor returns the processor's name by the system, else its architecture.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if name, value, ok := strings.Cut(sc.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
