package datasets

import (
	"fmt"
	"math"
	"strings"
)

// A Metric is a TSPLIB95 rule for the distance of two cities.
type Metric uint8

// The metrics of TSPLIB95 (G. Reinelt, TSPLIB 95, University of Heidelberg, 1995).
const (
	Explicit Metric = iota // the matrix of the file
	Euc2D                  // EUC_2D: Euclidean, rounded to the nearest integer
	Euc3D                  // EUC_3D
	Ceil2D                 // CEIL_2D: Euclidean, rounded up
	Man2D                  // MAN_2D: Manhattan, rounded
	Man3D                  // MAN_3D
	Max2D                  // MAX_2D: maximum norm, rounded
	Max3D                  // MAX_3D
	Geo                    // GEO: on the idealised Earth, in km
	Att                    // ATT: pseudo-Euclidean of att48 and att532
	XRay1                  // XRAY1: crystallography, first version
	XRay2                  // XRAY2: crystallography, second version
)

// metricNames are the keywords of TSPLIB95, indexed by Metric.
var metricNames = [...]string{
	Explicit: "EXPLICIT",
	Euc2D:    "EUC_2D",
	Euc3D:    "EUC_3D",
	Ceil2D:   "CEIL_2D",
	Man2D:    "MAN_2D",
	Man3D:    "MAN_3D",
	Max2D:    "MAX_2D",
	Max3D:    "MAX_3D",
	Geo:      "GEO",
	Att:      "ATT",
	XRay1:    "XRAY1",
	XRay2:    "XRAY2",
}

// String returns the keyword of TSPLIB95, such as "EUC_2D".
func (m Metric) String() string {
	if int(m) < len(metricNames) {
		return metricNames[m]
	}
	return fmt.Sprintf("Metric(%d)", uint8(m))
}

// ParseMetric returns the metric with the given TSPLIB95 keyword.
func ParseMetric(keyword string) (Metric, error) {
	for m, name := range metricNames {
		if name == keyword {
			return Metric(m), nil
		}
	}
	if keyword == "SPECIAL" {
		return 0, fmt.Errorf(
			"datasets: EDGE_WEIGHT_TYPE SPECIAL: the distance function is described only in the " +
				"problem's own documentation, so it cannot be computed",
		)
	}
	return 0, fmt.Errorf(
		"datasets: EDGE_WEIGHT_TYPE %q is not one of %s", clip(keyword),
		strings.Join(metricNames[:], ", "),
	)
}

// Dim returns the number of coordinates that a city has under m: 0, 2 or 3.
func (m Metric) Dim() int {
	switch m {
	case Euc3D, Man3D, Max3D, XRay1, XRay2:
		return 3
	case Euc2D, Ceil2D, Man2D, Max2D, Geo, Att:
		return 2
	default:
		return 0
	}
}

// Dist returns the distance from city i to city j under the instance's metric.
// It is 0 from a city to itself, except under GEO, whose rule gives 1.
//
// It panics when i or j is outside [0, N), and only then.
func (t *TSP) Dist(i, j int) int32 {
	switch t.Metric {
	case Explicit:
		if uint(i) >= uint(t.N) || uint(j) >= uint(t.N) {
			panic(fmt.Sprintf("datasets: Dist(%d, %d) of %s with %d cities", i, j, t.Name(), t.N))
		}
		return t.Matrix[i*t.N+j]
	case Euc2D:
		dx, dy := t.X[i]-t.X[j], t.Y[i]-t.Y[j]
		return int32(math.Sqrt(float64(dx*dx)+float64(dy*dy)) + 0.5)
	case Ceil2D:
		dx, dy := t.X[i]-t.X[j], t.Y[i]-t.Y[j]
		return int32(math.Ceil(math.Sqrt(float64(dx*dx) + float64(dy*dy))))
	case Att:
		dx, dy := t.X[i]-t.X[j], t.Y[i]-t.Y[j]
		r := math.Sqrt((float64(dx*dx) + float64(dy*dy)) / 10)
		d := int32(r + 0.5)
		if float64(d) < r {
			d++
		}
		return d
	case Geo:
		return geoDist(t.X[i], t.Y[i], t.X[j], t.Y[j])
	case Man2D:
		return nint(math.Abs(t.X[i]-t.X[j]) + math.Abs(t.Y[i]-t.Y[j]))
	case Max2D:
		return max(nint(math.Abs(t.X[i]-t.X[j])), nint(math.Abs(t.Y[i]-t.Y[j])))
	}
	dx, dy, dz := math.Abs(t.X[i]-t.X[j]), math.Abs(t.Y[i]-t.Y[j]), math.Abs(t.Z[i]-t.Z[j])
	switch t.Metric {
	case Euc3D:
		return int32(math.Sqrt(float64(dx*dx)+float64(dy*dy)+float64(dz*dz)) + 0.5)
	case Man3D:
		return nint(dx + dy + dz)
	case Max3D:
		return max(nint(dx), nint(dy), nint(dz))
	case XRay1:
		dx = min(dx, math.Abs(dx-360))
		return nint(float64(100 * max(dx, dy, dz)))
	case XRay2:
		dx = min(dx, math.Abs(dx-360))
		return nint(float64(100 * max(dx/1.25, dy/1.5, dz/1.15)))
	default:
		panic(fmt.Sprintf("datasets: %s has the unknown metric %d", t.Name(), t.Metric))
	}
}

// nint rounds x >= 0 to the nearest integer, halves up.
func nint(x float64) int32 { return int32(x + 0.5) }

// checkRange refuses coordinates that are not finite or so far apart that a
// distance under m, or its rounding, might not fit in 31 bits. It bounds the
// distances by those of the corners of the box around all cities, so that it
// takes linear time.
func (m Metric) checkRange(x, y, z []float64) error {
	var width [3]float64
	for d, c := range [3][]float64{x, y, z} {
		if d >= m.Dim() || len(c) == 0 {
			continue
		}
		lo, hi := c[0], c[0]
		for i, v := range c {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("datasets: city %d has the coordinate %v, want a finite number", i+1, v)
			}
			lo, hi = min(lo, v), max(hi, v)
		}
		if m == Geo && (lo < -360 || hi > 360) {
			return fmt.Errorf(
				"datasets: coordinates from %v to %v, want degrees (DDD.MM) from -360 to 360", lo, hi,
			)
		}
		width[d] = hi - lo
	}
	var far float64
	switch m {
	case Geo:
		return nil
	case Man2D, Man3D:
		far = width[0] + width[1] + width[2]
	case Max2D, Max3D:
		far = max(width[0], width[1], width[2])
	case XRay1, XRay2:
		far = 100 * max(width[0], 360, width[1], width[2])
	default: // Hypot does not overflow before its result does
		far = math.Hypot(math.Hypot(width[0], width[1]), width[2])
	}
	if !(far < maxDist) {
		return fmt.Errorf(
			"datasets: cities are up to %.4g apart (%s), want less than %d so that distances fit in 31 bits",
			far, m, int64(maxDist),
		)
	}
	return nil
}

// maxDist bounds distances from above; the margin covers every rounding.
const maxDist = 1<<31 - 8
