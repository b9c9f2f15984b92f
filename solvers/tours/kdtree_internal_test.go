package tours

import (
	"cmp"
	"slices"
	"testing"

	"metalab/solvers/arith"
)

// The m smallest coordinates of either axis come to the front, also where many are equal.
func TestNth(t *testing.T) {
	t.Parallel()
	r := arith.NewStream(1, 0, 0, 0)
	for range 500 {
		it := make([]kdItem, 2+r.IntN(60))
		side := 1 + r.IntN(50)
		for i := range it {
			it[i] = kdItem{float64(r.IntN(side)), float64(r.IntN(side)), int32(i)}
		}
		m, d := len(it)/2, uint8(r.IntN(2))
		var want []float64
		for i := range it {
			want = append(want, it[i].along(d))
		}
		slices.Sort(want)
		nth(it, m, d)
		var got []float64
		for i := range it[:m] {
			got = append(got, it[i].along(d))
		}
		slices.Sort(got)
		if !slices.Equal(got, want[:m]) || it[m].along(d) != want[m] {
			t.Fatalf("%d of %d in front by axis %d: %v and %v, want %v", m, len(it), d, got, it[m], want)
		}
	}
}

func BenchmarkKDTree(b *testing.B) {
	r := arith.NewStream(1, 0, 0, 0)
	pts, ids := make([]point, 15_000), make([]int32, 15_000)
	for i := range pts {
		pts[i] = point{float64(r.IntN(1_000_000)), float64(r.IntN(1_000_000))}
		ids[i] = int32(i)
	}
	for b.Loop() {
		newKDTree(pts, ids)
	}
}

// However many cities stand at one place, a search looks at few of them: without a node for them
// all it would look at each.
func TestSearchesAtOnePlace(t *testing.T) {
	t.Parallel()
	const n, k = 5000, 10
	s := &Space{N: n, pts: make([]point, n), globe: nil}
	for i := range s.pts {
		s.pts[i] = point{3, 4}
		if i%10 == 0 {
			s.pts[i] = point{float64(i % 170), float64(i % 330)}
		}
	}
	g := &globe{at: make([][3]float64, n)}
	for i, p := range s.pts {
		g.at[i] = [3]float64{p.x, p.y, 0}
	}
	plane := kdQuery{tree: newKDTree(s.pts, s.all())}
	sphere := sphereQuery{tree: newSphereTree(g, s.all())}
	for c := range int32(n) {
		for quad := anywhere; quad < 4; quad++ {
			plane.ask(c, s.pts[c].x, s.pts[c].y, k, quad)
			if quad == anywhere {
				sphere.ask(c, g.at[c], k)
				if !slices.Equal(plane.ids, sphere.ids) {
					t.Fatalf("near city %d: %v in the plane, %v on the sphere", c, plane.ids, sphere.ids)
				}
			}
			own := slices.Clone(plane.ids)
			var all []int32
			for o := range int32(n) {
				dx, dy := s.pts[o].x-s.pts[c].x, s.pts[o].y-s.pts[c].y
				if c%500 == 7 && o != c && (quad < 0 || quadrant(dx, dy) == quad) {
					all = append(all, o)
				}
			}
			if c%500 != 7 {
				continue
			}
			slices.SortFunc(all, func(a, b int32) int {
				sq := func(o int32) float64 {
					dx, dy := s.pts[o].x-s.pts[c].x, s.pts[o].y-s.pts[c].y
					return dx*dx + dy*dy
				}
				return cmp.Or(cmp.Compare(sq(a), sq(b)), cmp.Compare(a, b))
			})
			if !slices.Equal(own, all[:min(k, len(all))]) {
				t.Fatalf("near city %d in quadrant %d: %v, want %v", c, quad, own, all[:min(k, len(all))])
			}
		}
	}
	if most := n * 6 * 100; plane.looked > most || sphere.looked > most {
		t.Errorf("%d and %d cities looked at in %d searches, want at most %d", plane.looked,
			sphere.looked, 5*n, most)
	}
}
