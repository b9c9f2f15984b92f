package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Notes returns sentences of warning about an instance: unverified data, contents of its file that
// the instance ignores, whole units that are coarse for its distances, or a plane that is.
func Notes(inst Instance) []string {
	out := []string{UnverifiedText(inst)}
	if t, ok := inst.(*TSP); ok {
		if fixed := t.FixedText(); fixed != "" {
			out = append(out, fmt.Sprintf("each tour of %s has %s", clip(t.Name()), fixed))
		}
		out = append(out, passedOver(t.Name(), t.unread), t.Coarse(), t.facts.plane)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// CoarseShare is the share from which Coarse warns: the sum of the absolute rounding errors of a
// tour's distances over the sum of the distances.
const CoarseShare = 0.05

// Coarse warns in a sentence if the rounding of distances changes those of a tour by more than
// [CoarseShare]. It is empty otherwise, and for a published instance, whose values hold for these
// distances. The tour goes to the nearest city, or in strips if there are many cities.
func (t *TSP) Coarse() string {
	t.facts.noteOnce.Do(func() {
		if _, published := t.BestKnown(); published || !t.Coordinates() || t.N < 2 {
			return
		}
		switch whole, exact, off, twice := t.rounding(); {
		case t.onePlace():
			t.facts.coarse = fmt.Sprintf("%s: all %d cities are at one place, so every tour is as long: "+
				"were their coordinates found and read?", clip(t.Name()), t.N)
		case off > CoarseShare*exact:
			t.facts.coarse = t.coarse(whole, exact, off)
		case twice:
			t.facts.coarse = clip(t.Name()) + ": a place that is there twice is 1 km from itself (GEO), " +
				"as whole kilometres are rounded up; " + t.finer()
		}
	})
	return t.facts.coarse
}

// onePlace reports whether all cities have the same coordinates.
func (t *TSP) onePlace() bool {
	other := func(xs []float64) bool {
		return slices.ContainsFunc(xs, func(x float64) bool { return x != xs[0] })
	}
	return !other(t.X) && !other(t.Y) && !other(t.Z)
}

// coarse is the sentence of Coarse.
func (t *TSP) coarse(whole, exact, off float64) string {
	units := "units"
	if t.Metric == Geo {
		units = "kilometres"
	}
	by := "to 0"
	if whole > 0 {
		by = fmt.Sprintf("from %s to %s", threeDigits(exact), threeDigits(whole))
		if exact > 0 {
			by += fmt.Sprintf(", its ways by %.0f %%", 100*off/exact)
		}
	}
	return fmt.Sprintf("%s: whole %s are coarse for places so near: rounding changes a tour %s; %s",
		clip(t.Name()), units, by, t.finer())
}

// threeDigits writes a length in three digits, or a large one as a whole number.
func threeDigits(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// finer says how the same cities have finer distances.
func (t *TSP) finer() string {
	name := clip(t.Name())
	switch {
	case t.Metric == Geo && t.ShowKm > 0:
		return fmt.Sprintf("cities %s.csv unit=m to %s-m.csv counts metres", name, name)
	case t.Metric == Geo:
		return "metres in a plane (EUC_2D) are finer"
	}
	return "multiply the coordinates by a thousand"
}

// rounding is the length of a tour with and without rounding, and the sum of the differences of its
// ways; twice tells whether a way of 0 is 1 when it is rounded.
func (t *TSP) rounding() (whole, exact, off float64, twice bool) {
	add := func(i, j int) {
		d, e := float64(t.Dist(i, j)), t.unrounded(i, j)
		whole, exact, off = whole+d, exact+e, off+math.Abs(d-e)
		twice = twice || e == 0 && d > 0
	}
	const fewCities = 1000
	if t.N > fewCities {
		t.strips(add)
		return whole, exact, off, twice
	}
	left := make([]int, t.N-1)
	for i := range left {
		left[i] = i + 1
	}
	at := 0
	for len(left) > 0 {
		best, least := 0, math.Inf(1)
		for k, c := range left {
			if d := t.unrounded(at, c); d < least {
				best, least = k, d
			}
		}
		add(at, left[best])
		at = left[best]
		left = slices.Delete(left, best, best+1)
	}
	add(at, 0)
	return whole, exact, off, twice
}

// strips calls add for the ways of a tour up and down strips of the plane, some three cities wide;
// of very many strips for some.
func (t *TSP) strips(add func(i, j int)) {
	lo, hi := slices.Min(t.X), slices.Max(t.X)
	const most = 20_000 // cities that are looked at
	count := max(1, int(math.Sqrt(float64(t.N)/3)))
	every := (t.N + most - 1) / most
	of := make([][]int, count)
	for i, x := range t.X {
		s := 0
		if hi > lo {
			s = min(count-1, int(float64(count)*((x-lo)/(hi-lo))))
		}
		if s%every == 0 {
			of[s] = append(of[s], i)
		}
	}
	for _, cities := range of {
		slices.SortStableFunc(cities, func(a, b int) int { return cmp.Compare(t.Y[a], t.Y[b]) })
		for k := 1; k < len(cities); k++ {
			add(cities[k-1], cities[k])
		}
	}
}

// unrounded returns the distance of two cities before rounding.
func (t *TSP) unrounded(i, j int) float64 {
	if t.Metric == Geo {
		return geoExact(t.X[i], t.Y[i], t.X[j], t.Y[j])
	}
	dx, dy, dz := math.Abs(t.X[i]-t.X[j]), math.Abs(t.Y[i]-t.Y[j]), 0.0
	if t.Z != nil && t.Metric.Dim() == 3 {
		dz = math.Abs(t.Z[i] - t.Z[j])
	}
	switch t.Metric {
	case Man2D, Man3D:
		return dx + dy + dz
	case Max2D, Max3D:
		return max(dx, dy, dz)
	case Att:
		return math.Sqrt((float64(dx*dx) + float64(dy*dy)) / 10)
	case XRay1:
		return 100 * max(min(dx, math.Abs(dx-360)), dy, dz)
	case XRay2:
		return 100 * max(min(dx, math.Abs(dx-360))/1.25, dy/1.5, dz/1.15)
	}
	return math.Sqrt(float64(dx*dx) + float64(dy*dy) + float64(dz*dz))
}

// FlatText describes the error of the plane of a table in metres; it is empty if the error is
// small, or if there is no such plane.
func (t *TSP) FlatText() string { return t.facts.plane }

// NotesText returns [Notes], a line each.
func NotesText(inst Instance) string { return strings.Join(Notes(inst), "\n") }
