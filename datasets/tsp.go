package datasets

// Metric is a TSPLIB95 rule that gives the distance of two cities.
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

// A TSP is an instance of the travelling salesman problem, symmetric or not.
// Cities are numbered from 0 here and from 1 in files. Distances fit in 31 bits:
// readers and generators refuse coordinates for which they would not.
type TSP struct {
	Title   string // the NAME of the file
	Comment string
	N       int // cities
	Metric  Metric

	// Asymmetric tells whether Matrix differs from its transpose by declaration
	// (TYPE: ATSP). An instance with coordinates is symmetric.
	Asymmetric bool

	// X, Y and Z are the coordinates by city; nil where the instance has none
	// (Z: unless the metric has three dimensions).
	X, Y, Z []float64

	// ShowX and ShowY are coordinates to draw the cities at; nil when neither
	// DISPLAY_DATA nor two-dimensional coordinates exist.
	ShowX, ShowY []float64

	// Matrix holds the distances of an Explicit instance, row by row, N x N; nil otherwise.
	Matrix []int32

	// Fixed are edges that every tour must contain (FIXED_EDGES); most solvers ignore them and say so.
	Fixed [][2]int32

	known *BestKnown
	sum   string // SHA256, computed once
}
