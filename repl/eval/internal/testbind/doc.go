// Package testbind binds package testlab for the evaluator's tests.
package testbind

//go:generate go run metalab/repl/bind/gen -o testlab_bind.go metalab/repl/eval/internal/testlab

// Path is the import path of the package that is bound.
const Path = "metalab/repl/eval/internal/testlab"
