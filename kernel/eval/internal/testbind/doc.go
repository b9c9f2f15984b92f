// Package testbind binds package testlab for the evaluator's tests.
package testbind

//go:generate -command gen go run metalab/kernel/eval/bind/gen
//go:generate gen -o testlab_bind.go metalab/kernel/eval/internal/testlab

// Path is the import path of the package that is bound.
const Path = "metalab/kernel/eval/internal/testlab"
