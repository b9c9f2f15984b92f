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
package spins
