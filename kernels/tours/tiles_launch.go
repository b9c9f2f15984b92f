package tours

import (
	"strings"

	"metalab/solvers/tiles"
)

// A tileLaunch is a launch of a kernel of a round.
type tileLaunch struct {
	name          string
	blocks, warps int
	shared        int
	args          tileArgs
}

// tileArgs says which arguments a kernel takes.
type tileArgs int

const (
	tileCounts  tileArgs = iota // n, chains, room
	tileSearch                  // job, start, cities, near, points, weights, scale, room, out
	tileMeasure                 // job, chains, points, room, out
)

// launches are those of a round, one after the other.
func (q *tileProblem) launches(j tiles.Job, chains int) []tileLaunch {
	const warps = 8
	job, n := q.of(j), int(q.job.N)
	each := q.warps(job, chains)
	blocks := func(of int) int { return (of + warps - 1) / warps }
	cities, chunks := blocks((n*chains+31)/32), blocks(q.chunks()*chains)
	return []tileLaunch{
		{"tiles_place", cities, warps, 0, tileCounts},
		{
			"tiles_search_" + q.plane, chains * int(job.Pieces), each, q.shared(job, each), tileSearch,
		},
		{"tiles_chunks", chunks, warps, 0, tileCounts},
		{"tiles_carry", chains, 1, 0, tileCounts},
		{"tiles_starts", chunks, warps, 0, tileCounts},
		{"tiles_write", cities, warps, 0, tileCounts},
		{"tiles_measure_" + q.plane, blocks(chains * ((n + 31) / 32)), warps, 0, tileMeasure},
	}
}

// span is the name under which the launch is timed.
func (l *tileLaunch) span() string {
	if l.args == tileSearch {
		return "search"
	}
	return strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(l.name, "_whole"), "_real"),
		"tiles_")
}
