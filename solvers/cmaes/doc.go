// Package cmaes is the CMA-ES of Hansen and Ostermeier with restarts, a search for vectors of real
// numbers: it samples a normal distribution, moves its mean to the better half of the samples, and
// adapts the covariances and the step size.
//
// An iteration is a generation. The strategy is that of Hansen's tutorial, with rank-one and
// rank-mu updates by positive weights and cumulative step size adaptation; a start that converges
// is followed by another at a random mean, with a population that is growth times as large (IPOP).
// A start ends when the best values of its last 10 + 30 n/population generations and those of the
// last one differ by at most 1e-12, when all standard deviations are below precision times those of
// the start, when the axes differ by more than 10^7, or when the longest axis has grown by 10^4.
//
// Ours are: a coordinate outside of the bounds is set to the bound, and the update takes the sample
// as it was evaluated; the eigenvectors come by Jacobi's rotations, and normal draws by Marsaglia's
// polar method with the logarithm of metalab/solvers/arith, so that a record replays bit for bit
// on any machine; learning and damping, factors of the published rates, may be set mid-run.
//
// References:
//
//	N. Hansen, A. Ostermeier, 2001, Completely derandomized self-adaptation in evolution strategies,
//	  doi:10.1162/106365601750190398
//	A. Auger, N. Hansen, 2005, A restart CMA evolution strategy with increasing population size,
//	  doi:10.1109/CEC.2005.1554902
//	N. Hansen, 2016, The CMA evolution strategy: a tutorial, doi:10.48550/arXiv.1604.00772
package cmaes
