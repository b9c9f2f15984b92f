package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// kmOfDegree is what a degree of latitude measures on TSPLIB's Earth.
const kmOfDegree = 6378.388 * 3.141592 / 180

// instance makes an instance of the cities.
func (c *cityTable) instance(name string, unit CityUnit) (t *TSP, err error) {
	switch {
	case unit != "" && unit != Kilometres && unit != Metres:
		return nil, fmt.Errorf("datasets: unit is %q, want %s or %s", clip(string(unit)), Kilometres,
			Metres)
	case !c.earth() && unit != "":
		return nil, fmt.Errorf("datasets: unit is %s, which is for longitudes and latitudes, and %s has "+
			"x and y", unit, c.file)
	case !c.earth():
		t, err = NewTSP(name, Euc2D, c.x, c.y)
	default:
		t, err = c.onEarth(name, unit)
	}
	if err != nil {
		return nil, err
	}
	t.Names = c.names
	t.name = name
	return t, nil
}

// onEarth is the instance of longitudes and latitudes, drawn as on a map: a degree of longitude is
// as much narrower as it is in the middle of the cities.
func (c *cityTable) onEarth(name string, unit CityUnit) (*TSP, error) {
	lon := acrossDateLine(c.x)
	mid := float64(slices.Min(c.y)/2) + float64(slices.Max(c.y)/2)
	narrow := cosine(3.141592 * mid / 180)
	x, y := make([]float64, len(lon)), make([]float64, len(lon))
	if unit == Metres {
		west := float64(slices.Min(lon)/2) + float64(slices.Max(lon)/2)
		for i := range lon {
			x[i] = float64(1000*kmOfDegree*narrow) * (lon[i] - west)
			y[i] = 1000 * kmOfDegree * (c.y[i] - mid)
		}
		t, err := NewTSP(name, Euc2D, x, y)
		if err != nil {
			return nil, err
		}
		t.ShowKm, t.Names = 0.001, c.names
		return t, t.flat(lon, c.y)
	}
	minutes := func(v float64) float64 { // DDD.MM
		deg := math.Trunc(v)
		return deg + float64(0.6*(v-deg))
	}
	show := make([]float64, len(lon))
	for i := range lon {
		x[i], y[i] = minutes(c.y[i]), minutes(c.x[i])
		show[i] = narrow * lon[i]
	}
	t, err := NewTSP(name, Geo, x, y)
	if err == nil {
		t.ShowX, t.ShowY, t.ShowKm = show, c.y, kmOfDegree
	}
	return t, err
}

// Limits of the error of the plane of metres for two places: above flatSaid a note says so, above
// flatMost the table is refused.
const (
	flatSaid = 0.02
	flatMost = 0.1
)

// flat compares the distances in the plane with those on the globe, of all pairs of up to
// flatCities places, evenly taken by their latitude.
func (t *TSP) flat(lon, lat []float64) error {
	order := make([]int, t.N)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lat[a], lat[b]) })
	const flatCities = 1000
	if n := t.N; n > flatCities {
		some := make([]int, flatCities)
		for i := range some {
			some[i] = order[i*(n-1)/(flatCities-1)]
		}
		order = some
	}
	worst, a, b := 0.0, 0, 0
	for k, i := range order {
		for _, j := range order[:k] {
			if d := onGlobe(lon[i], lat[i], lon[j], lat[j]); d > 0.001 {
				off := math.Abs(math.Hypot(t.X[i]-t.X[j], t.Y[i]-t.Y[j])/1000-d) / d
				if off > worst {
					worst, a, b = off, j, i
				}
			}
		}
	}
	if worst <= flatSaid {
		return nil
	}
	said := fmt.Sprintf("from %s to %s it is %.4g km on the globe and %.4g in the plane", t.call(a),
		t.call(b), onGlobe(lon[a], lat[a], lon[b], lat[b]),
		math.Hypot(t.X[a]-t.X[b], t.Y[a]-t.Y[b])/1000)
	if worst > flatMost {
		return fmt.Errorf("datasets: unit=m is for places some hundred km apart: %s; take unit=km",
			said)
	}
	t.facts.plane = "places far apart for a plane in metres: " + said
	return nil
}

// call is a city's name, or its number.
func (t *TSP) call(c int) string {
	if t.Names != nil && t.Names[c] != "" {
		return clip(t.Names[c])
	}
	return fmt.Sprintf("city %d", c+1)
}

// onGlobe is the distance of two places in km, along a great circle of TSPLIB's Earth.
func onGlobe(lon1, lat1, lon2, lat2 float64) float64 {
	const rad = math.Pi / 180
	s1, s2 := math.Sin((lat2-lat1)*rad/2), math.Sin((lon2-lon1)*rad/2)
	h := float64(s1*s1) + float64(math.Cos(lat1*rad)*math.Cos(lat2*rad)*s2*s2)
	return 2 * 6378.388 * math.Asin(math.Sqrt(min(1, h)))
}
