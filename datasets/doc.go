// Package datasets holds the problems that runs search on: their types, cost
// functions, readers, generators, best known values, and the way from a name
// to an instance.
//
// An Instance is one of
//
//   - TSP, the travelling salesman problem, symmetric or asymmetric;
//   - QAP, the quadratic assignment problem;
//   - PPP, the permuted perceptron problem;
//   - Weierstrass, a rugged function to be minimised in a box;
//   - Colouring, the colouring of a graph's vertices with a number of colours.
//
// Each has its cost function, its full evaluation and an incremental one, which
// gives the change of the cost by a small move for less than a full evaluation.
//
// Load finds an instance by name:
//
//	p, err := datasets.Load("pr1002") // a published instance
//	p, err = datasets.Load("E1k.0")   // generated, needs nothing
//	p, err = datasets.Load("./my.tsp")
//
// Catalogue lists what is known of all of them without loading any.
//
// Three variables of the environment matter to it: METALAB_DATA lists folders
// with instance files, METALAB_OFFLINE forbids downloads, and the user's cache
// folder is where the system says (XDG_CACHE_HOME on Linux).
//
// Readers (ReadTSP, ReadTour, ReadQAP, ReadQAPSolution,
// ReadColouring) take what real files do,
// and answer anything else with a *SyntaxError that names file, line, section
// and what was expected. They never take memory out of proportion to the file.
//
// Instances never change after they were made and may be shared by goroutines.
// Results do not depend on the machine: where the last bit of a floating-point
// function could decide a distance, the package computes it itself.
package datasets
