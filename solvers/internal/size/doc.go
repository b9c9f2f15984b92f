// Package size holds the functions of the project to 80 lines and six parameters each, its structs
// to 20 fields, and its files, tests too, to 500 lines. Its tests list the functions and structs
// that are kept above it, with the reason; what is no longer above it must leave the list.
package size
