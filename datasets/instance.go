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
	KindCut         Kind = "maxcut"      // max-cut, spin glasses and QUBO

	// KindOwn is the kind of problems that users declare. This package has none of them.
	KindOwn Kind = "own"
)

// Kinds returns all kinds of problem but KindOwn.
func Kinds() []Kind {
	return []Kind{KindTSP, KindATSP, KindQAP, KindPPP, KindWeierstrass, KindColouring, KindCut}
}

// BestKnown is the best value published for an instance.
type BestKnown struct {
	Value  float64 // the value of the cost function
	Proven bool    // whether it is known to be the optimum
	Source string  // where the value is published
}

// An Instance is the data of one problem, on which a run searches.
//
// An instance never changes, and any goroutine may read it.
type Instance interface {
	// Name returns the name under which the instance is published, such as "pr1002".
	Name() string

	// Kind returns the problem that the instance belongs to.
	Kind() Kind

	// Size returns the length of a solution: cities, facilities, bits, dimensions or vertices.
	Size() int

	// BestKnown returns the best published value; ok is false if none is known.
	BestKnown() (best BestKnown, ok bool)

	// SHA256 returns the SHA-256, in hexadecimal, of the instance's canonical form: kind, size, and
	// all numbers that enter the cost function, and nothing else. So the same data has the same hash
	// however a file spells it.
	SHA256() string
}
