package walks

import (
	"math"

	"metalab/solvers/arith"
)

// Which points the neighbours of one of real numbers are, by the neighbourhood's number.
const (
	Ball = iota
	Wide
	Gauss
)

// CellCount is how many times the memory of a search on real numbers has, one for each hash of a
// cube of the box, of which half a side has cellsPerUnit.
const (
	CellCount    = 1 << 12
	cellsPerUnit = 64
)

// Crown is the neighbour with a number, of one of real numbers.
func Crown(_, _, index int64) Move { return Move{I: int(index)} }

// normals are two standard normal deviates.
func normals(draws *arith.Stream) (a, b float64) {
	for {
		a, b = float64(2*draws.Float64())-1, float64(2*draws.Float64())-1
		if s := float64(a*a) + float64(b*b); s < 1 && s > 0 {
			f := math.Sqrt(-2 * math.Ln2 * arith.Log2(s) / s)
			return a * f, b * f
		}
	}
}

// Point makes y the neighbour of x that move m is in a scan: what is drawn for it depends on the
// scan's number, the walk and the move's.
func Point(j *Job, shape int, scan int64, walk int, x, y []float64, m Move) {
	draws := arith.NewStream(j.Seed, uint64(scan), uint32(walk)<<20|uint32(m.I), 5)
	scale, norm := j.Radius, 0.0
	if shape != Gauss {
		if shape == Wide {
			scale = min(4*scale, 2)
		}
		scale *= (float64(m.I) + draws.Float64()) / float64(j.Size)
	}
	for k := 0; k < len(y); k += 2 {
		a, b := normals(&draws)
		y[k] = a
		norm += float64(a * a)
		if k+1 < len(y) {
			y[k+1] = b
			norm += float64(b * b)
		}
	}
	if shape != Gauss {
		scale /= math.Sqrt(norm)
	}
	scale *= j.Half
	for k := 0; k < len(y); k++ {
		v := x[k] + float64(scale*y[k])
		if v > j.High {
			v = float64(2*j.High) - v
		} else if v < j.Low {
			v = float64(2*j.Low) - v
		}
		y[k] = max(j.Low, min(v, j.High))
	}
}

// Cell is the place in the memory of the cube in which a point is.
func Cell(j *Job, x []float64) int {
	h := uint64(0)
	for k := 0; k < len(x); k++ {
		h = arith.Mix64(h ^ uint64(int64((x[k]-j.Low)/j.Half*cellsPerUnit)))
	}
	return int(h % CellCount)
}

// HashReals is the hash of a solution of real numbers.
func HashReals(x []float64) uint64 {
	h := uint64(0)
	for k := 0; k < len(x); k++ {
		h = arith.Mix64(h ^ math.Float64bits(x[k]))
	}
	return h
}
