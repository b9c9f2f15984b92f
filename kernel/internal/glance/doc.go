// Package glance summarizes the tables of each reproduced paper: each finding, with the number of
// rows in which the published figures show it, and of those in which ours do, and a picture of the
// main result.
//
// A paper is a function in [papers], which requests its tables and adds lines. A line counts rows,
// or pairs of figures; missing measurements do not count. To add a paper, add its function, beside
// its tables in solvers/bench.
package glance
