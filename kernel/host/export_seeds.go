package host

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"metalab/kernel/reply"
	"metalab/solvers"
	"metalab/solvers/experiment/exchange"
	"metalab/solvers/record"
)

// writeCSV writes points of the run or, if seeds says so or there are no points, the results of its
// repeats. It returns how many seeds it wrote.
func (e *entry) writeCSV(w io.Writer, ps []record.Point, seeds bool) (int, error) {
	if seeds || len(ps) == 0 && e.run.Seeds() > 0 {
		return e.writeSeeds(w)
	}
	return 0, writePoints(w, ps, e.run.Header().Measures, bestKnown(e.run))
}

// csvNum returns a number for CSV; empty if it is not a number.
func csvNum(v float64) string {
	n := reply.Num(v)
	if !n.Known() {
		return ""
	}
	if a := math.Abs(v); a == 0 || a >= 1e-6 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64) // without an exponent
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// writeSeeds writes a row a seed, series after series, with a column for each parameter in
// which the series differ. Files of several runs can be put together by rows.
func (e *entry) writeSeeds(w io.Writer) (int, error) {
	all := e.run.Repeats()
	var names []string
	for i := range all {
		for _, n := range sortedKeys(all[i].Params) {
			if all[i].Params[n] != all[0].Params[n] && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	slices.Sort(names)
	c := csv.NewWriter(w)
	head := []string{
		"run", "solver", "instance", "backend", "series", "budget", "seed", "iteration", "best", "gap",
		"ended_by", "digest", "wall_s", "cpu_s",
	}
	rows := [][]string{append(head, names...)}
	best, v := bestKnown(e.run), e.run.Variant()
	for i, s := range all {
		for _, x := range s.Seeds {
			row := []string{
				e.name, v.Solver + "/" + v.Name, e.run.Instance().Name(), s.Backend,
				fmt.Sprint(i + 1), s.Budget.String(), fmt.Sprint(x.Seed), fmt.Sprint(x.Iter),
				csvNum(x.Best), csvNum(solvers.Gap(x.Best, best)), x.Why,
				fmt.Sprintf("%016x", x.Digest), csvNum(x.Wall), csvNum(x.CPU),
			}
			for _, n := range names {
				row = append(row, s.Params[n].String())
			}
			rows = append(rows, row)
		}
	}
	for i := range rows {
		rows[i] = exchange.Cells(rows[i])
	}
	return len(rows) - 1, c.WriteAll(rows)
}
