package datasets

import "math"

// geoDist is TSPLIB's GEO distance of two cities whose latitude and longitude
// are given in the form DDD.MM, degrees and minutes. The constants (a short pi,
// the radius of the Earth) and the truncations are part of the definition.
func geoDist(lat1, lon1, lat2, lon2 float64) int32 {
	la1, lo1, la2, lo2 := geoRadians(lat1), geoRadians(lon1), geoRadians(lat2), geoRadians(lon2)
	q1 := cosine(lo1 - lo2)
	q2 := cosine(la1 - la2)
	q3 := cosine(la1 + la2)
	c := 0.5 * (float64((1+q1)*q2) - float64((1-q1)*q3))
	return int32(float64(6378.388*arccos(c)) + 1)
}

// geoRadians turns DDD.MM into radians. Degrees are found by truncation, as in
// the programs that the published optima were computed with, not by rounding,
// as the text of TSPLIB95 has it.
func geoRadians(v float64) float64 {
	deg := math.Trunc(v)
	minutes := v - deg
	return 3.141592 * (deg + float64(5*minutes)/3) / 180
}
