// Package spins holds the CUDA kernels of anneal/spins, whose law is package metalab/solvers/spins.
// Built with -tags cuda it registers the variant on the backend cuda; without, it only prepares the
// kernels' arguments, for tests.
//
// A block is a group of 32 walks. Its words, one a vertex, are in the multiprocessor's shared
// memory, up to near 57,000 vertices with the 227 KB of an H100 or H200; with more they are in the
// device's memory (spins_global). The threads take the vertices of a colour side by side, with a
// barrier between colours. Vertices of a colour stand in the order of their degrees; 32 of them
// have lists of edges of one length, interleaved, so that a warp reads 128 bytes at a time. Which
// bits decide does not follow from the block: its size (parameter block) never changes a result.
//
// The kernels take weights that differ in sign alone, and vertices of at most 65,534 edges. A graph
// of many colours, as a complete one, leaves most threads idle.
//
// # Figures
//
// On an H200, 10^11 tried flips a second, launches included (BenchmarkDevice, 64 sweeps an
// iteration): anneal/spins and anneal/population. The counted bound at four edges a vertex is 20.5.
//
//	graph   vertices   edges    spins   population
//	G1           800   19176      2.3      2.1
//	G22         2000   19990      3.7      3.4
//	G43         1000    9990      3.8      3.3
//	G48         3000    6000     11.2     10.1
//	G55         5000   12498      9.5      7.9
//	G63         7000   41459      3.1      3.0
//	G70        10000    9999     13.4     12.3
//	G81        20000   40000     12.2     11.5
//
// How far anneal/population stayed below the best value that package datasets knows, with 8,448
// walks (16,896 up to 2,000 vertices), 32 sweeps an iteration, 8 s, seed 1:
//
//	G1 G22 G43 G48 G60 G63 G70   reached
//	G35 G58 G64                  1
//	G62                          2
//	G55                          4
//	G72                          8
//	G77 G81                     18, 34
//
// Its cooling follows the measured speed, so another run of the same seed finds other cuts: one
// came to 27,046 of G63, 1 below.
package spins
