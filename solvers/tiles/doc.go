// Package tiles is iterated local search on one tour in many pieces at once, with the same kicks
// and moves on a CPU and a GPU. The variant ils/tiles (package ils) uses it.
//
// An [Engine] holds the tours of one or more chains. An iteration is a round: it cuts the plane
// into tiles, and in each tile, with the cities that lie there, it kicks, repairs, and accepts or
// undoes. Tiles of a cut do not influence each other, so all of them can be searched at once. The
// next round cuts the plane in another way.
//
// # A cut
//
// A cut rotates the plane by an angle, and halves it again and again across its longer side, into
// parts with about equally many cities, until each has at most the wanted number; random shifts
// move the first three halvings ([NewCut]). A cut depends on its number and the seed, but not on
// tours. Rounds use the cuts 0, 1, ... in turn.
//
// # A piece
//
// The cities of a tile are numbered in the order of the tour. The tour runs through a tile on one
// or more paths; a piece omits cities between two outside ones. From the end of a path a fixed edge
// leads to the beginning of the next, in place of the way outside. So a piece is a circle, and
// every change is allowed in it except the removal of a fixed edge. A path may become longer or
// shorter, and its cities may move to another one.
//
// But the paths must join the same ends as before; otherwise the repaired kick is undone. Then
// every path fits back between its neighbours outside, whatever happened in other pieces, and the
// length of the tour changes by the sum of all changes.
//
// # A kick
//
// is a double bridge of four edges: of those behind the ends of four random walks from a city over
// the lists of neighbours ([Walk]), or behind four cities with random distances along the circle
// ([Segment]). If the edge is fixed, the next one is removed. A draw with an edge twice is
// repeated, up to four times; then there is no kick. The ends of the edges enter a queue, in the
// order of the circle.
//
// # The repair
//
// The repair removes the first city t1 from the queue, and applies moves from it until none gains.
// Then comes the next. A move removes the edge from t1 to a city t2 beside it, first to the one
// behind, then to the one before, and adds an edge from t2 to a neighbour t3 on its list. The first
// t3 that has moves with a gain decides; the repair applies its move with the largest gain, ties go
// to the first in this order:
//
//   - the exchange of two edges (all operators): the second edge is the one between t3 and the city
//     t4 before it, seen from t2 away from t1. The edge added from t2 must be shorter than the one
//     removed;
//   - [OrTwoOpt]: the path of one city, of two, of three, from t2 on away from t1, moves next to
//     t3, on the side before it or behind it, t2 next to t3. The removed edges around the path must
//     be longer than the edge that closes the gap and the one from t2 to t3;
//   - [OrThreeOpt]: exchanges of three edges in which the edge from t4 leads to a city t5 on its
//     list, if the gain is positive up to there. First those with t4 before t3, in the order of t5;
//     then those with t4 behind t3, for each t5 between t2 and t3 with the third edge behind it and
//     then with that before it.
//
// The ends of the changed edges, t1 to t6, go to the end of the queue. Of the two sides of the
// circle that an exchange could turn, the one with fewer places turns, and between equal ones the
// one that begins at t2.
//
// If the lists of neighbours have weights ([tours.Space.Alpha]), all distances above are reduced
// costs: the distance times a number, and the weights of both cities. The cost of a circle is its
// length times the number plus a constant, so the same circles are better, but moves continue along
// edges that are likely in an optimal tour. Weights are at most 2^27 in size, so that sums of costs
// fit in 32 bits.
//
// A repair ends when the queue is empty, or early when the circle is the one before the kick: the
// length is the same, and the marks (hashes of the edges) of added and removed edges have the same
// sum. The kick was then in vain.
//
// # Chains of exchanges
//
// Such kicks leave long edges, above all on lattices and between clusters, which chains of many
// exchanges remove: [Polish] kicks in the tiles of a cut and repairs by the chains of package
// tours, under the same rule for the ends of paths. It runs on the CPU, and suits few kicks.
//
// # Acceptance
//
// The search accepts a repaired circle that is not longer; with a temperature also one that is
// longer by up to a random limit. [CPU] is the reference, written for readers. The variant's
// documentation has measurements of the size of pieces, and of their loss against a search of the
// whole tour.
package tiles
