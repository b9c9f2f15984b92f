package genetic

import (
	"context"
	"math"

	"metalab/solvers/arith"
)

// improve changes a tour as the authors' program of ga/tournament changes the first of each group
// in each generation: it moves a city, makes a 2-opt move, both between two random windows of
// places, and a 2-opt move between near places; always the best that gains, if one does, ties going
// to the smaller places. It returns by how much the tour became longer, and ends when ctx does.
// (The program moves another city where the city is to go back along the tour; that is not done
// here.)
func (m *mutator) improve(ctx context.Context, t []int32, r *arith.Stream) int64 {
	n := len(t)
	if n < 8 || m.sp.Asymmetric {
		return 0
	}
	a, b := 1+r.IntN(n-1-root(n)), 1+r.IntN(n-1-root(n))
	return m.moveCity(t, a, b) + m.windows(t, a, b) + m.nearPlaces(ctx, t)
}

// root is the width of a window.
func root(n int) int { return int(math.Sqrt(float64(n)) + 0.5) }

// moveCity moves a city of the window from place a on to behind one of that from b on.
func (m *mutator) moveCity(t []int32, a, b int) int64 {
	n, w := len(t), root(len(t))
	best, from, to := int64(0), 0, 0
	for i := a; i < a+w; i++ {
		before, city, behind := t[i-1], t[i], t[(i+1)%n]
		free := m.d(before, city) + m.d(city, behind) - m.d(before, behind)
		for j := b; j < b+w; j++ {
			if j == i || j == i-1 {
				continue
			}
			c, next := t[j], t[(j+1)%n]
			if g := free + m.d(c, next) - m.d(c, city) - m.d(city, next); g > best {
				best, from, to = g, i, j
			}
		}
	}
	city := t[from]
	switch {
	case best == 0:
	case from < to:
		copy(t[from:to], t[from+1:to+1])
		t[to] = city
	default:
		copy(t[to+2:from+1], t[to+1:from])
		t[to+1] = city
	}
	return -best
}

// windows makes a 2-opt move between a place of the window from a on and one of that from b on.
func (m *mutator) windows(t []int32, a, b int) int64 {
	n, w := len(t), root(len(t))
	best, p, q := int64(0), 0, 0
	for x := a; x < a+w; x++ {
		for y := b; y < b+w; y++ {
			i, j := min(x, y), max(x, y)
			if j < i+2 {
				continue
			}
			next := t[(j+1)%n]
			g := m.d(t[i], t[i+1]) + m.d(t[j], next) - m.d(t[i], t[j]) - m.d(t[i+1], next)
			if g > best {
				best, p, q = g, i+1, j
			}
		}
	}
	if best > 0 {
		reverse(t, p, q)
	}
	return -best
}

// nearPlaces makes, of the 2-opt moves between two places of the tour that are at most the root of
// the number of cities apart, the best.
func (m *mutator) nearPlaces(ctx context.Context, t []int32) int64 {
	n := len(t)
	best, p, q := int64(0), 0, 0
	for i := range n - 1 {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return 0
		}
		edge := m.d(t[i], t[i+1])
		for j := i + 2; j <= min(i+1+root(n), n-1); j++ {
			next := t[(j+1)%n]
			if g := edge + m.d(t[j], next) - m.d(t[i], t[j]) - m.d(t[i+1], next); g > best {
				best, p, q = g, i+1, j
			}
		}
	}
	if best > 0 {
		reverse(t, p, q)
	}
	return -best
}
