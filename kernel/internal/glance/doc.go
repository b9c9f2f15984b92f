// Package glance says of each paper that was made again what its tables show, in how many rows the
// published figures say so and in how many those that were measured here, and has a picture of its
// main result.
//
// A paper is a function in [papers], which asks for the tables that it needs and adds lines. A line
// counts rows, or pairs of figures; what was not measured does not count. To add a paper, add its
// function, beside its tables in solvers/bench.
package glance
