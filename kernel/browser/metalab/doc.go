// Package metalab is the prompt in a page: package browser/prompt on a host in the same program,
// compiled to WebAssembly (GOOS=js GOARCH=wasm). It is a part of command repl/browser, which
// package bundle builds, and talks to its page as command browser/engine does.
package metalab
