// Tabu search on a device: solvers/moves' tabu/robust on assignments (2-exchange) and permuted
// perceptrons (one or two flips).
//
// After T. V. Luong, N. Melab and E.-G. Talbi, GPU computing for parallel local search
// metaheuristic algorithms, IEEE Transactions on Computers 62 (2013), doi:10.1109/TC.2011.206: a
// thread is given a neighbour by its index (Section 4), the solution and the data are read only,
// and fitnesses are either written for the host or reduced on the device.
#include "common.cuh"
#include "qap.cuh"
#include "ppp.cuh"
