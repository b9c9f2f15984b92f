// Package genetic builds the tours of ga/tournament and of ga/eax-rounds on a GPU: its engines are
// those of package metalab/solvers/genetic, for symmetric instances. Results are those of the CPU,
// bit for bit. The first sections describe tournament; eax-rounds is at the end.
//
// # What it follows
//
// S. Kang, S.-S. Kim, J. Won and Y.-M. Kang, GPU-based parallel genetic approach to large-scale
// travelling salesman problem, J. Supercomputing, 2016, doi:10.1007/s11227-016-1748-1: the
// constructive crossovers scx, bcscx and arx (Sections 2.1 to 2.4) with jump indices, one worker
// for each child. In the paper a thread builds a child, here a warp does: one lane follows the
// child, and all lanes write the jump indices, mutate, and measure the tour. Jumps name cities and
// not distances between places, which saves looking up places.
//
// # One generation
//
//	reproduce_{short,whole,real,matrix}_...   children, mutations, lengths and hashes
//	around, differ                            the edges in which 16 tours differ from the best
//
// The host decides who competes with whom, who has children and who goes to which group, by 16
// bytes for each child. Tours lie in rows; an individual names a row, and no tour is copied. A row
// is written only while no individual names it, so a generation that fails has changed nothing.
//
// Children of scx and bcscx follow links (cross.cuh). One of arx needs none: while a parent
// recommends, the child copies the rest of that parent's tour from two ends, which a warp reads
// ahead (walk.cuh). So a block has strong warps with room for links, and weak ones; a free warp
// starts the next birth, a strong one prefers those with links (crew.go).
//
// # The first population
//
// The kernels random_plane_..., random_matrix_..., or, with start=nn, nearest_plane_... and
// nearest_matrix_... build it, with a warp per tour. In the plane these have a tree in which each
// node is of 32 leaves or nodes and each leaf of 32 cities, so that a warp looks at all that is in
// one at once; nearest.cuh has it. Local minima, with start=minima, come from generations as well:
// those of many parallel searches, as many as there are rows for, each with its own seed.
//
// # Where links lie
//
// A child of scx or bcscx needs the links of all cities: 8 bytes a city up to 65,534 cities, 16
// beyond. They lie in shared memory if all such children of a generation fit into a few turns, four
// with places of 16 bits and one with real ones (ground.go); else in the device's memory, and then
// mostly in its L2 cache if a generation's links take less than that. Beside links in shared memory
// a block has a copy of the places, if they are whole numbers: 4 bytes a city if they are less than
// 46,341 apart, else 8.
//
// # What bounds it
//
// The steps of a child wait for each other: 86 % of a generation. With links in shared memory a
// step of bcscx takes 149 cycles, a load and what waits for it; with links in the device's memory
// 630 cycles where next cities are near and 1,190 for a million cities at random, the slowest of
// eight loads. A step of arx takes some 170 cycles. 512 children of 10,150 cities take 1.93 ms on
// an H100, those of a million 705 ms, where a chain of single loads would take 360. bench
// ga-gpu-generation has the figures, and what was tried and left out: links with places in them, of
// which one a step is read, are slower than links, as cross.cuh says, but not for random tours of
// 100,000 cities and more.
//
// # Memory
//
// There are rows for the population and the children of a generation (about half of it, and those
// that mutate); see bytes in args.go. The engine reserves all memory before it allocates; an error
// says how large a population fits.
//
// # Edge assembly
//
// A generation of ga/eax-rounds is a few launches, for which the host waits once:
//
//	clear_edges, count_...      a table that counts in how many tours each edge is
//	couples_plane_..., _matrix  the children of a round's couples, and the best one's tour
//	settle_...                  these take their first parents' places, in the table too
//	tally_edges                 how many edges are in so many tours
//
// A block has a couple. One lane splits the parents into A-B cycles: it walks along remaining
// edges, which lie in shared memory up to some 12,000 cities. Then each warp builds children. It
// keeps the links of the cities that a child changes, and a bit for each city tells where to look;
// the search for the exchange that joins a subtour, the edges' counts, the sorting of cuts and the
// tabu search for a block are shared out to lanes. A subtour omits cities whose neighbours lie in
// their own segment, which two numbers per city show; neighbours elsewhere are collected until
// there is one for each lane. Chance decides which warp builds which child; the best child, then
// the first, counts. A warp keeps its best child's links, and the whole block writes the tour of
// the best by segments of the first parent.
//
// The table, of 8 bytes an edge, is at most a quarter full: its size fits the edges of the loaded
// population, whose number falls. A block needs about 70 bytes a city and warp; all blocks together
// have at most 8 GiB, and fewer warps where that is too little.
//
// A host of many cores builds the first population, and keeps a copy of all tours, so that plots
// and saving wait for no GPU.
package genetic
