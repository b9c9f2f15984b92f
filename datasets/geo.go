package datasets

import "math"

// geoDist returns TSPLIB's GEO distance of two cities with latitudes and longitudes in the form
// DDD.MM, degrees and minutes. The constants (a short pi, the radius of the Earth) and the
// truncations are part of the definition.
func geoDist(lat1, lon1, lat2, lon2 float64) int32 {
	return int32(geoExact(lat1, lon1, lat2, lon2) + 1)
}

// geoExact is geoDist before it is rounded up.
func geoExact(lat1, lon1, lat2, lon2 float64) float64 {
	return GreatCircle(GeoRadians(lat1), GeoRadians(lon1), GeoRadians(lat2), GeoRadians(lon2))
}

// GreatCircle returns the distance in km of two places on TSPLIB's Earth; GEO rounds it up to a
// whole number. Latitudes and longitudes are those of GeoRadians.
func GreatCircle(la1, lo1, la2, lo2 float64) float64 {
	q1 := cosine(lo1 - lo2)
	q2 := cosine(la1 - la2)
	q3 := cosine(la1 + la2)
	c := 0.5 * (float64((1+q1)*q2) - float64((1-q1)*q3))
	return float64(6378.388 * arccos(c))
}

// GeoRadians converts DDD.MM into radians. It truncates to find the degrees, as the programs did
// that computed the published optima; the text of TSPLIB95 says to round.
func GeoRadians(v float64) float64 {
	deg := math.Trunc(v)
	minutes := v - deg
	return 3.141592 * (deg + float64(5*minutes)/3) / 180
}

// OnSphere returns the place on a sphere of radius 1 for a latitude and longitude in radians, see
// GeoRadians. The straight distance of two such places grows with the great circle between them.
func OnSphere(la, lo float64) [3]float64 {
	sine := func(x float64) float64 { return cosine(x - math.Pi/2) }
	narrow := cosine(la)
	return [3]float64{narrow * cosine(lo), narrow * sine(lo), sine(la)}
}
