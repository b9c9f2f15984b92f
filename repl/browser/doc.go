// Command browser is the engine of a page with a prompt, compiled to WebAssembly (GOOS=js
// GOARCH=wasm). One file is both the prompt with its runs, kernel/browser/metalab, and Go at that
// prompt, package interpreter: they share most of their packages. The page starts it once for each,
// in workers of their own; its argument says which it is there.
//
// Package kernel/browser/bundle builds it, as the program [bundle.Prompt]; elsewhere it says so and
// ends.
package main
