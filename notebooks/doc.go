// Package notebooks holds the notebooks of metalab, as they come from being executed by the
// kernel "metalab (Go)":
//
//	00_first_steps.ipynb   open a run, step it, tune it, watch it, keep a record and replay it
//
// Open them in Jupyter after "go run ./kernel install". To execute one without Jupyter, its
// outputs written into it:
//
//	go run ./kernel exec notebooks/00_first_steps.ipynb
//
// The test of this package executes all of them in a real kernel.
package notebooks
