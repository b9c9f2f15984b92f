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

// writeCSV writes points of a run or, if seeds says so or there are no points, the results of the
// repeats of all of them. It returns how many seeds it wrote.
func writeCSV(w io.Writer, of []*entry, ps []record.Point, seeds bool) (int, error) {
	e := of[0]
	if seeds || len(ps) == 0 && e.run.Seeds() > 0 {
		return writeSeeds(w, of)
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

// writeSeeds writes a row a seed, run after run and series after series, with a column for each
// parameter in which the series of a run differ. Files of several runs can be put together by rows.
func writeSeeds(w io.Writer, of []*entry) (int, error) {
	var names []string
	for _, e := range of {
		all := e.run.Repeats()
		for i := range all {
			for _, n := range sortedKeys(all[i].Params) {
				if all[i].Params[n] != all[0].Params[n] && !slices.Contains(names, n) {
					names = append(names, n)
				}
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
	for _, e := range of {
		rows = append(rows, e.seedRows(names)...)
	}
	for i := range rows {
		rows[i] = exchange.Cells(rows[i])
	}
	return len(rows) - 1, c.WriteAll(rows)
}

// seedRows is a row for each seed of a run's repeats, which ends with the values of some
// parameters; one that the run does not have is empty.
func (e *entry) seedRows(names []string) (rows [][]string) {
	best, v := bestKnown(e.run), e.run.Variant()
	for i, s := range e.run.Repeats() {
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
	return rows
}
