// Command browser is Go at the prompt in a page, compiled to WebAssembly (GOOS=js GOARCH=wasm): the
// interpreter of package eval in a worker of its own, which the page loads when Go is first typed.
// The runs are in the worker of the prompt's engine, kernel/browser/metalab; what package lab asks
// of its host goes through the page to that.
//
// Package kernel/browser/bundle builds it, as the program [bundle.Go]; elsewhere it says so and
// ends.
package main
