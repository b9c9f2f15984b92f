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
// Each has its cost function. Searches keep what they need to evaluate moves faster themselves
// (package solvers/moves); QAP and Weierstrass also give the change of the cost by one move, Delta.
//
// Load finds an instance by name:
//
//	p, err := datasets.Load("pr1002") // a published instance
//	p, err = datasets.Load("E1k.0")   // generated, needs nothing
//	p, err = datasets.Load("./my.tsp")
//	p, err = datasets.Load("./cities.csv") // a column of names, of longitudes and of latitudes
//
// Catalogue lists what is known of all of them without loading any.
//
// Three variables of the environment matter to it: METALAB_DATA lists folders
// with instance files, METALAB_OFFLINE forbids downloads, and the user's cache
// folder is where the system says (XDG_CACHE_HOME on Linux).
//
// Readers (ReadTSP, ReadCities, ReadTour, ReadQAP, ReadQAPSolution,
// ReadColouring) take what real files do,
// and answer anything else with a *SyntaxError that names file, line, section
// and what was expected. They never take memory out of proportion to the file.
//
// Instances never change after they were made and may be shared by goroutines.
// Results do not depend on the machine: where the last bit of a floating-point
// function could decide a distance, the package computes it itself.
//
// # Words
//
// A name is what Load takes: of a published instance, of a generated one, or of a file. The kind
// of an instance is its problem ([Kind]). Its best known value says who found it and whether it is
// proven ([BestKnown]). The catalogue is the list of names with kind, size, best value and where
// the data comes from ([Place]): generated, a folder of METALAB_DATA, the cache, a download. A home
// is the address of a collection. The hash of an instance ([Instance].SHA256) is of the numbers
// that enter its cost function, so a record says of which data it is.
//
// # Adding instances
//
//   - A published instance of a format that is read: its best value and source go into known.tsv
//     (graphs: chromatic.tsv), and its collection's address into [DefaultHomes].
//   - A generated family: a function that makes an instance from a name, in the list in
//     [Generate], and its sizes in catalogue.go.
//   - A problem: a type that implements [Instance] with a constructor that checks its numbers, a
//     Cost that checks the solution, a canonical form for the hash, a constant in [Kinds], and a
//     reader. Fuzz tests hold every reader to refuse what is not of its format.
package datasets
