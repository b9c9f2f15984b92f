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
	part          int // of tileSaid: whose pieces are meant
}

// tileArgs says which arguments a kernel takes.
type tileArgs int

const (
	tileCounts  tileArgs = iota // n, chains, room
	tileSearch                  // job, start, cities, near, points, weights, scale, room, out
	tileMeasure                 // job, chains, points, room, out
	tileSaid                    // job, chains, cities, begin, end, room, said
)

// A tilePart is a device's part of the pieces of each chain, of those that several search.
type tilePart struct{ k, n int }

// pieces are those of part k.
func (p tilePart) pieces(k, pieces int) (first, last int) {
	return k * pieces / p.n, (k + 1) * pieces / p.n
}

// cities are where those of part k begin and end in a cut.
func (p tilePart) cities(k int, c *tiles.Cut) (begin, end int) {
	first, last := p.pieces(k, c.Pieces())
	return int(c.Start[first]), int(c.Start[last])
}

// most is the largest number of cities of a part.
func (p tilePart) most(c *tiles.Cut) (most int) {
	for k := range p.n {
		begin, end := p.cities(k, c)
		most = max(most, end-begin)
	}
	return most
}

// partOf is the job of a part of the pieces.
func (q *tileProblem) partOf(j tiles.Job, p tilePart) tileJob {
	b := q.of(j)
	first, last := p.pieces(p.k, int(b.Pieces))
	b.First, b.Span = int32(first), int32(last-first)
	return b
}

// tileWarps are those of a block, but where pieces are searched.
const tileWarps = 8

// tileBlocks is how many blocks have a thread for each of so many things.
func tileBlocks(of int) int { return (of + 32*tileWarps - 1) / (32 * tileWarps) }

// search returns the launches of the first half of a round, which search the part's pieces. If
// there are other parts, it ends with the report on these.
func (q *tileProblem) search(j tiles.Job, chains int, p tilePart) []tileLaunch {
	job, n := q.partOf(j, p), int(q.job.N)
	each := q.warps(job, chains)
	list := []tileLaunch{{"tiles_place", tileBlocks(n * chains), tileWarps, 0, tileCounts, 0}}
	if job.Span > 0 {
		list = append(list, tileLaunch{
			"tiles_search_" + q.plane, chains * int(job.Span), each, q.shared(job, each), tileSearch, 0,
		})
	}
	if begin, end := p.cities(p.k, j.Cut); p.n > 1 && begin < end {
		list = append(list, said("tiles_pack", p.k, (end-begin)*chains))
	}
	return list
}

// said returns a launch for the report on the pieces of a part, with so many cities in all chains.
func said(kernel string, part, cities int) tileLaunch {
	return tileLaunch{kernel, tileBlocks(cities), tileWarps, 0, tileSaid, part}
}

// write are the launches of the second half: the new tours.
func (q *tileProblem) write(chains int) []tileLaunch {
	n := int(q.job.N)
	cities, chunks := tileBlocks(n*chains), tileBlocks(32*q.chunks()*chains)
	return []tileLaunch{
		{"tiles_chunks", chunks, tileWarps, 0, tileCounts, 0},
		{"tiles_carry", chains, 1, 0, tileCounts, 0},
		{"tiles_starts", chunks, tileWarps, 0, tileCounts, 0},
		{"tiles_write", cities, tileWarps, 0, tileCounts, 0},
		{
			"tiles_measure_" + q.plane, tileBlocks(32 * chains * ((n + 31) / 32)), tileWarps, 0, tileMeasure,
			0,
		},
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
