// Package datasets holds the problems that runs search on: their types, cost functions, readers,
// generators and best known values. Load finds an instance by its name:
//
//	p, err := datasets.Load("pr1002") // a published instance
//	p, err = datasets.Load("E1k.0")   // generated, needs nothing
//	p, err = datasets.Load("./my.tsp")
//	p, err = datasets.Load("./cities.csv") // a column of names, of longitudes and of latitudes
//
// Public: solvers/internal/api/api.txt lists the declarations that programs may rely on.
//
// An Instance is one of
//
//   - TSP, the travelling salesman problem, symmetric or asymmetric;
//   - QAP, the quadratic assignment problem;
//   - PPP, the permuted perceptron problem;
//   - Weierstrass, a rugged function to be minimised in a box;
//   - Colouring, the colouring of a graph's vertices with a number of colours;
//   - Cut, max-cut, Ising models (spin glasses) and QUBO, whose signs the page signs.md explains.
//
// Each has a cost function. QAP and Weierstrass also have Delta, the change of the cost by one
// move. Searches keep data of their own to evaluate moves faster (package solvers/moves).
//
// Catalogue describes all instances without loading them.
//
// Three environment variables apply: METALAB_DATA lists folders with instance files,
// METALAB_OFFLINE forbids downloads, and the system's variable sets the user's cache folder
// (XDG_CACHE_HOME on Linux).
//
// Readers (ReadTSP, ReadCities, ReadTour, ReadQAP, ReadQAPSolution, ReadColouring,
// ReadRudy, ReadCOO, ReadBits) accept the variations of real files, and return a *SyntaxError for
// anything else, with file, line, section and what was expected. They never allocate memory out of
// proportion to the file.
//
// Instances never change, and goroutines may share them. Results do not depend on the machine:
// where the last bit of a floating-point function could decide a distance, the package computes it
// itself.
//
// # Words
//
// A name is the argument of Load: that of a published instance, of a generated one, or of a file.
// The kind of an instance is its problem ([Kind]). Its best known value has a source, and is proven
// or not ([BestKnown]). The catalogue lists names with kind, size, best value and the place of the
// data ([Place]): generated, a folder of METALAB_DATA, the cache, a download. A home is the address
// of a collection. The hash of an instance ([Instance].SHA256) covers the numbers that enter its
// cost function, so a record identifies its data.
//
// # Adding instances
//
//   - A published instance in a known format: add its best value and source to known.tsv (graphs:
//     chromatic.tsv), and its collection's address to [DefaultHomes].
//   - A generated family: a function that makes an instance from a name, in the list in [Generate],
//     and its sizes in catalogue.go.
//   - A problem: a type that implements [Instance] with a constructor that checks its numbers, a
//     Cost that checks the solution, a canonical form for the hash, a constant in [Kinds], and a
//     reader. Fuzz tests check that every reader refuses other formats.
package datasets
