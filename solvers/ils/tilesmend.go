package ils

import (
	"cmp"
	"context"
	"slices"

	"metalab/solvers/arith"
	"metalab/solvers/tours"
)

// Tiles cannot mend a long edge: it stays if hardly any tile contains both of its ends. On
// clusters, lattices and drilling patterns a greedy start leaves some: on xmc10150 one of 1.45 % of
// the tour's length, on C10k.0 one of 1.64 %, was in no tile of 32 cuts, and the search ended that
// much above its result in one piece; rejected kicks gained nearly nothing there. So the descent
// follows chains that bring the ends of such an edge near each other (tours.Settings.Ends). Then
// mend kicks each edge that is long for its tile and repairs the whole tour, parts of the plane on
// all cores (not from start=whole and 32768 cities on, where one core would take too long). From
// greedy starts, one chain, piece=2000, seed 1: five kicks a city end 2.80 % above the best known
// tour of xmc10150 without both, 1.58 with such chains, about 1.1 with both; for C10k.0 3.62, 1.83
// and 0.3 to 0.5; for E10k.0 0.55 and 0.49.

// drawMend is the purpose of the draws of mend; 2 and 3 are those of package tiles.
const drawMend uint8 = 4

// The limits of mend: the length of a long edge, in widths of its tiles; the length of lists
// without weights; the steps of walks; the depth of chains; the number of passes; and in one pass
// at most one kick for so many cities.
const (
	mendTile   = 0.05
	mendNear   = 8
	mendSteps  = 50
	mendDepth  = 10
	mendPasses = 2
	mendShare  = 12
)

// A mender makes kicks of the whole tour at its long edges. A tile has hardly ever both ends of
// such an edge, so the rounds would leave it as it is, and one of them may cost a per cent.
type mender struct {
	kicks int // at each long edge in a pass
	seed  uint64
	width []float64 // of the tile of a city
}

// mend makes the passes on a tour of sp, a part whose first city is lo: along its lists and, if
// they have weights, again along lists without, as each finds what the other misses.
func (m *mender) mend(
	ctx context.Context, sp *tours.Space, near tours.Neighbours, tour []int32, lo int,
) error {
	if sp.N < 8 || near.K == 0 || m.kicks == 0 {
		return nil
	}
	if err := m.along(ctx, sp, near, tour, lo, 0); err != nil || near.Pi == nil {
		return err
	}
	return m.along(ctx, sp, sp.Quadrant(mendNear), tour, lo, 1)
}

// along is mend along one kind of lists.
func (m *mender) along(
	ctx context.Context, sp *tours.Space, near tours.Neighbours, tour []int32, lo, kind int,
) error {
	set := tours.DefaultSettings()
	set.Ends, set.Depth, set.Breadth = true, mendDepth, []int{3, 1}
	w, err := tours.NewSearch(sp, near, set)
	if err != nil {
		return err
	}
	w.Watch(ctx)
	w.Load(tour)
	draws := arith.NewStream(m.seed, uint64(kind), uint32(lo), drawMend)
	for pass, gain := 0, int64(-1); pass < mendPasses && gain != w.Gain(); pass++ {
		gain = w.Gain()
		long := m.long(sp, tour, m.width[lo:])
		for _, e := range long[:min(len(long), max(1, sp.N/(mendShare*m.kicks)))] {
			for k := range m.kicks {
				w.Trial(tours.OrOpt, tours.Walk, e.end[k%2], mendSteps, 0, &draws)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		w.Store(tour)
	}
	return nil
}

// longEdge is an edge of a tour, and how many widths of its tile it is long.
type longEdge struct {
	end  [2]int32
	size float64
}

// long lists the long edges of a tour, the longest for their tiles first.
func (m *mender) long(sp *tours.Space, tour []int32, width []float64) []longEdge {
	var long []longEdge
	for i, a := range tour {
		b := tour[(i+1)%len(tour)]
		size := float64(sp.D(a, b)) / max(1, width[a], width[b])
		if size > mendTile {
			long = append(long, longEdge{[2]int32{a, b}, size})
		}
	}
	slices.SortStableFunc(long, func(a, b longEdge) int { return cmp.Compare(b.size, a.size) })
	return long
}
