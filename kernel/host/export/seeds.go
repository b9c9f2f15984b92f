package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"

	"metalab/kernel/host"
	"metalab/solvers"
	"metalab/solvers/experiment/exchange/cell"
	"metalab/solvers/record"
)

// CSV writes points of a run or, if seeds says so or there are no points, the results of the
// repeats of all of them. It returns how many seeds it wrote.
func CSV(w io.Writer, of []*host.Run, ps []record.Point, seeds bool) (int, error) {
	e := of[0]
	if seeds || len(ps) == 0 && e.Engine().Seeds() > 0 {
		return writeSeeds(w, of)
	}
	return 0, writePoints(w, ps, e.Engine().Header().Measures, e.BestKnown(), e.Sense())
}

// writeSeeds writes a row a seed, run after run and series after series, with a column for each
// parameter in which the series of a run differ. Files of several runs can be put together by rows.
func writeSeeds(w io.Writer, of []*host.Run) (int, error) {
	var names []string
	for _, e := range of {
		all := e.Engine().Repeats()
		for i := range all {
			for _, n := range slices.Sorted(maps.Keys(all[i].Params)) {
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
		rows = append(rows, seedRows(e, names)...)
	}
	for i := range rows {
		rows[i] = cell.Texts(rows[i])
	}
	return len(rows) - 1, c.WriteAll(rows)
}

// seedRows is a row for each seed of a run's repeats, which ends with the values of some
// parameters; one that the run does not have is empty.
func seedRows(e *host.Run, names []string) (rows [][]string) {
	best, v := e.BestKnown(), e.Engine().Variant()
	for i, s := range e.Engine().Repeats() {
		for _, x := range s.Seeds {
			row := []string{
				e.Name(), v.Solver + "/" + v.Name, e.Engine().Instance().Name(), s.Backend,
				fmt.Sprint(i + 1), s.Budget.String(), fmt.Sprint(x.Seed), fmt.Sprint(x.Iter),
				host.Number(e.Sense().Value(x.Best)), host.Number(solvers.Gap(x.Best, best)), x.Why,
				fmt.Sprintf("%016x", x.Digest), host.Number(x.Wall), host.Number(x.CPU),
			}
			for _, n := range names {
				row = append(row, s.Params[n].String())
			}
			rows = append(rows, row)
		}
	}
	return rows
}
