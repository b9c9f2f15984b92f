package datasets

// Kind names the problem that an instance belongs to.
type Kind string

// The kinds of problem.
const (
	KindTSP         Kind = "tsp"         // symmetric travelling salesman problem
	KindATSP        Kind = "atsp"        // asymmetric travelling salesman problem
	KindQAP         Kind = "qap"         // quadratic assignment problem
	KindPPP         Kind = "ppp"         // permuted perceptron problem
	KindWeierstrass Kind = "weierstrass" // Weierstrass function, minimised in a box
	KindColouring   Kind = "colouring"   // graph colouring with a number of colours

	// KindOwn is that of problems that somebody declares, of which this package has none.
	KindOwn Kind = "own"
)

// Kinds lists the kinds of problem, but for KindOwn.
func Kinds() []Kind {
	return []Kind{KindTSP, KindATSP, KindQAP, KindPPP, KindWeierstrass, KindColouring}
}

// BestKnown is the best value published for an instance.
type BestKnown struct {
	Value  float64 // the value of the cost function
	Proven bool    // whether it is known to be the optimum
	Source string  // where the value is published
}

// An Instance is the data of one problem: what a run searches on.
//
// It does not change after it was made and may be read from any goroutine.
type Instance interface {
	// Name is the name under which the instance is published, as "pr1002".
	Name() string

	// Kind is the problem that the instance belongs to.
	Kind() Kind

	// Size is the length of a solution: cities, facilities, bits, dimensions or vertices.
	Size() int

	// BestKnown is the best published value; ok is false when none is known.
	BestKnown() (best BestKnown, ok bool)

	// SHA256 is the SHA-256, in hexadecimal, of the instance's canonical form:
	// kind, size, and all numbers that enter the cost function, and nothing else,
	// so that the same data has the same hash however it was spelt in a file.
	SHA256() string
}
