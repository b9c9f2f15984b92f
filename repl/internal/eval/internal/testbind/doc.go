// Package testbind binds package testlab for the evaluator's tests.
package testbind

//go:generate -command gen go run metalab/repl/bind/gen
//go:generate gen -o testlab_bind.go metalab/repl/internal/eval/internal/testlab

// Path is the import path of the package that is bound.
const Path = "metalab/repl/internal/eval/internal/testlab"
