// Package bind is where Go packages are made known to the prompt.
//
// The prompt's evaluator (metalab/kernel/eval) interprets what is typed, but the
// packages that inputs use are compiled: they are part of the program. A
// generated file per package tells the interpreter their names, types and
// functions by reflection, and their signatures and sentences for completion.
//
// To bind a package, add a line
//
//	//go:generate go run metalab/kernel/eval/bind/gen -o lab_bind.go metalab/kernel/lab
//
// to a Go file (in this folder for packages of the prompt, see generate.go), run
// go generate, and name the import path in eval.Config.Packages. What a bound
// package must not export, for reflection cannot see it: generic functions and
// generic types (the generator refuses them), and aliases of instances of
// generic types. Unexported result types work but cannot be written in an input.
// A test checks that the generated files are current: see gen.Check.
package bind
