// Package size holds the functions of solvers to 80 lines and six parameters each. Its test lists
// those that are kept above it, with the reason; what is no longer above it must leave the list.
package size
